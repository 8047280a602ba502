import { sql } from "kysely";
import { anyOf, type Database, prepared, type Trx } from "../../server/database/database.ts";
import { typedKeys } from "../../server/types/objects.ts";

/** All SQL on `order_copies` and `order_copy_requests`, and the rows of an order as they are copied and inserted again. */

/**
 * The tables that hold an order, in the order in which they refer to each other, each with the columns that tell its rows apart.
 * `order_events` get new ids when they are inserted again, so that theirs say nothing.
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

/** A row as PostgreSQL writes it in JSON, instants in UTC. */
export type CopiedRow = Record<string, unknown>;
export type OrderRows = Record<CopiedTable, CopiedRow[]>;

/** Has this transaction write instants in UTC, whatever the server's own zone is: rows are compared as text. */
const inUtc = sql`select set_config('TimeZone', 'UTC', true)`;

/** `jsonb` of all rows of the order whose id is $1. */
const rowsOfOrder = sql.raw(
	`jsonb_build_object(${copiedTableNames
		.map((table) => {
			const ofOrder = table === "orders" ? "id" : "order_id";
			const sorted = table === "order_events" ? "t.id" : copiedTables[table].map((column) => `t.${column}`).join(", ");
			return `'${table}', coalesce((select jsonb_agg(to_jsonb(t) order by ${sorted}) from ${table} t where t.${ofOrder} = asked.id), '[]')`;
		})
		.join(", ")})`,
);

/** Whether an order is to have a copy; until the transaction ends, nobody else makes or deletes it. */
export async function lockCopy(trx: Trx, orderId: string): Promise<boolean> {
	await inUtc.execute(trx);
	const { rows } = await sql`${prepared} select order_id from order_copies where order_id = ${orderId} for no key update`.execute(trx);
	return rows.length > 0;
}

/** The rows of an order that names its customer, as JSON, with the ids of the changes that are in them; null for any other. */
export async function readRowsToCopy(trx: Trx, orderId: string): Promise<{ json: string; requests: string[] } | null> {
	const { rows } = await sql<{ json: string; requests: string[] }>`${prepared}
		select ${rowsOfOrder}::text as json,
			array(select id::text from order_copy_requests where order_id = asked.id) as requests
		from (select ${orderId}::uuid as id) asked
		where exists (select from orders where orders.id = asked.id and erased_at is null)`.execute(trx);
	return rows[0] ?? null;
}

/** The rows of an order as they are here, locked until the transaction ends; null where there is no such order. */
export async function lockRows(trx: Trx, orderId: string): Promise<OrderRows | null> {
	await inUtc.execute(trx);
	await sql`select from orders where id = ${orderId} for no key update`.execute(trx);
	const { rows } = await sql<{ rows: OrderRows }>`select ${rowsOfOrder} as rows from (select ${orderId}::uuid as id) asked`.execute(trx);
	return rows[0] && rows[0].rows.orders.length > 0 ? rows[0].rows : null;
}

/** Notes with which key the copy of an order was made, and that it has these changes. */
export async function recordCopied(trx: Trx, orderId: string, { keyId, requests }: { keyId: string; requests: string[] }): Promise<void> {
	await sql`delete from order_copy_requests where id = any(${requests}::bigint[])`.execute(trx);
	await sql`update order_copies set key_id = ${keyId} where order_id = ${orderId} and key_id is distinct from ${keyId}`.execute(trx);
}

/**
 * Those of these orders that are to have a copy. Whoever copies one of them is waited for; until the transaction ends, nobody else does.
 */
export async function lockCopies(trx: Trx, orderIds: readonly string[]): Promise<string[]> {
	const { rows } = await sql<{ order_id: string }>`
		select order_id from order_copies where order_id = any(${orderIds}::uuid[]) order by order_id for no key update`.execute(trx);
	return rows.map(({ order_id }) => order_id);
}

/** These orders have no copy any more, and ask for none. */
export async function deleteCopyRows(trx: Trx, orderIds: readonly string[]): Promise<void> {
	// in this order, as whoever copies holds the first and then deletes of the second
	await trx.deleteFrom("order_copies").where("order_id", "=", anyOf(orderIds)).execute();
	await trx.deleteFrom("order_copy_requests").where("order_id", "=", anyOf(orderIds)).execute();
}

/** Deletes what asks for the copy of an order that has none. A payment that comes at this moment keeps its own. */
export async function deleteRequestsOfUncopied(trx: Trx, orderId: string): Promise<void> {
	await sql`
		delete from order_copy_requests
		where order_id = ${orderId} and not exists (select from order_copies where order_id = ${orderId})`.execute(trx);
}

/** Asks for a new copy of those that are to have one: the one before may be gone. */
export async function requestCopies(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await sql`insert into order_copy_requests (order_id) select order_id from order_copies where order_id = any(${orderIds}::uuid[])`.execute(
		trx,
	);
}

/** Orders that changed since they were copied: at most `limit` ids that follow `after`. */
export async function listChangedOrders(db: Database, after: string, limit: number): Promise<string[]> {
	const { rows } = await sql<{ order_id: string }>`
		select distinct order_id from order_copy_requests where order_id > ${after} order by order_id limit ${limit}`.execute(db);
	return rows.map(({ order_id }) => order_id);
}

/** Orders whose copy was made with another key, or not yet: at most `limit` ids that follow `after`. */
export async function listOrdersUnderOtherKey(db: Database, keyId: string, after: string, limit: number): Promise<string[]> {
	const { rows } = await sql<{ order_id: string }>`
		select order_id from order_copies
		where (key_id is null or key_id < ${keyId} or key_id > ${keyId}) and order_id > ${after} order by order_id limit ${limit}`.execute(db);
	return rows.map(({ order_id }) => order_id);
}

/** Seconds that the order has waited whose copy has been asked for the longest; 0 when none waits. */
export async function readLongestWait(trx: Trx, now: Date): Promise<number> {
	const { rows } = await sql<{ wait: number }>`
		select coalesce(extract(epoch from ${now} - min(requested_at)), 0)::float8 as wait from order_copy_requests`.execute(trx);
	return Math.max(0, rows[0]?.wait ?? 0);
}

/** How many copies were made with another key, or not yet. */
export async function countUnderOtherKey(db: Database, keyId: string): Promise<number> {
	const { rows } = await sql<{ count: number }>`
		select count(*)::integer as count from order_copies where key_id is null or key_id < ${keyId} or key_id > ${keyId}`.execute(db);
	return rows[0]?.count ?? 0;
}

/** Which of these numbers another order's invoice has here. */
export async function findTakenNumbers(trx: Trx, orderId: string, numbers: readonly string[]): Promise<string[]> {
	const query = trx.selectFrom("invoices").select("number").where("number", "in", numbers).where("order_id", "<>", orderId);
	return numbers.length === 0 ? [] : (await query.execute()).map(({ number }) => number);
}

export async function isHere(db: Database, orderId: string): Promise<boolean> {
	return (await db.selectFrom("orders").select("id").where("id", "=", orderId).executeTakeFirst()) !== undefined;
}

/** Whether another order came under this key of its caller since. */
export async function isKeyTaken(trx: Trx, orderId: string, key: string): Promise<boolean> {
	const query = trx.selectFrom("orders").select("id").where("idempotency_key", "=", key).where("id", "<>", orderId);
	return (await query.executeTakeFirst()) !== undefined;
}

/**
 * Inserts rows with the ids that they have, or brings those that are there up to date with them; of events, those that are missing here.
 * Columns that a copy does not know yet get their default, those that are gone are left out.
 */
export async function writeRows(trx: Trx, table: CopiedTable, rows: readonly CopiedRow[]): Promise<void> {
	const [first] = rows;
	if (first === undefined) return;
	const { rows: known } = await sql<{ name: string }>`
		select column_name as name from information_schema.columns
		where table_schema = 'public' and table_name = ${table} and is_identity = 'NO'`.execute(trx);
	const columns = known.map(({ name }) => name).filter((name) => Object.hasOwn(first, name));
	const list = sql.join(columns.map((name) => sql.ref(name)));
	const given = sql`jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`;
	await sql`insert into ${sql.table(table)} (${list}) select ${list} from ${given} ${onConflict(table, columns)}`.execute(trx);
}

function onConflict(table: CopiedTable, columns: readonly string[]) {
	if (table === "order_events") return sql``;
	const key = sql.join(copiedTables[table].map((name) => sql.ref(name)));
	// an issued invoice stays as it is: only its PDF is added
	const changing =
		table === "invoices" ? ["document_id"] : columns.filter((name) => !(copiedTables[table] as readonly string[]).includes(name));
	const set = sql.join(changing.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`));
	const changed = sql.join(
		changing.map((name) => sql`${sql.ref(`${table}.${name}`)} is distinct from ${sql.ref(`excluded.${name}`)}`),
		sql` or `,
	);
	const unset = table === "invoices" ? sql`invoices.document_id is null and` : sql``;
	return sql`on conflict (${key}) do update set ${set} where ${unset} (${changed})`;
}
