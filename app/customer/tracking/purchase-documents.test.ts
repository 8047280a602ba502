import { afterAll, beforeAll, expect, test } from "vitest";
import { createOrderFixture, type OrderFixture } from "../../../test/orders.ts";
import { creditRefund, invoiceOrder } from "../../fulfilment/invoice-order.server.ts";
import type { Order } from "../../orders/order.ts";
import { describeOrder } from "./describe-order.server.ts";
import { openDocument } from "./documents/open-document.server.ts";

// What a customer sees of the invoice of a purchase on the page of each of its orders.

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-26T10:00:00Z" });
});
afterAll(() => shop?.close());

const makePdf = async () => new TextEncoder().encode(`%PDF-1.7 ${crypto.randomUUID()}`);

test("each order of a purchase shows its invoice, and only the credit notes of its own refunds", async () => {
	const { orders, payment } = await shop.insertPaidPurchase(["standard", "express", "express"]);
	const [first, second, third] = orders as [Order, Order, Order];
	await invoiceOrder({ ...shop, makePdf }, first.id);
	await shop.insertDocument(third, "kbis");
	const describe = async (order: Order) => describeOrder(shop, await shop.getOrder(order.id), "purchase");
	for (const order of orders) expect((await describe(order)).may.correctInvoice).toBe(true);

	const refund = await shop.insertRefund(payment, { order_id: second.id, amount_cents: 5900 });
	shop.clock.now = shop.after(60_000);
	await creditRefund({ ...shop, makePdf }, refund.id);
	const types: string[][] = [];
	for (const order of orders) {
		const { documents, may } = await describe(order);
		types.push(documents.map(({ doc_type }) => doc_type).sort());
		expect(may.correctInvoice).toBe(false);
		const invoice = documents.find(({ doc_type }) => doc_type === "invoice");
		expect(invoice?.number).toMatch(/^F2026-/);
		const opened = await openDocument(shop, invoice?.url.split("/").at(-1) ?? "", { counts: true });
		expect(opened).toMatchObject({ ok: true, fileName: expect.stringContaining(invoice?.number ?? "") });
	}
	expect(types).toEqual([["invoice"], ["credit_note", "invoice"], ["invoice", "kbis"]]);
	// the newest first
	expect((await describe(second)).documents.map(({ doc_type }) => doc_type)).toEqual(["credit_note", "invoice"]);
});
