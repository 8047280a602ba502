import { sql } from "kysely";
import { type Database, literals, type Trx } from "../../../server/database/database.ts";
import { archivedContractCents } from "../../catalogue/retention.ts";
import { emailsEqual } from "../../mail/normalize-email.ts";
import { inProgressStatuses } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";

/** SQL on orders for erasure, purge and export. */

/**
 * An unfinished order is neither erased nor purged. It awaits its payment or its fulfilment, has a refund request, a refund in progress or
 * an open dispute, lacks its invoice or a PDF of one, or its credit notes are below its refunds. Payment and invoice are those of its purchase.
 * The lists below preselect by it; deleteOldExtracts and eraseOrders check it again under the lock of the order, eraseOrders for all orders
 * of the purchase.
 */
const unfinished = sql<boolean>`(
	orders.status in (${literals(inProgressStatuses)})
	or orders.status = 'pending' and (orders.set_aside_at is null or exists (
		select from payments where payments.order_id = orders.purchase_id and payments.amount_cents >
			(select coalesce(sum(refunds.amount_cents), 0) from refunds where refunds.payment_id = payments.id and refunds.status = 'succeeded')))
	or orders.dispute_status is not distinct from 'open'
	or exists (select from refunds where refunds.order_id = orders.id and refunds.status in ('requested', 'pending'))
	or exists (select from refund_requests where refund_requests.order_id = orders.id and refund_requests.decided_at is null)
	or orders.paid_at is not null and not coalesce((
		select bool_and(invoices.document_id is not null) from invoices
		where invoices.order_id = orders.purchase_id and invoices.refund_id is null), false)
	or (
		select coalesce(sum(refunds.amount_cents), 0) from refunds join payments on payments.id = refunds.payment_id and payments.role = 'order'
		where refunds.order_id = orders.id and refunds.status = 'succeeded') > (
		select coalesce(sum(invoices.total_cents), 0) from invoices
		where invoices.order_id = orders.id and invoices.refund_id is not null and invoices.document_id is not null))`;

export async function isUnfinished(db: Database | Trx, orderId: string): Promise<boolean> {
	const query = db.selectFrom("orders").select(unfinished.as("unfinished")).where("id", "=", orderId);
	return (await query.executeTakeFirst())?.unfinished === true;
}

/** The finished ones among these orders. */
export async function listFinished(trx: Trx, orderIds: readonly string[]): Promise<string[]> {
	return toIds(
		await sql<{ id: string }>`select orders.id from orders where orders.id = any(${orderIds}) and not ${unfinished}`.execute(trx),
	);
}

/** A page of ids in ascending order, after the id `after`. */
export interface IdPage {
	after: string | null;
	limit: number;
}

const afterAndLimit = ({ after, limit }: IdPage) =>
	sql`and orders.id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000') order by orders.id limit ${limit}`;

const toIds = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id);

/**
 * Orders with a stored extract delivered, or created without delivery, before `before`. A replacement counts from its own delivery.
 * deleteOldExtracts checks the rule again. The query starts from the old files, whose indexes find one day among ten years.
 */
export async function listOrdersWithOldExtract(db: Database, before: Date, page: IdPage): Promise<string[]> {
	return toIds(
		await sql<{ id: string }>`
			select orders.id from orders
			where orders.id in (
				select order_id from documents where doc_type = 'kbis' and purged_at is null and created_at < ${before}
				union
				select order_id from extract_requests where storage_path is not null and uploaded_at < ${before}
			) and coalesce(orders.completed_at < ${before}, true) and not ${unfinished}
			${afterAndLimit(page)}`.execute(db),
	);
}

/** The orders of the purchases to which these orders belong. No order ever changes its purchase. */
export async function listOrdersOfPurchases(
	db: Database | Trx,
	orderIds: readonly string[],
): Promise<Pick<Order, "id" | "purchase_id" | "order_number">[]> {
	const { rows } = await sql<Pick<Order, "id" | "purchase_id" | "order_number">>`
		select id, purchase_id, order_number from orders
		where purchase_id in (select purchase_id from orders where id = any(${orderIds})) order by purchase_id, purchase_line`.execute(db);
	return rows;
}

/** The number of orders of each of these purchases. */
export async function countOrdersOfPurchases(db: Database, purchaseIds: readonly string[]): Promise<Map<string, number>> {
	const { rows } = await sql<{ id: string; orders: number }>`
		select purchase_id as id, count(*)::integer as orders from orders where purchase_id = any(${purchaseIds}) group by purchase_id`.execute(
		db,
	);
	return new Map(rows.map(({ id, orders }) => [id, orders]));
}

/** The ids of all orders that were bought with an order, its own included. */
const idsOfPurchase = sql`(select bought.id from orders bought where bought.purchase_id = orders.purchase_id)`;

/**
 * Whether the law still has the contract of an order's purchase kept (C. conso. art. L213-1, D213-2): paid, of 120 € or more, and
 * delivered, or else paid, since `before`.
 */
const isKeptContract = (before: Date) => sql<boolean>`coalesce((
	select sum(bought.price_cents) >= ${archivedContractCents} and greatest(max(bought.completed_at), max(bought.paid_at)) >= ${before}
	from orders bought where bought.purchase_id = orders.purchase_id), false)`;

/** The ones among these purchases whose contract the law has kept since `before`. */
export async function listKeptContracts(trx: Trx, purchaseIds: readonly string[], before: Date): Promise<string[]> {
	return toIds(
		await sql<{ id: string }>`
			select orders.id from orders where orders.id = any(${purchaseIds}) and ${isKeptContract(before)}`.execute(trx),
	);
}

// The queries below compare the newest event, invoice or payment instead of testing for a newer one: PostgreSQL would turn that test into a
// join, underestimate its rows, and read a whole table for each order.

/**
 * The first orders of purchases that are not erased yet, and have no event since `before`; archived ones once the law no longer has their
 * contract kept, which it has since `contractsSince`.
 */
export async function listOrdersToErase(
	db: Database,
	{ before, contractsSince }: { before: Date; contractsSince: Date },
	page: IdPage,
): Promise<string[]> {
	return toIds(
		await sql<{ id: string }>`
			select orders.id from orders
			where orders.id = orders.purchase_id and orders.erased_at is null and orders.created_at < ${before}
				and coalesce((
					select max(order_events.created_at) from order_events where order_events.order_id in ${idsOfPurchase}
				), '-infinity') < ${before}
				and not ${unfinished}
				and (orders.archived_at is null or not ${isKeptContract(contractsSince)})
			${afterAndLimit(page)}`.execute(db),
	);
}

/** The first orders of purchases made before `before` without any payment, not even a mismatched or duplicate one. */
export async function listUnpaidOrders(db: Database, before: Date, page: IdPage): Promise<string[]> {
	return toIds(
		await sql<{ id: string }>`
			select orders.id from orders
			where orders.id = orders.purchase_id and orders.paid_at is null and orders.erased_at is null and orders.created_at < ${before}
				and not exists (select from payments where payments.order_id = orders.purchase_id)
				and not ${unfinished}
			${afterAndLimit(page)}`.execute(db),
	);
}

/**
 * The first orders of erased purchases whose invoices and payments are all older than the year `firstKept` (Europe/Paris). This query is the rule;
 * deleteErasedOrders only checks `erased_at` again. Newer orders are skipped, because no invoice or payment precedes its order.
 */
export async function listOrdersToDelete(db: Database, firstKept: number, page: IdPage): Promise<string[]> {
	return toIds(
		await sql<{ id: string }>`
			select orders.id from orders
			where orders.id = orders.purchase_id and orders.erased_at is not null and not ${unfinished}
				and orders.created_at < make_timestamptz(${firstKept}, 1, 1, 0, 0, 0, 'Europe/Paris')
				and coalesce((select max(invoices.year) from invoices where invoices.order_id in ${idsOfPurchase}), 0) < ${firstKept}
				and coalesce((
					select max(extract(year from payments.created_at at time zone 'Europe/Paris'))
					from payments where payments.order_id = orders.purchase_id
				), 0) < ${firstKept}
			${afterAndLimit(page)}`.execute(db),
	);
}

/** A person's orders, oldest first: `made` by them, and `received`, which other customers had delivered to them. */
export async function listOrdersByEmail(db: Database, email: string): Promise<{ made: Order[]; received: Order[] }> {
	const asCustomer = emailsEqual(sql.ref("customer_email"), email);
	const rows = await db
		.selectFrom("orders")
		.selectAll()
		.select(asCustomer.as("made"))
		.where((eb) => eb.or([asCustomer, emailsEqual(sql.ref("delivery_email"), email)]))
		.orderBy("created_at")
		.execute();
	const filterByMade = (value: boolean) => rows.filter(({ made }) => made === value).map(({ made, ...order }) => order);
	return { made: filterByMade(true), received: filterByMade(false) };
}
