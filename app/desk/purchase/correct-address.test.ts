import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { insertPurchaseToServe } from "../../../test/fixtures/purchases.ts";
import { createServing } from "../../../test/serving.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import type { ServiceCode } from "../../catalogue/services.ts";
import { purchaseChecks } from "../../commands/doctor/check-orders.server.ts";
import { queueOrderEmail } from "../../emails/queue-order-email.server.ts";
import { queueReadyEmails } from "../../emails/queue-purchase-emails.server.ts";
import { resendEmail } from "../../emails/resend-email.server.ts";
import type { Order } from "../../orders/order.ts";

// An operator corrects the address of a purchase whose orders are delivered: the e-mails left, and none came back.

let shop: TestShop;
let serving: Awaited<ReturnType<typeof createServing>>;
beforeAll(async () => {
	shop = await createTestShop({ variables: { ISSUER: "manual" } });
	serving = await createServing(shop);
});
afterAll(() => shop?.close());

const [wrong, right] = ["ada@exmaple.fr", "ada@example.fr"];

const ids = (orders: readonly Order[]) => orders.map(({ id }) => id);

async function untilAllSent(orders: readonly Order[]): Promise<void> {
	const query = shop.shop.db.selectFrom("mails").select("kind").where("order_id", "in", ids(orders)).where("sent_at", "is", null);
	await vi.waitFor(async () => expect(await query.execute()).toEqual([]), { timeout: scaledTimeout(20_000), interval: 25 });
}

/** The e-mails of a purchase that left since the correction. */
async function listResent(orders: readonly Order[], to: string): Promise<string[]> {
	await untilAllSent(orders);
	const query = shop.shop.db.selectFrom("sent_emails").select("kind").where("order_id", "in", ids(orders)).where("recipient", "=", to);
	return (await query.orderBy("kind").execute()).map(({ kind }) => kind);
}

const correct = (order: Order | undefined, email: string, recipient = "") =>
	serving.act("correct-address", order?.id ?? "", { email, recipient });

/** What the doctor says of all purchases. */
const examine = async () => (await purchaseChecks[0]?.examine(shop.shop as never))?.problems;

/** Inserts a delivered purchase with its e-mails, which have left. @param delivered how many of its lines, by default all. */
async function insertDelivered(services: readonly ServiceCode[], { delivered = services.length, recipient = null as string | null } = {}) {
	const { db, now } = shop.shop;
	const columns = { customer_email: wrong, delivery_email: recipient };
	const lines = services.map((product_code, index) => ({
		...{ product_code, ...columns },
		...(index < delivered && ({ status: "completed", completed_at: now() } as const)),
	}));
	const { orders } = await insertPurchaseToServe(db, lines, { now: now() });
	await db.transaction().execute((trx) => queueOrderEmail(shop.shop, trx, { orderId: orders[0]?.id ?? "", kind: "confirmation" }));
	for (const { id } of orders) await queueReadyEmails(shop.shop, id);
	await untilAllSent(orders);
	return orders;
}

test("from the page of any line, all orders have the new address, which gets the e-mails of every service", async () => {
	const orders = await insertDelivered(["standard", "express", "standard", "postal"]);
	expect(await correct(orders[2], right)).toMatchObject({ state: "done", text: "L’adresse est corrigée, et l’extrait y repart." });
	for (const { id } of orders) expect((await shop.orderRow(id)).customer_email).toBe(right);
	expect(await listResent(orders, right)).toEqual(["document-ready", "document-ready", "posted"]);
	for (const { id } of orders) expect(await shop.getEventTypes(id)).toContain("address_corrected");
	expect(await examine()).toEqual([]);
});

test("of a line that is delivered before the others of its service, the confirmation leaves again", async () => {
	const orders = await insertDelivered(["standard", "standard"], { delivered: 1 });
	expect(await correct(orders[0], right)).toMatchObject({
		state: "done",
		text: "L’adresse est corrigée. La confirmation repart, et l’ancienne adresse est prévenue.",
	});
	for (const { id } of orders) expect((await shop.orderRow(id)).customer_email).toBe(right);
	expect(await listResent(orders, right)).toEqual(["confirmation"]);
});

test("a wrong second address gets its link, and the customer nothing", async () => {
	const orders = await insertDelivered(["standard", "standard"], { recipient: "banque@exmaple.fr" });
	expect(await correct(orders[1], wrong, "banque@example.fr")).toMatchObject({ state: "done" });
	for (const { id } of orders) expect((await shop.orderRow(id)).delivery_email).toBe("banque@example.fr");
	expect(await listResent(orders, "banque@example.fr")).toEqual(["document-ready-delivery"]);
	expect(await listResent(orders, wrong)).toEqual(["confirmation", "document-ready"]);
});

test("resend --to from another line corrects the whole purchase; without it, an order has its own e-mails only", async () => {
	const orders = await insertDelivered(["express", "express"]);
	const [, second] = ids(orders);
	expect(await resendEmail(shop.shop, { orderId: second ?? "", kind: "document-ready" })).toMatchObject({ code: "never-written" });
	expect(await resendEmail(shop.shop, { orderId: second ?? "", kind: "document-ready", to: right })).toEqual({ ok: true });
	expect(await listResent(orders, right)).toEqual(["document-ready"]);
	for (const { id } of orders) expect((await shop.orderRow(id)).customer_email).toBe(right);
	expect(await examine()).toEqual([]);
});
