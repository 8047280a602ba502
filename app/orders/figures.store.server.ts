import { sql } from "kysely";
import type { Trx } from "../../server/database.ts";
import type { ServiceCode } from "../catalogue/services.ts";
import type { OrderStatus } from "./lifecycle.ts";
import type { RefundReason, RefundStatus } from "./refunds.store.server.ts";

/** SQL on orders and refunds for the metrics: how many, how much, how late. */

export async function countOrdersByState(trx: Trx): Promise<{ status: OrderStatus; orders: number }[]> {
	const { rows } = await sql<{ status: OrderStatus; orders: number }>`
		select status, count(*)::integer as orders from orders group by status`.execute(trx);
	return rows;
}

/** For each service with orders under way: seconds until the next promise, negative once it has passed; how many are past theirs. */
export async function readPromises(trx: Trx, now: Date): Promise<{ service: ServiceCode; seconds: number; late: number }[]> {
	const { rows } = await sql<{ service: ServiceCode; seconds: number; late: number }>`
		select product_code as service, extract(epoch from min(promised_at) - ${now})::float8 as seconds,
			count(*) filter (where promised_at < ${now})::integer as late
		from orders where status in ('paid', 'processing') group by product_code`.execute(trx);
	return rows;
}

export async function sumRefunds(trx: Trx): Promise<{ status: RefundStatus; reason: RefundReason; cents: number }[]> {
	const { rows } = await sql<{ status: RefundStatus; reason: RefundReason; cents: number }>`
		select status, reason, sum(amount_cents)::float8 as cents from refunds
		where status in ('requested', 'pending', 'succeeded') group by status, reason`.execute(trx);
	return rows;
}
