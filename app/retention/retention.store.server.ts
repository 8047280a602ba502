import { sql } from "kysely";
import { type Database, literals, type Trx } from "../../server/database/database.ts";
import { emailsEqual } from "../mail/normalize-email.ts";
import { inProgressStatuses } from "../orders/lifecycle.ts";
import type { Order } from "../orders/order.ts";

/** SQL on orders for those who erase, purge and export them. */

/**
 * Something is still to be done or decided: nothing of such an order is erased or purged. It waits for its payment or is being served,
 * money is on its way back or asked back, a bank looks at it, its invoice is not written, or less is credited than went back.
 * The lists below choose by it; the rule is looked at again under the order's lock (deleteOldExtracts, eraseOrders).
 */
const unfinished = sql<boolean>`(
	orders.status in (${literals(inProgressStatuses)})
	or orders.status = 'pending' and (orders.set_aside_at is null or exists (
		select from payments where payments.order_id = orders.id and payments.amount_cents >
			(select coalesce(sum(refunds.amount_cents), 0) from refunds where refunds.payment_id = payments.id and refunds.status = 'succeeded')))
	or orders.dispute_status is not distinct from 'open'
	or exists (select from refunds where refunds.order_id = orders.id and refunds.status in ('requested', 'pending'))
	or exists (select from refund_requests where refund_requests.order_id = orders.id and refund_requests.decided_at is null)
	or orders.paid_at is not null and not exists (
		select from invoices where invoices.order_id = orders.id and invoices.kind = 'invoice' and invoices.document_id is not null)
	or (
		select coalesce(sum(refunds.amount_cents), 0) from refunds join payments on payments.id = refunds.payment_id and payments.role = 'order'
		where refunds.order_id = orders.id and refunds.status = 'succeeded') > (
		select coalesce(sum(invoices.total_cents), 0) from invoices
		where invoices.order_id = orders.id and invoices.kind = 'credit_note' and invoices.document_id is not null))`;

export async function isUnfinished(db: Database | Trx, orderId: string): Promise<boolean> {
	const query = db.selectFrom("orders").select(unfinished.as("unfinished")).where("id", "=", orderId);
	return (await query.executeTakeFirst())?.unfinished === true;
}

/** Those of these orders of which nothing is still to be done or decided. */
export async function listFinished(trx: Trx, orderIds: readonly string[]): Promise<string[]> {
	return ids(await sql<{ id: string }>`select orders.id from orders where orders.id = any(${orderIds}) and not ${unfinished}`.execute(trx));
}

/** One page of ids, in their order: those that follow `after`. */
export interface IdPage {
	after: string | null;
	limit: number;
}

const page = ({ after, limit }: IdPage) =>
	sql`and orders.id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000') order by orders.id limit ${limit}`;

const ids = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id);

/**
 * Orders with an extract that was delivered before `before`, or was never to be, and whose file is still there. Each extract counts from
 * its own delivery: one that replaced another, from then. The rule is looked at again by deleteOldExtracts. The old files come first, by
 * their indexes: a night finds those of one day, among the orders of ten years.
 */
export async function listOrdersWithOldExtract(db: Database, before: Date, of: IdPage): Promise<string[]> {
	return ids(
		await sql<{ id: string }>`
			select orders.id from orders
			where orders.id in (
				select order_id from documents where doc_type = 'kbis' and purged_at is null and created_at < ${before}
				union
				select order_id from extract_requests where storage_path is not null and uploaded_at < ${before}
			) and coalesce(orders.completed_at < ${before}, true) and not ${unfinished}
			${page(of)}`.execute(db),
	);
}

// The newest event, invoice or payment is asked for, and not whether a newer one exists: PostgreSQL would make a join of that, take what is
// old to be rare, and read a whole table for each order.

/** Orders of which nothing was heard since `before`, and whose customer is still named. */
export async function listOrdersToErase(db: Database, before: Date, of: IdPage): Promise<string[]> {
	return ids(
		await sql<{ id: string }>`
			select orders.id from orders
			where orders.erased_at is null and orders.created_at < ${before}
				and coalesce((select max(order_events.created_at) from order_events where order_events.order_id = orders.id), '-infinity') < ${before}
				and not ${unfinished}
			${page(of)}`.execute(db),
	);
}

/** Orders that were made before `before` and never paid: also without a payment that did not fit, or was one too many. */
export async function listUnpaidOrders(db: Database, before: Date, of: IdPage): Promise<string[]> {
	return ids(
		await sql<{ id: string }>`
			select orders.id from orders
			where orders.paid_at is null and orders.erased_at is null and orders.created_at < ${before}
				and not exists (select from payments where payments.order_id = orders.id)
				and not ${unfinished}
			${page(of)}`.execute(db),
	);
}

/**
 * Erased orders whose invoices and payments are all older than the year `firstKept` (Europe/Paris). This is the rule; only `erased_at` is
 * looked at again (deleteErasedOrders). Neither comes before its order: of those made since, nothing is looked at.
 */
export async function listOrdersToDelete(db: Database, firstKept: number, of: IdPage): Promise<string[]> {
	return ids(
		await sql<{ id: string }>`
			select orders.id from orders
			where orders.erased_at is not null and not ${unfinished}
				and orders.created_at < make_timestamptz(${firstKept}, 1, 1, 0, 0, 0, 'Europe/Paris')
				and coalesce((select max(invoices.year) from invoices where invoices.order_id = orders.id), 0) < ${firstKept}
				and coalesce((
					select max(extract(year from payments.created_at at time zone 'Europe/Paris')) from payments where payments.order_id = orders.id
				), 0) < ${firstKept}
			${page(of)}`.execute(db),
	);
}

/** A person's orders, oldest first: those they made, and those that somebody else had delivered to them. Erased ones name nobody. */
export async function listOrdersOf(db: Database, email: string): Promise<{ made: Order[]; received: Order[] }> {
	const asCustomer = emailsEqual(sql.ref("customer_email"), email);
	const rows = await db
		.selectFrom("orders")
		.selectAll()
		.select(asCustomer.as("made"))
		.where((eb) => eb.or([asCustomer, emailsEqual(sql.ref("delivery_email"), email)]))
		.orderBy("created_at")
		.execute();
	const of = (wanted: boolean) => rows.filter(({ made }) => made === wanted).map(({ made, ...order }) => order);
	return { made: of(true), received: of(false) };
}
