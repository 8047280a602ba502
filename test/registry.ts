// Helpers for tests of imports and updates.
import { sql } from "kysely";
import pg from "pg";
import { onTestFinished } from "vitest";
import { staging } from "../app/companies/registry/sirene/import.store.server.ts";
import type { Database } from "../server/database/database.ts";

/** Reads the tables that an import fills, without times: registries with the same companies are equal. */
export async function readRegistry(db: Database): Promise<unknown> {
	const { rows } = await sql`
		select (select md5(string_agg(company::text, chr(10) order by id)) from companies company) as companies,
			(select md5(string_agg(word::text, chr(10) order by word)) from company_words word) as words,
			(select md5(string_agg(branch::text, chr(10) order by siren)) from company_branches branch) as branches,
			(select count(*) from companies) as count,
			(select jsonb_agg(concat_ws(' ', name, as_of, companies) order by name) from company_sources) as sources
	`.execute(db);
	return rows[0];
}

/** What imports, updates and hiding companies change. */
const registryTables = ["companies", "company_branches", "company_words", "company_sources", "company_registrations", "hidden_companies"];

let savedCount = 0;

/**
 * Saves a small registry, after an import: the tables of an import may have their columns in another order than those before it.
 * @returns a function that brings it back, at a fraction of the cost of an import.
 */
export async function saveRegistry(db: Database): Promise<() => Promise<void>> {
	const saved = `saved_registry_${++savedCount}`;
	const toStatements = (statement: (table: string) => string) => registryTables.map(statement).join("; ");
	await sql.raw(`create schema ${saved}; ${toStatements((table) => `create table ${saved}.${table} as table ${table}`)}`).execute(db);
	// « truncate » is slower: it makes a new file for each table and index
	const restore = sql.raw(`set local session_replication_role = replica; ${toStatements((table) => `delete from ${table}`)};
		${toStatements((table) => `insert into ${table} table ${saved}.${table}`)}`);
	return () => db.transaction().execute(async (trx) => void (await restore.execute(trx)));
}

/** Whether the staging tables of an import are dropped. */
export async function isStagingGone(db: Database): Promise<boolean> {
	const { rows } = await sql`select from pg_namespace where nspname = ${staging}`.execute(db);
	return rows.length === 0;
}

/** Opens a connection that is closed after the test, also a failed one: its locks would block the next test. */
export async function connectForTest(connection: pg.ClientConfig): Promise<pg.Client> {
	const client = new pg.Client(connection);
	await client.connect();
	onTestFinished(() => client.end());
	return client;
}
