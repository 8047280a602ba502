import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrderFixture, type OrderFixture } from "../../test/orders.ts";
import { checkPromiseJob, fulfilOrderJob, invoiceOrderJob } from "./jobs.ts";
import { requeueStalledOrders } from "./requeue-stalled-orders.server.ts";

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-20T10:00:00Z" });
});
afterAll(() => shop?.close());

test("a stalled purchase asks for its invoice once, at its first order, and goes on with each of its orders", async () => {
	const { orders } = await shop.insertPaidPurchase(["standard", "express", "express"]);
	const countJobs = (kind: { name: string }) => Promise.all(orders.map(async ({ id }) => (await shop.getJobs(kind, id)).length));
	shop.clock.now = shop.after(3 * 3_600_000);
	await requeueStalledOrders(shop);
	expect(await countJobs(invoiceOrderJob)).toEqual([1, 0, 0]);
	expect(await countJobs(fulfilOrderJob)).toEqual([1, 1, 1]);
	expect(await countJobs(checkPromiseJob)).toEqual([1, 1, 1]);
});
