import { readdirSync, readFileSync } from "node:fs";
import { sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { Database } from "./database.ts";

const folder = new URL("../db/migrations/", import.meta.url);

/** Brings the schema to its newest version, under the migrator's own lock; throws when a migration fails. */
export async function migrate(db: Database): Promise<void> {
	const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations() } }).migrateToLatest();
	if (error) throw error;
}

function migrations(): Record<string, Migration> {
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
