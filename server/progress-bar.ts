const width = 30;

/** Draws how far a long task is, from 0 to 1, on standard error: on a terminal one line that grows, elsewhere a line at the end. */
export function progressBar(title: string): (fraction: number) => void {
	const started = performance.now();
	return (fraction) => {
		const seconds = `${((performance.now() - started) / 1000).toFixed(1)} s`;
		const filled = Math.round(width * fraction);
		if (process.stderr.isTTY) {
			const bar = `[${"█".repeat(filled)}${"·".repeat(width - filled)}] ${Math.round(100 * fraction)} %`;
			process.stderr.write(`\r${title} ${bar}  ${seconds}${fraction >= 1 ? "\n" : ""}`);
		} else if (fraction >= 1) {
			process.stderr.write(`${title}: done in ${seconds}\n`);
		}
	};
}
