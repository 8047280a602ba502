import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AccountsFixture, createAccountsFixture } from "../../test/accounts.ts";
import { correctInvoice } from "../fulfilment/invoice-correction/correct-invoice.server.ts";
import { invoiceOrder } from "../fulfilment/invoice-order.server.ts";
import { findInvoiceOfPurchase } from "../orders/invoices/invoices.store.server.ts";
import { recordEvent } from "../orders/orders.store.server.ts";
import { checkInvoices } from "./checks/check-invoices.store.server.ts";
import { formatFinding, isBlocking } from "./checks/finding.ts";
import { writeVatDetail, writeVatSums } from "./files/vat-statement.ts";
import type { Month } from "./month.ts";
import { postEntries } from "./post-entries.server.ts";
import { readVat } from "./read-vat.server.ts";

// VAT on receipts: a sale counts in the month of its payment, a credit note in the month of its issue.

let shop: AccountsFixture;
beforeAll(async () => {
	shop = await createAccountsFixture("2026-09-01T09:00:00Z");
});
afterAll(() => shop?.close());

const toMonth = (text: string) => text as Month;
const readSums = async (month: string) => {
	await postEntries(shop);
	return (await readVat(shop.db, toMonth(month))).rates.map(({ rate, sales, creditNotes, total }) => [rate, sales, creditNotes, total.vat]);
};
const check = async (month: string) => {
	await postEntries(shop);
	return (await checkInvoices(shop.db, toMonth(month))).map(({ code, subject, amount }) => [code, subject, amount]);
};

test("a partial refund in a later month lowers the VAT of that month", async () => {
	const { payment } = await shop.sell("2026-09-10T09:00:00Z");
	await shop.refund(payment, "2026-10-05T09:00:00Z", { amount: 3000 });
	expect(await readSums("2026-09")).toEqual([[20, { net: 4917, vat: 983 }, { net: 0, vat: 0 }, 983]]);
	expect(await readSums("2026-10")).toEqual([[20, { net: 0, vat: 0 }, { net: -2500, vat: -500 }, -500]]);
	expect([await check("2026-09"), await check("2026-10")]).toEqual([[], []]);
});

test("an order paid in the last second of a month counts in it, though its invoice is of the next", async () => {
	// 23:59:59 on 31 October in Paris, an hour after the change to winter time of 25 October
	await shop.sell("2026-10-31T22:59:59.900Z", { invoicedAt: "2026-10-31T23:00:03Z" });
	expect(await readSums("2026-10")).toEqual([[20, { net: 4917, vat: 983 }, { net: -2500, vat: -500 }, 483]]);
	expect(await readSums("2026-11")).toEqual([]);
	expect([await check("2026-10"), await check("2026-11")]).toEqual([[], []]);
	const detail = new TextDecoder().decode(writeVatDetail(await readVat(shop.db, toMonth("2026-10"))));
	expect(detail).toMatch(/^F2026-000002;01\/11\/2026;KB-\S+;VT2026-\d{6};01\/11\/2026;20\u00a0%;49,17;9,83;59,00\r$/m);
});

test("a duplicate payment and its refund are no sale", async () => {
	const { order } = await shop.sell("2026-11-03T09:00:00Z");
	const surplus = await shop.payAgain(order, "2026-11-03T09:05:00Z");
	expect(await check("2026-11")).toEqual([["on-suspense", order.order_number, 5900]]);
	await shop.refund(surplus, "2026-11-03T09:10:00Z");
	expect(await readSums("2026-11")).toEqual([[20, { net: 4917, vat: 983 }, { net: 0, vat: 0 }, 983]]);
	expect(await check("2026-11")).toEqual([]);
});

test("an invoice corrected in a later month changes no VAT", async () => {
	const { order } = await shop.sell("2026-11-28T09:00:00Z");
	shop.setClock("2026-12-03T09:00:00Z");
	const { number = "" } = (await findInvoiceOfPurchase(shop.db, order.id)) ?? {};
	const buyer = { name: "ANALYSE", contact: "Ada Lovelace", address: "2 quai Perrache", postalCode: "69002", city: "Lyon" };
	expect(await correctInvoice(shop, order.id, "purchase", { seen: number, buyer: { ...buyer, siren: "356000000" } })).toMatchObject({
		ok: true,
	});
	await invoiceOrder(shop, order.id);
	expect((await readSums("2026-11")).map(([, , , vat]) => vat)).toEqual([1966]);
	expect(await readSums("2026-12")).toEqual([[20, { net: 4917, vat: 983 }, { net: -4917, vat: -983 }, 0]]);
	expect([await check("2026-11"), await check("2026-12")]).toEqual([[], []]);
});

test("each rate has its sums", async () => {
	const { order } = await shop.sell("2027-01-05T09:00:00Z");
	await sql`alter table invoices disable trigger invoices_are_kept`.execute(shop.db);
	await sql`update invoices set data = data || '{"vatRate": 5.5}' where order_id = ${order.id}`.execute(shop.db);
	await sql`alter table invoices enable trigger invoices_are_kept`.execute(shop.db);
	await shop.sell("2027-01-06T09:00:00Z");
	expect(await readSums("2027-01")).toEqual([
		[20, { net: 4917, vat: 983 }, { net: 0, vat: 0 }, 983],
		[5.5, { net: 5592, vat: 308 }, { net: 0, vat: 0 }, 308],
	]);
	expect(await check("2027-01")).toEqual([]);
	const sums = new TextDecoder().decode(writeVatSums(await readVat(shop.db, toMonth("2027-01"))));
	expect(sums).toContain("5,5\u00a0%;À déclarer;55,92;3,08;59,00\r\n");
});

test("what is missing or differs is found, and blocks the closing", async () => {
	shop.setClock("2027-02-02T09:00:00Z");
	const { order: uninvoiced } = await shop.insertPaidOrder();
	const sold = await shop.sell("2027-02-03T09:00:00Z");
	await shop.insertRefund(sold.payment, { amount_cents: 700, settled_at: shop.now() });
	const { order: other } = await shop.sell("2027-02-04T09:00:00Z");
	await shop.db.updateTable("payments").set({ amount_cents: 5800 }).where("order_id", "=", other.id).execute();
	const found = await check("2027-02");
	expect(found).toEqual([
		["not-invoiced", uninvoiced.order_number, 5900],
		["invoice-amount", other.order_number, -100],
		["not-credited", sold.order.order_number, 700],
	]);
	const findings = await checkInvoices(shop.db, toMonth("2027-02"));
	expect(findings.every(isBlocking)).toBe(true);
	expect(formatFinding({ code: "not-credited", subject: "KB-7F3K-92QD", amount: null })).toMatch(
		/^KB-7F3K-92QD\u00a0: remboursement sans avoir/,
	);
});

test("an invoice that is not in the journal, or that the journal has with another amount, is found", async () => {
	const { order } = await shop.sell("2027-03-03T09:00:00Z");
	await postEntries(shop);
	await sql`alter table account_entries disable trigger account_entries_are_kept`.execute(shop.db);
	await sql`update account_entries set vat_cents = vat_cents + 1 where subject = ${order.order_number} and journal = 'VT'`.execute(shop.db);
	expect((await check("2027-03")).map(([code, , amount]) => [code, amount])).toEqual([
		["not-booked", -1],
		["vat-differs", 1],
	]);
	await sql`delete from account_entries where subject = ${order.order_number} and journal = 'VT'`.execute(shop.db);
	const found = await checkInvoices(shop.db, toMonth("2027-03"));
	await sql`alter table account_entries enable trigger account_entries_are_kept`.execute(shop.db);
	expect(found.map(({ code, amount }) => [code, amount])).toEqual([
		["not-booked", 5900],
		["vat-differs", -983],
	]);
});

test("what the accountant should know is named, and blocks nothing", async () => {
	const returned = await shop.sell("2027-05-03T09:00:00Z");
	const refund = await shop.refund(returned.payment, "2027-05-04T09:00:00Z", { amount: 1200 });
	await shop.db.updateTable("refunds").set({ status: "failed" }).where("id", "=", refund.id).execute();
	const lost = await shop.sell("2027-05-05T09:00:00Z");
	await shop.inTransaction((trx) =>
		recordEvent(trx, { orderId: lost.order.id, type: "disputed", payload: { status: "lost" }, now: shop.now() }),
	);
	const { order: foreign } = await shop.sell("2027-05-06T09:00:00Z");
	await shop.insertPayment(foreign, { currency: "usd", role: "mismatch" });
	expect(await check("2027-05")).toEqual([
		["over-credited", returned.order.order_number, 1200],
		["lost-dispute", lost.order.order_number, 5900],
		["other-currency", foreign.order_number, null],
	]);
	expect((await checkInvoices(shop.db, toMonth("2027-05"))).some(isBlocking)).toBe(false);
});
