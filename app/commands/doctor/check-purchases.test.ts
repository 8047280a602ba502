import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { anyJson } from "../../../test/any-json.ts";
import { createOrderFixture, type OrderFixture } from "../../../test/orders.ts";
import { deleteInvoices } from "../../orders/invoices/invoices.store.server.ts";
import type { Order } from "../../orders/order.ts";
import type { RecordedPayment } from "../../orders/refunds/refunds.store.server.ts";
import type { DoctorContext } from "./check.ts";
import { checks, examine } from "./command.server.ts";

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-20T10:00:00Z" });
});
afterAll(() => shop?.close());
let [first, second]: Order[] = [];
let payment: RecordedPayment;
beforeEach(async () => {
	for (const table of ["invoices", "refunds", "payments", "mails", "orders"] as const) await shop.db.deleteFrom(table).execute();
	const purchase = await shop.insertPaidPurchase(["standard", "express"]);
	[first, second] = purchase.orders;
	payment = purchase.payment;
});

async function find(name: string): Promise<string[]> {
	const context = { db: shop.db, now: () => shop.after(3_600_000) } as DoctorContext;
	const [examination] = await examine(
		context,
		checks.filter((check) => check.name === name),
	);
	return examination?.problems ?? [];
}

const updateSecond = (columns: {
	customer_email?: string;
	paid_at?: null;
	erased_at?: Date;
	dispute_status?: "open";
	purchase_line?: number;
}) =>
	shop.db
		.updateTable("orders")
		.set(columns)
		.where("id", "=", (second as Order).id)
		.execute();

test("a purchase whose orders agree is no problem, whatever an order bought alone is", async () => {
	await shop.insertOrder({ status: "processing", paid_at: shop.now() });
	expect(await find("purchases")).toEqual([]);
});

test.each([
	["its orders have different customers", { customer_email: "other@example.fr" }],
	["its orders were not paid together", { paid_at: null }],
	["only some of its orders are erased", { erased_at: new Date("2026-11-20T11:00:00Z") }],
	["only some of its orders are disputed", { dispute_status: "open" }],
	["a line is missing", { purchase_line: 3 }],
] as const)("purchases: %s", async (problem, columns) => {
	await updateSecond(columns);
	expect(await find("purchases")).toEqual([`${first?.order_number}: ${problem}.`]);
});

test("purchases: its payment differs from its prices, or is missing", async () => {
	const problem = [`${first?.order_number}: its payment differs from its prices.`];
	await shop.db.updateTable("payments").set({ amount_cents: 100 }).where("id", "=", payment.id).execute();
	expect(await find("purchases")).toEqual(problem);
	await shop.db.deleteFrom("payments").execute();
	expect(await find("purchases")).toEqual(problem);
});

test("invoices: a purchase without an invoice is one problem, and none with its invoice", async () => {
	expect(await find("invoices")).toEqual([expect.stringContaining(String(first?.order_number))]);
	const document = await shop.insertDocument(first as Order, "invoice");
	const numbers = { number: "F2026-000001", number_in_year: 1, year: 2026 };
	const invoice = { id: crypto.randomUUID(), kind: "invoice" as const, ...numbers, order_id: (first as Order).id, issued_at: shop.now() };
	await shop.db
		.insertInto("invoices")
		.values({ ...invoice, total_cents: 6800, data: anyJson({}), document_id: document.id })
		.execute();
	expect(await find("invoices")).toEqual([]);
	// an invoice is never deleted; the next purchase has none of its own
	await shop.db.transaction().execute(async (trx) => {
		await deleteInvoices(trx, [(first as Order).id]);
		await trx.deleteFrom("documents").execute();
	});
});

test("failed-refunds: a later refund of another order of the purchase does not make one good", async () => {
	const refund = (order: Order | undefined, values: { status?: "failed"; requested_at: Date }) =>
		shop.insertRefund(payment, { order_id: order?.id ?? "", amount_cents: 100, ...values });
	await refund(second, { status: "failed", requested_at: shop.now() });
	await refund(first, { requested_at: shop.after(1000) });
	expect(await find("failed-refunds")).toEqual([expect.stringContaining(String(second?.order_number))]);
	await refund(second, { requested_at: shop.after(2000) });
	expect(await find("failed-refunds")).toEqual([]);
});
