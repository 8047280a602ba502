/** Comparing or hashing a password takes a processor for a tenth of a second, so few do it at once, and few strangers wait. */
export interface PasswordQueue {
	/** For those who are known: runs before all strangers. */
	runFirst<T>(work: () => Promise<T>): Promise<T>;
	/** For strangers. @returns `busy`, without waiting, when too many wait. */
	runIfFree<T>(work: () => Promise<T>): Promise<T | Busy>;
}

/** `retryAfter`: seconds. */
export type Busy = typeof busy;

export const busy = { ok: false, code: "busy", retryAfter: 5 } as const;

/** Two of the four threads of Node.js (libuv), which also compress pages and read files. */
const mostAtOnce = 2;

/** Strangers who may wait: less than a second. */
const mostWaiting = 8;

export function createPasswordQueue(): PasswordQueue {
	const [known, strangers]: [(() => void)[], (() => void)[]] = [[], []];
	const working = new Set<symbol>();
	const run = async <T>(queue: (() => void)[], work: () => Promise<T>): Promise<T> => {
		const place = Symbol();
		if (working.size < mostAtOnce) working.add(place);
		else await new Promise<void>((resolve) => queue.push(() => resolve(void working.add(place))));
		try {
			return await work();
		} finally {
			working.delete(place);
			const next = known.shift() ?? strangers.shift();
			next?.();
		}
	};
	return {
		runFirst: (work) => run(known, work),
		runIfFree: async (work) => (working.size >= mostAtOnce && strangers.length >= mostWaiting ? busy : run(strangers, work)),
	};
}
