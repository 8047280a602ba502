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
	["what comes one by one", slowly(50)],
])("each of %s is worked on once, in order, no more than so many at a time", async (_what, items) => {
	const begun: number[] = [];
	let [now, most] = [0, 0];
	await forEachConcurrent(7, items, async (item) => {
		begun.push(item);
		most = Math.max(most, ++now);
		for (let i = 0; i < 5; i++) await pause();
		now--;
	});
	expect(begun).toEqual(Array.from({ length: 50 }, (_, n) => n));
	expect([now, most]).toEqual([0, Array.isArray(items) ? 7 : most]);
	expect(most).toBeLessThanOrEqual(7);
});

test("the first throw ends it, once what was begun has ended", async () => {
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

test("a source that fails is the fault", async () => {
	async function* broken() {
		yield 1;
		throw new Error("the list is away");
	}
	await expect(forEachConcurrent(3, broken(), async () => {})).rejects.toThrow("the list is away");
});
