import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate, migrations, oneAtATime } from "./migrate.ts";
import { testDatabase } from "./test-database.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
beforeAll(async () => {
	database = await testDatabase();
});
afterAll(() => database?.close());

test("a program starts on a schema that a newer one has brought further, and leaves it", async () => {
	const { db } = database;
	await sql`insert into kysely_migration values ('9999_of_a_newer_program', now()::text)`.execute(db);
	await migrate(db);
	const { rows } = await sql`delete from kysely_migration where name = '9999_of_a_newer_program' returning name`.execute(db);
	expect(rows).toHaveLength(1);
});

test("a program does not start on a schema that was brought elsewhere by a migration that it does not know", async () => {
	const { db } = database;
	// brought in where its name stands, so that the order of all is right
	await sql`
		insert into kysely_migration select '0002_of_another_branch', timestamp from kysely_migration where name = '0002_companies'`.execute(
		db,
	);
	await expect(migrate(db)).rejects.toThrow("0002_of_another_branch");
	await sql`delete from kysely_migration where name = '0002_of_another_branch'`.execute(db);
});

test("a migration that fails stops the start, and does not count as brought in", async () => {
	const { db } = database;
	// what these make is there already
	const removed = await sql`delete from kysely_migration where name >= '0012' returning name`.execute(db);
	expect(removed.rows.length).toBeGreaterThan(0);
	await expect(migrate(db)).rejects.toThrow("already exists");
	const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(db);
	expect((rows[0]?.name ?? "9") < "0012").toBe(true);
});

test("processes that prepare one database do it one after the other, also after one that failed", async () => {
	const { connection } = database;
	let working = 0;
	const most: number[] = [];
	const prepare = (fails: boolean) =>
		// a server's own limit on idle transactions does not end the lock of a long migration
		oneAtATime({ ...connection, idle_in_transaction_session_timeout: 5 }, async () => {
			most.push(++working);
			await new Promise((done) => setTimeout(done, 20));
			working--;
			if (fails) throw new Error("this one fails");
		});
	const done = await Promise.allSettled([prepare(true), prepare(false), prepare(true), prepare(false)]);
	expect(done.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled"]);
	expect(most).toEqual([1, 1, 1, 1]);
});

test("only what ends in .sql is a migration", () => {
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-migrations-"));
	try {
		for (const name of ["0002_b.sql", "0001_a.sql", ".0001_a.sql.swp", ".DS_Store"]) writeFileSync(join(folder, name), "");
		expect(Object.keys(migrations(pathToFileURL(`${folder}/`)))).toEqual(["0001_a", "0002_b"]);
	} finally {
		rmSync(folder, { recursive: true });
	}
});
