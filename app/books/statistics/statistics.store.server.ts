import { sql } from "kysely";
import { Temporal } from "temporal-polyfill";
import { type Database, literals } from "../../../server/database/database.ts";
import { minute } from "../../../server/durations.ts";
import { zone } from "../../catalogue/instants.ts";
import { findOpenRange, type OpeningCalendar } from "../../catalogue/opening-hours.ts";
import { isPosted, postedServices } from "../../catalogue/services.ts";
import { isDue, isKept } from "../../orders/order-figures.store.server.ts";
import { isEffectiveRefund, operatorCause } from "../../orders/refunds/refund-figures.store.server.ts";
import { type Day, type Month, toDay } from "../month.ts";
import type { DeliveryCounts, RefundCount } from "./statistics.ts";

/** A day of the promise clock, with what has passed before it. A closed day opens and closes at its first instant. */
interface OpeningDay {
	day: Day;
	opens: Date;
	closes: Date;
	/** Opening minutes of the earlier days of the list. */
	minutesBefore: number;
	workingDaysBefore: number;
}

/** Lists days, both included, so that SQL can subtract two instants on the promise clock. */
export function listOpeningDays(first: Day, last: Day, calendar: OpeningCalendar): OpeningDay[] {
	const days: OpeningDay[] = [];
	let [minutesBefore, workingDaysBefore] = [0, 0];
	for (let day = Temporal.PlainDate.from(first); day.toString() <= last; day = day.add({ days: 1 })) {
		const range = findOpenRange(day, calendar);
		const start = day.toZonedDateTime(zone);
		const opens = new Date((range?.from ?? start).epochMilliseconds);
		const closes = new Date((range?.to ?? start).epochMilliseconds);
		days.push({ day: toDay(day), opens, closes, minutesBefore, workingDaysBefore });
		minutesBefore += (closes.getTime() - opens.getTime()) / minute;
		if (range !== null) workingDaysBefore += 1;
	}
	return days;
}

/** SQL of the published figures. They stay when customers are erased: a paid order keeps its row for ten years. */

const toMonth = (column: "orders.paid_at" | "refunds.requested_at") =>
	sql<Month>`to_char(${sql.ref(column)} at time zone ${sql.lit(zone)}, 'YYYY-MM')`;

/** On the promise clock: opening minutes until the e-mail is sent; until a letter is posted, working days after the first possible one. */
const time = sql`case when orders.completed_at is not null then
	case when orders.product_code in (${literals(postedServices)}) then greatest(0,
		delivery.working_days_before + (delivery.opens < delivery.closes and delivery.closes < orders.completed_at)::integer
		- payment.working_days_before - (payment.opens < payment.closes and payment.closes <= orders.paid_at)::integer)
	else
		delivery.minutes_before + date_part('epoch', greatest(least(orders.completed_at, delivery.closes) - delivery.opens, interval '0')) / 60
		- payment.minutes_before - date_part('epoch', greatest(least(orders.paid_at, payment.closes) - payment.opens, interval '0')) / 60
	end end::float8`;

/**
 * Counts the orders by month of payment in Paris and by service, as the desk's figures do. A payment in another mode than the shop's never
 * pays an order, so a live shop counts no test orders (docs/rules.md, R14).
 * @param days from the first one that counts until today.
 */
export async function countDeliveries(db: Database, from: Date, days: readonly OpeningDay[], now: Date): Promise<DeliveryCounts[]> {
	// days are whole numbers, so a letter's percentile is one of them
	const { rows } = await sql<Omit<DeliveryCounts, "median" | "p95"> & Record<"minutes" | "workingDays", [number, number] | null>>`
		with days as materialized (
			select * from unnest(
				${days.map(({ day }) => day)}::date[], ${days.map(({ opens }) => opens.toISOString())}::timestamptz[],
				${days.map(({ closes }) => closes.toISOString())}::timestamptz[], ${days.map(({ minutesBefore }) => minutesBefore)}::float8[],
				${days.map(({ workingDaysBefore }) => workingDaysBefore)}::integer[]
			) as days (day, opens, closes, minutes_before, working_days_before)
		), counted as (
			select payment.day - extract(day from payment.day)::integer + 1 as month, orders.product_code as service,
				orders.completed_at, ${isDue(now)} as due, ${isKept} as kept, ${time} as time
			from orders
				join days payment on payment.day = (orders.paid_at at time zone ${sql.lit(zone)})::date
				left join days delivery on delivery.day = (orders.completed_at at time zone ${sql.lit(zone)})::date
			where orders.paid_at >= ${from}
		)
		select to_char(month, 'YYYY-MM') as month, service, count(completed_at)::integer as delivered,
			count(*) filter (where due)::integer as due, count(*) filter (where kept)::integer as kept,
			percentile_cont(array[0.5, 0.95]) within group (order by time) as minutes,
			percentile_disc(array[0.5, 0.95]) within group (order by time) as "workingDays"
		from counted group by month, service`.execute(db);
	return rows.map(({ minutes, workingDays, ...row }) => {
		const [median, p95] = (isPosted(row.service) ? workingDays : minutes) ?? [null, null];
		return { ...row, median, p95 };
	});
}

/**
 * Counts the refunds of paid orders by month of request, without those that failed or were refused. The desk's figures also count refunds
 * of orders that were never paid.
 */
export async function countRefunds(db: Database, from: Date): Promise<RefundCount[]> {
	const { rows } = await sql<RefundCount>`
		select ${toMonth("refunds.requested_at")} as month, orders.product_code as service, refunds.reason,
			${operatorCause} as cause, count(*)::integer as count
		from refunds join orders on orders.id = refunds.order_id and orders.paid_at is not null
		where refunds.requested_at >= ${from} and ${isEffectiveRefund}
		group by 1, 2, 3, 4`.execute(db);
	return rows;
}
