import { expect, test } from "vitest";
import { forEachConcurrent } from "./for-each-concurrent.ts";

const pause = () => new Promise((done) => setImmediate(done));

async function* slowly(count: number) {
	for (let n = 0; n < count; n++) {
		await pause();
		yield n;
	}
}

test.each([
	["a list", Array.from({ length: 50 }, (_, n) => n)],
	["an asynchronous iterator", slowly(50)],
])("works on each item of %s once, in order, within the limit", async (_name, items) => {
	const begun: number[] = [];
	let [running, maxRunning] = [0, 0];
	await forEachConcurrent(7, items, async (item) => {
		begun.push(item);
		maxRunning = Math.max(maxRunning, ++running);
		for (let i = 0; i < 5; i++) await pause();
		running--;
	});
	expect(begun).toEqual(Array.from({ length: 50 }, (_, n) => n));
	expect([running, maxRunning]).toEqual([0, Array.isArray(items) ? 7 : maxRunning]);
	expect(maxRunning).toBeLessThanOrEqual(7);
});

test("rethrows the first error after the running work has ended", async () => {
	let [begun, ended] = [0, 0];
	const work = forEachConcurrent(3, slowly(50), async (item) => {
		begun++;
		await pause();
		if (item === 4) throw new Error("four");
		ended++;
	});
	await expect(work).rejects.toThrow("four");
	expect(begun).toBeLessThan(12);
	expect(ended).toBe(begun - 1);
});

test("rethrows the error of a failing source", async () => {
	async function* broken() {
		yield 1;
		throw new Error("the list is unavailable");
	}
	await expect(forEachConcurrent(3, broken(), async () => {})).rejects.toThrow("the list is unavailable");
});
