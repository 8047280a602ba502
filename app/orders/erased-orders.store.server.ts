import { sql } from "kysely";
import { anyOf, type Database, type Trx } from "../../server/database/database.ts";
import { logOrderEvent } from "../../server/database/log-after-commit.ts";

/** SQL that anonymises and deletes orders. */

/** Clears newsletter consents given before `before`. @returns how many. */
export async function clearNewsletterConsents(db: Database, before: Date): Promise<number> {
	const query = db.updateTable("orders").set({ newsletter: false }).where("newsletter", "=", true).where("created_at", "<", before);
	return Number((await query.executeTakeFirst()).numUpdatedRows);
}

/** Blanks the personal data of orders and of their history; the caller holds their locks. Net: trackOrder. */
export async function anonymiseCustomers(trx: Trx, orderIds: readonly string[], now: Date): Promise<void> {
	const blank = {
		reference: null,
		phone: null,
		address: null,
		postal_code: null,
		city: null,
		billing_company: null,
		billing_siren: null,
		billing_vat: null,
		delivery_name: null,
		delivery_complement: null,
		delivery_address: null,
		delivery_postal_code: null,
		delivery_city: null,
		delivery_email: null,
	};
	await trx
		.updateTable("orders")
		.set({
			customer_email: "",
			first_name: "",
			last_name: "",
			...blank,
			newsletter: false,
			tracking_number: null,
			// the hash of the request is personal data too
			idempotency_key: null,
			request_hash: "",
			erased_at: now,
		})
		.where("id", "=", anyOf(orderIds))
		.execute();
	await anonymiseEvents(trx, orderIds);
	for (const orderId of orderIds) logOrderEvent(trx, orderId, "erased");
}

async function anonymiseEvents(trx: Trx, orderIds: readonly string[]): Promise<void> {
	// the reason for a corrected number is free text; that of a failure is a code, which stays
	await sql`update order_events set payload = payload - 'tracking_number' - 'replaces' - 'because'
		where order_id = any(${orderIds}) and event_type in ('posted', 'tracking_corrected')`.execute(trx);
	await sql`update order_events set payload = payload - 'before'
		where order_id = any(${orderIds}) and event_type = 'address_corrected'`.execute(trx);
}

/**
 * Blanks what is no part of the contract of these orders; the caller holds their locks. They keep the customer's name and addresses, so
 * that the customer still finds them. Run again, it keeps the first instant.
 */
export async function archiveCustomers(trx: Trx, orderIds: readonly string[], now: Date): Promise<void> {
	await trx
		.updateTable("orders")
		.set({ phone: null, newsletter: false, tracking_number: null, idempotency_key: null, request_hash: "" })
		.set({ archived_at: sql`coalesce(archived_at, ${now})` })
		.where("id", "=", anyOf(orderIds))
		.execute();
	await anonymiseEvents(trx, orderIds);
	for (const orderId of orderIds) logOrderEvent(trx, orderId, "archived");
}

/** Deletes orders and their events. The caller deletes everything else that refers to them first. */
export async function deleteOrders(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await trx.deleteFrom("order_events").where("order_id", "=", anyOf(orderIds)).execute();
	await trx.deleteFrom("orders").where("id", "=", anyOf(orderIds)).execute();
	for (const orderId of orderIds) logOrderEvent(trx, orderId, "deleted");
}
