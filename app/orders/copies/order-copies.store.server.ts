import { sql } from "kysely";
import { anyOf, type Database, type Trx } from "../../../server/database/database.ts";
import { prepared } from "../../../server/database/dialect.ts";
import { typedKeys } from "../../../server/types/objects.ts";

/** All SQL on `order_copies` and `order_copy_requests`, and on the rows of an order that are copied and restored. */

/**
 * The tables of an order, sorted by their references, with the columns that identify their rows. `order_events` get new ids when they are
 * restored, so their ids do not count.
 */
export const copiedTables = {
	orders: ["id"],
	payment_attempts: ["order_id", "attempt"],
	payment_sessions: ["id"],
	payments: ["id"],
	refunds: ["id"],
	documents: ["id"],
	invoices: ["id"],
	mails: ["id"],
	order_events: ["event_type", "payload", "created_at"],
	extract_requests: ["order_id"],
	refund_requests: ["id"],
	withdrawals: ["id"],
} as const satisfies Record<string, readonly string[]>;

export type CopiedTable = keyof typeof copiedTables;
export const copiedTableNames = typedKeys(copiedTables);

/** A row in PostgreSQL's JSON format, with instants in UTC. */
export type CopiedRow = Record<string, unknown>;
export type OrderRows = Record<CopiedTable, CopiedRow[]> & {
	/** The ids of all orders of the purchase, in the order of its lines. */
	purchase: string[];
};

/** Sets the transaction's zone to UTC, because rows are compared as text. */
const setUtc = sql`select set_config('TimeZone', 'UTC', true)`;

/** A `jsonb` expression of all rows of an order. */
const orderRowsJson = sql.raw(
	`jsonb_build_object(${copiedTableNames
		.map((table) => {
			const orderColumn = table === "orders" ? "id" : "order_id";
			const sorted = table === "order_events" ? "t.id" : copiedTables[table].map((column) => `t.${column}`).join(", ");
			return `'${table}', coalesce((select jsonb_agg(to_jsonb(t) order by ${sorted}) from ${table} t where t.${orderColumn} = asked.id), '[]')`;
		})
		.join(", ")})`,
);

/** Locks the copy of an order until the end of the transaction. @returns whether the order should have a copy. */
export async function lockCopy(trx: Trx, orderId: string): Promise<boolean> {
	await setUtc.execute(trx);
	const { rows } = await sql`select order_id from order_copies where order_id = ${orderId} for no key update`.execute(prepared(trx));
	return rows.length > 0;
}

/** Returns the rows of an order as JSON, with the ids of the requests that they satisfy; null when it is missing or anonymised. */
export async function getRowsToCopy(trx: Trx, orderId: string): Promise<{ json: string; requests: string[] } | null> {
	const { rows } = await sql<{ json: string; requests: string[] }>`
		select (${orderRowsJson} || jsonb_build_object('purchase', (
				select jsonb_agg(bought.id order by bought.purchase_line) from orders bought
				where bought.purchase_id = (select purchase_id from orders where orders.id = asked.id))))::text as json,
			array(select id::text from order_copy_requests where order_id = asked.id) as requests
		from (select ${orderId}::uuid as id) asked
		where exists (select from orders where orders.id = asked.id and erased_at is null)`.execute(prepared(trx));
	return rows[0] ?? null;
}

/** Locks and returns the rows of an order; null when it does not exist. */
export async function lockRows(trx: Trx, orderId: string): Promise<OrderRows | null> {
	await setUtc.execute(trx);
	await sql`select from orders where id = ${orderId} for no key update`.execute(trx);
	const { rows } = await sql<{ rows: OrderRows }>`select ${orderRowsJson} as rows from (select ${orderId}::uuid as id) asked`.execute(trx);
	return rows[0] && rows[0].rows.orders.length > 0 ? rows[0].rows : null;
}

/** Records the key of a copy and deletes the requests that it satisfies. */
export async function recordCopied(trx: Trx, orderId: string, { keyId, requests }: { keyId: string; requests: string[] }): Promise<void> {
	await sql`delete from order_copy_requests where id = any(${requests}::bigint[])`.execute(trx);
	await sql`update order_copies set key_id = ${keyId} where order_id = ${orderId} and key_id is distinct from ${keyId}`.execute(
		prepared(trx),
	);
}

/**
 * Locks the copies of orders until the end of the transaction. @returns the orders that should have a copy.
 */
export async function lockCopies(trx: Trx, orderIds: readonly string[]): Promise<string[]> {
	const { rows } = await sql<{ order_id: string }>`
		select order_id from order_copies where order_id = any(${orderIds}::uuid[]) order by order_id for no key update`.execute(trx);
	return rows.map(({ order_id }) => order_id);
}

/** Deletes the rows and requests of orders that have no copy any more. */
export async function deleteCopyRows(trx: Trx, orderIds: readonly string[]): Promise<void> {
	// the same order as in copyOrder, to avoid deadlocks
	await trx.deleteFrom("order_copies").where("order_id", "=", anyOf(orderIds)).execute();
	await trx.deleteFrom("order_copy_requests").where("order_id", "=", anyOf(orderIds)).execute();
}

/** Deletes the copy requests of an order without a copy. A concurrent payment's request stays. */
export async function deleteRequestsOfUncopied(trx: Trx, orderId: string): Promise<void> {
	await sql`
		delete from order_copy_requests
		where order_id = ${orderId} and not exists (select from order_copies where order_id = ${orderId})`.execute(trx);
}

/** Records that an order should have a copy, which its payment does otherwise: that of a purchase is recorded with its first order. */
export async function insertCopyRow(trx: Trx, orderId: string): Promise<void> {
	await sql`insert into order_copies (order_id) values (${orderId}) on conflict do nothing`.execute(trx);
}

/** Requests new copies of the orders that should have one. */
export async function requestCopies(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await sql`insert into order_copy_requests (order_id) select order_id from order_copies where order_id = any(${orderIds}::uuid[])`.execute(
		trx,
	);
}

/** Lists orders that changed since their copy: at most `limit` ids after `after`. */
export async function listChangedOrders(db: Database, after: string, limit: number): Promise<string[]> {
	const { rows } = await sql<{ order_id: string }>`
		select distinct order_id from order_copy_requests where order_id > ${after} order by order_id limit ${limit}`.execute(db);
	return rows.map(({ order_id }) => order_id);
}

/** Lists the orders of a purchase that changed since their copy. */
export async function listUncopiedOrders(db: Database, purchaseId: string): Promise<string[]> {
	const { rows } = await sql<{ order_id: string }>`
		select distinct order_id from order_copy_requests where order_id in (select id from orders where purchase_id = ${purchaseId})
		order by order_id`.execute(db);
	return rows.map(({ order_id }) => order_id);
}

/** Lists orders without a copy under this key: at most `limit` ids after `after`. */
export async function listOrdersUnderOtherKey(db: Database, keyId: string, after: string, limit: number): Promise<string[]> {
	const { rows } = await sql<{ order_id: string }>`
		select order_id from order_copies
		where (key_id is null or key_id < ${keyId} or key_id > ${keyId}) and order_id > ${after} order by order_id limit ${limit}`.execute(db);
	return rows.map(({ order_id }) => order_id);
}

/** Returns the longest wait for a copy in seconds; 0 without requests. */
export async function getLongestWait(trx: Trx, now: Date): Promise<number> {
	const { rows } = await sql<{ wait: number }>`
		select coalesce(extract(epoch from ${now} - min(requested_at)), 0)::float8 as wait from order_copy_requests`.execute(trx);
	return Math.max(0, rows[0]?.wait ?? 0);
}

/** Counts orders without a copy under this key. */
export async function countUnderOtherKey(db: Database, keyId: string): Promise<number> {
	const { rows } = await sql<{ count: number }>`
		select count(*)::integer as count from order_copies where key_id is null or key_id < ${keyId} or key_id > ${keyId}`.execute(db);
	return rows[0]?.count ?? 0;
}

/** Returns those of the numbers that another order's invoice has. */
export async function findTakenNumbers(trx: Trx, orderId: string, numbers: readonly string[]): Promise<string[]> {
	const query = trx.selectFrom("invoices").select("number").where("number", "in", numbers).where("order_id", "<>", orderId);
	return numbers.length === 0 ? [] : (await query.execute()).map(({ number }) => number);
}

export async function orderExists(db: Database, orderId: string): Promise<boolean> {
	return (await db.selectFrom("orders").select("id").where("id", "=", orderId).executeTakeFirst()) !== undefined;
}

/** Whether another order has this idempotency key. */
export async function isKeyTaken(trx: Trx, orderId: string, key: string): Promise<boolean> {
	const query = trx.selectFrom("orders").select("id").where("idempotency_key", "=", key).where("id", "<>", orderId);
	return (await query.executeTakeFirst()) !== undefined;
}

/**
 * Inserts rows with their ids, or updates existing ones; of events, it inserts the missing ones.
 * Columns that the copy lacks get their default; columns that no longer exist are omitted.
 */
export async function writeRows(trx: Trx, table: CopiedTable, rows: readonly CopiedRow[]): Promise<void> {
	const [first] = rows;
	if (first === undefined) return;
	const { rows: known } = await sql<{ name: string }>`
		select column_name as name from information_schema.columns
		where table_schema = 'public' and table_name = ${table} and is_identity = 'NO'`.execute(trx);
	const columns = known.map(({ name }) => name).filter((name) => Object.hasOwn(first, name));
	const list = sql.join(columns.map((name) => sql.ref(name)));
	const records = sql`jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`;
	await sql`insert into ${sql.table(table)} (${list}) select ${list} from ${records} ${onConflict(table, columns)}`.execute(trx);
}

function onConflict(table: CopiedTable, columns: readonly string[]) {
	if (table === "order_events") return sql``;
	const key = sql.join(copiedTables[table].map((name) => sql.ref(name)));
	// an issued invoice never changes: only its PDF is added
	const updatedColumns =
		table === "invoices" ? ["document_id"] : columns.filter((name) => !copiedTables[table].some((column) => column === name));
	const set = sql.join(updatedColumns.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`));
	const changed = sql.join(
		updatedColumns.map((name) => sql`${sql.ref(`${table}.${name}`)} is distinct from ${sql.ref(`excluded.${name}`)}`),
		sql` or `,
	);
	const unset = table === "invoices" ? sql`invoices.document_id is null and` : sql``;
	return sql`on conflict (${key}) do update set ${set} where ${unset} (${changed})`;
}
