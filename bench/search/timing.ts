import { percentile } from "../percentiles.ts";

/** Milliseconds of each, one after another. */
export async function inTurn<Item>(items: readonly Item[], work: (item: Item) => unknown): Promise<number[]> {
	const latencies: number[] = [];
	for (const item of items) {
		const started = performance.now();
		await work(item);
		latencies.push(performance.now() - started);
	}
	return latencies;
}

export interface Load {
	latencies: number[];
	perSecond: number;
}

/** Many at once, each client going through the items from another place and beginning anew, for so many milliseconds. */
export async function together<Item>(
	items: readonly Item[],
	{ clients, ms }: { clients: number; ms: number },
	work: (item: Item) => Promise<unknown>,
): Promise<Load> {
	const latencies: number[] = [];
	const started = performance.now();
	const client = async (number: number) => {
		for (let at = Math.floor((number * items.length) / clients); performance.now() - started < ms; at = (at + 1) % items.length) {
			const asked = performance.now();
			await work(items[at] as Item);
			latencies.push(performance.now() - asked);
		}
	};
	await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
	return { latencies, perSecond: (1000 * latencies.length) / (performance.now() - started) };
}

/** The shares that tables tell: p50, p95, p99 and the most. */
export const tableShares = [0.5, 0.95, 0.99, 1];
export const sharesOf = (latencies: readonly number[]): number[] => tableShares.map((share) => percentile(latencies, share));
