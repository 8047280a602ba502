import { type AddressInfo, connect, createServer } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTestDatabase } from "../../test/database.ts";
import { createRuntime } from "../create-runtime.ts";
import { parseEnvironment } from "../environment/environment.ts";
import { createLog } from "../observability/log.ts";
import { inContext } from "../observability/request-context.ts";
import { type Database, isDatabaseUnavailable, openDatabase, prepared, preparedMark } from "./database.ts";

let made: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
	made = await createTestDatabase();
});
afterAll(() => made?.close());

test("a statement that is planned once is known by its name from then on, and so is each other one", async () => {
	const { db } = openDatabase({ ...made.connection, max: 1 }, createLog("silent"));
	const add = async (a: number, b: number) =>
		(await sql<{ sum: number }>`${prepared} select ${a}::integer + ${b} as sum`.execute(db)).rows[0];
	const negate = async (a: number) => (await sql<{ less: number }>`${prepared} select -${a}::integer as less`.execute(db)).rows[0];
	try {
		expect(await add(1, 2)).toEqual({ sum: 3 });
		expect(await negate(4)).toEqual({ less: -4 });
		expect(await add(5, 6)).toEqual({ sum: 11 });
		expect(await known(db)).toBe(2);
		await sql`select 1`.execute(db);
		expect(await known(db)).toBe(2);
	} finally {
		await db.destroy();
	}
});

async function known(db: Database): Promise<number> {
	const { rows } = await sql<{ known: number }>`select count(*)::integer as known from pg_prepared_statements`.execute(db);
	return rows[0]?.known ?? 0;
}

test("a statement that is planned once fails as any other, and goes on after", async () => {
	const divide = (by: number) => sql<{ result: number }>`${prepared} select 6 / ${by}::integer as result`.execute(made.db);
	await expect(divide(0)).rejects.toThrow("division by zero");
	expect((await divide(2)).rows).toEqual([{ result: 3 }]);
});

test("a statement that gives whole rows back is planned anew, for a migration may add a column meanwhile", async () => {
	const { db } = openDatabase({ ...made.connection, max: 1 }, createLog("silent"));
	try {
		await sql`create table things (id integer)`.execute(db);
		const add = async () => (await sql`insert into things values (1) returning *`.execute(db)).rows;
		expect(await add()).toEqual([{ id: 1 }]);
		await sql`alter table things add name text`.execute(db);
		expect(await add()).toEqual([{ id: 1, name: null }]);
		// what writes and names its columns is planned once
		for (const id of [2, 3]) await sql`update things set id = ${id} returning id`.execute(db);
		expect(await known(db)).toBe(1);

		// a statement that differs each time does not fill the server's memory
		for (let at = 0; at < 320; at++) await sql.raw(`${preparedMark} select ${at}`).execute(db);
		expect(await known(db)).toBeLessThanOrEqual(300);
		// those that are known are planned once all the same
		await sql`update things set id = ${4} returning id`.execute(db);
		expect(await known(db)).toBeLessThanOrEqual(300);
	} finally {
		await db.destroy();
	}
});

describe("the database is away", () => {
	const failure = (code: string) => Object.assign(new Error("failed"), { code });
	// the last ones: too many connections, a full disk, no memory, a disk that fails, a database that is read-only
	const away = ["57P01", "57P02", "57P03", "08000", "08001", "08006", "53300", "53100", "53200", "58030", "25006"];
	// a statement that was cancelled, a value that is there already, a lock that was not had
	const oursToMend = ["57014", "23505", "55P03", "40001", "22P02", "25001", "58P01"];

	test.each([...away.map((code) => [code, true] as const), ...oursToMend.map((code) => [code, false] as const)])(
		"%s: %s",
		(code, isAway) => {
			expect(isDatabaseUnavailable(failure(code))).toBe(isAway);
		},
	);

	test("a connection that ended says so in words alone; what is no error is none", () => {
		for (const words of [
			"Connection terminated unexpectedly",
			"Client was closed and is not queryable",
			"Client has encountered a connection error and is not queryable",
		])
			expect(isDatabaseUnavailable(new Error(words)), words).toBe(true);
		for (const other of [new Error("our own fault"), "Connection terminated", null, { code: "57P01" }])
			expect(isDatabaseUnavailable(other)).toBe(false);
	});

	test("a network that breaks under a statement", async () => {
		const { host, port } = made.connection;
		const network = createServer((socket) => {
			const server = connect(`${host}/.s.PGSQL.${port}`);
			socket.pipe(server).pipe(socket);
			// once the statement has come, the connection is reset
			socket.on("data", (data) => data.includes("pg_sleep") && socket.resetAndDestroy());
			for (const end of [socket, server]) end.on("error", () => server.destroy());
		});
		await new Promise<void>((ready) => network.listen(0, "127.0.0.1", ready));
		const { db } = openDatabase(
			{ ...made.connection, host: "127.0.0.1", port: (network.address() as AddressInfo).port },
			createLog("silent"),
		);
		const error = await sql`select pg_sleep(30)`.execute(db).catch((error) => error);
		expect(error).toMatchObject({ code: "ECONNRESET" });
		expect(isDatabaseUnavailable(error)).toBe(true);
		await db.destroy();
		network.close();
	});

	test("no server, and a server that ends a connection: told as such, and this process goes on", async () => {
		const nowhere = openDatabase({ host: "/nowhere" }, createLog("silent"));
		expect(isDatabaseUnavailable(await sql`select 1`.execute(nowhere.db).catch((error) => error))).toBe(true);
		expect(isDatabaseUnavailable(await nowhere.pool.query("select 1").catch((error) => error))).toBe(true);
		await nowhere.db.destroy();

		const lines: { level: number; msg: string }[] = [];
		const { db } = openDatabase({ ...made.connection, max: 1 }, createLog("warn", { write: (line) => void lines.push(JSON.parse(line)) }));
		const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;
		const end = (ended: number | undefined) => sql`select pg_terminate_backend(${ended}::integer)`.execute(made.db);
		try {
			// between two statements
			await end(await pid());
			await vi.waitFor(() => expect(lines).toMatchObject([{ level: 40, msg: "a database connection was lost" }]), { interval: 10 });
			// and under a statement
			const again = await pid();
			const under = sql`select pg_sleep(30)`.execute(db).catch((error) => error);
			await vi.waitFor(
				async () => {
					const { rows } = await sql`select from pg_stat_activity where pid = ${again} and wait_event = 'PgSleep'`.execute(made.db);
					expect(rows).toHaveLength(1);
				},
				{ interval: 10 },
			);
			await end(again);
			expect(isDatabaseUnavailable(await under)).toBe(true);
		} finally {
			await db.destroy();
		}
	});
});

test("a transaction whose process hangs lets go of its locks after a minute", async () => {
	const { rows } = await sql<{ ms: number }>`
		select setting::integer as ms from pg_settings where name = 'idle_in_transaction_session_timeout'`.execute(made.db);
	expect(rows[0]?.ms).toBeGreaterThan(0);
	expect(rows[0]?.ms).toBeLessThanOrEqual(60_000);
});

test("nobody waits for a page longer than its statements may take", async () => {
	const parsed = parseEnvironment({ APP_SECRET: "a secret of the tests that is long enough to sign" });
	if (!parsed.ok) throw new Error("no environment");
	const log = createLog("silent");
	const { runtime, close } = await createRuntime(parsed.environment, made.connection, [], {
		supervise: false,
		timeouts: { statement_timeout: 50, query_timeout: 10_000 },
		log,
	});
	await expect(sql`select pg_sleep(30)`.execute(runtime.db)).rejects.toThrow("statement timeout");
	// where no replica is set, the primary answers all reads
	expect([runtime.readDb, runtime.replica]).toEqual([runtime.db, undefined]);
	expect(runtime.closing.aborted).toBe(false);
	// streams end first, and what is asked of the database until the last answer is still answered
	const order: string[] = [];
	const { stop } = runtime.jobs;
	runtime.jobs.stop = (timeoutMs) => {
		order.push("the jobs stop");
		return stop(timeoutMs);
	};
	const lastAnswer = async () => {
		await new Promise((ended) => runtime.closing.addEventListener("abort", ended, { once: true }));
		expect((await sql<{ one: number }>`select 1 as one`.execute(runtime.db)).rows).toEqual([{ one: 1 }]);
		order.push("the last request is answered");
	};
	await close(1000, lastAnswer());
	expect(order).toEqual(["the last request is answered", "the jobs stop"]);
	await expect(sql`select 1`.execute(runtime.db)).rejects.toThrow();
});

test("a statement that waited for a connection names its own request, and not that of whoever had the connection", async () => {
	const { pool } = openDatabase({ ...made.connection, max: 1 }, createLog("silent"));
	const names = ["first", "second", "third"];
	const ask = (request: string) =>
		inContext({ request }, () => pool.query<{ query: string }>("select query from pg_stat_activity where pid = pg_backend_pid()"));
	const seen = await Promise.all(names.map(ask));
	await pool.end();
	expect(seen.map(({ rows }) => /\/\* request=(\w+) \*\/$/.exec(rows[0]?.query ?? "")?.[1])).toEqual(names);
});
