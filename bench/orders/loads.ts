import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "../random.ts";

/** Customers one after another, so many at a time: what the shop takes at most. @returns what each took, and the seconds of all. */
export async function closedLoop<Taken>(
	count: number,
	atOnce: number,
	one: () => Promise<Taken>,
	each: (done: number) => void = () => {},
): Promise<{ taken: Taken[]; seconds: number }> {
	const taken: Taken[] = [];
	let begun = 0;
	const started = performance.now();
	const comeAndGo = async () => {
		while (begun < count) {
			begun++;
			taken.push(await one());
			each(taken.length);
		}
	};
	await Promise.all(Array.from({ length: Math.min(atOnce, count) }, comeAndGo));
	return { taken, seconds: (performance.now() - started) / 1000 };
}

/** Customers who come by themselves, so many per second on average, however long those before them take. */
export async function openLoad<Taken>(count: number, perSecond: number, random: Random, one: () => Promise<Taken>): Promise<Taken[]> {
	const all: Promise<Taken>[] = [];
	let next = performance.now();
	for (let number = 0; number < count; number++) {
		// exponential gaps: nobody waits for anybody
		next += (-Math.log(1 - random.next()) * 1000) / perSecond;
		await wait(Math.max(0, next - performance.now()));
		const taken = one();
		taken.catch(() => {}); // awaited below
		all.push(taken);
	}
	return Promise.all(all);
}
