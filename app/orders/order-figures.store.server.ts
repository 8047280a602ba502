import { type RawBuilder, sql } from "kysely";
import { literals, type Trx } from "../../server/database/database.ts";
import { hour } from "../../server/durations.ts";
import type { ServiceCode } from "../catalogue/services.ts";
import { finalStatuses, inProgressStatuses, type OrderStatus } from "./lifecycle.ts";

/** SQL on orders for the metrics, the desk and the published figures. */

/**
 * Counts the orders in each state; of final orders only those placed within the last day, as ten years of them are kept.
 * Each state is read through an index (orders_pending, orders_unfinished, orders_created).
 */
export async function countOrdersByState(trx: Trx, now: Date): Promise<{ status: OrderStatus; orders: number }[]> {
	const { rows } = await sql<{ status: OrderStatus; orders: number }>`
		select status, count(*)::integer as orders from orders where status = 'pending' group by status
		union all select status, count(*)::integer from orders where status in (${literals(inProgressStatuses)}) group by status
		union all select status, count(*)::integer from orders
			where status in (${literals(finalStatuses)}) and created_at > ${new Date(now.getTime() - 24 * hour)} group by status`.execute(trx);
	return rows;
}

/** For each service with orders in progress: the seconds until the next deadline, negative when it has passed, and the number of late orders. */
export async function readPromises(trx: Trx, now: Date): Promise<{ service: ServiceCode; seconds: number; late: number }[]> {
	const { rows } = await sql<{ service: ServiceCode; seconds: number; late: number }>`
		select product_code as service, extract(epoch from min(promised_at) - ${now})::float8 as seconds,
			count(*) filter (where promised_at < ${now})::integer as late
		from orders where status in (${literals(inProgressStatuses)}) and promised_at is not null group by product_code`.execute(trx);
	return rows;
}

/** Whether the promise of an order counts: it was delivered, or its promised instant has passed. Failed and cancelled orders do not count. */
export const isDue = (now: Date): RawBuilder<boolean> =>
	sql`(orders.status = 'completed' or orders.promised_at <= ${now} and orders.status in (${literals(inProgressStatuses)}))`;

/** Whether the promise of an order was kept, as checkPromise recorded it. */
export const isKept: RawBuilder<boolean> = sql`(orders.status = 'completed' and orders.late_at is null)`;
