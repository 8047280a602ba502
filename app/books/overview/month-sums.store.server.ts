import { sql } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";
import type { Cents } from "../../catalogue/money.ts";
import { getFirstDay, getLastDay, type Month } from "../month.ts";

/** What a month has in the books. Refunds and fees are positive amounts. */
export interface MonthSums {
	month: Month;
	entries: number;
	/** Sales without VAT, credit notes deducted, as booked in the month. */
	sales: Cents;
	receipts: Cents;
	refunds: Cents;
	fees: Cents;
	/** What reached the bank. */
	paidOut: Cents;
	/** The VAT that is declared for the month: that of its receipts. */
	vat: Cents;
	closedAt: Date | null;
	closedBy: string | null;
}

/** The months with entries between two months, the newest first. */
export async function listMonthSums(db: Database | Trx, { since, until }: { since: Month; until: Month }): Promise<MonthSums[]> {
	const { rows } = await sql<MonthSums>`
		with booked as (
			select date_trunc('month', entry_date)::date as day, count(distinct account_entries.id)::integer as entries,
				coalesce(sum(amount) filter (where account = 'sales'), 0)::integer as sales,
				coalesce(sum(amount) filter (where account <> 'provider' and fact like 'payment:%'), 0)::integer as receipts,
				-coalesce(sum(amount) filter (where account <> 'provider' and fact like 'refund%'), 0)::integer as refunds,
				-coalesce(sum(amount) filter (where account = 'fees'), 0)::integer as fees,
				-coalesce(sum(amount) filter (where account = 'bank'), 0)::integer as "paidOut"
			from account_entries cross join lateral (
				select line->>'account' as account, (line->>'credit')::integer - (line->>'debit')::integer as amount
				from jsonb_array_elements(lines) line
			) line
			where entry_date between ${getFirstDay(since)} and ${getLastDay(until)}
			group by 1
		), declared as (
			select vat_month as day, sum(vat_cents)::integer as vat from account_entries
			where vat_month between ${getFirstDay(since)} and ${getFirstDay(until)} group by 1
		)
		select to_char(day, 'YYYY-MM') as month, coalesce(entries, 0) as entries, coalesce(sales, 0) as sales, coalesce(receipts, 0) as receipts,
			coalesce(refunds, 0) as refunds, coalesce(fees, 0) as fees, coalesce("paidOut", 0) as "paidOut", coalesce(vat, 0) as vat,
			account_closings.closed_at as "closedAt", account_closings.closed_by as "closedBy"
		from booked full join declared using (day) left join account_closings on account_closings.month = day
		order by day desc`.execute(db);
	return rows;
}

/** When entries were last posted, and how far the provider's balance was read; null when never. */
export async function findLastUpdate(db: Database | Trx): Promise<{ postedAt: Date | null; readUntil: Date | null }> {
	const { rows } = await sql<{ postedAt: Date | null; readUntil: Date | null }>`
		select (select max(posted_at) from account_entries) as "postedAt", (select max(until) from provider_readings) as "readUntil"`.execute(
		db,
	);
	return rows[0] ?? { postedAt: null, readUntil: null };
}
