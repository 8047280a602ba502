import { sql } from "kysely";
import type { Database } from "../../../server/database/database.ts";
import type { Refunds } from "../../../server/database/database-types.gen.ts";
import { zone } from "../../catalogue/instants.ts";
import { type ServiceCode, serviceCodes } from "../../catalogue/services.ts";
import { isDue, isKept } from "../../orders/order-figures.store.server.ts";
import type { OperatorCause } from "../../orders/refunds/operator-causes.ts";
import { isEffectiveRefund, operatorCause } from "../../orders/refunds/refund-figures.store.server.ts";
import type { Period } from "./period.ts";

/** SQL of the figures: the orders that were paid in a period, and the refunds that were asked for in it. */

/** Orders of one service, of one hour, or that one operator served. */
export interface Deliveries {
	orders: number;
	/** In cents, TTC, before refunds. */
	revenue: number;
	delivered: number;
	/** Minutes from the payment to the delivery; null without a delivery. */
	median: number | null;
	p95: number | null;
	/** Orders that were delivered, or whose promised instant has passed, without those that failed or were cancelled; how many were in time. */
	due: number;
	kept: number;
}

const minutes = sql`extract(epoch from orders.completed_at - orders.paid_at) / 60`;

const deliveries = (now: Date) =>
	sql`count(*)::integer as orders, coalesce(sum(orders.price_cents), 0)::integer as revenue,
		count(orders.completed_at)::integer as delivered,
		percentile_cont(0.5) within group (order by ${minutes})::float8 as median,
		percentile_cont(0.95) within group (order by ${minutes})::float8 as p95,
		count(*) filter (where ${isDue(now)})::integer as due,
		count(*) filter (where ${isKept})::integer as kept`;

const isPaidIn = ({ from, until }: Period) => sql`orders.paid_at >= ${from} and orders.paid_at < ${until}`;

/** For each service, in the order of the pages, then for all. */
export async function listByService(db: Database, period: Period, now: Date): Promise<(Deliveries & { service: ServiceCode | null })[]> {
	const { rows } = await sql<Deliveries & { service: ServiceCode | null }>`
		select orders.product_code as service, ${deliveries(now)} from orders where ${isPaidIn(period)}
		group by grouping sets ((orders.product_code), ())`.execute(db);
	return [...serviceCodes, null].flatMap((service) => rows.filter((row) => row.service === service));
}

/** For each hour of payment in Paris that has orders. */
export async function listByHour(db: Database, period: Period, now: Date): Promise<(Deliveries & { hour: number })[]> {
	const { rows } = await sql<Deliveries & { hour: number }>`
		select extract(hour from orders.paid_at at time zone ${sql.lit(zone)})::integer as hour, ${deliveries(now)}
		from orders where ${isPaidIn(period)} group by 1 order by 1`.execute(db);
	return rows;
}

/**
 * For each operator who delivered an extract: by their act at the desk, which is known for a year, else by the name that the terminal
 * was given. The same name is the same person.
 */
export async function listByOperator(db: Database, period: Period, now: Date): Promise<(Deliveries & { operator: string })[]> {
	const { rows } = await sql<Deliveries & { operator: string }>`
		select max(served.operator_name) as operator, ${deliveries(now)}
		from orders join lateral (
			select 1 as rank, ended_at, operator_id::text as operator_key, operator_name from desk_acts
			where desk_acts.order_id = orders.id and desk_acts.act = 'deliver' and desk_acts.ok
			union all
			select 2, uploaded_at, coalesce((select id::text from operators.user where name = served_by limit 1), served_by), served_by
			from extract_requests
			where extract_requests.order_id = orders.id and uploaded_at is not null and served_by is not null
			order by rank, ended_at limit 1
		) as served on true
		where ${isPaidIn(period)} group by served.operator_key order by count(*) desc, 1`.execute(db);
	return rows;
}

export interface RefundsOfReason {
	reason: Refunds["reason"];
	/** What the operator chose; null when there was no choice. */
	cause: OperatorCause | null;
	count: number;
	/** In cents. */
	amount: number;
}

/** The refunds asked for in the period that neither failed nor were refused, by reason and cause, the largest first. */
export async function listRefundsByReason(db: Database, { from, until }: Period): Promise<RefundsOfReason[]> {
	const { rows } = await sql<RefundsOfReason>`
		select reason, ${operatorCause} as cause, count(*)::integer as count, sum(amount_cents)::integer as amount from refunds
		where requested_at >= ${from} and requested_at < ${until} and ${isEffectiveRefund}
		group by 1, 2 order by sum(amount_cents) desc, 1, 2`.execute(db);
	return rows;
}
