import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "../../../test/random.ts";

/** Runs `work` so many times, `concurrent` at a time: the highest load that is answered. */
export async function closedLoop<Result>(
	count: number,
	concurrent: number,
	work: () => Promise<Result>,
	onDone: (done: number) => void = () => {},
): Promise<{ results: Result[]; seconds: number }> {
	const results: Result[] = [];
	let begun = 0;
	const started = performance.now();
	const repeat = async () => {
		while (begun < count) {
			begun++;
			results.push(await work());
			onDone(results.length);
		}
	};
	await Promise.all(Array.from({ length: Math.min(concurrent, count) }, repeat));
	return { results, seconds: (performance.now() - started) / 1000 };
}

/** Starts `work` so many times per second on average, however long the ones before take. */
export async function openLoad<Result>(count: number, perSecond: number, random: Random, work: () => Promise<Result>): Promise<Result[]> {
	const running: Promise<Result>[] = [];
	let next = performance.now();
	for (let number = 0; number < count; number++) {
		// exponential gaps: arrivals are independent
		next += (-Math.log(1 - random.next()) * 1000) / perSecond;
		await wait(Math.max(0, next - performance.now()));
		const result = work();
		result.catch(() => {}); // awaited below
		running.push(result);
	}
	return Promise.all(running);
}
