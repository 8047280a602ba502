import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestShop, testShop } from "../../server/test-shop.ts";
import { punctuality } from "./punctuality.server.ts";

let shop: TestShop;
beforeAll(async () => {
	shop = await testShop();
});
afterAll(() => shop?.close());

const now = new Date("2026-11-20T12:00:00Z");
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

/** Copies of a real order, each with a promise and what became of it. */
async function orders(count: number, set: { promised_at: Date; status?: "completed" | "processing" | "failed"; late_at?: Date | null }) {
	const { number } = await shop.placeOrder();
	const row = await shop.shop.db.selectFrom("orders").selectAll().where("order_number", "=", number).executeTakeFirstOrThrow();
	for (let i = 0; i < count; i += 1) {
		const id = randomUUID();
		await shop.shop.db
			.insertInto("orders")
			.values({ ...row, id, order_number: id, idempotency_key: id, status: "completed", late_at: null, ...set })
			.execute();
	}
}

test("nothing is said of fewer than twenty orders; then late ones and those still waited for count against us", async () => {
	await orders(17, { promised_at: daysAgo(1) });
	await orders(1, { promised_at: daysAgo(2), late_at: daysAgo(2) });
	await orders(1, { promised_at: daysAgo(3), status: "processing" });
	// these are not counted: not due yet, too long ago, ended by a refund
	await orders(3, { promised_at: daysAgo(-1) });
	await orders(3, { promised_at: daysAgo(91) });
	await orders(3, { promised_at: daysAgo(4), status: "failed" });
	expect(await punctuality(shop.shop.db, now)).toBeNull();
	await orders(1, { promised_at: daysAgo(5) });
	expect(await punctuality(shop.shop.db, now)).toEqual({ due: 20, kept: 18 });
});
