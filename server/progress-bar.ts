/** Draws how far a long task is on standard error; on a terminal one line that grows, elsewhere a line at the end. */
export function progressBar(title: string): (done: number, total: number) => void {
	const width = 30;
	const started = performance.now();
	return (done, total) => {
		const finished = done >= total;
		const seconds = ((performance.now() - started) / 1000).toFixed(1);
		if (process.stderr.isTTY) {
			const filled = Math.round((width * Math.min(done, total)) / Math.max(total, 1));
			process.stderr.write(
				`\r${title} [${"█".repeat(filled)}${"·".repeat(width - filled)}] ${done} / ${total}  ${seconds} s${finished ? "\n" : ""}`,
			);
		} else if (finished) {
			process.stderr.write(`${title}: ${done} in ${seconds} s\n`);
		}
	};
}
