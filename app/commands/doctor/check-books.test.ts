import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Trx } from "../../../server/database/database.ts";
import { createOrderFixture, type OrderFixture } from "../../../test/orders.ts";
import { creditRefund, invoiceOrder } from "../../fulfilment/invoice-order.server.ts";
import type { Order } from "../../orders/order.ts";
import type { Check, DoctorContext } from "./check.ts";
import { bookChecks } from "./check-books.server.ts";
import { orderChecks } from "./check-orders.server.ts";

// A purchase of three orders, of which one is refunded in full and another in part.

let shop: OrderFixture;
let orders: [Order, Order, Order];
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-26T10:00:00Z" });
	const purchase = await shop.insertPaidPurchase(["standard", "express", "postal"]);
	orders = purchase.orders as [Order, Order, Order];
	const makePdf = async () => new TextEncoder().encode(`%PDF-1.7 ${crypto.randomUUID()}`);
	await invoiceOrder({ ...shop, makePdf }, orders[0].id);
	for (const [index, amount_cents] of [
		[1, 5900],
		[2, 400],
	] as const) {
		const refund = await shop.insertRefund(purchase.payment, { order_id: orders[index].id, amount_cents });
		await creditRefund({ ...shop, makePdf }, refund.id);
	}
	shop.clock.now = shop.after(2 * 3_600_000);
});
afterAll(() => shop?.close());

/** Runs a check after a change, which is rolled back. @returns the problems. */
async function findAfter(name: string, change: (trx: Trx) => Promise<unknown> = async () => {}): Promise<string[]> {
	const check = [...bookChecks, ...orderChecks].find((each) => each.name === name) as Check;
	const rollback = new Error("rollback");
	let problems: readonly string[] = [];
	await shop.db
		.transaction()
		.execute(async (trx) => {
			await sql`set local session_replication_role = replica`.execute(trx);
			await change(trx);
			const row = await check.examine({ ...shop, db: trx } as unknown as DoctorContext);
			problems = "problems" in row ? row.problems : [];
			throw rollback;
		})
		.catch((error) => expect(error).toBe(rollback));
	return problems.map((problem) => problem.replaceAll(/[\u00a0\u202f]/g, " "));
}

test.each(["invoice-amounts", "credit-notes", "copies"])("a purchase of several orders is sound: %s", async (name) => {
	const copied = async (trx: Trx) => trx.updateTable("order_copies").set({ key_id: "key" }).execute();
	expect(await findAfter(name, copied)).toEqual([]);
});

test("an invoice that is not the sum of the prices of its purchase is found", async () => {
	const [first, second] = orders;
	const raise = (trx: Trx) => trx.updateTable("orders").set({ price_cents: 6000 }).where("id", "=", second.id).execute();
	expect(await findAfter("invoice-amounts", raise)).toEqual([
		expect.stringContaining(`(${first.order_number}): invoice 142,00 €, price 143,00 €, paid 142,00 €.`),
	]);
});

test("credit notes that differ from the refunds of their order, or exceed its price, are found", async () => {
	const [first, second, third] = orders;
	const move = (trx: Trx) => trx.updateTable("invoices").set({ order_id: second.id }).where("order_id", "=", third.id).execute();
	expect(await findAfter("credit-notes", move)).toEqual(
		[
			`${second.order_number}: credit notes 63,00 €, refunds 59,00 €, invoice 142,00 €.`,
			`${third.order_number}: credit notes 0,00 €, refunds 4,00 €, invoice 142,00 €.`,
		].sort(),
	);
	const raise = async (trx: Trx) => {
		await trx.updateTable("refunds").set({ amount_cents: 4500 }).where("order_id", "=", third.id).execute();
		await trx.updateTable("invoices").set({ total_cents: 4500 }).where("order_id", "=", third.id).execute();
	};
	expect(await findAfter("credit-notes", raise)).toEqual([
		`${third.order_number}: credit notes 45,00 €, refunds 45,00 €, invoice 142,00 €.`,
	]);
	const lower = (trx: Trx) => trx.updateTable("invoices").set({ total_cents: 6000 }).where("order_id", "=", first.id).execute();
	expect(await findAfter("credit-notes", lower)).toHaveLength(2);
});

test("an order of a purchase without a copy is found", async () => {
	const spoil = async (trx: Trx) => {
		await trx.updateTable("order_copies").set({ key_id: "key" }).execute();
		await trx.deleteFrom("order_copy_requests").execute();
		await trx.deleteFrom("order_copies").where("order_id", "=", orders[1].id).execute();
	};
	expect(await findAfter("copies", spoil)).toEqual([expect.stringContaining(orders[1].order_number)]);
});
