import { sql } from "kysely";
import type { Database } from "../../../server/database/database.ts";

/**
 * SQL of the pages about money. Payments name the first order of their purchase. `lines`, `price_cents`: how many orders it has, and what
 * they cost together.
 */

const lines = sql<number>`(select count(*) from orders bought where bought.purchase_id = orders.purchase_id)::integer`;
const price = sql<number>`(select sum(price_cents) from orders bought where bought.purchase_id = orders.purchase_id)::integer`;

/** Refund requests of customers without a decision, oldest first. */
export async function listOpenRequests(db: Database, limit: number) {
	return db
		.selectFrom("refund_requests")
		.innerJoin("orders", "orders.id", "refund_requests.order_id")
		.select(["refund_requests.id", "refund_requests.created_at", "message", "order_number", "company_name"])
		.where("decided_at", "is", null)
		.orderBy("refund_requests.created_at")
		.limit(limit)
		.execute();
}

/** Open disputes, those that end first first. */
export async function listOpenDisputes(db: Database, limit: number) {
	return db
		.selectFrom("payments")
		.innerJoin("orders", "orders.id", "payments.order_id")
		.select(["payments.id", "amount_cents", "dispute_reason", "dispute_due_at", "order_number", "company_name", "disputed_at"])
		.select(lines.as("lines"))
		.where("payments.dispute_status", "=", "open")
		.orderBy(sql`dispute_due_at nulls last`)
		.orderBy("payments.id")
		.limit(limit)
		.execute();
}

/** Refunds that failed or were refused, which nothing replaces and nobody has settled; oldest first. */
export async function listUnsettledRefunds(db: Database, limit: number) {
	return (
		db
			.selectFrom("refunds")
			.innerJoin("orders", "orders.id", "refunds.order_id")
			.innerJoin("payments", "payments.id", "refunds.payment_id")
			.select([
				"refunds.id",
				"refunds.amount_cents",
				"refunds.status",
				"reason",
				"requested_at",
				"settled_at",
				"order_number",
				"company_name",
			])
			.where("refunds.status", "in", ["failed", "refused"])
			.where("closed_at", "is", null)
			// after a lost dispute the bank has given the money back
			.where(sql<boolean>`payments.dispute_status is distinct from 'lost'`)
			.where(({ not, exists, selectFrom }) =>
				not(exists(selectFrom("refunds as later").select("later.id").whereRef("later.replaces", "=", "refunds.id"))),
			)
			.orderBy("requested_at")
			.limit(limit)
			.execute()
	);
}

/** Payments on hold: mismatched ones, and duplicates whose refund did not leave; with the cents that are left. */
export async function listPaymentsOnHold(db: Database, limit: number) {
	const left = sql<number>`(payments.amount_cents - coalesce((select sum(amount_cents) from refunds
		where refunds.payment_id = payments.id and status in ('requested', 'pending', 'succeeded')), 0))::integer`;
	return db
		.selectFrom("payments")
		.innerJoin("orders", "orders.id", "payments.order_id")
		.select(["payments.id", "role", "amount_cents", "currency", "payments.created_at", "order_number", "company_name"])
		.select([left.as("left"), lines.as("lines"), price.as("price_cents")])
		.where("role", "in", ["mismatch", "surplus"])
		.where(sql<boolean>`${left} > 0`)
		.orderBy("payments.created_at")
		.limit(limit)
		.execute();
}

/** The newest payments, each with what was refunded. @param before only older ones. */
export async function listPayments(db: Database, { before, limit }: { before: Date | null; limit: number }) {
	const query = db
		.selectFrom("payments")
		.innerJoin("orders", "orders.id", "payments.order_id")
		.select(["payments.id", "role", "amount_cents", "payments.created_at", "payments.dispute_status", "order_number", "company_name"])
		.select(lines.as("lines"))
		.select(
			sql<number>`coalesce((select sum(amount_cents) from refunds where refunds.payment_id = payments.id and status = 'succeeded'), 0)::integer`.as(
				"refunded",
			),
		);
	const listed = before === null ? query : query.where("payments.created_at", "<", before);
	return listed.orderBy("payments.created_at", "desc").orderBy("payments.id").limit(limit).execute();
}

/** The newest refunds. */
export async function listLatestRefunds(db: Database, limit: number) {
	return db
		.selectFrom("refunds")
		.innerJoin("orders", "orders.id", "refunds.order_id")
		.select([
			"refunds.id",
			"amount_cents",
			"refunds.status",
			"reason",
			"cause",
			"requested_at",
			"held_until",
			"order_number",
			"company_name",
		])
		.orderBy("requested_at", "desc")
		.orderBy("refunds.id")
		.limit(limit)
		.execute();
}

/** The last comparison with the provider's books; the orders that its differences name, by id; which of its payments are recorded here now. */
export async function findLastReconciliation(db: Database) {
	const report = await db.selectFrom("reconciliations").selectAll().orderBy("created_at", "desc").limit(1).executeTakeFirst();
	if (report === undefined) return null;
	const { differences } = report;
	const ids = differences.flatMap(({ orderId }) => orderId ?? []);
	const orders = ids.length === 0 ? [] : await db.selectFrom("orders").select(["id", "order_number"]).where("id", "in", ids).execute();
	const payments = differences.map(({ paymentId }) => paymentId);
	const recorded = payments.length === 0 ? [] : await db.selectFrom("payments").select("id").where("id", "in", payments).execute();
	return {
		...report,
		recorded: new Set(recorded.map(({ id }) => id)),
		numbers: new Map(orders.map(({ id, order_number }) => [id, order_number])),
	};
}
