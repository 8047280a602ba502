import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import type { Migration } from "kysely/migration";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase } from "../../test/database.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { createLog } from "../observability/log.ts";
import { getSchemaState, migrate, readMigrations, withExclusiveLock } from "./migrate.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
/** @returns a folder with copies of the shop's migrations, to which a test adds others. */
function copyMigrations(): string {
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-migrations-"));
	const real = new URL("../../db/migrations/", import.meta.url);
	for (const name of readdirSync(real)) copyFileSync(new URL(name, real), join(folder, name));
	return folder;
}

beforeAll(async () => {
	database = await createTestDatabase();
});
afterAll(() => database?.close());

test("a program starts on a newer schema and does not change it", async () => {
	const { db } = database;
	await sql`insert into kysely_migration values ('9999_of_a_newer_program', now()::text)`.execute(db);
	await migrate(db);
	const { rows } = await sql`delete from kysely_migration where name = '9999_of_a_newer_program' returning name`.execute(db);
	expect(rows).toHaveLength(1);
});

test("a program does not start on a schema with an unknown migration among its own", async () => {
	const { db } = database;
	await sql`insert into kysely_migration values ('0002_of_another_branch', now()::text)`.execute(db);
	await expect(migrate(db)).rejects.toThrow("The database has the migration 0002_of_another_branch, which this program lacks.");
	await expect(getSchemaState(db)).rejects.toThrow("0002_of_another_branch");
	await sql`delete from kysely_migration where name = '0002_of_another_branch'`.execute(db);
});

test("a program does not start on a schema that lacks a migration before the last one", async () => {
	const { db } = database;
	const { rows } = await sql<{ timestamp: string }>`delete from kysely_migration where name = '0002_payments' returning timestamp`.execute(
		db,
	);
	await expect(migrate(db)).rejects.toThrow("The database lacks the migration 0002_payments, although it has the later 0003_fulfilment.");
	await sql`insert into kysely_migration values ('0002_payments', ${rows[0]?.timestamp})`.execute(db);
});

test("a failed migration stops the start and is not recorded", async () => {
	const { db } = database;
	// the tables of these migrations exist already
	const removed = await sql<{ name: string; timestamp: string }>`
		delete from kysely_migration where name >= '0009' returning name, timestamp`.execute(db);
	expect(removed.rows.length).toBeGreaterThan(0);
	await expect(migrate(db)).rejects.toThrow(/^The migration 0009_search failed: .* already exists/);
	const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(db);
	expect(rows[0]?.name).toBe("0008_companies");
	for (const { name, timestamp } of removed.rows) await sql`insert into kysely_migration values (${name}, ${timestamp})`.execute(db);
});

test("each migration runs in a separate transaction", async () => {
	const { db, pool } = database;
	const folder = copyMigrations();
	writeFileSync(join(folder, "9000_one.sql"), "create table one_of_two (id integer)");
	writeFileSync(join(folder, "9001_other.sql"), "select 1 / 0");
	try {
		await expect(migrate(db, { folder: pathToFileURL(`${folder}/`) })).rejects.toThrow("division by zero");
		expect((await pool.query("select from kysely_migration where name = '9000_one'")).rowCount).toBe(1);
		await pool.query("drop table one_of_two; delete from kysely_migration where name = '9000_one'");
	} finally {
		rmSync(folder, { recursive: true });
	}
});

test("withExclusiveLock lets processes prepare a database one by one, even after a failure", async () => {
	const { connection } = database;
	let running = 0;
	const counts: number[] = [];
	const prepare = (fails: boolean) =>
		// the server's limit on idle transactions must not end the lock of a long migration
		withExclusiveLock({ ...connection, idle_in_transaction_session_timeout: 5 }, createLog("silent"), async () => {
			counts.push(++running);
			await new Promise((done) => setTimeout(done, 20));
			running--;
			if (fails) throw new Error("this one fails");
		});
	const results = await Promise.allSettled([prepare(true), prepare(false), prepare(true), prepare(false)]);
	expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled"]);
	expect(counts).toEqual([1, 1, 1, 1]);
});

test("a migration that waits for a lock lets requests pass and is tried again", async () => {
	const { db, pool } = database;
	const folder = copyMigrations();
	// a shorter timeout than the usual five seconds
	writeFileSync(join(folder, "9000_locks.sql"), "set local lock_timeout = 50; alter table orders add column locked_for integer;");
	const holder = await pool.connect();
	await holder.query("begin; select from orders; lock table orders in access share mode");
	let waited = 0;
	const wait = async () => {
		// the waiting migration must not block this query
		await pool.query("select count(*) from orders");
		if (++waited === 2) await holder.query("rollback");
	};
	try {
		await migrate(db, { folder: pathToFileURL(`${folder}/`), wait });
		expect(waited).toBe(2);
		expect((await pool.query("select locked_for from orders")).rows).toEqual([]);
		await pool.query("alter table orders drop column locked_for; delete from kysely_migration where name = '9000_locks'");

		await holder.query("begin; lock table orders in access share mode");
		let attempts = 0;
		await expect(
			migrate(db, {
				folder: pathToFileURL(`${folder}/`),
				wait: async () => {
					attempts++;
				},
			}),
		).rejects.toThrow("lock timeout");
		expect(attempts).toBe(9);
	} finally {
		await holder.query("rollback");
		holder.release();
		rmSync(folder, { recursive: true });
	}
});

test("a migration that deadlocks with a request is tried again", async () => {
	const { db, pool } = database;
	const folder = copyMigrations();
	const lockExists = (table: string, condition: string) =>
		`exists (select from pg_locks where relation = '${table}'::regclass and pid <> pg_backend_pid() and ${condition})`;
	// the migration takes its second lock when the request waits for its first one, and detects the deadlock first
	writeFileSync(
		join(folder, "9000_deadlocks.sql"),
		`set local deadlock_timeout = 10; lock table orders in access exclusive mode;
		do $$ begin while ${lockExists("payments", "granted and mode = 'AccessExclusiveLock'")} and not ${lockExists("orders", "not granted")}
			loop perform pg_sleep(0.01); end loop; end $$;
		lock table payments in access exclusive mode;`,
	);
	const holder = await pool.connect();
	await holder.query("begin; lock table payments in access exclusive mode");
	let attempts = 0;
	try {
		const migrated = migrate(db, {
			folder: pathToFileURL(`${folder}/`),
			wait: async () => {
				attempts++;
				await request;
				await holder.query("rollback");
			},
		});
		await vi.waitFor(
			async () =>
				expect((await pool.query(`select where ${lockExists("orders", "granted and mode = 'AccessExclusiveLock'")}`)).rowCount).toBe(1),
			scaledTimeout(20_000),
		);
		const request = holder.query("lock table orders in access share mode");
		await migrated;
		await request;
		expect(attempts).toBe(1);
		await pool.query("delete from kysely_migration where name = '9000_deadlocks'");
	} finally {
		await holder.query("rollback");
		holder.release();
		rmSync(folder, { recursive: true });
	}
});

test("a migration waits for a lock for five seconds at most", async () => {
	const { db } = database;
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-migrations-"));
	writeFileSync(join(folder, "0001_a.sql"), "create temp table seen on commit drop as select current_setting('lock_timeout') as value");
	try {
		const { up } = readMigrations(pathToFileURL(`${folder}/`))["0001_a"] as Migration;
		await db.transaction().execute(async (trx) => {
			await up(trx);
			expect((await sql`select value from seen`.execute(trx)).rows).toEqual([{ value: "5s" }]);
		});
	} finally {
		rmSync(folder, { recursive: true });
	}
});

test("getSchemaState compares the schema with the program", async () => {
	const { db, pool } = database;
	expect(await getSchemaState(db)).toBe("usable");
	await pool.query("insert into kysely_migration values ('9999_of_a_newer_program', now()::text)");
	expect(await getSchemaState(db)).toBe("usable");
	await pool.query("delete from kysely_migration where name = '9999_of_a_newer_program'");
	const { rows } = await pool.query("delete from kysely_migration where name = (select max(name) from kysely_migration) returning *");
	expect(await getSchemaState(db)).toBe("older");
	await pool.query("insert into kysely_migration values ($1, $2)", [rows[0].name, rows[0].timestamp]);
	await pool.query("alter table kysely_migration rename to aside");
	expect(await getSchemaState(db)).toBe("empty");
	await pool.query("alter table aside rename to kysely_migration");
});

test("only files in .sql are migrations", () => {
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-migrations-"));
	try {
		for (const name of ["0002_b.sql", "0001_a.sql", ".0001_a.sql.swp", ".DS_Store"]) writeFileSync(join(folder, name), "");
		expect(Object.keys(readMigrations(pathToFileURL(`${folder}/`)))).toEqual(["0001_a", "0002_b"]);
	} finally {
		rmSync(folder, { recursive: true });
	}
});
