export interface Random {
	/** From 0 to below 1. */
	next(): number;
	pick<T>(from: readonly T[]): T;
}

/** The same seed gives the same numbers (mulberry32). */
export function seededRandom(seed: number): Random {
	let state = seed;
	const next = () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	return { next, pick: (from) => from[Math.floor(next() * from.length)] as (typeof from)[number] };
}
