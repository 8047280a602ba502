const width = 30;

/** What is said beside the bar, in each language of the commands. */
const words = {
	en: { number: new Intl.NumberFormat("en-GB"), rows: "rows", perSecond: "a second", left: "left", done: ": done in" },
	fr: { number: new Intl.NumberFormat("fr-FR"), rows: "lignes", perSecond: "par seconde", left: "restantes", done: "\u00a0: fait en" },
} as const;

/**
 * Draws how far a long task is on standard error: on a terminal one line that grows, elsewhere a line at the end.
 * @returns what takes the fraction done, from 0 to 1, and the rows done so far, where there are any.
 */
export function progressBar(title: string, language: keyof typeof words = "en"): (fraction: number, rows?: number) => void {
	const { number, rows: rowsWord, perSecond, left: leftWord, done } = words[language];
	const started = performance.now();
	return (fraction, rows = 0) => {
		const seconds = (performance.now() - started) / 1000;
		const speed = rows > 0 ? `${number.format(rows)} ${rowsWord}, ${number.format(Math.round(rows / seconds))} ${perSecond}` : "";
		if (process.stderr.isTTY) {
			const filled = Math.round(width * fraction);
			const left = fraction > 0.02 && fraction < 1 ? `${time((seconds * (1 - fraction)) / fraction)} ${leftWord}` : "";
			const bar = `[${"█".repeat(filled)}${"·".repeat(width - filled)}] ${Math.round(100 * fraction)} %`;
			process.stderr.write(
				`\r${title} ${[bar, time(seconds), left, speed].filter(Boolean).join("  ")}\u001b[K${fraction >= 1 ? "\n" : ""}`,
			);
		} else if (fraction >= 1) {
			process.stderr.write(`${title}${[`${done} ${time(seconds)}`, speed].filter(Boolean).join(", ")}\n`);
		}
	};
}

/** 3.4 s; 2 min 05 s. */
function time(seconds: number): string {
	if (seconds < 60) return `${seconds.toFixed(1)} s`;
	return `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, "0")} s`;
}
