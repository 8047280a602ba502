import { type RawBuilder, sql } from "kysely";
import { type Database, literals } from "../../server/database/database.ts";
import { postedServices } from "../catalogue/services.ts";
import { inProgressStatuses } from "../orders/lifecycle.ts";

/** The sweepers look every minute, and two weeks back. The doctor finds missing invoices and credit notes of any age. */
const lately = (now: Date) => new Date(now.getTime() - 14 * 86_400_000);

/** SQL that finds what was begun and lies still: each query gives ids, oldest first. */
const unfinished = {
	/** Paid, and not delivered. */
	orders: (before) => sql`select id from orders where status in (${literals(inProgressStatuses)}) and paid_at < ${before} order by paid_at`,
	/** The promise has run out without anybody having looked: not delivered yet, or late. An extract that lay ready in time is in time. */
	promises: (_, now) =>
		sql`select id from (
				select id, promised_at from orders where status in (${literals(inProgressStatuses)}) and late_at is null and promised_at <= ${now}
				union all
				select id, promised_at from orders
				where completed_at > promised_at and late_at is null and completed_at > ${lately(now)} and status = 'completed'
					and not exists (select from documents where order_id = orders.id and doc_type = 'kbis' and replaced_at is null
						and documents.created_at <= promised_at and product_code <> all(${postedServices}))
			) run_out order by promised_at`,
	/** Paid, and without an invoice, or without its PDF. */
	invoices: (before, now) =>
		sql`select id from (
				select orders.id, paid_at from orders join invoices on invoices.order_id = orders.id and invoices.kind = 'invoice'
				where document_id is null and paid_at < ${before} and erased_at is null
				union all
				select id, paid_at from orders
				where paid_at > ${lately(now)} and paid_at < ${before} and erased_at is null
					and not exists (select from invoices where order_id = orders.id and kind = 'invoice')
			) without_invoice order by paid_at`,
	/** Asked for, and not known to be done. A dispute holds back what the provider was not asked for yet. */
	refunds: (before) =>
		sql`select refunds.id from refunds join orders on orders.id = refunds.order_id
			where refunds.requested_at < ${before}
			and (refunds.status = 'pending' or (refunds.status = 'requested' and orders.dispute_status is distinct from 'open'))
			order by refunds.requested_at`,
	/** Given back, and the customer not told. */
	creditNotes: (before, now) =>
		sql`select refunds.id from refunds join orders on orders.id = refunds.order_id
			where refunds.status = 'succeeded' and refunds.settled_at > ${lately(now)} and refunds.settled_at < ${before} and orders.erased_at is null
			and not exists (
				select from mails where mails.refund_id = refunds.id and mails.kind in ('refunded', 'surplus-refunded')) order by refunds.settled_at`,
	mails: (before) => sql`select id from mails where sent_at is null and bounced_at is null and created_at < ${before} order by created_at`,
} as const satisfies Record<string, (before: Date, now: Date) => RawBuilder<unknown>>;

/** @returns the ids of at most `limit` things of one kind that were begun before `before` and are not done. */
export async function listStalled(
	db: Database,
	what: keyof typeof unfinished,
	{ before, now, limit }: { before: Date; now: Date; limit: number },
): Promise<string[]> {
	const { rows } = await sql<{ id: string }>`${unfinished[what](before, now)} limit ${limit}`.execute(db);
	return rows.map(({ id }) => id);
}
