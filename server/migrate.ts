import { readdirSync, readFileSync } from "node:fs";
import { sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import pg from "pg";
import type { Database } from "./database.ts";

const folderOfMigrations = new URL("../db/migrations/", import.meta.url);

/**
 * Brings the schema to its newest version, under the migrator's own lock; throws when a migration fails.
 * A schema that is newer than this program stays as it is: the program before starts again while the next one is brought in.
 */
export async function migrate(db: Database): Promise<void> {
	const getMigrations = async () => ({ ...migrations(), ...(await doneByOthers(db)) });
	const { error } = await new Migrator({ db, provider: { getMigrations } }).migrateToLatest();
	if (error) throw error;
}

/** Prepares a database while no other process does: the rest wait, and find it done. */
export async function oneAtATime(connection: pg.ClientConfig, prepare: () => Promise<void>): Promise<void> {
	const client = new pg.Client({ connectionTimeoutMillis: 5000, keepAlive: true, ...connection });
	client.on("error", () => {});
	await client.connect();
	try {
		// in a transaction, so that it also holds behind a pooler
		await client.query("begin; set local idle_in_transaction_session_timeout = 0");
		await client.query("select pg_advisory_xact_lock(7305002)");
		await prepare();
	} finally {
		await client.end();
	}
}

/** The migrations of a folder, in the order of their names; what an editor or a desktop leaves there is none. */
export function migrations(folder = folderOfMigrations): Record<string, Migration> {
	const files = readdirSync(folder)
		.filter((name) => name.endsWith(".sql"))
		.sort();
	return Object.fromEntries(
		files.map((name) => [
			name.replace(/\.sql$/, ""),
			{ up: async (db) => void (await sql.raw(readFileSync(new URL(name, folder), "utf8")).execute(db)) },
		]),
	);
}

/** The migrations of a newer program, which the migrator would take for lost ones. */
async function doneByOthers(db: Database): Promise<Record<string, Migration>> {
	const newest = Object.keys(migrations()).at(-1) ?? "";
	const { rows } = await sql<{ name: string }>`select name from kysely_migration where name > ${newest}`.execute(db);
	return Object.fromEntries(rows.map(({ name }) => [name, { up: async () => {} }]));
}
