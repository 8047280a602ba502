import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type pg from "pg";
import type { Log } from "../observability/log.ts";
import { getErrorCode, toError } from "../types/errors.ts";
import { adoptSchema, assertAdoptable, formatMigrations, hasReplacedMigrations, unknownTodo } from "./adopt-schema.ts";
import { advisoryLocks } from "./advisory-locks.ts";
import { Client, type Database, isDatabaseUnavailable, timeouts } from "./database.ts";
import { SchemaError } from "./schema-error.ts";

const migrationsFolder = new URL("../../db/migrations/", import.meta.url);

/** Milliseconds. While a migration waits for a lock, requests queue behind it. */
const lockTimeoutMs = 5000;
/** A migration tries this often to take its locks, and lets requests pass in between. */
const maxAttempts = 10;
const retryDelayMs = 3000;

/**
 * Migrates the schema to the newest version, under the migrator's lock. A newer schema stays as it is, so that the previous program can
 * restart during a deployment. A migration that times out on a lock, or deadlocks, is tried again.
 * @throws SchemaError when the schema is not an earlier one of this program, or a migration fails.
 */
export async function migrate(
	db: Database,
	{ folder = migrationsFolder, wait = (): Promise<void> => setTimeout(retryDelayMs) } = {},
): Promise<void> {
	for (let attemptsLeft = maxAttempts; ; attemptsLeft--) {
		const failure = await migrateOneByOne(db, folder);
		if (failure === undefined) return;
		const { error, name } = failure;
		if (!transientCodes.has(getErrorCode(error) ?? "") || attemptsLeft === 1) {
			if (error instanceof SchemaError || isDatabaseUnavailable(error)) throw error;
			throw new SchemaError(`The migration ${name} failed: ${toError(error).message}.`, failureTodo, { cause: error });
		}
		await wait();
	}
}

const failureTodo = "Correct what it names and run npm run db:migrate again. The migrations before it are applied.";

/**
 * Runs each migration in a separate transaction, so that its locks end with it.
 * @returns the error of a failed migration, and its name.
 * @throws SchemaError when the schema is not an earlier one of this program.
 */
async function migrateOneByOne(db: Database, folder: URL): Promise<{ error: unknown; name: string } | undefined> {
	const applied = await listApplied(db);
	if (hasReplacedMigrations(applied)) {
		try {
			await adoptSchema(db, readTexts(folder), { lockTimeoutMs });
		} catch (error) {
			return { error, name: "to this version" };
		}
	} else assertOrder(applied, listNames(folder));
	const getMigrations = async () => ({ ...readMigrations(folder), ...(await listNewerMigrations(db, folder)) });
	// the order is checked above
	const migrator = new Migrator({ db, provider: { getMigrations }, allowUnorderedMigrations: true });
	for (;;) {
		const { error, results = [] } = await migrator.migrateUp();
		if (error !== undefined) return { error, name: results.find(({ status }) => status === "Error")?.migrationName ?? "" };
		if (results.length === 0) return;
	}
}

/** SQLSTATE of `lock_timeout` and of a deadlock (postgresql.org/docs/18/errcodes-appendix.html). */
const transientCodes = new Set(["55P03", "40P01"]);

/**
 * Compares the database's schema with this program's migrations.
 * @throws SchemaError when it is neither empty, nor an earlier one of this program, nor a newer one.
 */
export async function getSchemaState(db: Database): Promise<"empty" | "older" | "usable"> {
	const applied = await listApplied(db);
	if (applied.length === 0) return "empty";
	if (hasReplacedMigrations(applied)) {
		assertAdoptable(applied);
		return "older";
	}
	const names = listNames();
	assertOrder(applied, names);
	return names.every((name) => applied.includes(name)) ? "usable" : "older";
}

/** @throws SchemaError unless the applied migrations are the first ones of this program, or all of them and newer ones. */
function assertOrder(applied: readonly string[], names: readonly string[]): void {
	const newest = names.at(-1) ?? "";
	const unknown = applied.filter((name) => name <= newest && !names.includes(name));
	if (unknown.length > 0) throw new SchemaError(`The database has ${formatMigrations(unknown)}, which this program lacks.`, unknownTodo);
	const missing = names.find((name) => !applied.includes(name));
	const later = applied.toSorted().find((name) => missing !== undefined && name > missing);
	if (later !== undefined)
		throw new SchemaError(`The database lacks the migration ${missing}, although it has the later ${later}.`, unknownTodo);
}

/** @returns the names of the migrations that were applied. */
async function listApplied(db: Database): Promise<string[]> {
	const { rows } = await sql<{ there: boolean }>`select to_regclass('kysely_migration') is not null as there`.execute(db);
	if (!rows[0]?.there) return [];
	const applied = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
	return applied.rows.map(({ name }) => name);
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

/** Returns the migrations of a folder in the order of their names. */
export function readMigrations(folder = migrationsFolder): Record<string, Migration> {
	return Object.fromEntries(
		[...readTexts(folder)].map(([name, text]) => [
			name,
			{
				async up(db) {
					await sql.raw(`set local lock_timeout = ${lockTimeoutMs}`).execute(db);
					await sql.raw(text).execute(db);
				},
			},
		]),
	);
}

/** @returns the SQL of each migration by its name, in the order of the names. */
export const readTexts = (folder = migrationsFolder): Map<string, string> =>
	new Map(listNames(folder).map((name) => [name, readFileSync(new URL(`${name}.sql`, folder), "utf8")]));

/** @returns the names of the migrations of a folder in their order. Only files in .sql count. */
const listNames = (folder = migrationsFolder): string[] =>
	readdirSync(folder)
		.filter((name) => name.endsWith(".sql"))
		.sort()
		.map((name) => name.replace(/\.sql$/, ""));

/** Returns empty migrations for those of a newer program, which the migrator would report as missing. */
async function listNewerMigrations(db: Database, folder: URL): Promise<Record<string, Migration>> {
	const newest = listNames(folder).at(-1) ?? "";
	const { rows } = await sql<{ name: string }>`select name from kysely_migration where name > ${newest}`.execute(db);
	return Object.fromEntries(rows.map(({ name }) => [name, { up: async () => {} }]));
}
