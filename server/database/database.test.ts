import { type AddressInfo, connect, createServer } from "node:net";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTestDatabase } from "../../test/database.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { createRuntime } from "../create-runtime.ts";
import { parseEnvironment } from "../environment/environment.ts";
import type { JobKinds } from "../jobs.ts";
import { createLog } from "../observability/log.ts";
import { isDatabaseUnavailable, openDatabase } from "./database.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
	database = await createTestDatabase();
});
afterAll(() => database?.close());

test("a statement with its own settings is sent as it is", async () => {
	expect((await database.pool.query({ text: "select 1 as one", rowMode: "array" })).rows).toEqual([[1]]);
});

describe("isDatabaseUnavailable", () => {
	const failure = (code: string) => Object.assign(new Error("failed"), { code });
	// the last five: too many connections, full disk, no memory, disk failure, read-only
	const unavailableCodes = ["57P01", "57P02", "57P03", "08000", "08001", "08006", "53300", "53100", "53200", "58030", "25006"];
	// such as a cancelled statement, a duplicate value, a lock timeout
	const otherCodes = ["57014", "23505", "55P03", "40001", "22P02", "25001", "58P01"];

	test.each([...unavailableCodes.map((code) => [code, true] as const), ...otherCodes.map((code) => [code, false] as const)])(
		"%s: %s",
		(code, isUnavailable) => {
			expect(isDatabaseUnavailable(failure(code))).toBe(isUnavailable);
		},
	);

	test("recognises a lost connection by its message; other values are not errors", () => {
		for (const message of [
			"Connection terminated unexpectedly",
			"Client was closed and is not queryable",
			"Client has encountered a connection error and is not queryable",
			"timeout exceeded when trying to connect",
		])
			expect(isDatabaseUnavailable(new Error(message)), message).toBe(true);
		for (const other of [new Error("our own fault"), "Connection terminated", null, { code: "57P01" }])
			expect(isDatabaseUnavailable(other)).toBe(false);
	});

	test("is true when the network fails during a statement", async () => {
		const { host, port } = database.connection;
		const network = createServer((socket) => {
			const server = connect(`${host}/.s.PGSQL.${port}`);
			socket.pipe(server).pipe(socket);
			// resets the connection when the statement arrives
			socket.on("data", (data) => data.includes("pg_sleep") && socket.resetAndDestroy());
			for (const end of [socket, server]) end.on("error", () => server.destroy());
		});
		await new Promise<void>((ready) => network.listen(0, "127.0.0.1", ready));
		const { db } = openDatabase(
			{ ...database.connection, host: "127.0.0.1", port: (network.address() as AddressInfo).port },
			createLog("silent"),
		);
		const error = await sql`select pg_sleep(30)`.execute(db).catch((error) => error);
		expect(error).toMatchObject({ code: "ECONNRESET" });
		expect(isDatabaseUnavailable(error)).toBe(true);
		await db.destroy();
		network.close();
	});

	test("is true without a server and after a terminated connection, and the process goes on", async () => {
		const nowhere = openDatabase({ host: "/nowhere" }, createLog("silent"));
		expect(isDatabaseUnavailable(await sql`select 1`.execute(nowhere.db).catch((error) => error))).toBe(true);
		expect(isDatabaseUnavailable(await nowhere.pool.query("select 1").catch((error) => error))).toBe(true);
		await nowhere.db.destroy();

		const lines: { level: number; msg: string }[] = [];
		const { db } = openDatabase(
			{ ...database.connection, max: 1 },
			createLog("warn", { write: (line) => void lines.push(JSON.parse(line)) }),
		);
		const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid;
		const terminate = (pid: number | undefined) => sql`select pg_terminate_backend(${pid}::integer)`.execute(database.db);
		try {
			// between two statements
			await terminate(await pid());
			await vi.waitFor(() => expect(lines).toMatchObject([{ level: 40, msg: "a database connection was lost" }]), {
				timeout: scaledTimeout(10_000),
				interval: 10,
			});
			// and during a statement
			const secondPid = await pid();
			const statement = sql`select pg_sleep(30)`.execute(db).catch((error) => error);
			await vi.waitFor(
				async () => {
					const { rows } = await sql`select from pg_stat_activity where pid = ${secondPid} and wait_event = 'PgSleep'`.execute(database.db);
					expect(rows).toHaveLength(1);
				},
				{ timeout: scaledTimeout(10_000), interval: 10 },
			);
			await terminate(secondPid);
			expect(isDatabaseUnavailable(await statement)).toBe(true);
		} finally {
			await db.destroy();
		}
	});
});

test("the server ends an idle transaction, and its locks, after a minute", async () => {
	const { rows } = await sql<{ ms: number }>`
		select setting::integer as ms from pg_settings where name = 'idle_in_transaction_session_timeout'`.execute(database.db);
	expect(rows[0]?.ms).toBeGreaterThan(0);
	expect(rows[0]?.ms).toBeLessThanOrEqual(60_000);
});

test("the runtime ends slow statements, and closes after the last request", async () => {
	const parsed = parseEnvironment({ APP_SECRET: "a secret of the tests that is long enough to sign" });
	if (!parsed.ok) throw new Error("no environment");
	const log = createLog("silent");
	const { runtime, close } = await createRuntime(parsed.environment, database.connection, {} as JobKinds, {
		supervise: false,
		timeouts: { statement_timeout: 50, query_timeout: 10_000 },
		log,
	});
	await expect(sql`select pg_sleep(30)`.execute(runtime.db)).rejects.toThrow("statement timeout");
	// without a replica, the primary answers all reads
	expect([runtime.readDb, runtime.replica]).toEqual([runtime.db, undefined]);
	expect(runtime.closing.aborted).toBe(false);
	// streams end first; the database answers until the last request has ended
	const order: string[] = [];
	const { stop } = runtime.jobs;
	runtime.jobs.stop = (timeoutMs) => {
		order.push("the jobs stop");
		return stop(timeoutMs);
	};
	const lastRequest = async () => {
		await new Promise((ended) => runtime.closing.addEventListener("abort", ended, { once: true }));
		expect((await sql<{ one: number }>`select 1 as one`.execute(runtime.db)).rows).toEqual([{ one: 1 }]);
		order.push("the last request ends");
	};
	await close(1000, lastRequest());
	expect(order).toEqual(["the last request ends", "the jobs stop"]);
	await expect(sql`select 1`.execute(runtime.db)).rejects.toThrow();
});
