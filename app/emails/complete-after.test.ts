import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrderFixture, type OrderFixture } from "../../test/orders.ts";
import type { ServiceCode } from "../catalogue/services.ts";
import type { Order } from "../orders/order.ts";
import { completeAfter, type DeliveryStep } from "./complete-after.server.ts";

// Which step delivers an order, and what its completion sends (docs/decisions/0057-one-way-to-complete.md).

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T09:00:00Z" });
});
afterAll(() => shop?.close());

const served = { status: "processing", paid_at: new Date("2026-11-23T08:00:00Z") } as const;

/** An order that was bought alone, or the second one of two. */
async function insertServed(service: ServiceCode, isOneOfSeveral: boolean): Promise<Order> {
	const order = await shop.insertOrder({ ...served, product_code: service });
	if (!isOneOfSeveral) return order;
	return shop.insertOrder({ ...served, product_code: service, purchase_id: order.id, purchase_line: 2 });
}

const complete = (order: Order, step: DeliveryStep) => shop.inTransaction((trx) => completeAfter(shop, trx, order, step));

const steps = ["issued", "sent", "posted"] as const;
test.each<[ServiceCode, string, DeliveryStep]>([
	["express", "alone", "sent"],
	["standard", "with others", "issued"],
	["postal", "alone", "posted"],
	["postal", "with others", "posted"],
])("an order of the service %s that was bought %s completes once it is %s", async (service, bought, delivering) => {
	const isOneOfSeveral = bought === "with others";
	const order = await insertServed(service, isOneOfSeveral);
	for (const step of steps.filter((each) => each !== delivering)) expect([step, await complete(order, step)]).toEqual([step, null]);
	expect(await shop.getOrder(order.id)).toEqual(order);
	const completed = { ...order, status: "completed", completed_at: shop.start };
	expect(await complete(order, delivering)).toEqual({ order: completed, isOneOfSeveral });
	expect(await shop.getOrder(order.id)).toEqual(completed);
	const told = (await shop.getJobs("queue-ready-mails", order.id)).map(({ data }) => data);
	expect(told).toEqual(isOneOfSeveral ? [{ orderId: order.id }] : []);
});

test("an order that has ended completes no more, and tells its purchase nothing", async () => {
	const order = await insertServed("express", true);
	expect(await complete(order, "issued")).not.toBeNull();
	const [first] = await shop.getJobs("queue-ready-mails", order.id);
	expect(await complete(order, "issued")).toBeNull();
	expect(await shop.getJobs("queue-ready-mails", order.id)).toEqual([first]);
});
