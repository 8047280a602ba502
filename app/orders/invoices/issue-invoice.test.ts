import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Trx } from "../../../server/database/database.ts";
import { anyJson } from "../../../test/any-json.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { deleteRows } from "../../../test/delete-rows.ts";
import { invoice as example, withLine } from "../../../test/fixtures/invoice.ts";
import { insertOrder, insertPayment } from "../../../test/orders.ts";
import { cents } from "../../catalogue/money.ts";
import { contentAddress } from "../documents/content-address.server.ts";
import { diskStorage } from "../documents/disk-storage.server.ts";
import { insertDocument } from "../documents/insert-document.server.ts";
import {
	countWithoutPdf,
	deleteInvoices,
	findCreditNoteOfRefund,
	findInvoiceOfDocument,
	findInvoiceOfPurchase,
	findLastPlace,
	type IssuedInvoice,
	listInvoiceNumbers,
	listInvoices,
	listInvoicesOfPurchase,
	listSeries,
	moveSeries,
	setInvoiceDocument,
} from "./invoices.store.server.ts";
import { type InvoiceDraft, issueCreditNote, issueInvoice, replaceInvoice } from "./issue-invoice.server.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
const folder = mkdtempSync(join(tmpdir(), "invoices-"));
const storage = diskStorage(folder);
beforeAll(async () => {
	database = await createTestDatabase();
});
afterAll(async () => {
	await database?.close();
	rmSync(folder, { recursive: true });
});
beforeEach(async () => {
	await deleteRows(database.db, "invoices", "invoice_series", "refunds", "payments", "documents", "orders");
});

const november = new Date("2026-11-24T10:00:00Z");
const minutesLater = (minutes: number) => new Date(november.getTime() + minutes * 60_000);
const inTransaction = <Result>(work: (trx: Trx) => Promise<Result>) => database.db.transaction().execute(work);

/** Inserts a delivered order with its payment. */
async function insertDeliveredOrder(): Promise<string> {
	const order = await insertOrder(database.db, { created_at: november, status: "completed", paid_at: november });
	await insertPayment(database.db, order, { id: `pi_${order.id}`, created_at: november });
	return order.id;
}

const { kind: _, number: __, issuedAt: ___, corrects: ____, ...draft }: typeof example = example;
const issue = (orderId: string, now = november, change: Partial<InvoiceDraft> = {}) =>
	inTransaction((trx) => issueInvoice({ storage }, trx, { purchaseId: orderId, draft: { ...draft, ...change }, now }));
const credit = (refundId: string, corrected: IssuedInvoice, now = november, total = 5900) =>
	inTransaction((trx) =>
		issueCreditNote({ storage }, trx, {
			refundId,
			orderId: corrected.order_id,
			corrected,
			draft: withLine(draft, { total: cents(total) }),
			now,
		}),
	);

/** Inserts a succeeded refund of the order's payment. */
async function insertSucceededRefund(orderId: string): Promise<string> {
	const id = randomUUID();
	const refund = { id, order_id: orderId, payment_id: `pi_${orderId}`, amount_cents: 1000 };
	await database.db
		.insertInto("refunds")
		.values({ ...refund, reason: "operator", status: "succeeded", requested_at: november })
		.execute();
	return id;
}

async function insertPdf(orderId: string): Promise<string> {
	const stored = contentAddress(new TextEncoder().encode(randomUUID()));
	const { id } = await inTransaction((trx) => insertDocument(trx, { orderId, type: "invoice", issuedAt: november, stored, now: november }));
	return id;
}

const listAllInvoices = () => database.db.selectFrom("invoices").selectAll().orderBy("kind").orderBy("number_in_year").execute();

describe("issuing", () => {
	test("issues one invoice per order, also when called again, with equal values in the columns and in the data", async () => {
		const orderId = await insertDeliveredOrder();
		const issued = await issue(orderId);
		expect(await issue(orderId, minutesLater(5), { orderNumber: "another" })).toEqual(issued);
		expect(await listAllInvoices()).toMatchObject([
			{
				kind: "invoice",
				year: 2026,
				number_in_year: 1,
				number: "F2026-000001",
				order_id: orderId,
				refund_id: null,
				corrects: null,
				issued_at: november,
				total_cents: 5900,
				document_id: null,
				data: { ...draft, kind: "invoice", number: "F2026-000001", issuedAt: november.toISOString(), corrects: null },
			},
		]);
	});

	// an order refunded in two parts has two credit notes
	test("issues one credit note per refund, in a separate series, with the number and date of the corrected invoice", async () => {
		await issue(await insertDeliveredOrder());
		const orderId = await insertDeliveredOrder();
		const invoice = await issue(orderId, minutesLater(1));
		const [first, second] = [await insertSucceededRefund(orderId), await insertSucceededRefund(orderId)];
		const issued = await credit(first, invoice, minutesLater(2), 1900);
		expect(await credit(first, invoice, minutesLater(9), 5900)).toEqual(issued);
		await credit(second, invoice, minutesLater(3), 4000);
		const corrects = { number: "F2026-000002", issuedAt: minutesLater(1).toISOString() };
		expect((await listAllInvoices()).filter(({ kind }) => kind === "credit_note")).toMatchObject([
			{ number: "A2026-000001", number_in_year: 1, order_id: orderId, refund_id: first, corrects: invoice.id, total_cents: 1900 },
			{ number: "A2026-000002", number_in_year: 2, order_id: orderId, refund_id: second, corrects: invoice.id, total_cents: 4000 },
		]);
		expect(issued.data).toMatchObject({ kind: "credit_note", corrects, lines: [{ total: 1900 }], issuedAt: minutesLater(2).toISOString() });
		expect(await inTransaction((trx) => findCreditNoteOfRefund(trx, second))).toMatchObject({ number: "A2026-000002" });
	});

	test("numbers have no gap: a rolled back transaction frees its number, also under concurrency", async () => {
		await issue(await insertDeliveredOrder());
		const orders = await Promise.all(Array.from({ length: 12 }, insertDeliveredOrder));
		const outcomes = await Promise.allSettled(
			orders.map((orderId, index) =>
				inTransaction(async (trx) => {
					await issueInvoice({ storage }, trx, { purchaseId: orderId, draft, now: november });
					if (index % 3 === 0) throw new Error("rolled back");
				}),
			),
		);
		expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(4);
		expect((await listAllInvoices()).map(({ number_in_year }) => number_in_year)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
	});

	test("numbers restart with the year in Paris; a late invoice of the previous year continues the old series", async () => {
		const issueAt = async (instant: string) => (await issue(await insertDeliveredOrder(), new Date(instant))).number;
		expect(await issueAt("2026-12-31T22:59:59.999Z")).toBe("F2026-000001");
		expect(await issueAt("2026-12-31T23:00:00Z")).toBe("F2027-000001"); // midnight in Paris
		expect(await issueAt("2027-01-01T00:00:00Z")).toBe("F2027-000002");
		expect(await issueAt("2027-12-31T23:30:00Z")).toBe("F2028-000001");
		expect(await issueAt("2026-12-31T22:00:00Z")).toBe("F2026-000002");
	});

	test("a later number never has an earlier date, even if a process's clock is slow", async () => {
		await issue(await insertDeliveredOrder(), minutesLater(10));
		const slow = await issue(await insertDeliveredOrder(), minutesLater(3));
		expect([slow.issued_at, slow.data.issuedAt]).toEqual([minutesLater(10), minutesLater(10).toISOString()]);
		expect((await issue(await insertDeliveredOrder(), minutesLater(11))).issued_at).toEqual(minutesLater(11));
	});

	test("the table refuses a second invoice of an order and a second credit note of a refund", async () => {
		const orderId = await insertDeliveredOrder();
		const invoice = await issue(orderId);
		const creditNote = await credit(await insertSucceededRefund(orderId), invoice);
		for (const { id } of [invoice, creditNote]) {
			const copy = sql`
				insert into invoices (id, kind, year, number_in_year, number, order_id, refund_id, corrects, issued_at, total_cents, data)
				select gen_random_uuid(), kind, year, 99, number || 'x', order_id, refund_id, corrects, issued_at, total_cents, data
				from invoices where id = ${id}`;
			await expect(copy.execute(database.db)).rejects.toThrow("duplicate key");
		}
	});

	test.each([
		["its position in the year", "number_in_year, number || 'x'", "invoices_kind_year_number_in_year_key"],
		["the complete number", "99, number", "invoices_number_key"],
	])("the table refuses a used number: %s", async (_what, numbers, index) => {
		const { id } = await issue(await insertDeliveredOrder());
		const copy = sql`
			insert into invoices (id, kind, year, number_in_year, number, order_id, issued_at, total_cents, data)
			select gen_random_uuid(), kind, year, ${sql.raw(numbers)}, ${await insertDeliveredOrder()}, issued_at, total_cents, data
			from invoices where id = ${id}`;
		await expect(copy.execute(database.db)).rejects.toThrow(index);
	});
});

describe("replacing an invoice", () => {
	const buyer = { ...draft.buyer, name: "Another company" };
	const replace = (replaced: IssuedInvoice, now: Date, lines?: typeof draft.lines) =>
		inTransaction((trx) => replaceInvoice({ storage }, trx, { replaced, buyer, lines, now }));
	const refer = ({ number, data: { issuedAt } }: IssuedInvoice) => ({ number, issuedAt });

	test("issues another one in its place, and the credit note that cancels it, which name each other", async () => {
		const orderId = await insertDeliveredOrder();
		const first = await issue(orderId, november);
		const second = await replace(first, minutesLater(5));
		const content = { orderNumber: draft.orderNumber, lines: draft.lines, suppliedAt: draft.suppliedAt };
		const issuedAt = minutesLater(5).toISOString();
		expect(second).toMatchObject({ order_id: orderId, refund_id: null, corrects: null, replaces: first.id, number: "F2026-000002" });
		expect(second.data).toEqual({
			...draft,
			kind: "invoice",
			number: "F2026-000002",
			issuedAt,
			buyer,
			corrects: null,
			replaces: refer(first),
		});
		const [, , cancelling] = await listInvoicesOfPurchase(database.db, orderId);
		expect(cancelling).toMatchObject({ order_id: orderId, refund_id: null, corrects: first.id, replaces: null, number: "A2026-000001" });
		expect(cancelling?.data).toMatchObject({ ...content, kind: "credit_note", issuedAt, paidAt: issuedAt });
		expect(cancelling?.data).toMatchObject({ corrects: refer(first), replacedBy: "F2026-000002" });
		expect(cancelling?.data.buyer).toEqual(draft.buyer); // without the e-mail of an older invoice
		expect(await findInvoiceOfPurchase(database.db, orderId)).toEqual(second);
		expect(await issue(orderId)).toEqual(second);
	});

	test("may change the descriptions, and be done again: only the last one replaces, and names what it replaces", async () => {
		const orderId = await insertDeliveredOrder();
		const first = await issue(orderId);
		const lines = withLine(draft, { description: "KBIS Express, extrait de RENAULT" }).lines;
		const second = await replace(first, minutesLater(1), lines);
		const third = await replace(second, minutesLater(2));
		expect(third.data).toMatchObject({ lines, replaces: refer(second) });
		const invoices = await listInvoicesOfPurchase(database.db, orderId);
		expect(invoices.map(({ number }) => number)).toEqual(["F2026-000001", "F2026-000002", "F2026-000003", "A2026-000001", "A2026-000002"]);
		expect(invoices.at(-1)?.data).toMatchObject({ lines, corrects: refer(second), replacedBy: third.number });
		expect(invoices.at(-1)?.data).not.toHaveProperty("replaces");
		await expect(replace(first, minutesLater(3))).rejects.toThrow("invoices_replaced_once");
	});
});

describe("series", () => {
	test("are listed from the oldest, invoices before credit notes, with their last numbers", async () => {
		const move = (number: Parameters<typeof moveSeries>[1]) => inTransaction((trx) => moveSeries(trx, number, november));
		const series = [
			{ kind: "invoice", year: 2026, place: 12 },
			{ kind: "credit_note", year: 2026, place: 3 },
			{ kind: "invoice", year: 2027, place: 4 },
		] as const;
		for (const number of series.toReversed()) await move(number);
		for (const number of series.toReversed()) await move({ ...number, place: 2 });
		expect(await listSeries(database.db)).toEqual(series);
		for (const { place, ...of } of series) expect(await findLastPlace(database.db, of)).toBe(place);
		expect(await findLastPlace(database.db, { kind: "credit_note", year: 2027 })).toBe(0);
		await move({ kind: "invoice", year: 2026, place: 20 });
		expect(await findLastPlace(database.db, series[0])).toBe(20);
	});
});

describe("issued invoices", () => {
	test("an order has those of its purchase, without the credit notes of other orders' refunds", async () => {
		const [id, other] = [await insertDeliveredOrder(), await insertDeliveredOrder()];
		const invoice = await issue(id);
		await issue(other);
		const own = await credit(await insertSucceededRefund(id), invoice);
		const ofOther = await inTransaction(async (trx) =>
			issueCreditNote({ storage }, trx, {
				refundId: await insertSucceededRefund(other),
				orderId: other,
				corrected: invoice,
				draft,
				now: november,
			}),
		);
		const list = async (order: string) => (await listInvoices(database.db, { id: order, purchase_id: id })).map(({ number }) => number);
		expect(await list(id)).toEqual([invoice.number, own.number]);
		expect(await list(other)).toEqual([invoice.number, ofOther.number]);
		const numbers = await inTransaction((trx) => listInvoiceNumbers(trx, [id]));
		expect(numbers.toSorted((one, another) => (one.number < another.number ? -1 : 1))).toEqual([
			{ order_id: id, number: own.number },
			{ order_id: id, number: invoice.number },
		]);
	});

	test("one is found by its PDF, and those without are counted", async () => {
		const [invoice, other] = [await issue(await insertDeliveredOrder()), await issue(await insertDeliveredOrder())];
		const pdf = await insertPdf(invoice.order_id);
		expect(await findInvoiceOfDocument(database.db, pdf)).toBeNull();
		expect(await inTransaction(countWithoutPdf)).toBe(2);
		await inTransaction((trx) => setInvoiceDocument(trx, invoice.id, pdf));
		await inTransaction(async (trx) => setInvoiceDocument(trx, other.id, await insertPdf(other.order_id)));
		await issue(await insertDeliveredOrder());
		expect(await findInvoiceOfDocument(database.db, pdf)).toMatchObject({ id: invoice.id, data: invoice.data });
		expect(await inTransaction(countWithoutPdf)).toBe(1);
	});

	test("an invoice is found by its order only, a credit note by its refund only", async () => {
		const [one, other] = [await insertDeliveredOrder(), await insertDeliveredOrder()];
		const invoice = await issue(one);
		const refund = await insertSucceededRefund(other);
		expect(await findInvoiceOfPurchase(database.db, other)).toBeNull();
		expect(await findCreditNoteOfRefund(database.db, refund)).toBeNull();
		// a credit note of an order is not its invoice
		await credit(refund, { ...invoice, order_id: other });
		expect(await findInvoiceOfPurchase(database.db, other)).toBeNull();
		expect(await findInvoiceOfPurchase(database.db, one)).toMatchObject({ id: invoice.id, data: invoice.data });
	});

	test("lists the invoice of an order, then its credit notes by date of issue", async () => {
		await issue(await insertDeliveredOrder());
		const orderId = await insertDeliveredOrder();
		const invoice = await issue(orderId);
		// an order that fails immediately has its invoice and credit note at the same instant
		await credit(await insertSucceededRefund(orderId), invoice);
		await credit(await insertSucceededRefund(orderId), invoice);
		const later = await insertDeliveredOrder();
		await credit(await insertSucceededRefund(later), await issue(later, minutesLater(1)), minutesLater(1));
		expect((await listInvoicesOfPurchase(database.db, orderId)).map(({ number }) => number)).toEqual([
			"F2026-000002",
			"A2026-000001",
			"A2026-000002",
		]);
	});

	test("lists credit notes by date of issue, also after their rows were updated and across a new year", async () => {
		const orderId = await insertDeliveredOrder();
		const newYear = new Date("2027-01-02T10:00:00Z");
		const invoice = await issue(orderId);
		await credit(await insertSucceededRefund(await insertDeliveredOrder()), await issue(await insertDeliveredOrder()));
		const credits = [];
		for (const now of [november, november, newYear]) credits.push(await credit(await insertSucceededRefund(orderId), invoice, now, 1000));
		// without an order by clause, updated rows come last
		for (const { id } of credits.slice(0, 2).reverse())
			await inTransaction(async (trx) => setInvoiceDocument(trx, id, await insertPdf(orderId)));
		await inTransaction(async (trx) => setInvoiceDocument(trx, invoice.id, await insertPdf(orderId)));
		expect((await listInvoicesOfPurchase(database.db, orderId)).map(({ number }) => number)).toEqual([
			"F2026-000001",
			"A2026-000002",
			"A2026-000003",
			"A2027-000001",
		]);
	});

	test("sets the PDF of an invoice once, and of no other invoice", async () => {
		const [orderId, other] = [await insertDeliveredOrder(), await insertDeliveredOrder()];
		const [invoice] = [await issue(orderId), await issue(other)];
		const [pdf, second] = [await insertPdf(orderId), await insertPdf(orderId)];
		expect(await inTransaction((trx) => setInvoiceDocument(trx, invoice.id, pdf))).toBe(true);
		expect(await inTransaction((trx) => setInvoiceDocument(trx, invoice.id, second))).toBe(false);
		expect((await listAllInvoices()).map(({ document_id }) => document_id)).toEqual([pdf, null]);
	});

	// CGI art. 289: an issued invoice never changes
	test("the table refuses to change or delete an invoice", async () => {
		const orderId = await insertDeliveredOrder();
		const invoice = await issue(orderId);
		const { db } = database;
		await inTransaction(async (trx) => setInvoiceDocument(trx, invoice.id, await insertPdf(orderId)));
		for (const change of [{ total_cents: 1 }, { document_id: null }, { data: anyJson({}) }, { order_id: await insertDeliveredOrder() }])
			await expect(db.updateTable("invoices").set(change).execute()).rejects.toThrow("is not changed");
		await expect(db.deleteFrom("invoices").execute()).rejects.toThrow("is not deleted");
		expect(await findInvoiceOfPurchase(db, orderId)).toMatchObject({ data: invoice.data });
	});

	test("deletes the invoices of purged orders; the permission ends with that statement", async () => {
		const [old, kept] = [await insertDeliveredOrder(), await insertDeliveredOrder()];
		const invoice = await issue(old);
		await credit(await insertSucceededRefund(old), invoice);
		await issue(kept);
		const otherDeletion = inTransaction(async (trx) => {
			await deleteInvoices(trx, [old]);
			await trx.deleteFrom("invoices").execute();
		});
		await expect(otherDeletion).rejects.toThrow("is not deleted");
		await inTransaction((trx) => deleteInvoices(trx, [old]));
		expect((await listAllInvoices()).map(({ order_id }) => order_id)).toEqual([kept]);
	});
});
