import { sql } from "kysely";
import type { Database } from "../../../server/database/database.ts";
import type { ServiceCode } from "../../catalogue/services.ts";
import type { OrderStatus } from "../../orders/lifecycle.ts";
import type { OrderNumber } from "../../orders/order-number.server.ts";
import type { Guess } from "./guess-query.server.ts";

/** SQL of the desk's search. `order_words` is written by triggers (db/migrations/0006_desk.sql). */

export interface FoundOrder {
	id: string;
	order_number: OrderNumber;
	product_code: ServiceCode;
	status: OrderStatus;
	failure_reason: string | null;
	company_name: string;
	siren: string;
	/** Blank once the customer is erased. */
	customer_name: string;
	customer_email: string;
	created_at: Date;
	reference: string | null;
	purchase_id: string;
	purchase_line: number;
}

const columns = sql`orders.id, orders.order_number, orders.product_code, orders.status, orders.failure_reason, orders.company_name, orders.siren,
	trim(orders.first_name || ' ' || orders.last_name) as customer_name, orders.customer_email, orders.created_at,
	orders.reference, orders.purchase_id, orders.purchase_line`;

/** The order that a number names: its own, its invoice's, or the provider's. Each has a unique index. */
export async function findByNumber(db: Database, { orderNumber, orderId, invoiceNumber, providerId }: Guess): Promise<FoundOrder[]> {
	const numbers = [
		...(orderNumber ? [sql`select id from orders where order_number = ${orderNumber}`] : []),
		...(orderId ? [sql`select id from orders where id = ${orderId}`, sql`select order_id from documents where id = ${orderId}`] : []),
		...(invoiceNumber ? [sql`select order_id from invoices where number = ${invoiceNumber}`] : []),
		...(providerId
			? [
					sql`select order_id from payments where id = ${providerId}`,
					sql`select order_id from payment_sessions where id = ${providerId}`,
					sql`select order_id from refunds where provider_id = ${providerId}`,
				]
			: []),
	];
	if (numbers.length === 0) return [];
	const { rows } = await sql<FoundOrder>`
		select ${columns} from orders where id in (${sql.join(numbers, sql` union all `)}) order by created_at desc`.execute(db);
	return rows;
}

/** In which newest orders a search looks first. Frequent words fill their page from these; of rarer ones, the index lists all orders. */
const newestOrders = 20_000;

/** The newest orders that have all the words, or one of the numbers; each matches from its beginning. */
export async function findByWords(
	db: Database,
	{ text, anyOf }: Pick<Guess, "text" | "anyOf">,
	limit: number,
	newestFirst = newestOrders,
): Promise<FoundOrder[]> {
	const tokens = text === null ? anyOf : await tokenize(db, text);
	if (tokens.length === 0) return [];
	// a separate parameter, so that PostgreSQL plans with the words
	const query = tokens.map((token) => `'${token.replaceAll("'", "''").replaceAll("\\", "\\\\")}':*`).join(text === null ? " | " : " & ");
	const newest = await sql<{ order_id: string }>`
		select order_id from (select order_id, created_at, words from order_words order by created_at desc, order_id limit ${newestFirst}) as newest
		where words @@ ${query}::tsquery order by created_at desc, order_id limit ${limit}`.execute(db);
	if (newest.rows.length >= limit) return listFound(db, newest.rows);
	const all = await sql<{ order_id: string }>`
		with found as materialized (select order_id, created_at from order_words where words @@ ${query}::tsquery)
		select order_id from found order by created_at desc, order_id limit ${limit}`.execute(db);
	return listFound(db, all.rows);
}

async function listFound(db: Database, found: readonly { order_id: string }[]): Promise<FoundOrder[]> {
	const ids = found.map(({ order_id }) => order_id);
	const { rows } = await sql<FoundOrder>`
		select ${columns} from orders where id = any(${ids}::uuid[]) order by created_at desc, id`.execute(db);
	return rows;
}

/** Splits a text as the triggers do. */
async function tokenize(db: Database, text: string): Promise<string[]> {
	const { rows } = await sql<{ tokens: string[] }>`select search_tokens(${text}) as tokens`.execute(db);
	return rows[0]?.tokens ?? [];
}
