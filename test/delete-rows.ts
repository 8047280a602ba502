import { sql } from "kysely";
import type { Database } from "../server/database/database.ts";

/** The statements for some tables and all that refer to them. Every test database has the same schema. */
const statements = new Map<string, Promise<string>>();

/** Deletes all rows of tables and of those that refer to them, without triggers. « truncate » is slower: it makes a new file for each table and index. */
export async function deleteRows(db: Database, ...tables: readonly string[]): Promise<void> {
	const key = tables.join(", ");
	const statement = statements.get(key) ?? listStatements(db, tables);
	statements.set(key, statement);
	const text = await statement;
	await db.transaction().execute(async (trx) => {
		await sql`set local session_replication_role = replica`.execute(trx);
		await sql.raw(text).execute(trx);
	});
}

async function listStatements(db: Database, tables: readonly string[]): Promise<string> {
	const { rows } = await sql<{ name: string }>`
		with recursive emptied (id) as (
			select unnest(${tables}::text[])::regclass::oid
			union select conrelid from pg_constraint join emptied on confrelid = id where contype = 'f'
		)
		select id::regclass::text as name from emptied`.execute(db);
	return rows.map(({ name }) => `delete from ${name}`).join("; ");
}
