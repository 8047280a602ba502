import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { listenForChanges, publicPagesSubject } from "../../server/database/changes.ts";
import type { JobKinds } from "../../server/jobs.ts";
import { createOrderFixture, type OrderFixture } from "../../test/orders.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { addDaysOff, setCapacity } from "../catalogue/settings/change-settings.server.ts";
import type { Order } from "../orders/order.ts";
import { markPaid } from "./mark-paid.server.ts";
import { requeueStalledOrders } from "./requeue-stalled-orders.server.ts";

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-20T10:00:00Z" });
});
afterEach(() => {
	shop.clock.now = shop.start;
});
afterAll(() => shop?.close());

test("a stalled purchase asks for its invoice once, at its first order, and goes on with each of its orders", async () => {
	const { orders } = await shop.insertPaidPurchase(["standard", "express", "express"]);
	const countJobs = (kind: keyof JobKinds) => Promise.all(orders.map(async ({ id }) => (await shop.getJobs(kind, id)).length));
	shop.clock.now = shop.after(3 * 3_600_000);
	await requeueStalledOrders(shop);
	expect(await countJobs("invoice-order")).toEqual([1, 0, 0]);
	expect(await countJobs("fulfil-order")).toEqual([1, 1, 1]);
	expect(await countJobs("check-promise")).toEqual([1, 1, 1]);
});

describe("a purchase that is paid", () => {
	const pay = (orders: readonly Order[]) => shop.inTransaction((trx) => markPaid(shop, trx, orders));
	const insert = async (created_at: Date) =>
		(await shop.insertPaidPurchase(["express", "standard", "express"], { status: "pending", paid_at: null, promised_at: null, created_at }))
			.orders;
	const getPaid = async (orders: readonly Order[]) =>
		Promise.all(orders.map(async (order) => (await shop.getEvents(order)).map(({ event_type, payload }) => [event_type, payload])));

	test("has a deadline and jobs for each of its orders, and one invoice, only while all are pending", async () => {
		const orders = await insert(shop.after(-1));
		const failed = { ...(orders[2] as Order), status: "failed" as const };
		expect([await pay([]), await pay([orders[0], failed])]).toEqual([null, null]);
		expect(await getPaid(orders)).toEqual([[], [], []]);
		expect(await pay(orders)).toEqual(shop.start);
		expect(await getPaid(orders)).toEqual([5900, 3900, 5900].map((amount) => [["paid", { amount }]]));
		for (const [index, { id }] of orders.entries()) {
			const { status, paid_at, promised_at } = await shop.getOrder(id);
			expect({ status, paid_at }).toEqual({ status: "paid", paid_at: shop.start });
			expect(await shop.getJobs("fulfil-order", id)).toMatchObject([{ data: { orderId: id, because: "paid" } }]);
			expect(await shop.getJobs("check-promise", id)).toMatchObject([{ start_after: promised_at }]);
			expect(await shop.getJobs("invoice-order", id)).toHaveLength(index === 0 ? 1 : 0);
		}
	});

	test("says so when its deadline is later than the one that was shown, because of days off since; no later purchase does", async () => {
		const shown = await insert(shop.after(-1));
		expect(await addDaysOff(shop, { id: null, name: "Ada" }, { from: "2026-11-20", to: "2026-11-20" })).toMatchObject({ ok: true });
		expect(await pay(shown)).toEqual(shop.start);
		shop.clock.now = shop.after(2);
		const later = await insert(shop.after(1));
		expect(await pay(later)).toEqual(shop.after(2));
		const hasMoved = async (orders: readonly Order[]) => (await getPaid(orders)).map(([event]) => event?.[1]);
		expect(await hasMoved(shown)).toMatchObject(Array(3).fill({ promise_moved: true }));
		for (const payload of await hasMoved(later)) expect(payload).not.toHaveProperty("promise_moved");
		const [express] = [await shop.getOrder(shown[0].id)];
		expect(express.promised_at).toEqual((await shop.getOrder(later[0].id)).promised_at);
	});

	test("changes the public pages where a service may be full from now on", async () => {
		expect(await setCapacity(shop, { id: null, name: "Ada" }, { express: 100 })).toMatchObject({ ok: true });
		const orders = await insert(shop.start);
		const changes = listenForChanges(shop.connection, shop.log);
		let told = 0;
		await new Promise<void>((connected) => changes.subscribe(publicPagesSubject, () => (told++ === 0 ? connected() : undefined)));
		await pay(orders);
		await vi.waitFor(() => expect(told).toBe(2), { timeout: scaledTimeout(10_000), interval: 10 }).finally(() => changes.stop());
	});
});
