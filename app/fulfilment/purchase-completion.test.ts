import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createOrderFixture, type OrderFixture } from "../../test/orders.ts";
import { cancelOrder } from "../customer/tracking/cancel-order.server.ts";
import { listKindsTo } from "../emails/order-emails.server.ts";
import { queueReadyEmails } from "../emails/queue-purchase-emails.server.ts";
import type { Order } from "../orders/order.ts";
import { checkPromise } from "./check-promise.server.ts";
import { lockRequest, recordPosting, recordUpload } from "./extract-requests.store.server.ts";
import { failOrder } from "./fail-order.server.ts";
import { fulfilOrder } from "./fulfil-order.server.ts";
import type { Issuer } from "./issuers/issuer.ts";
import { manualIssuer } from "./issuers/manual-issuer.server.ts";
import { requeueStalledOrders } from "./requeue-stalled-orders.server.ts";
import { listStalled } from "./stalled-orders.store.server.ts";

const alertKinds: readonly string[] = listKindsTo("operator");

// How the orders of a purchase of several end, and which e-mails tell it. Each test runs the jobs itself.

let shop: OrderFixture;
let issuer: Issuer;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T09:00:00Z" });
	issuer = manualIssuer({ db: shop.db, read: shop.storage.get, now: shop.now });
});
afterEach(() => {
	shop.clock.now = shop.start;
});
afterAll(() => shop?.close());

const hour = 3_600_000;

/** Uploads an order's extract and runs its job. */
async function deliver(order: Order): Promise<void> {
	const stored = await shop.storage.put(new TextEncoder().encode(`%PDF-1.7 ${order.id}`));
	await shop.inTransaction(async (trx) => {
		await lockRequest(trx, order.id, shop.now());
		await recordUpload(trx, order.id, { ...stored, issuedAt: shop.start }, shop.now());
	});
	await fulfilOrder({ ...shop, issuer }, order.id);
}

async function post(order: Order, trackingNumber: string): Promise<void> {
	await shop.inTransaction((trx) => recordPosting(trx, order.id, trackingNumber, shop.now()));
	await fulfilOrder({ ...shop, issuer }, order.id);
}

/** Runs the jobs that the ends of these orders sent. */
async function runReadyJobs(orders: readonly Order[]): Promise<void> {
	for (const { id } of orders) if ((await shop.getJobs("queue-ready-mails", id)).length > 0) await queueReadyEmails(shop, id);
}

/** The kinds of the e-mails of each order, without alerts to the operator. */
const listKinds = async (orders: readonly Order[]) =>
	Promise.all(orders.map(async (order) => (await shop.getMailKinds(order)).filter((kind) => !alertKinds.includes(kind))));

const getStatus = async ({ id }: Order) => (await shop.getOrder(id)).status;

describe("an order by e-mail of a purchase of several", () => {
	test("completes with its document, and no e-mail of its own brings it", async () => {
		const { orders } = await shop.insertPaidPurchase(["standard", "standard"]);
		const [first] = orders;
		await deliver(first);
		expect(await shop.getOrder(first.id)).toMatchObject({ status: "completed", completed_at: shop.start });
		expect(await shop.getEventTypes(first)).toEqual(["document_issued", "completed"]);
		await runReadyJobs(orders);
		expect(await listKinds(orders)).toEqual([[], []]);
	});

	test("that has its document and was not completed is completed by the next run", async () => {
		const { orders } = await shop.insertPaidPurchase(["standard", "standard"]);
		await shop.insertDocument(orders[0]);
		const down: Issuer = { ...issuer, result: () => Promise.reject(new Error("the issuer is down")) };
		await fulfilOrder({ ...shop, issuer: down }, orders[0].id);
		expect([await getStatus(orders[0]), await shop.getJobs("queue-ready-mails", orders[0].id)]).toMatchObject(["completed", [{}]]);
	});
});

describe("when all orders of a service have ended", () => {
	test("one e-mail says so, whatever the other services do", async () => {
		const { orders } = await shop.insertPaidPurchase(["express", "standard", "standard"]);
		await deliver(orders[1] as Order);
		await deliver(orders[2] as Order);
		for (let run = 0; run < 2; run++) await runReadyJobs(orders);
		expect(await listKinds(orders)).toEqual([[], ["document-ready"], []]);
		await deliver(orders[0]);
		await runReadyJobs(orders);
		expect(await listKinds(orders)).toEqual([["document-ready"], ["document-ready"], []]);
	});

	test("a failed and a cancelled order count as ended", async () => {
		const { orders } = await shop.insertPaidPurchase(["standard", "standard", "standard"]);
		await failOrder(shop, orders[0].id, "not-found");
		await cancelOrder(shop, (orders[1] as Order).id, "purchase");
		await deliver(orders[2] as Order);
		await runReadyJobs(orders);
		expect(await listKinds(orders)).toEqual([["document-ready", "purchase-problem"], ["cancelled"], []]);
	});

	test("by the customer's cancellations alone, no e-mail adds to their receipts", async () => {
		const { orders } = await shop.insertPaidPurchase(["standard", "standard"]);
		for (const { id } of orders) await cancelOrder(shop, id, "purchase");
		await runReadyJobs(orders);
		expect(await listKinds(orders)).toEqual([["cancelled"], ["cancelled"]]);
	});

	test("two last orders that end at once queue one e-mail: neither transaction sees the other's end, and the job of the later one sees both", async () => {
		const { orders } = await shop.insertPaidPurchase(["standard", "standard"]);
		await Promise.all(orders.map(deliver));
		await Promise.all(orders.map(({ id }) => queueReadyEmails(shop, id)));
		expect(await listKinds(orders)).toEqual([["document-ready"], []]);
		for (const { id } of orders) expect(await shop.getJobs("queue-ready-mails", id)).toHaveLength(1);
	});

	test("each second address has one e-mail, for the extracts that go there", async () => {
		const { orders } = await shop.insertPaidPurchase(["standard", "standard", "standard"], { delivery_email: "Banque@example.fr" });
		await shop.db
			.updateTable("orders")
			.set({ delivery_email: "notaire@example.fr" })
			.where("id", "=", orders[2]?.id ?? "")
			.execute();
		for (const order of orders) await deliver(order);
		await runReadyJobs(orders);
		expect(await listKinds(orders)).toEqual([["document-ready", "document-ready-delivery"], [], ["document-ready-delivery"]]);
	});

	test("a lost job is sent again", async () => {
		const { orders } = await shop.insertPaidPurchase(["standard", "postal", "standard"]);
		const ids = async () => listStalled(shop.db, "readyEmails", { before: shop.after(hour), now: shop.after(hour), limit: 100 });
		await deliver(orders[0]);
		expect(await ids()).not.toContain(orders[0].id);
		await deliver(orders[2] as Order);
		await shop.db.deleteFrom("mails").where("order_id", "=", orders[0].id).execute();
		expect(await ids()).toContain(orders[0].id);
		expect(await ids()).not.toContain(orders[1]?.id);
		await queueReadyEmails(shop, orders[0].id);
		expect(await ids()).not.toContain(orders[0].id);
		shop.clock.now = shop.after(hour);
		await requeueStalledOrders(shop);
	});
});

test("letters have one e-mail, once all are posted", async () => {
	const { orders } = await shop.insertPaidPurchase(["postal", "postal", "standard"], { delivery_email: "banque@example.fr" });
	for (const order of orders.slice(0, 2)) await deliver(order);
	await post(orders[0], "6A01234567890");
	await runReadyJobs(orders);
	expect(await listKinds(orders)).toEqual([[], [], []]);
	await post(orders[1] as Order, "6A01234567891");
	await runReadyJobs(orders);
	expect(await listKinds(orders)).toEqual([["posted"], [], []]);
});

describe("the first delay or failure of a purchase", () => {
	test("has one e-mail for all lines, and one alert for all with its deadline; promises and refunds stay those of each order", async () => {
		const { orders } = await shop.insertPaidPurchase(["express", "express", "standard"]);
		shop.clock.now = shop.after(3 * hour);
		for (const { id } of [...orders].reverse()) await checkPromise(shop, id);
		await failOrder(shop, (orders[2] as Order).id, "not-found");
		expect(await listKinds(orders)).toEqual([["purchase-problem"], [], []]);
		const alerts = await Promise.all(
			orders.map(async (order) => (await shop.getMailKinds(order)).filter((kind) => alertKinds.includes(kind))),
		);
		expect(alerts).toEqual([["alert-late"], [], []]);
		expect(await Promise.all(orders.map(async (order) => (await shop.getRefunds(order)).map(({ reason }) => reason)))).toEqual([
			["late"],
			["late"],
			["failed"],
		]);
	});

	test("at once in two orders has one e-mail", async () => {
		const { orders } = await shop.insertPaidPurchase(["standard", "standard"]);
		await Promise.all(orders.map(({ id }) => failOrder(shop, id, "not-found")));
		expect(await listKinds(orders)).toEqual([["purchase-problem"], []]);
	});
});
