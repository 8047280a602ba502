import { sql } from "kysely";
import type { Database } from "../../server/database/database.ts";
import type { OrderStatus } from "../orders/lifecycle.ts";
import type { Order } from "../orders/order.ts";

/** SQL of the operator's list of orders. */

export interface OrderFilter {
	statuses?: readonly OrderStatus[];
	/** With a missed promise. */
	late?: boolean;
	/** With a mismatched payment that is not fully refunded. Of a purchase, its first order: the payment is refunded from it. */
	onHold?: boolean;
	/** With a refund request that awaits its decision. */
	refundRequests?: boolean;
}

export type QueuedOrder = Pick<
	Order,
	| "order_number"
	| "product_code"
	| "company_name"
	| "siren"
	| "status"
	| "promised_at"
	| "late_at"
	| "set_aside_at"
	| "disputed_at"
	| "purchase_id"
	| "purchase_line"
	| "reference"
> & { uploaded: boolean; refund_asked: boolean /** Who has the order at the desk. */; holder: string | null };

/** Orders that match the whole filter, by promised instant; those without a promise come last. */
export async function listQueue(db: Database, filter: OrderFilter, { now, limit }: { now: Date; limit: number }): Promise<QueuedOrder[]> {
	const hasOpenRequest = sql<boolean>`exists (select from refund_requests where order_id = orders.id and decided_at is null)`;
	const hasMismatchedPayment = sql<boolean>`exists (
		select from payments where payments.order_id = orders.id and payments.role = 'mismatch' and payments.amount_cents >
			(select coalesce(sum(amount_cents), 0) from refunds where payment_id = payments.id and status = 'succeeded'))`;
	return db
		.selectFrom("orders")
		.select(["order_number", "product_code", "company_name", "siren", "status", "promised_at", "late_at", "set_aside_at", "disputed_at"])
		.select(["purchase_id", "purchase_line", "reference"])
		.select(sql<boolean>`exists (select from extract_requests where order_id = orders.id and uploaded_at is not null)`.as("uploaded"))
		.select(hasOpenRequest.as("refund_asked"))
		.select(sql<string | null>`(select operator_name from order_claims where order_id = orders.id and expires_at > ${now})`.as("holder"))
		.$if(filter.statuses !== undefined, (query) => query.where("status", "in", filter.statuses ?? []))
		.$if(filter.late === true, (query) => query.where("late_at", "is not", null))
		.$if(filter.onHold === true, (query) => query.where(hasMismatchedPayment))
		.$if(filter.refundRequests === true, (query) => query.where(hasOpenRequest))
		.orderBy(sql`promised_at asc nulls last`)
		.orderBy("created_at")
		.limit(limit)
		.execute();
}
