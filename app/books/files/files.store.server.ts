import { sql } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";
import type { Cents } from "../../catalogue/money.ts";
import { type InvoiceData, parseStoredInvoice, type StoredInvoice } from "../../orders/invoices/invoice.ts";
import { getBounds, getFirstDay, getLastDay, type Month } from "../month.ts";
import type { MarginRow } from "./margin.ts";
import type { PaidOutRow } from "./payouts-file.ts";

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
	const { rows } = await sql<Omit<ListedInvoice, "data"> & { data: StoredInvoice }>`
		select invoices.data, documents.storage_path as path, documents.sha256, documents.bytes
		from invoices left join documents on documents.id = invoices.document_id
		where invoices.issued_at >= ${since} and invoices.issued_at < ${until}
		order by invoices.kind desc, invoices.year, invoices.number_in_year`.execute(db);
	return rows.map(({ data, ...file }) => ({ data: parseStoredInvoice(data), ...file }));
}

/** The payouts that arrived in a month with their movements, then the movements of the month that reach the bank later. */
export async function listPaidOut(db: Database | Trx, month: Month): Promise<PaidOutRow[]> {
	const { since, until } = getBounds(month);
	const { rows } = await sql<PaidOutRow>`
		select payout.id as payout, payout.arrives_at as "arrivesAt", payout.amount_cents as paid, movement.id, movement.kind,
			movement.occurred_at as at, movement.amount_cents as amount, movement.fee_cents as fee, movement.payment_id as "paymentId",
			orders.order_number as "orderNumber"
		from provider_payouts payout left join provider_movements movement on movement.payout_id = payout.id
		left join payments on payments.id = movement.payment_id left join orders on orders.id = payments.order_id
		where payout.status = 'paid' and payout.arrives_at >= ${since} and payout.arrives_at < ${until}
		union all
		select null, null, null, movement.id, movement.kind, movement.occurred_at, movement.amount_cents, movement.fee_cents, movement.payment_id,
			orders.order_number
		from provider_movements movement left join provider_payouts payout on payout.id = movement.payout_id
		left join payments on payments.id = movement.payment_id left join orders on orders.id = payments.order_id
		where movement.kind not in ('payout', 'payout-returned') and movement.occurred_at < ${until}
			and (payout.id is null or payout.arrives_at >= ${until} or payout.status <> 'paid')
			and movement.occurred_at >= ${since}
		order by 2 nulls last, 1, 6, 4`.execute(db);
	return rows;
}

/** SQL on `extract_costs`. */

/** Records what the greffe charged for the extracts of an order, in total. The last record counts. */
export async function insertExtractCost(db: Database | Trx, orderNumber: string, amount: Cents, now: Date): Promise<void> {
	await db.insertInto("extract_costs").values({ order_number: orderNumber, amount_cents: amount, recorded_at: now }).execute();
}

/** @returns null when none was recorded. */
export async function findExtractCost(db: Database | Trx, orderNumber: string): Promise<Cents | null> {
	const query = db.selectFrom("extract_costs").select("amount_cents").where("order_number", "=", orderNumber);
	return (await query.orderBy("id", "desc").limit(1).executeTakeFirst())?.amount_cents ?? null;
}

/**
 * What each purchase brought and cost in a month, under the number of its first order: sales and credit notes without VAT, by the month of
 * the VAT; the provider's fees; the extract, in the month of its delivery. A cost that was recorded for an order without delivery counts
 * in the month of the record.
 * @param usualCost of an extract without a recorded cost. @param asOf when the month was closed: later records do not count.
 */
export async function listMargins(
	db: Database | Trx,
	month: Month,
	{ usualCost, asOf }: { usualCost: number; asOf: Date | null },
): Promise<MarginRow[]> {
	const { since, until } = getBounds(month);
	const { rows } = await sql<MarginRow>`
		with cost as (
			select distinct on (order_number) order_number, amount_cents, recorded_at from extract_costs
			where recorded_at <= coalesce(${asOf}::timestamptz, 'infinity') order by order_number, id desc
		), part (order_number, net, fees, cost) as (
			select subject, net_cents, 0, 0 from account_entries where vat_month = ${getFirstDay(month)}
			union all
			select subject, 0, (line->>'debit')::integer - (line->>'credit')::integer, 0
			from account_entries cross join jsonb_array_elements(lines) line
			where entry_date between ${getFirstDay(month)} and ${getLastDay(month)} and line->>'account' = 'fees'
			union all
			select orders.order_number, 0, 0, coalesce(cost.amount_cents, ${usualCost}::integer)
			from orders left join cost on cost.order_number = orders.order_number
			where orders.completed_at >= ${since} and orders.completed_at < ${until}
			union all
			select cost.order_number, 0, 0, cost.amount_cents
			from cost left join orders on orders.order_number = cost.order_number
			where cost.recorded_at >= ${since} and cost.recorded_at < ${until} and orders.completed_at is null
		)
		select coalesce(first.order_number, part.order_number) as subject,
			(select case when min(product_code) = max(product_code) then min(product_code) end from orders bought where bought.purchase_id = first.id) as service,
			sum(net)::integer as net, sum(fees)::integer as fees, sum(cost)::integer as cost
		from part left join orders on orders.order_number = part.order_number left join orders first on first.id = orders.purchase_id
		group by first.id, coalesce(first.order_number, part.order_number) order by subject`.execute(db);
	return rows;
}
