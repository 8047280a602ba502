import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type pg from "pg";
import { getErrorCode } from "../types/errors.ts";
import { advisoryLocks } from "./advisory-locks.ts";
import { Client, type Database } from "./database.ts";

const folderOfMigrations = new URL("../../db/migrations/", import.meta.url);

/** Milliseconds: requests queue behind a migration that waits for a lock, as long as it waits. */
const lockTimeout = 5000;
/** How often a migration tries to have its locks, and how long it lets requests pass in between. */
const tries = 10;
const pause = 3000;

/**
 * Brings the schema to its newest version, under the migrator's own lock; throws when a migration fails.
 * A schema that is newer than this program stays as it is: the program before starts again while the next one is brought in.
 * A migration that cannot have its locks within five seconds, or that deadlocks with requests, releases those it has and is tried again.
 */
export async function migrate(
	db: Database,
	{ folder = folderOfMigrations, wait = (): Promise<void> => setTimeout(pause) } = {},
): Promise<void> {
	const getMigrations = async () => ({ ...migrations(folder), ...(await doneByOthers(db, folder)) });
	for (let left = tries; ; left--) {
		const error = await migrateOneByOne(new Migrator({ db, provider: { getMigrations } }));
		if (error === undefined) return;
		if (!passing.has(getErrorCode(error) ?? "") || left === 1) throw error;
		await wait();
	}
}

/** Each in a transaction of its own, so that the locks of one do not last until the end of the next. @returns why one failed. */
async function migrateOneByOne(migrator: Migrator): Promise<unknown> {
	for (;;) {
		const { error, results = [] } = await migrator.migrateUp();
		if (error !== undefined || results.length === 0) return error;
	}
}

/** SQLSTATE of `lock_timeout`, and of a deadlock with requests (postgresql.org/docs/18/errcodes-appendix.html). */
const passing = new Set(["55P03", "40P01"]);

/** What a program finds in its database: nothing yet, an older schema than its own, or one that it can work with. */
export async function schemaState(db: Database): Promise<"empty" | "older" | "usable"> {
	const { rows } = await sql<{ there: boolean }>`select to_regclass('kysely_migration') is not null as there`.execute(db);
	if (!rows[0]?.there) return "empty";
	const done = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
	const names = new Set(done.rows.map(({ name }) => name));
	return Object.keys(migrations()).every((name) => names.has(name)) ? "usable" : "older";
}

/** Prepares a database while no other process does: the rest wait, and find it done. */
export async function withExclusiveLock(connection: pg.ClientConfig, prepare: () => Promise<void>): Promise<void> {
	const client = new Client({ ...connection });
	await client.connect();
	try {
		// in a transaction, so that it also holds behind a pooler
		await client.query("begin; set local idle_in_transaction_session_timeout = 0");
		await client.query("select pg_advisory_xact_lock($1)", [advisoryLocks.preparation]);
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
			{
				async up(db) {
					await sql.raw(`set local lock_timeout = ${lockTimeout}`).execute(db);
					await sql.raw(readFileSync(new URL(name, folder), "utf8")).execute(db);
				},
			},
		]),
	);
}

/** The migrations of a newer program, which the migrator would take for lost ones. */
async function doneByOthers(db: Database, folder: URL): Promise<Record<string, Migration>> {
	const newest = Object.keys(migrations(folder)).at(-1) ?? "";
	const { rows } = await sql<{ name: string }>`select name from kysely_migration where name > ${newest}`.execute(db);
	return Object.fromEntries(rows.map(({ name }) => [name, { up: async () => {} }]));
}
