/**
 * Lets at most `max` of the calls run at once; the others wait, first come, first served.
 * @returns a function that runs what it is given, and its result or error.
 */
export function limitConcurrency(max: number): <Result>(run: () => Promise<Result>) => Promise<Result> {
	const waiting: (() => void)[] = [];
	let running = 0;
	return async (run) => {
		// who ends gives its place to who waits, so that a newcomer does not take it
		if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
		else running++;
		try {
			return await run();
		} finally {
			const next = waiting.shift();
			if (next) next();
			else running--;
		}
	};
}

/** As limitConcurrency, but a call gets null when `maxWaiting` others wait already. */
export function limitWaiting(max: number, maxWaiting: number): <Result>(run: () => Promise<Result>) => Promise<Result | null> {
	const inTurn = limitConcurrency(max);
	let calls = 0;
	return async (run) => {
		if (calls >= max + maxWaiting) return null;
		calls++;
		return inTurn(run).finally(() => calls--);
	};
}
