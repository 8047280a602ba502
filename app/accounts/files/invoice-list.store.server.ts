import { sql } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";
import { type InvoiceData, parseStoredInvoice } from "../../invoices/invoice.ts";
import { getBounds, type Month } from "../month.ts";

/** An invoice or credit note of a month, with its file. */
export interface ListedInvoice {
	data: InvoiceData;
	/** Null before its PDF is stored. */
	path: string | null;
	sha256: string | null;
	bytes: number | null;
}

/** The invoices and credit notes issued in a month, each series in the order of its numbers. */
export async function listInvoicesOfMonth(db: Database | Trx, month: Month): Promise<ListedInvoice[]> {
	const { since, until } = getBounds(month);
	const { rows } = await sql<Omit<ListedInvoice, "data"> & { data: unknown }>`
		select invoices.data, documents.storage_path as path, documents.sha256, documents.bytes
		from invoices left join documents on documents.id = invoices.document_id
		where invoices.issued_at >= ${since} and invoices.issued_at < ${until}
		order by invoices.kind desc, invoices.year, invoices.number_in_year`.execute(db);
	return rows.map(({ data, ...file }) => ({ data: parseStoredInvoice(data), ...file }));
}
