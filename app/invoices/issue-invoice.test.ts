import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Trx } from "../../server/database/database.ts";
import { createTestDatabase } from "../../test/database.ts";
import { invoice as example } from "../../test/fixtures/invoice.ts";
import { insertOrder, insertPayment } from "../../test/orders.ts";
import { cents } from "../catalogue/money.ts";
import { contentAddress } from "../documents/content-address.server.ts";
import { diskStorage } from "../documents/disk-storage.server.ts";
import { insertDocument } from "../documents/insert-document.server.ts";
import {
	deleteInvoices,
	findCreditNoteOfRefund,
	findInvoiceOfOrder,
	type IssuedInvoice,
	listInvoices,
	listInvoicesOfBuyer,
	setInvoiceDocument,
} from "./invoices.store.server.ts";
import { type InvoiceDraft, issueCreditNote, issueInvoice } from "./issue-invoice.server.ts";

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
	await sql`truncate invoices, invoice_series, refunds, payments, documents, orders cascade`.execute(database.db);
});

const november = new Date("2026-11-24T10:00:00Z");
const minutesLater = (minutes: number) => new Date(november.getTime() + minutes * 60_000);
const inTransaction = <Result>(work: (trx: Trx) => Promise<Result>) => database.db.transaction().execute(work);

/** A delivered order with its payment. */
async function newOrder(): Promise<string> {
	const order = await insertOrder(database.db, { created_at: november, status: "completed", paid_at: november });
	await insertPayment(database.db, order, { id: `pi_${order.id}`, created_at: november });
	return order.id;
}

const { kind: _, number: __, issuedAt: ___, corrects: ____, ...draft }: typeof example = example;
const issue = (orderId: string, now = november, change: Partial<InvoiceDraft> = {}) =>
	inTransaction((trx) => issueInvoice({ storage }, trx, orderId, { ...draft, ...change }, now));
const credit = (refundId: string, corrected: IssuedInvoice, now = november, total = 5900) =>
	inTransaction((trx) =>
		issueCreditNote({ storage }, trx, refundId, corrected, { ...draft, line: { ...draft.line, total: cents(total) } }, now),
	);

/** A refund that went through, of the order's one payment. */
async function newRefund(orderId: string): Promise<string> {
	const id = randomUUID();
	const refund = { id, order_id: orderId, payment_id: `pi_${orderId}`, amount_cents: 1000 };
	await database.db
		.insertInto("refunds")
		.values({ ...refund, reason: "operator", status: "succeeded", requested_at: november })
		.execute();
	return id;
}

async function newPdf(orderId: string): Promise<string> {
	const stored = contentAddress(new TextEncoder().encode(randomUUID()));
	const { id } = await inTransaction((trx) => insertDocument(trx, { orderId, type: "invoice", issuedAt: november, stored, now: november }));
	return id;
}

const listAllInvoices = () => database.db.selectFrom("invoices").selectAll().orderBy("kind").orderBy("number_in_year").execute();

describe("numbers", () => {
	test("an order has one invoice, however often it is asked for, and its row says what its data says", async () => {
		const orderId = await newOrder();
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

	// a refund has one credit note and not the order: what goes back in two parts is corrected twice
	test("each refund has one credit note, in a series of its own, which names the invoice that it corrects with its date", async () => {
		await issue(await newOrder());
		const orderId = await newOrder();
		const invoice = await issue(orderId, minutesLater(1));
		const [first, second] = [await newRefund(orderId), await newRefund(orderId)];
		const issued = await credit(first, invoice, minutesLater(2), 1900);
		expect(await credit(first, invoice, minutesLater(9), 5900)).toEqual(issued);
		await credit(second, invoice, minutesLater(3), 4000);
		const corrects = { number: "F2026-000002", issuedAt: minutesLater(1).toISOString() };
		expect((await listAllInvoices()).filter(({ kind }) => kind === "credit_note")).toMatchObject([
			{ number: "A2026-000001", number_in_year: 1, order_id: orderId, refund_id: first, corrects: invoice.id, total_cents: 1900 },
			{ number: "A2026-000002", number_in_year: 2, order_id: orderId, refund_id: second, corrects: invoice.id, total_cents: 4000 },
		]);
		expect(issued.data).toMatchObject({ kind: "credit_note", corrects, line: { total: 1900 }, issuedAt: minutesLater(2).toISOString() });
		expect(await inTransaction((trx) => findCreditNoteOfRefund(trx, second))).toMatchObject({ number: "A2026-000002" });
	});

	test("have no gap: what is rolled back gives its number to the next, also of many at once", async () => {
		await issue(await newOrder());
		const orders = await Promise.all(Array.from({ length: 12 }, newOrder));
		const outcomes = await Promise.allSettled(
			orders.map((orderId, index) =>
				inTransaction(async (trx) => {
					await issueInvoice({ storage }, trx, orderId, draft, november);
					if (index % 3 === 0) throw new Error("this one is not to be");
				}),
			),
		);
		expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(4);
		expect((await listAllInvoices()).map(({ number_in_year }) => number_in_year)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
	});

	test("begin anew with the year in Paris, and go on in the one before for whoever comes too late", async () => {
		const issueAt = async (instant: string) => (await issue(await newOrder(), new Date(instant))).number;
		expect(await issueAt("2026-12-31T22:59:59.999Z")).toBe("F2026-000001");
		expect(await issueAt("2026-12-31T23:00:00Z")).toBe("F2027-000001"); // midnight in Paris
		expect(await issueAt("2027-01-01T00:00:00Z")).toBe("F2027-000002");
		expect(await issueAt("2027-12-31T23:30:00Z")).toBe("F2028-000001");
		expect(await issueAt("2026-12-31T22:00:00Z")).toBe("F2026-000002");
	});

	test("are followed by dates: the later number never has the earlier date, whatever a process's clock says", async () => {
		await issue(await newOrder(), minutesLater(10));
		const slow = await issue(await newOrder(), minutesLater(3));
		expect([slow.issued_at, slow.data.issuedAt]).toEqual([minutesLater(10), minutesLater(10).toISOString()]);
		expect((await issue(await newOrder(), minutesLater(11))).issued_at).toEqual(minutesLater(11));
	});

	test("a second invoice of one order, or a second credit note of one refund, is refused by the table itself", async () => {
		const orderId = await newOrder();
		const invoice = await issue(orderId);
		const creditNote = await credit(await newRefund(orderId), invoice);
		for (const { id } of [invoice, creditNote]) {
			const copy = sql`
				insert into invoices (id, kind, year, number_in_year, number, order_id, refund_id, corrects, issued_at, total_cents, data)
				select gen_random_uuid(), kind, year, 99, number || 'x', order_id, refund_id, corrects, issued_at, total_cents, data
				from invoices where id = ${id}`;
			await expect(copy.execute(database.db)).rejects.toThrow("duplicate key");
		}
	});

	test.each([
		["in its year", "number_in_year, number || 'x'", "invoices_kind_year_number_in_year_key"],
		["as a whole", "99, number", "invoices_number_key"],
	])("a number that was taken, %s, is refused by the table itself", async (_what, numbers, index) => {
		const { id } = await issue(await newOrder());
		const copy = sql`
			insert into invoices (id, kind, year, number_in_year, number, order_id, issued_at, total_cents, data)
			select gen_random_uuid(), kind, year, ${sql.raw(numbers)}, ${await newOrder()}, issued_at, total_cents, data
			from invoices where id = ${id}`;
		await expect(copy.execute(database.db)).rejects.toThrow(index);
	});
});

describe("what was issued", () => {
	test("is found by its order and its refund alone", async () => {
		const [one, other] = [await newOrder(), await newOrder()];
		const invoice = await issue(one);
		const refund = await newRefund(other);
		expect(await findInvoiceOfOrder(database.db, other)).toBeNull();
		expect(await findCreditNoteOfRefund(database.db, refund)).toBeNull();
		// a credit note of an order is not its invoice
		await credit(refund, { ...invoice, order_id: other });
		expect(await findInvoiceOfOrder(database.db, other)).toBeNull();
		expect(await findInvoiceOfOrder(database.db, one)).toMatchObject({ id: invoice.id, data: invoice.data });
	});

	test("is listed by order: the invoice, then its credit notes as they were issued", async () => {
		await issue(await newOrder());
		const orderId = await newOrder();
		const invoice = await issue(orderId);
		// an order that fails at once is invoiced and credited at one instant
		await credit(await newRefund(orderId), invoice);
		await credit(await newRefund(orderId), invoice);
		const later = await newOrder();
		await credit(await newRefund(later), await issue(later, minutesLater(1)), minutesLater(1));
		expect((await listInvoices(database.db, orderId)).map(({ number }) => number)).toEqual([
			"F2026-000002",
			"A2026-000001",
			"A2026-000002",
		]);
	});

	test("is listed as it was issued, whichever got its PDF last, and over a new year whose numbers begin anew", async () => {
		const orderId = await newOrder();
		const newYear = new Date("2027-01-02T10:00:00Z");
		const invoice = await issue(orderId);
		await credit(await newRefund(await newOrder()), await issue(await newOrder()));
		const credits = [];
		for (const now of [november, november, newYear]) credits.push(await credit(await newRefund(orderId), invoice, now, 1000));
		// a row that is written anew comes after the others when nothing says an order
		for (const { id } of credits.slice(0, 2).reverse())
			await inTransaction(async (trx) => setInvoiceDocument(trx, id, await newPdf(orderId)));
		await inTransaction(async (trx) => setInvoiceDocument(trx, invoice.id, await newPdf(orderId)));
		expect((await listInvoices(database.db, orderId)).map(({ number }) => number)).toEqual([
			"F2026-000001",
			"A2026-000002",
			"A2026-000003",
			"A2027-000001",
		]);
	});

	test("is listed by the buyer's e-mail where an older invoice names one, case and blanks ignored", async () => {
		const withBuyerEmail = (email: string) => ({ buyer: { ...draft.buyer, email } });
		const first = await issue(await newOrder(), minutesLater(2), withBuyerEmail("Ada@example.fr"));
		await issue(await newOrder(), minutesLater(3), withBuyerEmail("grace@example.fr"));
		await issue(await newOrder(), minutesLater(4));
		await issue(await newOrder(), minutesLater(5), withBuyerEmail("ada@example.fr"));
		await inTransaction(async (trx) => setInvoiceDocument(trx, first.id, await newPdf(first.order_id)));
		expect((await listInvoicesOfBuyer(database.db, " ADA@example.fr")).map(({ number }) => number)).toEqual([
			"F2026-000001",
			"F2026-000004",
		]);
		expect(await listInvoicesOfBuyer(database.db, "")).toEqual([]);
	});

	test("takes its PDF once, and no other invoice's", async () => {
		const [orderId, other] = [await newOrder(), await newOrder()];
		const [invoice] = [await issue(orderId), await issue(other)];
		const [pdf, second] = [await newPdf(orderId), await newPdf(orderId)];
		expect(await inTransaction((trx) => setInvoiceDocument(trx, invoice.id, pdf))).toBe(true);
		expect(await inTransaction((trx) => setInvoiceDocument(trx, invoice.id, second))).toBe(false);
		expect((await listAllInvoices()).map(({ document_id }) => document_id)).toEqual([pdf, null]);
	});

	// CGI art. 289: an issued invoice stays as it is
	test("is neither changed nor deleted, by whatever statement", async () => {
		const orderId = await newOrder();
		const invoice = await issue(orderId);
		const { db } = database;
		await inTransaction(async (trx) => setInvoiceDocument(trx, invoice.id, await newPdf(orderId)));
		for (const change of [{ total_cents: 1 }, { document_id: null }, { data: "{}" }, { order_id: await newOrder() }])
			await expect(db.updateTable("invoices").set(change).execute()).rejects.toThrow("is not changed");
		await expect(db.deleteFrom("invoices").execute()).rejects.toThrow("is not deleted");
		expect(await findInvoiceOfOrder(db, orderId)).toMatchObject({ data: invoice.data });
	});

	test("goes with its order when the law asks for it no more; that opens the way to no other", async () => {
		const [old, kept] = [await newOrder(), await newOrder()];
		const invoice = await issue(old);
		await credit(await newRefund(old), invoice);
		await issue(kept);
		const gone = inTransaction(async (trx) => {
			await deleteInvoices(trx, [old]);
			await trx.deleteFrom("invoices").execute();
		});
		await expect(gone).rejects.toThrow("is not deleted");
		await inTransaction((trx) => deleteInvoices(trx, [old]));
		expect((await listAllInvoices()).map(({ order_id }) => order_id)).toEqual([kept]);
	});
});
