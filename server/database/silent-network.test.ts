import { readdirSync, readFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { sql } from "kysely";
import type pg from "pg";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createTestDatabase } from "../../test/database.ts";
import { type BreakableNetwork, createBreakableNetwork } from "../../test/network.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { startHeartbeat } from "../heartbeat.ts";
import { startJobs } from "../jobs.ts";
import { createLog } from "../observability/log.ts";
import { prepareDatabase } from "../start/prepare-database.ts";
import { listenForChanges } from "./changes.ts";
import { isDatabaseUnavailable, openDatabase } from "./database.ts";
import { prepared } from "./dialect.ts";
import { getSchemaState, migrate, withExclusiveLock } from "./migrate.ts";

/** A dead server, or a network that drops packets, sends nothing: without timeouts, clients would wait for a quarter of an hour. */

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let network: BreakableNetwork;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
	database = await createTestDatabase();
	return () => database.close();
});
beforeEach(async () => {
	network = await createBreakableNetwork(database.connection);
});
afterEach(async () => {
	vi.useRealTimers();
	vi.restoreAllMocks();
	for (const close of closing.splice(0).reverse()) await close();
	await network.close();
});

const quickly = { query_timeout: scaledTimeout(35), max: 1 };

function openPool(settings: pg.PoolConfig = quickly) {
	const opened = openDatabase({ ...network.connection, ...settings }, createLog("silent"));
	closing.push(() => opened.db.destroy());
	return opened;
}

test.each<[string, (opened: ReturnType<typeof openPool>) => Promise<unknown>]>([
	["a statement", ({ db }) => sql`select 1`.execute(db)],
	["a transaction", ({ db }) => db.transaction().execute(async (trx) => (await sql`select 1`.execute(trx)).rows)],
	["a statement of the queue or of a limit", ({ pool }) => pool.query("select 1")],
	["a prepared statement", ({ db }) => prepared(db).deleteFrom("job_processes").execute()],
])("%s without an answer fails as unavailable, and the next one uses another connection", async (_, ask) => {
	const opened = openPool();
	await ask(opened);
	network.silence();
	const error = await ask(opened).catch((error) => error);
	expect(error).toBeInstanceOf(Error);
	expect(isDatabaseUnavailable(error)).toBe(true);
	await ask(opened);
});

test("a transaction whose server becomes silent fails and loses its connection", async () => {
	const opened = openPool();
	const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(opened.db)).rows[0]?.pid;
	const before = await pid();
	const error = await opened.db
		.transaction()
		.execute(async (trx) => {
			await sql`select 1`.execute(trx);
			network.silence();
			await sql`select 2`.execute(trx);
		})
		.catch((error) => error);
	expect(isDatabaseUnavailable(error)).toBe(true);
	expect(await pid()).not.toBe(before);
});

test("a connection that the server dropped stays open at our end until the shop closes it", async () => {
	const { pool } = openPool();
	const client = await pool.connect();
	const { rows } = await client.query("select pg_backend_pid() as pid");
	network.silence(0);
	const findBackend = () => database.pool.query("select from pg_stat_activity where pid = $1", [rows[0].pid]);
	await vi.waitUntil(async () => (await findBackend()).rowCount === 0, scaledTimeout(5000));
	expect(network.countSilent()).toBe(1);
	client.release(true);
	await vi.waitUntil(() => network.countSilent() === 0, scaledTimeout(5000));
});

test("each connection has TCP keep-alive, which detects a dead idle connection", async () => {
	const keepAlive = vi.spyOn(Socket.prototype, "setKeepAlive");
	await openPool().pool.query("select 1");
	expect(keepAlive).toHaveBeenCalledWith(true, 10_000);
});

test("all code uses the class Client, which has timeouts", () => {
	const files = [
		"main.ts",
		...["app", "server"].flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))),
	]
		.filter((file) => file.endsWith(".ts") && !/test/.test(file))
		.filter((file) => /new pg\.(Client|Pool)\(/.test(readFileSync(file, "utf8")));
	// these make the pool of such clients, parse a URL, or ask a host whether it accepts writes
	expect(files.sort()).toEqual([
		"server/database/database.ts",
		"server/database/primary.ts",
		"server/environment/insecure-settings.ts",
		"server/environment/variables.ts",
	]);
});

test("listenForChanges reconnects when the server becomes silent", async () => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	const lines: { msg: string; reason?: string }[] = [];
	const changes = listenForChanges(network.connection, createLog("warn", { write: (line) => void lines.push(JSON.parse(line)) }));
	closing.push(() => changes.stop());
	let notifications = 0;
	changes.subscribe("a company", () => notifications++);
	// the clock runs fast only while nothing can answer: a slow machine must not look like a silent server
	const notified = (count: number) => vi.waitUntil(() => notifications >= count, scaledTimeout(5000));
	await notified(1);
	network.silence();
	while (lines.length === 0) await vi.advanceTimersByTimeAsync(1000);
	await vi.advanceTimersByTimeAsync(1000);
	await notified(2);
	expect(lines).toMatchObject([{ msg: "the live updates lost their connection", reason: "Query read timeout" }]);
	await sql`select pg_notify('changes', 'a company')`.execute(database.db);
	await notified(3);
	expect(notifications).toBe(3);
});

test("a process that starts prepares the database again when its connections became silent", async () => {
	const countLocks = async () => {
		const { rowCount } = await database.pool.query(
			"select from pg_locks join pg_database on pg_database.oid = database where locktype = 'advisory' and datname = current_database()",
		);
		return rowCount;
	};
	expect(await countLocks()).toBe(0);
	const connection = { ...network.connection, query_timeout: scaledTimeout(700) };
	let attempts = 0;
	await prepareDatabase(connection, { log: createLog("silent"), dataDir: null }, async (db) => {
		attempts++;
		await migrate(db);
		if (attempts === 1) network.silence(0);
		expect(await getSchemaState(db)).toBe("usable");
	});
	expect(attempts).toBe(2);
	await vi.waitUntil(async () => (await countLocks()) === 0, scaledTimeout(5000));
});

test.each([
	["has its turn after it", false],
	["notices that the server becomes silent", true],
])("a process that waits for the preparation of another %s", async (_, becomesSilent) => {
	const connection = { ...network.connection, query_timeout: scaledTimeout(170) };
	const log = createLog("silent");
	const prepared: string[] = [];
	let waiting: Promise<unknown> | undefined;
	/** Whether it has waited for longer than one statement may take. */
	const hasWaited = async () => {
		const { rows } = await database.pool.query(
			`select count(*)::int as waiting from pg_stat_activity
			where datname = current_database() and query like '%pg_try_advisory_xact_lock%' and now() - xact_start > $1 * interval '1 ms'`,
			[2 * connection.query_timeout],
		);
		return rows[0].waiting === 2; // with the holder, whose transaction is as old
	};
	await withExclusiveLock(database.connection, log, async () => {
		waiting = withExclusiveLock(connection, log, async () => void prepared.push("the other")).catch((error) => error);
		await vi.waitUntil(hasWaited, scaledTimeout(20_000));
		if (becomesSilent) {
			network.silence(0);
			expect(isDatabaseUnavailable(await waiting)).toBe(true);
		}
		prepared.push("the first");
	});
	await waiting;
	expect(prepared).toEqual(becomesSilent ? ["the first"] : ["the first", "the other"]);
});

test("the queue goes on after its connections became silent", async () => {
	// on a busy machine several statements in a row may end at their limit, and each may have taken the job
	const kinds = { "after-silence": { key: ({ id }: { id: string }) => id, retryLimit: 20, concurrency: 1 } };
	const jobs = await startJobs({ ...network.connection, query_timeout: scaledTimeout(100) }, kinds, createLog("silent"), {
		supervise: true,
	});
	closing.push(() => jobs.stop(1000));
	const later = await startJobs(database.connection, kinds, createLog("silent"), { supervise: false });
	closing.push(() => later.stop(1000));
	const done: string[] = [];
	await jobs.work("after-silence", async ({ id }) => void done.push(id));
	const send = (id: string) => database.db.transaction().execute((trx) => later.send(trx, "after-silence", { id }));
	await send("before");
	await vi.waitFor(() => expect(done).toContain("before"), { timeout: scaledTimeout(20_000), interval: 20 });
	network.silence();
	await send("after");
	await vi.waitFor(() => expect(done).toContain("after"), { timeout: scaledTimeout(20_000), interval: 20 });
});

test("a process ends when it cannot write its heartbeat for a minute", async () => {
	// without query_timeout, so that a failed heartbeat is not retried
	const { pool } = openPool({ max: 1 });
	vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance", "Date"] });
	const lines: { level: number; seconds: number }[] = [];
	const log = createLog("fatal", { write: (line) => void lines.push(JSON.parse(line)) });
	const end = vi.fn();
	const lastHeartbeat = async () =>
		(await sql<{ at: Date }>`select seen_at as at from job_processes`.execute(database.db)).rows[0]?.at.getTime();
	const heartbeat = await startHeartbeat(pool, log, end);
	for (let minute = 0; minute < 3; minute++) {
		const before = await lastHeartbeat();
		vi.advanceTimersByTime(55_000);
		await vi.waitFor(async () => expect(await lastHeartbeat()).not.toBe(before), { timeout: scaledTimeout(20_000), interval: 5 });
		// waits until the heartbeat has released the connection
		for (const turn of ["first", "second"]) await pool.query(`select '${turn}'`);
	}
	expect(end).not.toHaveBeenCalled();
	// the machine slept for an hour
	const now = performance.now.bind(performance);
	vi.spyOn(performance, "now").mockImplementation(() => now() + 3_600_000);
	vi.setSystemTime(Date.now() + 3_600_000);
	const before = await lastHeartbeat();
	vi.advanceTimersByTime(5000);
	await vi.waitFor(async () => expect(await lastHeartbeat()).not.toBe(before), { timeout: scaledTimeout(20_000), interval: 5 });
	for (const turn of ["first", "second"]) await pool.query(`select '${turn}'`);
	expect(end).not.toHaveBeenCalled();
	network.cut();
	vi.advanceTimersByTime(60_000);
	expect(end).not.toHaveBeenCalled();
	vi.advanceTimersByTime(5000);
	expect(end).toHaveBeenCalledOnce();
	expect(lines).toMatchObject([{ level: 60, seconds: 65 }]);
	await network.close();
	await heartbeat.stop();
});

test.each([
	[-61, 1],
	[-59, 0],
	[3600, 0],
])("a clock that moves by %i s ends the process %i times", async (seconds, ends) => {
	const { pool } = openPool({ max: 1 });
	vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance", "Date"] });
	const end = vi.fn();
	const heartbeat = await startHeartbeat(pool, createLog("silent"), end);
	vi.advanceTimersByTime(5000);
	vi.setSystemTime(Date.now() + seconds * 1000);
	vi.advanceTimersByTime(5000);
	expect(end).toHaveBeenCalledTimes(ends);
	vi.advanceTimersByTime(5000);
	expect(end).toHaveBeenCalledTimes(ends);
	await heartbeat.stop();
});
