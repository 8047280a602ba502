import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type pg from "pg";
import type { Log } from "../observability/log.ts";
import { getErrorCode } from "../types/errors.ts";
import { advisoryLocks } from "./advisory-locks.ts";
import { Client, type Database, timeouts } from "./database.ts";

const migrationsFolder = new URL("../../db/migrations/", import.meta.url);

/** Milliseconds. While a migration waits for a lock, requests queue behind it. */
const lockTimeoutMs = 5000;
/** A migration tries this often to take its locks, and lets requests pass in between. */
const maxAttempts = 10;
const retryDelayMs = 3000;

/**
 * Migrates the schema to the newest version, under the migrator's lock; throws when a migration fails. A newer schema stays as it is,
 * so that the previous program can restart during a deployment. A migration that times out on a lock, or deadlocks, is tried again.
 */
export async function migrate(
	db: Database,
	{ folder = migrationsFolder, wait = (): Promise<void> => setTimeout(retryDelayMs) } = {},
): Promise<void> {
	const getMigrations = async () => ({ ...readMigrations(folder), ...(await listNewerMigrations(db, folder)) });
	for (let attemptsLeft = maxAttempts; ; attemptsLeft--) {
		const error = await migrateOneByOne(new Migrator({ db, provider: { getMigrations } }));
		if (error === undefined) return;
		if (!transientCodes.has(getErrorCode(error) ?? "") || attemptsLeft === 1) throw error;
		await wait();
	}
}

/** Runs each migration in a separate transaction, so that its locks end with it. @returns the error of a failed migration. */
async function migrateOneByOne(migrator: Migrator): Promise<unknown> {
	for (;;) {
		const { error, results = [] } = await migrator.migrateUp();
		if (error !== undefined || results.length === 0) return error;
	}
}

/** SQLSTATE of `lock_timeout` and of a deadlock (postgresql.org/docs/18/errcodes-appendix.html). */
const transientCodes = new Set(["55P03", "40P01"]);

/** Compares the database's schema with this program's migrations. */
export async function getSchemaState(db: Database): Promise<"empty" | "older" | "usable"> {
	const { rows } = await sql<{ there: boolean }>`select to_regclass('kysely_migration') is not null as there`.execute(db);
	if (!rows[0]?.there) return "empty";
	const applied = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
	const names = new Set(applied.rows.map(({ name }) => name));
	return Object.keys(readMigrations()).every((name) => names.has(name)) ? "usable" : "older";
}

/** Milliseconds between two requests for the lock. */
const lockIntervalMs = 250;

/** Runs `prepare` while no other process runs it; the others wait for their turn, and log that they do. */
export async function withExclusiveLock(connection: pg.ClientConfig, log: Log, prepare: () => Promise<void>): Promise<void> {
	const client = new Client({ ...timeouts.queue, ...connection });
	await client.connect();
	try {
		// a lock of the transaction, because a pooler may switch sessions between transactions
		await client.query("begin; set local idle_in_transaction_session_timeout = 0");
		await takeLock(client, log);
		await prepare();
	} finally {
		// a server that does not answer makes this fail after its timeout, which closes the connection; then `end` does not wait for it
		await client.query("rollback").catch(() => {});
		await client.end();
	}
}

/** Polls: a statement that blocks on the lock would look like a server that no longer answers. */
async function takeLock(client: Client, log: Log): Promise<void> {
	for (let attempt = 1; ; attempt++) {
		const { rows } = await client.query("select pg_try_advisory_xact_lock($1) as locked", [advisoryLocks.preparation]);
		if (rows[0].locked) return;
		if (attempt === 1) log.warn("waits for another process that prepares the database");
		await setTimeout(lockIntervalMs);
	}
}

/** Returns the migrations of a folder in the order of their names. Only files in .sql count. */
export function readMigrations(folder = migrationsFolder): Record<string, Migration> {
	const files = readdirSync(folder)
		.filter((name) => name.endsWith(".sql"))
		.sort();
	return Object.fromEntries(
		files.map((name) => [
			name.replace(/\.sql$/, ""),
			{
				async up(db) {
					await sql.raw(`set local lock_timeout = ${lockTimeoutMs}`).execute(db);
					await sql.raw(readFileSync(new URL(name, folder), "utf8")).execute(db);
				},
			},
		]),
	);
}

/** Returns empty migrations for those of a newer program, which the migrator would report as missing. */
async function listNewerMigrations(db: Database, folder: URL): Promise<Record<string, Migration>> {
	const newest = Object.keys(readMigrations(folder)).at(-1) ?? "";
	const { rows } = await sql<{ name: string }>`select name from kysely_migration where name > ${newest}`.execute(db);
	return Object.fromEntries(rows.map(({ name }) => [name, { up: async () => {} }]));
}
