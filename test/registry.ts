// What tests of imports and updates share.
import { sql } from "kysely";
import pg from "pg";
import { onTestFinished } from "vitest";
import { staging } from "../app/registry/sirene/import.store.server.ts";
import type { Database } from "../server/database/database.ts";

/** @returns what an import makes, without its time: two registries with the same companies are equal. */
export async function registryIn(db: Database): Promise<unknown> {
	const { rows } = await sql`
		select (select md5(string_agg(company::text, chr(10) order by id)) from companies company) as companies,
			(select md5(string_agg(word::text, chr(10) order by word)) from company_words word) as words,
			(select count(*) from companies) as count,
			(select jsonb_agg(concat_ws(' ', name, as_of, companies) order by name) from company_sources) as sources
	`.execute(db);
	return rows[0];
}

/** Whether nothing is left of the tables that an import works in. */
export async function isStagingGone(db: Database): Promise<boolean> {
	const { rows } = await sql`select from pg_namespace where nspname = ${staging}`.execute(db);
	return rows.length === 0;
}

/** Opens a connection that ends after its test and its hooks, also where that fails: the next test would wait for what it holds. */
export async function connectForTest(connection: pg.ClientConfig): Promise<pg.Client> {
	const client = new pg.Client(connection);
	await client.connect();
	onTestFinished(() => client.end());
	return client;
}
