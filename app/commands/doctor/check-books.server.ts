import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import { Temporal } from "temporal-polyfill";
import { day, hour } from "../../../server/durations.ts";
import { zone } from "../../catalogue/instants.ts";
import { cents, formatEuros } from "../../catalogue/money.ts";
import { retention } from "../../catalogue/retention.ts";
import { type Check, createResult, type DoctorContext, formatCount, skipCheck } from "./check.ts";

const seriesLabels = { invoice: "Invoices", credit_note: "Credit notes" } as const;
type Kind = keyof typeof seriesLabels;
const formatAmount = (amount: number) => formatEuros(cents(amount));

/** Milliseconds between a refund and its credit note. */
const maxCreditNoteDelayMs = hour;

/** Invoices of earlier years are deleted when the law no longer requires them, which leaves gaps. */
const getFirstKeptYear = ({ now }: Pick<DoctorContext, "now">) =>
	Temporal.Instant.fromEpochMilliseconds(now().getTime()).toZonedDateTimeISO(zone).year - retention.invoices.years;

export const bookChecks: Check[] = [
	{
		name: "invoice-numbers",
		what: "Numbers of invoices and credit notes",
		how: "each series of a year has no unexplained gap from its first number to its last",
		todo: "After a restore, recreate the lost orders: npm run orders -- recreate --all. Otherwise search for the number in the sent e-mails and in the backup, because the law requires a series without gaps (CGI, art. 289). Record the reason of a gap that stays (orders move-invoices).",
		async examine(context) {
			const { db } = context;
			const { rows: gaps } = await sql<{ kind: Kind; year: number; from: number; to: number }>`
				with explained as (
					select kind, year, number_in_year from invoices union all select kind, year, number_in_year from invoice_gaps
				), taken as (
					select kind, year, number_in_year as number, lag(number_in_year, 1, 0) over (partition by kind, year order by number_in_year) as before
					from explained
					union all
					select invoice_series.kind, invoice_series.year, last_number + 1, coalesce(max(number_in_year), 0)
					from invoice_series left join explained using (kind, year) group by 1, 2, 3
				)
				select kind, year, before + 1 as from, number - 1 as to from taken
				where number > before + 1 and year >= ${getFirstKeptYear(context)} order by kind, year, number`.execute(db);
			const { rows: beyond } = await sql<{ kind: Kind; year: number; last: number }>`
				select kind, year, max(number_in_year) as last from invoices left join invoice_series using (kind, year)
				where year >= ${getFirstKeptYear(context)} group by kind, year having max(number_in_year) > coalesce(max(last_number), 0)`.execute(
				db,
			);
			return createResult(
				await countInvoices(context),
				...gaps.map(
					({ kind, year, from, to }) =>
						`${seriesLabels[kind]} ${year}: ${from === to ? `number ${from} is missing` : `numbers ${from} to ${to} are missing`}.`,
				),
				...beyond.map(({ kind, year, last }) => `${seriesLabels[kind]} ${year}: number ${last} would be issued again.`),
			);
		},
	},
	{
		name: "invoice-dates",
		what: "Dates of invoices and credit notes",
		how: "none is earlier than that of the previous number",
		todo: "Do not change the invoice. Tell the accountant, and check the clocks of the machines.",
		async examine(context) {
			const numbers = await listLines(
				context,
				sql`select number as line from (
					select number, year, issued_at, lag(issued_at) over (partition by kind, year order by number_in_year) as before from invoices
				) dated where issued_at < before and year >= ${getFirstKeptYear(context)} order by number`,
			);
			return createResult(
				await countInvoices(context),
				...numbers.map((number) => `${number} has an earlier date than the previous number.`),
			);
		},
	},
	{
		name: "invoice-amounts",
		what: "Amounts of invoices",
		how: "invoice, price of the order, or of all orders of its purchase, and payment are equal",
		todo: "Compare with the payment provider's pages at the desk, « Argent » of the order, then « Comparer avec le prestataire ».",
		async examine(context) {
			const { rows } = await sql<{ number: string; order_number: string; total: number; price: number; paid: number | null }>`
				select number, order_number, total_cents as total, price, amount_cents as paid
				from invoices join orders on orders.id = invoices.order_id
				join lateral (select sum(price_cents)::integer as price from orders bought where bought.purchase_id = orders.id) prices on true
				left join payments on payments.order_id = orders.id and payments.role = 'order'
				where kind = 'invoice' and (total_cents <> price or amount_cents is distinct from total_cents) order by number`.execute(context.db);
			return createResult(
				await countInvoices(context),
				...rows.map(
					({ number, order_number, total, price, paid }) =>
						`${number} (${order_number}): invoice ${formatAmount(total)}, price ${formatAmount(price)}, ${paid === null ? "no payment" : `paid ${formatAmount(paid)}`}.`,
				),
			);
		},
	},
	{
		name: "credit-notes",
		what: "Amounts of credit notes",
		how: "the credit notes of an order's refunds equal them and do not exceed its price, nor those of a purchase its invoice, without those of a replaced invoice",
		todo: "Compare « Argent » of the order at the desk with the provider's pages. The jobs create a missing credit note; request a returned refund again there.",
		async examine(context) {
			const before = new Date(context.now().getTime() - maxCreditNoteDelayMs);
			const { rows } = await sql<{ order_number: string; noted: number; returned: number; billed: number }>`
				select * from (
					select order_number, price_cents as price,
						(select coalesce(sum(total_cents), 0)::integer from invoices where order_id = orders.id and refund_id is not null) as noted,
						(select coalesce(sum(case kind when 'invoice' then total_cents else -total_cents end), 0)::integer
							from invoices where order_id = orders.purchase_id and refund_id is null) as billed,
						(select coalesce(sum(notes.total_cents), 0)::integer from invoices notes join invoices corrected on corrected.id = notes.corrects
							where corrected.order_id = orders.purchase_id and notes.refund_id is not null) as all_noted,
						(select coalesce(sum(refunds.amount_cents), 0)::integer from refunds join payments on payments.id = refunds.payment_id and payments.role = 'order'
							where refunds.order_id = orders.id and refunds.status = 'succeeded') as returned
					from orders where exists (select from refunds where refunds.order_id = orders.id)
						and not exists (select from refunds where refunds.order_id = orders.id
							and (refunds.settled_at >= ${before} or refunds.status in ('requested', 'pending')))
				) sums where noted <> returned or noted > price or all_noted > billed order by order_number`.execute(context.db);
			return createResult(
				await countInvoices(context),
				...rows.map(
					({ order_number, noted, returned, billed }) =>
						`${order_number}: credit notes ${formatAmount(noted)}, refunds ${formatAmount(returned)}, invoice ${formatAmount(billed)}.`,
				),
			);
		},
	},
];

async function listLines({ db }: Pick<DoctorContext, "db">, query: RawBuilder<{ line: string }>): Promise<string[]> {
	return (await query.execute(db)).rows.map(({ line }) => line);
}

async function countInvoices({ db }: Pick<DoctorContext, "db">): Promise<string> {
	const { rows } = await sql<{ invoices: number; notes: number }>`
		select count(*) filter (where kind = 'invoice')::integer as invoices, count(*) filter (where kind = 'credit_note')::integer as notes from invoices`.execute(
		db,
	);
	return `${formatCount(rows[0]?.invoices ?? 0, "invoice")}, ${formatCount(rows[0]?.notes ?? 0, "credit note")}`;
}

/** Days after which the nightly update of the accounts counts as missing. */
const maxUpdateAgeDays = 2;

/** The files of a closed month, as app/books stores them. */
interface ClosedFile {
	month: string;
	name: string;
	object: string;
	sha256: string;
}

export const accountChecks: Check[] = [
	{
		name: "closed-months",
		what: "Files of closed months",
		how: "each is in the storage, with the content that it had at the closing",
		todo: "Put the object back from the storage's backup; its name has the hash. Do not close the month again.",
		async examine({ db, storage }) {
			const { rows } = await sql<ClosedFile>`
				select to_char(month, 'YYYY-MM') as month, file->>'name' as name, file->>'object' as object, file->>'sha256' as sha256
				from account_closings cross join jsonb_array_elements(files) file order by month, name`.execute(db);
			const problems: string[] = [];
			for (const { month, name, object, sha256 } of rows) {
				const bytes = await storage.findObject(object);
				if (bytes === null) problems.push(`${name} of ${month} is missing (${object}).`);
				else if (createHash("sha256").update(bytes).digest("hex") !== sha256) problems.push(`${name} of ${month} is altered (${object}).`);
			}
			return createResult(formatCount(rows.length, "file"), ...problems);
		},
	},
	{
		name: "balance-read",
		what: "Balance at the payment provider",
		how: `it was read within ${maxUpdateAgeDays} days, so that fees and payouts are booked`,
		todo: "Type npm run accounts -- update. If the provider refuses, give its key read access to balance transactions and payouts.",
		async examine({ db, now }) {
			const oldest = new Date(now().getTime() - maxUpdateAgeDays * day);
			const { rows } = await sql<{ until: Date | null; isDue: boolean }>`
				select (select max(until) from provider_readings) as until,
					exists (select from payments where created_at < ${oldest}) as "isDue"`.execute(db);
			const { until = null, isDue = false } = rows[0] ?? {};
			if (!isDue) return skipCheck("no payment is that old");
			if (until !== null && until >= oldest) return createResult(`read until ${until.toISOString()}`);
			return createResult("not read", until === null ? "It was never read." : `It was last read until ${until.toISOString()}.`);
		},
	},
];
