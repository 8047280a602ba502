import type { Random } from "../random.ts";

/** A value and how often it comes, in any unit: only the proportions count. */
export type Weighted<T> = readonly (readonly [value: T, weight: number])[];

/** Draws the values of a table in proportion to their weights. */
export function drawFrom<T>(table: Weighted<T>): (random: Random) => T {
	const sums = new Float64Array(table.length);
	let total = 0;
	for (const [index, [, weight]] of table.entries()) {
		total += weight;
		sums[index] = total;
	}
	return (random) => {
		const aim = random.next() * total;
		let low = 0;
		let high = sums.length - 1;
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((sums[middle] as number) > aim) high = middle;
			else low = middle + 1;
		}
		return (table[low] as (typeof table)[number])[0];
	};
}

/** Weights falling off with the rank as in Zipf's law: the first comes `2 ** exponent` times as often as the second. */
export function byRank<T>(values: readonly T[], exponent: number): Weighted<T> {
	return values.map((value, rank) => [value, (rank + 1) ** -exponent]);
}

/** How often each value occurs. */
export function counted<T>(values: readonly T[]): Weighted<T> {
	const counts = new Map<T, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return [...counts];
}

/** True for a share (0 to 1) of the calls. */
export function happens(random: Random, share: number): boolean {
	return random.next() < share;
}

/** A whole number from 0 to below `limit`. */
export function below(random: Random, limit: number): number {
	return Math.floor(random.next() * limit);
}

/** A whole number from 0 to below `limit`; the higher the exponent, the more often a low one, without ever leaving out the others. */
export function lowOften(random: Random, limit: number, exponent: number): number {
	return Math.floor(random.next() ** exponent * limit);
}

/** How many times in a row it happens: 0, 1, 2 and so on, each rarer by the share. */
export function timesInARow(random: Random, share: number, limit: number): number {
	let times = 0;
	while (times < limit && happens(random, share)) times++;
	return times;
}
