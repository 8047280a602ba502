import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { Database, Trx } from "../../server/database.ts";
import type { Invoices, JsonObject } from "../../server/database-types.gen.ts";
import type { InvoiceData } from "./invoice.ts";

/** All SQL on `invoices` and `invoice_series`. */

export type IssuedInvoice = Omit<Selectable<Invoices>, "kind" | "data"> & { kind: InvoiceData["kind"]; data: InvoiceData };

/**
 * Takes the next number of a series. Its row stays locked until the caller's transaction ends, which commits the number
 * with what carries it or takes it back: the series has no gap. Dates follow the numbers.
 */
export async function takeNumber(trx: Trx, kind: InvoiceData["kind"], year: number, now: Date): Promise<{ number: number; issuedAt: Date }> {
	const row = await trx
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
	row: { orderId: string; refundId: string | null; corrects: string | null; year: number; numberInYear: number; data: InvoiceData },
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
			issued_at: new Date(row.data.issuedAt),
			total_cents: row.data.line.total,
			data: JSON.stringify(row.data),
		})
		.returningAll()
		.executeTakeFirstOrThrow();
	return asIssued(inserted);
}

export async function findInvoiceOfOrder(db: Database | Trx, orderId: string): Promise<IssuedInvoice | null> {
	const row = await db.selectFrom("invoices").selectAll().where("order_id", "=", orderId).where("kind", "=", "invoice").executeTakeFirst();
	return row ? asIssued(row) : null;
}

export async function findCreditNoteOfRefund(db: Database | Trx, refundId: string): Promise<IssuedInvoice | null> {
	const row = await db.selectFrom("invoices").selectAll().where("refund_id", "=", refundId).executeTakeFirst();
	return row ? asIssued(row) : null;
}

/** Says which document is an invoice's PDF; false when it has one already. */
export async function setInvoiceDocument(trx: Trx, invoiceId: string, documentId: string): Promise<boolean> {
	const { numUpdatedRows } = await trx
		.updateTable("invoices")
		.set({ document_id: documentId })
		.where("id", "=", invoiceId)
		.where("document_id", "is", null)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

function asIssued(row: Selectable<Invoices>): IssuedInvoice {
	return { ...row, kind: row.kind as InvoiceData["kind"], data: row.data as JsonObject as unknown as InvoiceData };
}
