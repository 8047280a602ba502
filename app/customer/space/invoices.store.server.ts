import { sql } from "kysely";
import { anyOf, type Database } from "../../../server/database/database.ts";
import { type InvoiceData, parseStoredInvoice, type StoredInvoice } from "../../orders/invoices/invoice.ts";
import { isOfMailbox } from "./purchases.store.server.ts";

/** What the owner of a mailbox reads of its invoices: those of its orders, and those of its orders whose data are erased. */

/** `fingerprints`: of the mailbox, see listFingerprints. */
export interface InvoiceOwner {
	mailbox: string;
	fingerprints: readonly Buffer[];
}

export interface OwnInvoice {
	number: string;
	kind: InvoiceData["kind"];
	issued_at: Date;
	data: InvoiceData;
	/** Null until its PDF is made, and while a dispute freezes it. */
	document_id: string | null;
	/** The data of its order are erased. */
	is_erased: boolean;
}

/** Two queries in one, because each has its index. An order whose data are erased has no mailbox, so no invoice is in both. */
const ownInvoices = ({ mailbox, fingerprints }: InvoiceOwner) => sql`(
	select invoices.*, orders.disputed_at, false as is_erased from invoices join orders on orders.id = invoices.order_id
	where ${isOfMailbox(mailbox)}
	union all
	select invoices.*, orders.disputed_at, true from invoices join orders on orders.id = invoices.order_id
	where invoices.mailbox_fingerprint = any(${fingerprints}::bytea[]) and orders.erased_at is not null
) as invoices`;

/** The invoices and credit notes of a mailbox in the year of their number, in the order of their issue. */
export async function listOwnInvoices(db: Database, owner: InvoiceOwner, year: number): Promise<OwnInvoice[]> {
	const { rows } = await sql<Omit<OwnInvoice, "data"> & { data: StoredInvoice }>`
		select number, kind, issued_at, data, is_erased, case when disputed_at is null then document_id end as document_id
		from ${ownInvoices(owner)} where year = ${year} order by issued_at, kind desc, number_in_year`.execute(db);
	return rows.map(({ data, ...row }) => ({ ...row, data: parseStoredInvoice(data) }));
}

/** The SIREN of the company of each order, by the order's number. */
export async function listSirens(db: Database, orderNumbers: readonly string[]): Promise<Map<string, string>> {
	const query = db
		.selectFrom("orders")
		.select(["order_number", "siren"])
		.where(sql<boolean>`order_number = ${anyOf(orderNumbers)}`);
	return new Map((await query.execute()).map(({ order_number, siren }) => [order_number, siren]));
}

/** The years of a mailbox's invoices, the newest first. `erased`: with an invoice whose order's data are erased. */
export async function listInvoiceYears(db: Database, owner: InvoiceOwner): Promise<{ year: number; erased: boolean }[]> {
	const { rows } = await sql<{ year: number; erased: boolean }>`
		select year, bool_or(is_erased) as erased from ${ownInvoices(owner)} group by year order by year desc`.execute(db);
	return rows;
}

/** The document of an invoice of a mailbox whose order's data are erased. */
export async function findErasedInvoiceDocument(db: Database, { fingerprints }: InvoiceOwner, number: string): Promise<string | null> {
	const { rows } = await sql<{ document_id: string | null }>`
		select document_id from invoices join orders on orders.id = invoices.order_id
		where invoices.mailbox_fingerprint = any(${fingerprints}::bytea[]) and invoices.number = ${number}
			and orders.erased_at is not null and orders.disputed_at is null`.execute(db);
	return rows[0]?.document_id ?? null;
}
