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

/** Inserts orders that were delivered in time, a day after they were placed, with some columns changed. */
async function orders(count: number, set: Partial<Order> & { promised_at: Date }) {
	const created_at = new Date(set.promised_at.getTime() - day);
	for (let i = 0; i < count; i += 1) await shop.insertOrder({ status: "completed", created_at, ...set });
}

test("below twenty orders there is no figure; then late and still pending orders reduce it", async () => {
	await orders(14, { promised_at: daysAgo(1) });
	await orders(1, { promised_at: daysAgo(2), late_at: daysAgo(2) });
	await orders(1, { promised_at: daysAgo(3), status: "processing" });
	await orders(1, { promised_at: daysAgo(3), status: "paid" });
	// counted: due now, due in the first moment of the ninety days, and with a far deadline
	await orders(1, { promised_at: now });
	await orders(1, { promised_at: daysAgo(90, 1), created_at: daysAgo(149) });
	// not counted: not due yet, too old, refunded, unpaid
	await orders(3, { promised_at: new Date(now.getTime() + 1) });
	await orders(3, { promised_at: daysAgo(90) });
	await orders(3, { promised_at: daysAgo(4), status: "failed" });
	await orders(3, { promised_at: daysAgo(4), status: "pending" });
	expect(await measurePunctuality(shop.db, now)).toBeNull();
	await orders(1, { promised_at: daysAgo(5) });
	expect(await measurePunctuality(shop.db, now)).toEqual({ due: 20, kept: 17 });
});
