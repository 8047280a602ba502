import { type RawBuilder, sql } from "kysely";
import { type Database, literals } from "../../server/database/database.ts";
import { day } from "../../server/durations.ts";
import { postedServices } from "../catalogue/services.ts";
import { bulkEmailKinds, endOfServiceKinds } from "../emails/order-emails.server.ts";
import { finalStatuses, inProgressStatuses } from "../orders/lifecycle.ts";

/** The requeue job looks two weeks back. The doctor finds missing invoices and credit notes of any age. */
const twoWeeksBefore = (now: Date) => new Date(now.getTime() - 14 * day);

/** SQL that finds stalled work. Each query returns ids, oldest first. */
const stalledQueries = {
	/** Paid orders that are not delivered. */
	orders: (before) => sql`select id from orders where status in (${literals(inProgressStatuses)}) and paid_at < ${before} order by paid_at`,
	/** Orders whose deadline has passed unchecked: not delivered, or delivered late. An extract that was ready in time is in time. */
	promises: (_, now) =>
		sql`select id from (
				select id, promised_at from orders where status in (${literals(inProgressStatuses)}) and late_at is null and promised_at <= ${now}
				union all
				select id, promised_at from orders
				where completed_at > promised_at and late_at is null and completed_at > ${twoWeeksBefore(now)} and status = 'completed'
					and not exists (select from documents where order_id = orders.id and doc_type = 'kbis' and replaced_at is null
						and documents.created_at <= promised_at and product_code <> all(${postedServices}))
			) run_out order by promised_at`,
	/**
	 * The first orders of paid purchases without an invoice, or without the PDF of one, or of the credit note of a replaced one. The invoice
	 * of a purchase names its first order.
	 */
	invoices: (before, now) =>
		sql`select id from (
				select orders.id, paid_at from orders join invoices on invoices.order_id = orders.id and invoices.refund_id is null
				where document_id is null and paid_at < ${before} and erased_at is null
				union
				select id, paid_at from orders
				where id = purchase_id and paid_at > ${twoWeeksBefore(now)} and paid_at < ${before} and erased_at is null
					and not exists (select from invoices where order_id = orders.id and kind = 'invoice')
			) without_invoice order by paid_at`,
	/** Refunds without a final status. An open dispute blocks those not yet requested from the provider, and the brake those that wait for a person. */
	refunds: (before, now) =>
		sql`select refunds.id from refunds join orders on orders.id = refunds.order_id
			where refunds.requested_at < ${before}
			and (refunds.status = 'pending' or (refunds.status = 'requested' and orders.dispute_status is distinct from 'open'
				and (held_until is null or held_until <= ${now} or released_by is not null)))
			order by refunds.requested_at`,
	/**
	 * Completed refunds without an e-mail to the customer. Those of orders that were declared together have one, which waits for the last of
	 * them.
	 */
	creditNotes: (before, now) =>
		sql`select refunds.id from refunds join orders on orders.id = refunds.order_id
			where refunds.status = 'succeeded' and refunds.settled_at > ${twoWeeksBefore(now)} and refunds.settled_at < ${before} and orders.erased_at is null
			and not exists (
				select from mails where mails.refund_id = refunds.id and mails.kind in ('refunded', 'surplus-refunded'))
			and not (reason = 'withdrawal' and exists (select from invoices where invoices.refund_id = refunds.id and document_id is not null) and exists (
				select from withdrawals own join withdrawals other using (declaration_id)
				where own.order_id = refunds.order_id and (
					exists (select from mails where mails.order_id = other.order_id and mails.kind = 'withdrawal-refunded')
					or exists (select from refunds awaited where awaited.order_id = other.order_id and awaited.status in ('requested', 'pending')))))
			order by refunds.settled_at`,
	/** Services of a purchase whose orders have all ended without an e-mail that says so, each by its first order. */
	readyEmails: (before, now) =>
		sql`select first.id from (
				select min(purchase_line) as line, purchase_id, max(paid_at) as paid_at from orders
				where purchase_id in (select purchase_id from orders where purchase_line = 2 and paid_at > ${twoWeeksBefore(now)} and paid_at < ${before})
				group by purchase_id, product_code
				having bool_and(status in (${literals(finalStatuses)}) and erased_at is null) and bool_or(failure_reason is distinct from 'cancelled')
			) service join orders first on first.purchase_id = service.purchase_id and first.purchase_line = service.line
			where not exists (select from mails where mails.order_id = first.id and mails.kind = any(${endOfServiceKinds}))
			order by service.paid_at`,
	mails: (before) =>
		sql`select id from mails where sent_at is null and bounced_at is null and created_at < ${before} and kind <> all(${bulkEmailKinds}) order by created_at`,
	bulkMails: (before) =>
		sql`select id from mails where sent_at is null and bounced_at is null and created_at < ${before} and kind = any(${bulkEmailKinds}) order by created_at`,
} as const satisfies Record<string, (before: Date, now: Date) => RawBuilder<unknown>>;

/** @returns at most `limit` ids of stalled work of one kind, started before `before`. */
export async function listStalled(
	db: Database,
	kind: keyof typeof stalledQueries,
	{ before, now, limit }: { before: Date; now: Date; limit: number },
): Promise<string[]> {
	const { rows } = await sql<{ id: string }>`${stalledQueries[kind](before, now)} limit ${limit}`.execute(db);
	return rows.map(({ id }) => id);
}
