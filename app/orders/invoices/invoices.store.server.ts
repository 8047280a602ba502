import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { toJson } from "../../../server/database/column-types.ts";
import { anyOf, type Database, type Trx } from "../../../server/database/database.ts";
import type { Invoices } from "../../../server/database/database-types.gen.ts";
import { prepared } from "../../../server/database/dialect.ts";
import { logOrderEvent } from "../../../server/database/log-after-commit.ts";
import { type InvoiceData, parseStoredInvoice, type StoredInvoice } from "./invoice.ts";
import { sumLines } from "./invoice-amounts.ts";
import type { InvoiceNumber } from "./invoice-number.ts";

/** All SQL on `invoices`, `invoice_series`, `invoice_gaps` and `database_identity`. */

declare module "../../../server/database/column-types.ts" {
	interface ColumnTypes {
		"invoices.data": StoredInvoice;
	}
}

export type IssuedInvoice = Omit<Selectable<Invoices>, "data"> & { data: InvoiceData };

/**
 * Allocates the next number of a series and locks the series until the caller's transaction ends, so that there are no gaps. Dates never
 * go back. Unique indexes protect the numbers as well.
 */
export async function allocateNumber(
	trx: Trx,
	kind: InvoiceData["kind"],
	year: number,
	now: Date,
): Promise<{ number: number; issuedAt: Date }> {
	const row = await prepared(trx)
		.insertInto("invoice_series")
		.values({ kind, year, last_number: 1, last_issued_at: now })
		.onConflict((conflict) =>
			conflict.columns(["kind", "year"]).doUpdateSet({
				last_number: sql`invoice_series.last_number + 1`,
				last_issued_at: sql`greatest(invoice_series.last_issued_at, excluded.last_issued_at)`,
			}),
		)
		.returning(["last_number", "last_issued_at"])
		.executeTakeFirstOrThrow();
	return { number: row.last_number, issuedAt: row.last_issued_at };
}

export async function insertInvoice(
	trx: Trx,
	row: {
		orderId: string;
		refundId: string | null;
		corrects: string | null;
		replaces: string | null;
		year: number;
		numberInYear: number;
		data: InvoiceData;
	},
): Promise<IssuedInvoice> {
	const inserted = await trx
		.insertInto("invoices")
		.values({
			id: randomUUID(),
			kind: row.data.kind,
			year: row.year,
			number_in_year: row.numberInYear,
			number: row.data.number,
			order_id: row.orderId,
			refund_id: row.refundId,
			corrects: row.corrects,
			replaces: row.replaces,
			issued_at: new Date(row.data.issuedAt),
			total_cents: sumLines(row.data),
			data: toJson(row.data),
		})
		.returningAll()
		.executeTakeFirstOrThrow();
	logOrderEvent(trx, row.orderId, `${row.data.kind}_issued`, {
		number: row.data.number,
		amount: sumLines(row.data),
		refund: row.refundId,
	});
	return toIssuedInvoice(inserted);
}

/** Finds the invoice of a purchase that is in force: the one that no other replaces. */
export async function findInvoiceOfPurchase(db: Database | Trx, purchaseId: string): Promise<IssuedInvoice | null> {
	const isReplaced = sql<boolean>`exists (select from invoices later where later.replaces = invoices.id)`;
	const query = db.selectFrom("invoices").selectAll().where("order_id", "=", purchaseId).where("kind", "=", "invoice");
	const row = await query.where(sql<boolean>`not ${isReplaced}`).executeTakeFirst();
	return row ? toIssuedInvoice(row) : null;
}

/** Finds the invoice or credit note whose PDF is this document. */
export async function findInvoiceOfDocument(db: Database | Trx, documentId: string): Promise<IssuedInvoice | null> {
	const row = await db.selectFrom("invoices").selectAll().where("document_id", "=", documentId).executeTakeFirst();
	return row ? toIssuedInvoice(row) : null;
}

export async function findCreditNoteOfRefund(db: Database | Trx, refundId: string): Promise<IssuedInvoice | null> {
	const row = await db.selectFrom("invoices").selectAll().where("refund_id", "=", refundId).executeTakeFirst();
	return row ? toIssuedInvoice(row) : null;
}

/** The credit notes of the withdrawals from these orders that have their PDF, with what each refunds, in the order of issue. */
export async function listCreditedWithdrawals(
	db: Database | Trx,
	orderIds: readonly string[],
): Promise<{ order_id: string; amount_cents: number; document_id: string }[]> {
	return db
		.selectFrom("invoices")
		.innerJoin("refunds", "refunds.id", "invoices.refund_id")
		.select(["refunds.order_id", "refunds.amount_cents", "invoices.document_id"])
		.where("refunds.order_id", "=", anyOf(orderIds))
		.where("reason", "=", "withdrawal")
		.where("status", "=", "succeeded")
		.where("invoices.document_id", "is not", null)
		.orderBy("invoices.issued_at")
		.orderBy("invoices.number_in_year")
		.$narrowType<{ document_id: string }>()
		.execute();
}

/** Whether a refund of a withdrawal from these orders has not ended, or has neither the PDF of its credit note nor an e-mail of its own. */
export async function isWithdrawalCreditAwaited(trx: Trx, orderIds: readonly string[]): Promise<boolean> {
	const { rows } = await sql`
		select from refunds left join invoices on invoices.refund_id = refunds.id
		where refunds.order_id = ${anyOf(orderIds)} and reason = 'withdrawal' and (
			status in ('requested', 'pending')
			or status = 'succeeded' and document_id is null and not exists (select from mails where mails.refund_id = refunds.id))
		limit 1`.execute(trx);
	return rows.length > 0;
}

/** Sets the PDF of an invoice; false when it has one. */
export async function setInvoiceDocument(trx: Trx, invoiceId: string, documentId: string): Promise<boolean> {
	const { numUpdatedRows } = await prepared(trx)
		.updateTable("invoices")
		.set({ document_id: documentId })
		.where("id", "=", invoiceId)
		.where("document_id", "is", null)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

export function toIssuedInvoice(row: Selectable<Invoices>): IssuedInvoice {
	return { ...row, data: parseStoredInvoice(row.data) };
}

/** Lists the invoices of a purchase, then its credit notes, also those of refunds of any of its orders, each in the order of issue. */
export async function listInvoicesOfPurchase(db: Database | Trx, purchaseId: string): Promise<IssuedInvoice[]> {
	const query = db
		.selectFrom("invoices")
		.selectAll()
		.where(({ eb, or, selectFrom }) =>
			or([
				eb("order_id", "=", purchaseId),
				eb("corrects", "in", selectFrom("invoices as corrected").select("corrected.id").where("corrected.order_id", "=", purchaseId)),
			]),
		);
	// by kind first, because both may be issued at the same instant
	return (await query.orderBy("kind", "desc").orderBy("issued_at").orderBy("number_in_year").execute()).map(toIssuedInvoice);
}

/** Whether an order's customer reads it with the order: all of its purchase but the credit notes of other orders' refunds. */
export const isOfOrder = ({ refund_id, order_id }: Pick<IssuedInvoice, "refund_id" | "order_id">, order: { id: string }): boolean =>
	refund_id === null || order_id === order.id;

/** Lists the invoices of an order's purchase, then the credit notes that replaced them and those of its own refunds. */
export async function listInvoices(db: Database | Trx, order: { id: string; purchase_id: string }): Promise<IssuedInvoice[]> {
	return (await listInvoicesOfPurchase(db, order.purchase_id)).filter((invoice) => isOfOrder(invoice, order));
}

/** Deletes the invoices of orders after their legal retention. The table's trigger refuses any other deletion. */
export async function deleteInvoices(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await sql`set local shop.purging_invoices = 'on'`.execute(trx);
	await trx.deleteFrom("invoices").where("order_id", "=", anyOf(orderIds)).execute();
	await sql`set local shop.purging_invoices = 'off'`.execute(trx);
}

/** Lists the invoice numbers of orders. */
export async function listInvoiceNumbers(trx: Trx, orderIds: readonly string[]): Promise<{ order_id: string; number: string }[]> {
	return trx.selectFrom("invoices").select(["order_id", "number"]).where("order_id", "=", anyOf(orderIds)).execute();
}

type Series = Pick<InvoiceNumber, "kind" | "year">;

/** Returns the last number of a series; 0 before the first. */
export async function findLastPlace(db: Database | Trx, { kind, year }: Series): Promise<number> {
	const query = db.selectFrom("invoice_series").select("last_number").where("kind", "=", kind).where("year", "=", year);
	return (await query.executeTakeFirst())?.last_number ?? 0;
}

/** Advances a series to a number, unless it is further already. Other allocations wait for the end of the transaction. */
export async function moveSeries(trx: Trx, { kind, year, place }: InvoiceNumber, issuedAt: Date): Promise<void> {
	await trx
		.insertInto("invoice_series")
		.values({ kind, year, last_number: place, last_issued_at: issuedAt })
		.onConflict((conflict) =>
			conflict.columns(["kind", "year"]).doUpdateSet({
				last_number: sql`greatest(invoice_series.last_number, excluded.last_number)`,
				last_issued_at: sql`greatest(invoice_series.last_issued_at, excluded.last_issued_at)`,
			}),
		)
		.execute();
}

/** Lists the numbers of a series without an invoice and without a recorded reason. */
export async function listUnexplainedPlaces(db: Database | Trx, { kind, year }: Series): Promise<number[]> {
	const { rows } = await sql<{ place: number }>`
		select place from invoice_series, generate_series(1, last_number) place
		where kind = ${kind} and year = ${year}
			and not exists (select from invoices where (invoices.kind, invoices.year, number_in_year) = (${kind}, ${year}, place))
			and not exists (select from invoice_gaps gap where (gap.kind, gap.year, gap.number_in_year) = (${kind}, ${year}, place))
		order by place`.execute(db);
	return rows.map(({ place }) => place);
}

/** Records why numbers of a series have no invoice. */
export async function recordGaps(
	trx: Trx,
	{ kind, year }: Series,
	{ places, reason, now }: { places: readonly number[]; reason: string; now: Date },
): Promise<void> {
	if (places.length === 0) return;
	const rows = places.map((place) => ({ kind, year, number_in_year: place, reason, recorded_at: now }));
	await trx.insertInto("invoice_gaps").values(rows).execute();
}

/** Deletes the recorded gap of a number that has an invoice after all. */
export async function deleteGap(trx: Trx, { kind, year, place }: InvoiceNumber): Promise<void> {
	await trx.deleteFrom("invoice_gaps").where("kind", "=", kind).where("year", "=", year).where("number_in_year", "=", place).execute();
}

/** Lists all series, the oldest first. */
export async function listSeries(db: Database): Promise<InvoiceNumber[]> {
	const rows = await db
		.selectFrom("invoice_series")
		.select(["kind", "year", "last_number"])
		.orderBy("year")
		.orderBy("kind", "desc")
		.execute();
	return rows.map(({ kind, year, last_number }) => ({ kind, year, place: last_number }));
}

/** Returns the database's identity, which a restore keeps. */
export async function findDatabaseIdentity(db: Database | Trx): Promise<string> {
	return (await db.selectFrom("database_identity").select("id").executeTakeFirstOrThrow()).id;
}

/** Counts invoices and credit notes without a PDF. */
export async function countWithoutPdf(trx: Trx): Promise<number> {
	const query = trx
		.selectFrom("invoices")
		.select((eb) => eb.fn.countAll<string>().as("count"))
		.where("document_id", "is", null);
	return Number((await query.executeTakeFirstOrThrow()).count);
}
