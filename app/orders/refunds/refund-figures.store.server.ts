import { type RawBuilder, sql } from "kysely";
import { type Database, literals, type Trx } from "../../../server/database/database.ts";
import { hour } from "../../../server/durations.ts";
import { typedKeys } from "../../../server/types/objects.ts";
import { type Cents, cents } from "../../catalogue/money.ts";
import type { Order } from "../order.ts";
import { type OperatorCause, operatorCauses } from "./operator-causes.ts";
import type { RefundReason, RefundStatus } from "./refunds.store.server.ts";

/** SQL on refunds for the metrics, the desk and the published figures. */

interface RefundSum {
	reason: RefundReason;
	cents: number;
}

/** The refunds that are requested, held above the brake, or pending at the provider, in cents. */
export async function sumOpenRefunds(trx: Trx, now: Date): Promise<(RefundSum & { status: RefundStatus | "held" })[]> {
	const { rows } = await sql<RefundSum & { status: RefundStatus | "held" }>`
		select case when status = 'requested' and held_until > ${now} and released_by is null then 'held' else status end as status,
			reason, sum(amount_cents)::float8 as cents
		from refunds where status in ('requested', 'pending') group by 1, reason`.execute(trx);
	return rows;
}

/** The refunds that succeeded within the last hour, in cents, without those that the bank has returned since. */
export async function sumRefundsOfLastHour(trx: Trx, now: Date): Promise<RefundSum[]> {
	const { rows } = await sql<RefundSum>`
		select reason, sum(amount_cents)::float8 as cents from refunds
		where status = 'succeeded' and settled_at > ${new Date(now.getTime() - hour)} group by reason`.execute(trx);
	return rows;
}

/** How many refunds wait above the brake for a person, and their sum in cents. One look into an index: each page of the desk asks. */
export async function sumHeldRefunds(db: Database, now: Date): Promise<{ count: number; cents: number }> {
	const { rows } = await sql<{ count: number; cents: number }>`
		select count(*)::int as count, coalesce(sum(amount_cents), 0)::float8 as cents
		from refunds where status = 'requested' and held_until > ${now} and released_by is null`.execute(db);
	return rows[0] ?? { count: 0, cents: 0 };
}

/** Whether the money of a refund goes back or went back: it neither failed nor was refused. */
export const isEffectiveRefund: RawBuilder<boolean> = sql`(refunds.status not in ('failed', 'refused'))`;

/** Why an operator refunded; null for other refunds, and for a cause that no longer exists. */
export const operatorCause: RawBuilder<OperatorCause | null> = sql`case when refunds.cause in (${literals(typedKeys(operatorCauses))}) then refunds.cause end`;

/**
 * The cents that count towards the limit above which a second person approves a refund of an order: what went back for it, or is requested,
 * and what people chose to give back for the other orders of its purchase. What a rule gives back for those, such as the price of a late
 * order, does not count.
 */
export async function sumTowardsApproval(db: Database | Trx, { id, purchase_id }: Pick<Order, "id" | "purchase_id">): Promise<Cents> {
	const { rows } = await sql<{ sum: number }>`
		select coalesce(sum(amount_cents), 0)::int as sum from refunds join orders on orders.id = refunds.order_id
		where purchase_id = ${purchase_id} and ${isEffectiveRefund} and (orders.id = ${id}
			or reason in ('operator', 'guarantee', 'dashboard') or reason = 'failed' and failure_reason = 'operator')`.execute(db);
	return cents(rows[0]?.sum ?? 0);
}
