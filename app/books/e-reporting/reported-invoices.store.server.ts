import { sql } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";
import { parseStoredInvoice, type StoredInvoice } from "../../orders/invoices/invoice.ts";
import { getBounds, getFirstDay, getNextMonth, type Month } from "../month.ts";
import type { ReportedInvoice } from "./e-report.ts";

/**
 * The documents whose sale or money may belong to a month: those booked in it, and those issued in it or in the next one, because
 * invoices and credit notes follow their payment.
 */
export async function listReportedInvoices(db: Database | Trx, month: Month): Promise<ReportedInvoice[]> {
	const { since } = getBounds(month);
	const { until } = getBounds(getNextMonth(month));
	const { rows } = await sql<Omit<ReportedInvoice, "data"> & { data: StoredInvoice }>`
		select data, to_char(vat_month, 'YYYY-MM') as "vatMonth"
		from invoices left join account_entries on fact = 'invoice:' || invoices.number
		where issued_at >= ${since} and issued_at < ${until} or vat_month = ${getFirstDay(month)}
		order by issued_at, invoices.number`.execute(db);
	return rows.map(({ data, vatMonth }) => ({ data: parseStoredInvoice(data), vatMonth }));
}
