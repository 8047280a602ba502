import { sql } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";
import { type InvoiceData, parseStoredInvoice, type StoredInvoice } from "../../orders/invoices/invoice.ts";
import { addToMonth, getBounds, type Month } from "../month.ts";
import type { Flow, Period } from "./period.ts";

/** SQL on `e_reports`, and the documents that they sum. */

export interface StoredReport extends Period {
	id: string;
	flow: Flow;
	number: number;
	type: "IN" | "RE";
	/** Of what it reports. */
	contentSha256: string;
	xml: string;
	madeBy: string;
	madeAt: Date;
}

const columns = sql`id, flow, to_char(period_start, 'YYYY-MM-DD') as start, to_char(period_end, 'YYYY-MM-DD') as "end", number, type,
	content_sha256 as "contentSha256", xml, made_by as "madeBy", made_at as "madeAt"`;

/** The transmissions of a flow that are about any of these days, by period and number. */
export async function listReports(db: Database | Trx, flow: Flow, { start, end }: Period): Promise<StoredReport[]> {
	const { rows } = await sql<StoredReport>`
		select ${columns} from e_reports where flow = ${flow} and period_start <= ${end} and period_end >= ${start}
		order by period_start, period_end, number`.execute(db);
	return rows;
}

export async function findReport(db: Database | Trx, id: string): Promise<StoredReport | null> {
	const { rows } = await sql<StoredReport>`select ${columns} from e_reports where id = ${id}`.execute(db);
	return rows[0] ?? null;
}

export async function insertReport(trx: Trx, report: StoredReport): Promise<void> {
	await trx
		.insertInto("e_reports")
		.values({
			...{ id: report.id, flow: report.flow, period_start: report.start, period_end: report.end, number: report.number, type: report.type },
			...{ content_sha256: report.contentSha256, xml: report.xml, made_by: report.madeBy, made_at: report.madeAt },
		})
		.execute();
}

/** An invoice follows its payment within seconds. One that is missing keeps its month from being closed (« Commande payée sans facture »). */
const latestInvoice = { months: 3 };

/** The documents that may have been paid or issued in a month. */
export async function listDocumentsOf(db: Database | Trx, month: Month): Promise<InvoiceData[]> {
	const { since, until } = getBounds(month);
	const { until: latest } = getBounds(addToMonth(month, latestInvoice));
	const { rows } = await sql<{ data: StoredInvoice }>`
		select data from invoices
		where issued_at >= ${since} and issued_at < ${latest} and (issued_at < ${until} or (data->>'paidAt')::timestamptz < ${until})
		order by issued_at, number`.execute(db);
	return rows.map(({ data }) => parseStoredInvoice(data));
}
