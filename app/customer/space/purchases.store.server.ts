import { type RawBuilder, sql } from "kysely";
import { anyOf, type Database } from "../../../server/database/database.ts";
import { isMailbox } from "../../mail/normalize-email.ts";
import type { DocumentType } from "../../orders/documents/documents.store.server.ts";
import type { Order } from "../../orders/order.ts";
import type { OrderNumber } from "../../orders/order-number.server.ts";

/**
 * What the owner of a mailbox reads of its purchases. Each query names the mailbox, as normalizeEmail writes it, and finds the orders by
 * the index on the address that they have now: an order whose address was corrected is in the new mailbox's space, and in no other.
 */

export const isOfMailbox = (mailbox: string): RawBuilder<boolean> =>
	sql<boolean>`(${isMailbox(sql.ref("orders.customer_email"), mailbox)} and orders.erased_at is null)`;

export interface PurchaseFilter {
	/** What was typed: names, a number, a reference. Empty for all. */
	search: string;
	/** Of the order, in Paris; null for all. */
	year: number | null;
}

const yearInParis = (column: RawBuilder<unknown>) => sql<number>`extract(year from ${column} at time zone 'Europe/Paris')::integer`;

/** Whether an order is found: each typed word begins a word of the company's name, of the reference or of a number. A number may be typed with blanks. */
export function matchesSearch(search: string): RawBuilder<boolean> {
	const compact = search.replace(/[\s.\u00a0\u202f]/g, "");
	const typed = /^\d{3,}$/.test(compact) ? compact : search;
	return sql<boolean>`not exists (
		select from unnest(search_tokens(${typed})) as typed (token) where not exists (
			select from unnest(search_tokens(
				concat_ws(' ', company_name, reference, siren, order_number, replace(order_number, '-', '')))) as word (token)
			where starts_with(word.token, typed.token)))`;
}

/** A page of the purchases with an order that matches, the newest first. `matching`: these orders. `total`: of all pages. */
export async function listPurchases(
	db: Database,
	mailbox: string,
	{ search, year }: PurchaseFilter,
	{ limit, offset }: { limit: number; offset: number },
): Promise<{ found: { id: string; matching: string[] }[]; total: number }> {
	const { rows } = await sql<{ purchase_id: string; matching: string[]; total: string }>`
		select purchase_id, array_agg(id) as matching, count(*) over () as total from orders
		where ${isOfMailbox(mailbox)}
			${year === null ? sql`` : sql`and ${yearInParis(sql`created_at`)} = ${year}`}
			${search === "" ? sql`` : sql`and ${matchesSearch(search)}`}
		group by purchase_id order by min(created_at) desc, purchase_id limit ${limit} offset ${offset}`.execute(db);
	return { found: rows.map(({ purchase_id, matching }) => ({ id: purchase_id, matching })), total: Number(rows[0]?.total ?? 0) };
}

/** The orders of some purchases, those of each purchase in the order of their lines. */
export async function listOrders(db: Database, mailbox: string, purchaseIds: readonly string[]): Promise<Order[]> {
	const query = db.selectFrom("orders").selectAll().where("purchase_id", "=", anyOf(purchaseIds)).where(isOfMailbox(mailbox));
	return query.orderBy("purchase_line").execute();
}

export async function findOrderByNumber(db: Database, mailbox: string, number: OrderNumber): Promise<Order | null> {
	const query = db.selectFrom("orders").selectAll().where("order_number", "=", number).where(isOfMailbox(mailbox));
	return (await query.executeTakeFirst()) ?? null;
}

/** The years in which a mailbox ordered, the newest first. */
export async function listOrderYears(db: Database, mailbox: string): Promise<number[]> {
	const { rows } = await sql<{ year: number }>`
		select distinct ${yearInParis(sql`created_at`)} as year from orders where ${isOfMailbox(mailbox)} order by year desc`.execute(db);
	return rows.map(({ year }) => year);
}

export interface OpenDocument {
	id: string;
	orderId: string;
	type: DocumentType;
	/** Of an invoice or a credit note. */
	number: string | null;
}

/** The documents of some orders that were neither replaced nor purged, in the order of their issue. */
export async function listOpenDocuments(db: Database, orderIds: readonly string[]): Promise<OpenDocument[]> {
	return db
		.selectFrom("documents")
		.leftJoin("invoices", "invoices.document_id", "documents.id")
		.select(["documents.id", "documents.order_id as orderId", "doc_type as type", "invoices.number"])
		.where("documents.order_id", "=", anyOf(orderIds))
		.where("replaced_at", "is", null)
		.where("purged_at", "is", null)
		.orderBy("documents.created_at")
		.orderBy("documents.id")
		.execute();
}

/** The newest order with each billing identity of a mailbox: a company, or a name and an address. The newest identity first. */
export async function listNewestOrderOfIdentities(db: Database, mailbox: string, limit: number): Promise<Order[]> {
	const newest = db
		.selectFrom("orders")
		.selectAll()
		.distinctOn(["billing_company", "billing_siren", "billing_vat", "first_name", "last_name", "address", "postal_code", "city"])
		.where(isOfMailbox(mailbox))
		.where("address", "is not", null)
		.where("paid_at", "is not", null)
		.orderBy("billing_company")
		.orderBy("billing_siren")
		.orderBy("billing_vat")
		.orderBy("first_name")
		.orderBy("last_name")
		.orderBy("address")
		.orderBy("postal_code")
		.orderBy("city")
		.orderBy("created_at", "desc");
	return db.selectFrom(newest.as("orders")).selectAll().orderBy("created_at", "desc").orderBy("id").limit(limit).execute();
}
