import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrderFixture, type OrderFixture, type OrderValues } from "../../../../test/orders.ts";
import { insertMail, markMailSent } from "../../../mail/mails.store.server.ts";
import type { Order } from "../../../orders/order.ts";
import { describeDocument } from "./describe-document.server.ts";
import { findFileOrigin } from "./find-document-origin.server.ts";

const day = 86_400_000;
let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T09:00:00Z" });
});
afterAll(() => shop?.close());

/** Inserts an order whose extract is ready. */
async function withExtract(values: OrderValues = {}) {
	const { order } = await shop.insertPaidOrder({ status: "processing", ...values });
	return { order, extract: await shop.insertDocument(order) };
}

/** Queues an e-mail with a document, and marks it as sent on a later day. */
async function queue(order: Order, kind: string, { documentId, sentAfter }: { documentId: string; sentAfter: number | null }) {
	await shop.inTransaction(async (trx) => {
		const id = await insertMail(trx, { orderId: order.id, kind, documentId, refundId: null, now: shop.now() });
		if (id && sentAfter !== null) await markMailSent(trx, id, shop.after(sentAfter * day));
	});
}

test("an extract is known once its order is delivered, with the day", async () => {
	const { order, extract } = await withExtract();
	expect(await findFileOrigin(shop.db, extract.sha256)).toEqual({ known: false });
	await shop.db
		.updateTable("orders")
		.set({ status: "completed", completed_at: shop.after(day) })
		.where("id", "=", order.id)
		.execute();
	expect(await findFileOrigin(shop.db, extract.sha256)).toEqual({ known: true, deliveredOn: "2026-11-24", replacedOn: null });
	expect(await findFileOrigin(shop.db, "0".repeat(64))).toEqual({ known: false });
});

test("an extract is known to its recipient while the customer's mailbox still refuses it", async () => {
	const { order, extract } = await withExtract({ delivery_email: "banque@example.fr" });
	await queue(order, "document-ready", { documentId: extract.id, sentAfter: null });
	expect(await findFileOrigin(shop.db, extract.sha256)).toEqual({ known: false });
	await queue(order, "document-ready-delivery", { documentId: extract.id, sentAfter: 2 });
	expect(await findFileOrigin(shop.db, extract.sha256)).toEqual({ known: true, deliveredOn: "2026-11-25", replacedOn: null });
	expect(await describeDocument(shop.db, extract.id, shop.now())).toMatchObject({ deliveredAt: shop.after(2 * day).toISOString() });
});

test("the days are those of Paris", async () => {
	const night = new Date("2026-11-23T23:30:00Z");
	const { extract } = await withExtract({ status: "completed", completed_at: night });
	await shop.db.updateTable("documents").set({ replaced_at: night }).where("id", "=", extract.id).execute();
	expect(await findFileOrigin(shop.db, extract.sha256)).toEqual({ known: true, deliveredOn: "2026-11-24", replacedOn: "2026-11-24" });
});

test("an e-mail with another document of the order delivers no extract", async () => {
	const { order, extract } = await withExtract();
	const invoice = await shop.insertDocument(order, "invoice");
	await queue(order, "confirmation", { documentId: invoice.id, sentAfter: 0 });
	expect(await findFileOrigin(shop.db, extract.sha256)).toEqual({ known: false });
});
