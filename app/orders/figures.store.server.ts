import { sql } from "kysely";
import type { Trx } from "../../server/database.ts";
import type { ServiceCode } from "../catalogue/services.ts";
import type { OrderStatus } from "./lifecycle.ts";
import type { RefundReason, RefundStatus } from "./refunds.store.server.ts";

/** SQL on orders and refunds for the metrics: how many, how much, how late. */

const hour = 3_600_000;

/**
 * How many orders are in each state. Of those that ended, which grow for ten years, it counts the ones placed within the last day: each state
 * is read through an index (orders_pending, orders_unfinished, orders_created).
 */
export async function countOrdersByState(trx: Trx, now: Date): Promise<{ status: OrderStatus; orders: number }[]> {
	const { rows } = await sql<{ status: OrderStatus; orders: number }>`
		select status, count(*)::integer as orders from orders where status = 'pending' group by status
		union all select status, count(*)::integer from orders where status in ('paid', 'processing') group by status
		union all select status, count(*)::integer from orders
			where status in ('completed', 'failed') and created_at > ${new Date(now.getTime() - 24 * hour)} group by status`.execute(trx);
	return rows;
}

/** For each service with a promise to keep: seconds until the next one, negative once it has passed; how many orders are past theirs. */
export async function readPromises(trx: Trx, now: Date): Promise<{ service: ServiceCode; seconds: number; late: number }[]> {
	const { rows } = await sql<{ service: ServiceCode; seconds: number; late: number }>`
		select product_code as service, extract(epoch from min(promised_at) - ${now})::float8 as seconds,
			count(*) filter (where promised_at < ${now})::integer as late
		from orders where status in ('paid', 'processing') and promised_at is not null group by product_code`.execute(trx);
	return rows;
}

interface RefundSum {
	reason: RefundReason;
	cents: number;
}

/** What is requested, or pending at the provider, in cents. */
export async function sumOpenRefunds(trx: Trx): Promise<(RefundSum & { status: RefundStatus })[]> {
	const { rows } = await sql<RefundSum & { status: RefundStatus }>`
		select status, reason, sum(amount_cents)::float8 as cents from refunds
		where status in ('requested', 'pending') group by status, reason`.execute(trx);
	return rows;
}

/** What was given back within the last hour, in cents; not what came back since. */
export async function sumRefundsOfLastHour(trx: Trx, now: Date): Promise<RefundSum[]> {
	const { rows } = await sql<RefundSum>`
		select reason, sum(amount_cents)::float8 as cents from refunds
		where status = 'succeeded' and settled_at > ${new Date(now.getTime() - hour)} group by reason`.execute(trx);
	return rows;
}
