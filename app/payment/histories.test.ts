import { afterAll, beforeAll, expect, test } from "vitest";
import { checkHistories } from "../../bench/histories/check-histories.ts";
import { type HistoryShop, openHistoryShop } from "../../bench/histories/shop.ts";
import { testDatabase } from "../../server/test-database.ts";

const places: HistoryShop[] = [];
beforeAll(async () => {
	for (let at = 0; at < 4; at++) places.push(await openHistoryShop((await testDatabase()).connection));
});
afterAll(async () => {
	for (const place of places) await place.close();
});

test("any order, repetition and loss of events ends in the same state: 300 random histories", async () => {
	const { played, failure } = await checkHistories(places, { runs: 300, seed: Date.now() % 2 ** 31 });
	expect(failure).toBeNull();
	expect(played).toBeGreaterThanOrEqual(300);
}, 180_000);
