import { Kysely, sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../test/database.ts";
import { createLog } from "../observability/log.ts";
import { inContext } from "../observability/request-context.ts";
import { type Database, openDatabase } from "./database.ts";
import type { DB } from "./database-types.gen.ts";
import { createDialect, prepared, preparedQuery } from "./dialect.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
/** A pool of one connection, so that its prepared statements can be counted. */
let db: Database;
let pool: ReturnType<typeof openDatabase>["pool"];
beforeAll(async () => {
	database = await createTestDatabase();
	await sql`create table things (id integer primary key)`.execute(database.db);
});
afterAll(() => database?.close());
beforeEach(() => {
	({ db, pool } = openDatabase({ ...database.connection, max: 1 }, createLog("silent")));
});
afterEach(() => db.destroy());

async function countPrepared(): Promise<number> {
	const { rows } = await sql<{ known: number }>`select count(*)::integer as known from pg_prepared_statements`.execute(db);
	return rows[0]?.known ?? 0;
}

describe("a prepared statement", () => {
	const add = async (a: number, b: number, on = prepared(db)) =>
		(await sql<{ sum: number }>`select ${a}::integer + ${b} as sum`.execute(on)).rows[0];

	test("has one plan in each connection; other statements have none", async () => {
		expect(await add(1, 2)).toEqual({ sum: 3 });
		expect((await sql`select -${4}::integer as less`.execute(prepared(db))).rows).toEqual([{ less: -4 }]);
		expect(await add(5, 6)).toEqual({ sum: 11 });
		expect(await countPrepared()).toBe(2);
		await sql`select 1`.execute(db);
		await db.deleteFrom("job_processes").execute();
		expect(await countPrepared()).toBe(2);
	});

	test("may be built, also in a transaction, or already be written", async () => {
		for (const at of [1, 2])
			await db.transaction().execute(async (trx) => {
				const { numDeletedRows } = await prepared(trx).deleteFrom("job_processes").where("id", "=", crypto.randomUUID()).executeTakeFirst();
				expect(numDeletedRows).toBe(0n);
				expect((await trx.executeQuery(preparedQuery("select $1::integer as at", [at]))).rows).toEqual([{ at }]);
			});
		expect(await countPrepared()).toBe(2);
	});

	test("works again after an error", async () => {
		const divide = (by: number) => sql<{ result: number }>`select 6 / ${by}::integer as result`.execute(prepared(db));
		await expect(divide(0)).rejects.toThrow("division by zero");
		expect((await divide(2)).rows).toEqual([{ result: 3 }]);
	});

	test("has one name on a connection that two databases share", async () => {
		const other = new Kysely<DB>({ dialect: createDialect(pool) });
		expect((await sql`select 'other' as one`.execute(prepared(other))).rows).toEqual([{ one: "other" }]);
		expect(await add(1, 2)).toEqual({ sum: 3 });
		expect(await add(3, 4, prepared(other))).toEqual({ sum: 7 });
		expect(await countPrepared()).toBe(2);
	});

	test("does not fill the server's memory where its text varies, and known ones stay", async () => {
		await add(1, 2);
		for (let at = 0; at < 320; at++) expect((await sql`select ${sql.lit(at)} as at`.execute(prepared(db))).rows).toEqual([{ at }]);
		expect(await countPrepared()).toBe(300);
		expect(await add(2, 3)).toEqual({ sum: 5 });
		expect(await countPrepared()).toBe(300);
	});
});

test("a statement that is not prepared returns the columns that a migration added", async () => {
	await sql`create table grown (id integer)`.execute(db);
	const insert = async () => (await sql`insert into grown values (1) returning *`.execute(db)).rows;
	expect(await insert()).toEqual([{ id: 1 }]);
	await sql`alter table grown add name text`.execute(db);
	expect(await insert()).toEqual([{ id: 1, name: null }]);
});

describe("a transaction", () => {
	const countThings = async () =>
		(await sql<{ things: number }>`select count(*)::integer as things from things`.execute(db)).rows[0]?.things;

	test("is rolled back by a throw, and its connection goes on", async () => {
		const work = db.transaction().execute(async (trx) => {
			await sql`insert into things values (1)`.execute(trx);
			throw new Error("our own");
		});
		await expect(work).rejects.toThrow("our own");
		expect(await countThings()).toBe(0);
	});

	test("that goes on after a failed statement is not committed, and says so", async () => {
		const work = db.transaction().execute(async (trx) => {
			await sql`insert into things values (1)`.execute(trx);
			await sql`select 1 / 0`.execute(trx).catch(() => {});
		});
		await expect(work).rejects.toThrow("the transaction was rolled back");
		expect(await countThings()).toBe(0);
	});

	test("has the isolation that it asks for", async () => {
		const show = (trx: Database) => sql<{ level: string }>`select current_setting('transaction_isolation') as level`.execute(trx);
		expect((await db.transaction().execute(show)).rows).toEqual([{ level: "read committed" }]);
		expect((await db.transaction().setIsolationLevel("repeatable read").execute(show)).rows).toEqual([{ level: "repeatable read" }]);
	});

	test("whose connection is lost gives none back to the pool", async () => {
		const work = db.transaction().execute((trx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx));
		await expect(work).rejects.toThrow();
		expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
	});
});

test("changes count their rows, and other statements none", async () => {
	const change = async (text: string) => (await sql.raw(text).execute(db)).numAffectedRows;
	expect(await change("insert into things values (1), (2)")).toBe(2n);
	expect(await change("update things set id = id + 10")).toBe(2n);
	expect(await change("merge into things using (values (11)) as old (id) on things.id = old.id when matched then delete")).toBe(1n);
	expect(await change("select id from things")).toBeUndefined();
	expect(await change("delete from things")).toBe(1n);
});

test("a statement that waited for a connection carries its own request id; a prepared one none", async () => {
	const read = sql<{ query: string }>`select query from pg_stat_activity where pid = pg_backend_pid()`;
	const requests = ["first", "second", "third"];
	const results = await Promise.all(requests.map((request) => inContext({ request }, () => read.execute(db))));
	expect(results.map(({ rows }) => /\/\* request=(\w+) \*\/$/.exec(rows[0]?.query ?? "")?.[1])).toEqual(requests);
	const { rows } = await inContext({ request: "fourth" }, () => read.execute(prepared(db)));
	expect(rows[0]?.query).toMatch(/backend_pid\(\)$/);
});

test("statements are not streamed", async () => {
	await expect(db.selectFrom("orders").selectAll().stream()[Symbol.asyncIterator]().next()).rejects.toThrow("not streamed");
});
