import { sql } from "kysely";
import { advisoryLocks } from "../../../server/database/advisory-locks.ts";
import { changesChannel, publicPagesSubject } from "../../../server/database/changes.ts";
import type { Database, Trx } from "../../../server/database/database.ts";
import type { Place } from "../../shop-settings/capacity.ts";

/** SQL on the orders that count against the most orders an hour. */

/** Until the end of the transaction, no other payment is opened under a limit: two of them cannot take the last place. */
export async function lockPlaces(trx: Trx): Promise<void> {
	await sql`select pg_advisory_xact_lock(${advisoryLocks.places})`.execute(trx);
}

/**
 * The orders paid within the last hour, and those whose payment was opened within it. An attempt counts for five minutes without an
 * answer of the provider, because nobody has the URL of its session then.
 * @param but a purchase that does not count.
 */
export async function listPlaces(db: Database | Trx, now: Date, but: string | null): Promise<Place[]> {
	const { rows } = await sql<Place>`
		select product_code as service, paid_at + interval '1 hour' as "freeAt" from orders
		where paid_at > ${now}::timestamptz - interval '1 hour'
		union all
		select product_code, greatest(max(held_until), ${now}::timestamptz + interval '1 minute') from orders join (
			select order_id, expires_at as held_until from payment_sessions
			where status = 'open' and created_at > ${now}::timestamptz - interval '1 hour'
			union all
			select order_id, created_at + interval '5 minutes' from payment_attempts
			where answered_at is null and created_at > ${now}::timestamptz - interval '5 minutes'
		) opened on opened.order_id = orders.purchase_id
		where orders.status = 'pending' and orders.purchase_id is distinct from ${but}::uuid
		group by orders.id, product_code`.execute(db);
	return rows;
}

/** Clears the cached pages and the settings in memory, after the commit. */
export async function notifyPublicPages(db: Database | Trx): Promise<void> {
	await sql`select pg_notify(${changesChannel}, ${publicPagesSubject})`.execute(db);
}
