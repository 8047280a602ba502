import { sql } from "kysely";
import { advisoryLocks } from "../../../server/database/advisory-locks.ts";
import type { Database, Trx } from "../../../server/database/database.ts";
import type { Place } from "../../catalogue/settings/capacity.ts";

/** SQL on the orders that count against the most orders an hour. */

/** Until the end of the transaction, no other payment is opened under a limit: two of them cannot take the last place. */
export async function lockPlaces(trx: Trx): Promise<void> {
	await sql`select pg_advisory_xact_lock(${advisoryLocks.places})`.execute(trx);
}

/** The most places that one client, or one mailbox, holds without having paid: a purchase that nobody pays must not close the shop. */
export const mostUnpaidPlaces = 3;

/**
 * The orders paid within the last hour, and few of those whose payment was opened within ten minutes (docs/rules.md, R82). An attempt
 * counts for five minutes without an answer of the provider, because nobody has the URL of its session then.
 * @param but a purchase that does not count.
 */
export async function listPlaces(db: Database | Trx, now: Date, but: string | null): Promise<Place[]> {
	const { rows } = await sql<Place>`
		select product_code as service, paid_at + interval '1 hour' as "freeAt" from orders
		where paid_at > ${now}::timestamptz - interval '1 hour'
		union all
		select product_code, greatest(held_until, ${now}::timestamptz + interval '1 minute') from (
			select product_code, held_until,
				row_number() over (partition by mailbox order by held_until, id) as of_mailbox,
				row_number() over (partition by coalesce(opened_by, mailbox) order by held_until, id) as of_client
			from (
				select orders.id, product_code, lower(customer_email) as mailbox, max(opened_by) as opened_by, max(held_until) as held_until
				from orders join (
					select order_id, opened_by, created_at + interval '10 minutes' as held_until from payment_sessions
					where status = 'open' and created_at > ${now}::timestamptz - interval '10 minutes'
					union all
					select order_id, opened_by, created_at + interval '5 minutes' from payment_attempts
					where answered_at is null and created_at > ${now}::timestamptz - interval '5 minutes'
				) opened on opened.order_id = orders.purchase_id
				where orders.status = 'pending' and orders.purchase_id is distinct from ${but}::uuid
				group by orders.id
			) unpaid
		) counted where of_mailbox <= ${mostUnpaidPlaces} and of_client <= ${mostUnpaidPlaces}`.execute(db);
	return rows;
}
