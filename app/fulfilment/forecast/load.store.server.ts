import { sql } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";
import { type Due, mostSingleLines } from "../../catalogue/forecast.ts";
import { dueAt, isToServe } from "../claims/to-serve.server.ts";

/** SQL on what waits for the desk, and on how fast it is served. */

/** The order is a line of a list: its purchase has more lines than single orders have. */
export const isOfList = sql<boolean>`exists (
	select from orders sixth where sixth.purchase_id = orders.purchase_id and sixth.purchase_line = ${sql.lit(mostSingleLines + 1)})`;

export interface Load {
	/** In the order of the promises, to the minute. */
	due: Due[];
	/** When the order was paid that has waited longest; null when none waits. */
	oldest: Date | null;
}

/** The most unpaid single orders of one client, or of one mailbox, whose hours are kept: who does not pay must not make others wait. */
const mostUnpaid = 3;

/** Orders whose hour was offered and that may still be paid at it. @param but a purchase that does not count. */
const unpaid = (now: Date, but: string | null) => sql`
	select due, of_list, null::timestamptz from (
		select offered_at - ${printing} as due, ${isOfList} as of_list,
			row_number() over (partition by lower(customer_email) order by offered_until, id) as of_mailbox,
			row_number() over (partition by coalesce(opened_by, lower(customer_email)) order by offered_until, id) as of_client
		from orders left join lateral (
			select max(opened_by) as opened_by from (
				select opened_by from payment_attempts where order_id = orders.purchase_id
				union all select opened_by from payment_sessions where order_id = orders.purchase_id) opened) client on true
		where status = 'pending' and offered_until > ${now} and purchase_id is distinct from ${but}::uuid
	) offered where of_list or of_mailbox <= ${mostUnpaid} and of_client <= ${mostUnpaid}`;

/** A letter also has to be printed and posted: its extract is due an hour earlier. */
const printing = sql`case when orders.product_code = 'postal' then interval '1 hour' else interval '0' end`;

/** Reads what waits for its extract. @param offered with what was offered and may still be paid, but for one purchase. */
export async function readLoad(db: Database | Trx, offered?: { now: Date; but: string | null }): Promise<Load> {
	const { rows } = await sql<Due & { oldest: Date | null }>`
		select date_trunc('minute', due) as at, count(*) filter (where not of_list)::integer as singles,
			count(*) filter (where of_list)::integer as lists, min(paid_at) as oldest
		from (
			select ${dueAt} - ${printing} as due, ${isOfList} as of_list, orders.paid_at from orders where ${isToServe}
			${offered ? sql`union all ${unpaid(offered.now, offered.but)}` : sql``}
		) waiting
		group by 1 order by 1`.execute(db);
	const oldest = rows.flatMap((row) => row.oldest ?? []).sort((one, other) => one.getTime() - other.getTime());
	return { due: rows.map(({ at, singles, lists }) => ({ at, singles, lists })), oldest: oldest[0] ?? null };
}

/** Counts the extracts that the desk has handed in, and those that it reported missing, since an instant. */
export async function countServed(db: Database | Trx, since: Date): Promise<number> {
	const { rows } = await sql<{ served: number }>`
		select ((select count(*) from extract_requests where uploaded_at > ${since} and storage_path is not null)
			+ (select count(*) from extract_requests where not_found_at > ${since}))::integer as served`.execute(db);
	return rows[0]?.served ?? 0;
}
