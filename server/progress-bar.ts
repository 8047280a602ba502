const width = 30;

const number = new Intl.NumberFormat("en-GB");

/**
 * Shows the progress of a long task on standard error: a growing line on a terminal, one final line elsewhere.
 * @returns a function that takes the completed fraction, from 0 to 1, and the number of completed rows.
 */
export function progressBar(title: string): (fraction: number, rows?: number) => void {
	const startedAt = performance.now();
	return (fraction, rows = 0) => {
		const seconds = (performance.now() - startedAt) / 1000;
		const speed = rows > 0 ? `${number.format(rows)} rows, ${number.format(Math.round(rows / seconds))} a second` : "";
		if (process.stderr.isTTY) {
			const filled = Math.round(width * fraction);
			const left = fraction > 0.02 && fraction < 1 ? `${formatDuration((seconds * (1 - fraction)) / fraction)} left` : "";
			const bar = `[${"█".repeat(filled)}${"·".repeat(width - filled)}] ${Math.round(100 * fraction)} %`;
			process.stderr.write(
				`\r${title} ${[bar, formatDuration(seconds), left, speed].filter(Boolean).join("  ")}\u001b[K${fraction >= 1 ? "\n" : ""}`,
			);
		} else if (fraction >= 1) {
			process.stderr.write(`${title}${[`: done in ${formatDuration(seconds)}`, speed].filter(Boolean).join(", ")}\n`);
		}
	};
}

/** 3.4 s; 2 min 05 s. */
function formatDuration(seconds: number): string {
	if (seconds < 60) return `${seconds.toFixed(1)} s`;
	return `${Math.floor(seconds / 60)} min ${String(Math.floor(seconds % 60)).padStart(2, "0")} s`;
}
