import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrderFixture, type OrderFixture } from "../../test/orders.ts";
import type { Order } from "../orders/order.ts";
import { measurePunctuality } from "./punctuality.server.ts";

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-20T10:00:00Z" });
});
afterAll(() => shop?.close());

const now = new Date("2026-11-20T12:00:00Z");
const day = 86_400_000;
const daysAgo = (days: number, milliseconds = 0) => new Date(now.getTime() - days * day + milliseconds);

/** Orders that were delivered in time, a day after they were made, but for what differs. */
async function orders(count: number, set: Partial<Order> & { promised_at: Date }) {
	const created_at = new Date(set.promised_at.getTime() - day);
	for (let i = 0; i < count; i += 1) await shop.insertOrder({ status: "completed", created_at, ...set });
}

test("nothing is said of fewer than twenty orders; then late ones and those still waited for count against us", async () => {
	await orders(14, { promised_at: daysAgo(1) });
	await orders(1, { promised_at: daysAgo(2), late_at: daysAgo(2) });
	await orders(1, { promised_at: daysAgo(3), status: "processing" });
	await orders(1, { promised_at: daysAgo(3), status: "paid" });
	// these are: due now, due in the first moment of the ninety days, and promised far ahead
	await orders(1, { promised_at: now });
	await orders(1, { promised_at: daysAgo(90, 1), created_at: daysAgo(149) });
	// these are not counted: not due yet, too long ago, ended by a refund, never paid
	await orders(3, { promised_at: new Date(now.getTime() + 1) });
	await orders(3, { promised_at: daysAgo(90) });
	await orders(3, { promised_at: daysAgo(4), status: "failed" });
	await orders(3, { promised_at: daysAgo(4), status: "pending" });
	expect(await measurePunctuality(shop.db, now)).toBeNull();
	await orders(1, { promised_at: daysAgo(5) });
	expect(await measurePunctuality(shop.db, now)).toEqual({ due: 20, kept: 17 });
});
