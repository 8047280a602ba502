const width = 30;

const labels = {
	en: { number: new Intl.NumberFormat("en-GB"), rows: "rows", perSecond: "a second", left: "left", done: ": done in" },
	fr: { number: new Intl.NumberFormat("fr-FR"), rows: "lignes", perSecond: "par seconde", left: "restantes", done: "\u00a0: fait en" },
} as const;

/**
 * Shows the progress of a long task on standard error: a growing line on a terminal, one final line elsewhere.
 * @returns a function that takes the completed fraction, from 0 to 1, and the number of completed rows.
 */
export function progressBar(title: string, language: keyof typeof labels = "en"): (fraction: number, rows?: number) => void {
	const { number, rows: rowsLabel, perSecond, left: leftLabel, done } = labels[language];
	const startedAt = performance.now();
	return (fraction, rows = 0) => {
		const seconds = (performance.now() - startedAt) / 1000;
		const speed = rows > 0 ? `${number.format(rows)} ${rowsLabel}, ${number.format(Math.round(rows / seconds))} ${perSecond}` : "";
		if (process.stderr.isTTY) {
			const filled = Math.round(width * fraction);
			const left = fraction > 0.02 && fraction < 1 ? `${formatDuration((seconds * (1 - fraction)) / fraction)} ${leftLabel}` : "";
			const bar = `[${"█".repeat(filled)}${"·".repeat(width - filled)}] ${Math.round(100 * fraction)} %`;
			process.stderr.write(
				`\r${title} ${[bar, formatDuration(seconds), left, speed].filter(Boolean).join("  ")}\u001b[K${fraction >= 1 ? "\n" : ""}`,
			);
		} else if (fraction >= 1) {
			process.stderr.write(`${title}${[`${done} ${formatDuration(seconds)}`, speed].filter(Boolean).join(", ")}\n`);
		}
	};
}

/** 3.4 s; 2 min 05 s. */
function formatDuration(seconds: number): string {
	if (seconds < 60) return `${seconds.toFixed(1)} s`;
	return `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, "0")} s`;
}
