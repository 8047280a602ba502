import { sql } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";
import { cents } from "../../catalogue/money.ts";
import { type InvoiceData, parseStoredInvoice, type StoredInvoice } from "../../orders/invoices/invoice.ts";
import { calculateAmounts } from "../../orders/invoices/invoice-amounts.ts";
import { getVatInstant } from "../book-facts.ts";
import { getBounds, getFirstDay, getLastDay, getMonth, getNextMonth, type Month } from "../month.ts";
import type { Finding } from "./finding.ts";

/** SQL that compares payments, refunds, invoices and entries of a month. Amounts in cents. */

type Row = { subject: string; amount: number | null };

const toFindings = (code: Finding["code"], rows: readonly Row[]): Finding[] =>
	rows.map(({ subject, amount }) => ({ code, subject, amount: amount === null ? null : cents(amount) }));

/** @returns all differences and remarks about the sales of a month, blocking ones first. */
export async function checkInvoices(db: Database | Trx, month: Month): Promise<Finding[]> {
	return [
		...(await findUninvoiced(db, month)),
		...(await findUncredited(db, month)),
		...(await findUnbooked(db, month)),
		...(await compareVat(db, month)),
		...(await findRemarks(db, month)),
	];
}

/** Payments of purchases in the month whose first invoice is missing, or has another amount. */
async function findUninvoiced(db: Database | Trx, month: Month): Promise<Finding[]> {
	const { since, until } = getBounds(month);
	const { rows } = await sql<Row & { invoiced: number | null }>`
		select order_number as subject, payment.amount_cents as amount, invoice.total_cents as invoiced
		from payments payment join orders on orders.id = payment.order_id
		left join invoices invoice on invoice.order_id = payment.order_id and invoice.kind = 'invoice' and invoice.replaces is null
		where payment.role = 'order' and payment.created_at >= ${since} and payment.created_at < ${until}
			and invoice.total_cents is distinct from payment.amount_cents
		order by payment.created_at`.execute(db);
	return rows.flatMap(({ invoiced, ...row }) =>
		invoiced === null
			? toFindings("not-invoiced", [row])
			: toFindings("invoice-amount", [{ ...row, amount: (row.amount ?? 0) - invoiced }]),
	);
}

/** Orders with a refund or a credit note in the month whose refunds and credit notes differ at its end, as far as they are known now. */
async function findUncredited(db: Database | Trx, month: Month): Promise<Finding[]> {
	const { since, until } = getBounds(month);
	const { rows } = await sql<{ subject: string; refunded: number; credited: number }>`
		with concerned as (
			select order_id from refunds where settled_at >= ${since} and settled_at < ${until} and status in ('succeeded', 'failed')
			union select order_id from invoices where refund_id is not null and issued_at >= ${since} and issued_at < ${until}
		), compared as (
			select order_number as subject,
				(select coalesce(sum(refunds.amount_cents), 0)::integer from refunds join payments on payments.id = refunds.payment_id
					where refunds.order_id = orders.id and refunds.status = 'succeeded' and payments.role = 'order') as refunded,
				(select coalesce(sum(total_cents), 0)::integer from invoices where invoices.order_id = orders.id and refund_id is not null) as credited
			from concerned join orders on orders.id = concerned.order_id
		)
		select * from compared where refunded <> credited order by subject`.execute(db);
	return rows.flatMap(({ subject, refunded, credited }) =>
		toFindings(refunded > credited ? "not-credited" : "over-credited", [{ subject, amount: Math.abs(refunded - credited) }]),
	);
}

/** Invoices and credit notes issued in the month, or entries of the month about some, that do not agree. */
async function findUnbooked(db: Database | Trx, month: Month): Promise<Finding[]> {
	const { since, until } = getBounds(month);
	const { rows } = await sql<Row>`
		select invoice.number as subject, case invoice.kind when 'invoice' then 1 else -1 end * invoice.total_cents
			- coalesce(entry.net_cents + entry.vat_cents, 0) as amount
		from invoices invoice left join account_entries entry on entry.fact = 'invoice:' || invoice.number
		where invoice.issued_at >= ${since} and invoice.issued_at < ${until}
			and entry.net_cents + entry.vat_cents is distinct from case invoice.kind when 'invoice' then 1 else -1 end * invoice.total_cents
		union all
		select entry.piece_ref, entry.net_cents + entry.vat_cents
		from account_entries entry left join invoices invoice on entry.fact = 'invoice:' || invoice.number
		where entry.entry_date between ${getFirstDay(month)} and ${getLastDay(month)} and entry.journal = 'VT' and invoice.id is null
		order by subject`.execute(db);
	return toFindings("not-booked", rows);
}

/** Computes the VAT of the month again, from the content of the invoices, and compares it with the entries. */
async function compareVat(db: Database | Trx, month: Month): Promise<Finding[]> {
	const { since } = getBounds(month);
	const { until } = getBounds(getNextMonth(month));
	// an order paid at the end of the month is invoiced in the next one
	const { rows } = await sql<{ data: StoredInvoice; declaredIn: Month | null }>`
		select data, to_char(entry.vat_month, 'YYYY-MM') as "declaredIn"
		from invoices left join account_entries entry on entry.fact = 'invoice:' || invoices.number
		where issued_at >= ${since} and issued_at < ${until} or entry.vat_month = ${getFirstDay(month)}`.execute(db);
	const documents = rows.map(({ data: stored, declaredIn }) => {
		const data = parseStoredInvoice(stored);
		return { data, month: declaredIn ?? getMonth(getVatInstant(data)) };
	});
	const due = documents.filter((each) => each.month === month && getMonth(getVatInstant(each.data)) <= month);
	const invoiced = due.reduce((sum, { data }) => sum + getSignedVat(data), 0);
	const { rows: booked } = await sql<{ vat: number }>`
		select coalesce(sum(vat_cents), 0)::integer as vat from account_entries where vat_month = ${getFirstDay(month)}`.execute(db);
	const difference = (booked[0]?.vat ?? 0) - invoiced;
	return difference === 0 ? [] : toFindings("vat-differs", [{ subject: `TVA ${month}`, amount: difference }]);
}

const getSignedVat = (data: InvoiceData): number => (data.kind === "invoice" ? 1 : -1) * calculateAmounts(data).vat;

async function findRemarks(db: Database | Trx, month: Month): Promise<Finding[]> {
	const { since, until } = getBounds(month);
	const lost = await sql<Row>`
		select order_number as subject, (select sum(price_cents)::integer from orders bought where bought.purchase_id = orders.id) as amount
		from orders where orders.id = orders.purchase_id and exists (
			select from order_events where order_events.order_id = orders.id and event_type = 'disputed' and payload->>'status' = 'lost'
				and created_at >= ${since} and created_at < ${until})
		order by subject`.execute(db);
	const suspense = await sql<Row>`
		select subject, sum((line->>'credit')::integer - (line->>'debit')::integer)::integer as amount
		from account_entries cross join jsonb_array_elements(lines) line
		where entry_date <= ${getLastDay(month)} and lines @> '[{"account": "suspense"}]' and line->>'account' = 'suspense'
		group by subject having sum((line->>'credit')::integer - (line->>'debit')::integer) <> 0 order by subject`.execute(db);
	const foreign = await sql<Row>`
		select order_number as subject, null::integer as amount from payments join orders on orders.id = payments.order_id
		where currency <> 'eur' and payments.created_at >= ${since} and payments.created_at < ${until} order by subject`.execute(db);
	const late = await sql<Row>`
		select piece_ref as subject, null::integer as amount from account_entries
		where entry_date between ${getFirstDay(month)} and ${getLastDay(month)} and piece_date < ${getFirstDay(month)} order by id`.execute(db);
	return [
		...toFindings("lost-dispute", lost.rows),
		...toFindings("on-suspense", suspense.rows),
		...toFindings("other-currency", foreign.rows),
		...toFindings("late-fact", late.rows),
	];
}
