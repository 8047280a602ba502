import { readdirSync, readFileSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import type pg from "pg";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { createTestDatabase } from "../../test/database.ts";
import { type BreakableNetwork, createBreakableNetwork } from "../../test/network.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { startHeartbeat } from "../heartbeat.ts";
import { startJobs } from "../jobs.ts";
import { createLog } from "../observability/log.ts";
import { listenForChanges } from "./changes.ts";
import { isDatabaseUnavailable, openDatabase } from "./database.ts";

/** A server that died, or a network that drops its packets, says nothing: whoever waits for it would wait for a quarter of an hour. */

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

const quickly = { query_timeout: scaledTimeout(100), max: 1 };

function openPool(settings: pg.PoolConfig = quickly) {
	const opened = openDatabase({ ...network.connection, ...settings }, createLog("silent"));
	closing.push(() => opened.db.destroy());
	return opened;
}

test.each<[string, (opened: ReturnType<typeof openPool>) => Promise<unknown>]>([
	["a statement", ({ db }) => sql`select 1`.execute(db)],
	["a transaction", ({ db }) => db.transaction().execute(async (trx) => (await sql`select 1`.execute(trx)).rows)],
	["a statement of the queue or of a limit", ({ pool }) => pool.query("select 1")],
	["a statement that is planned once", ({ db }) => db.deleteFrom("job_processes").execute()],
])("%s without an answer fails as a database that is away, and the next one has another connection", async (_, ask) => {
	const opened = openPool();
	await ask(opened);
	network.silence();
	const fault = await ask(opened).catch((error) => error);
	expect(fault).toBeInstanceOf(Error);
	expect(isDatabaseUnavailable(fault)).toBe(true);
	await ask(opened);
});

test("a transaction whose server falls silent half way is given up, and its connection with it", async () => {
	const opened = openPool();
	const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(opened.db)).rows[0]?.pid;
	const before = await pid();
	const fault = await opened.db
		.transaction()
		.execute(async (trx) => {
			await sql`select 1`.execute(trx);
			network.silence();
			await sql`select 2`.execute(trx);
		})
		.catch((error) => error);
	expect(isDatabaseUnavailable(fault)).toBe(true);
	expect(await pid()).not.toBe(before);
});

test("a connection that the server has given up is open at our end until the shop closes it", async () => {
	const { pool } = openPool();
	const client = await pool.connect();
	const { rows } = await client.query("select pg_backend_pid() as pid");
	network.silence(0);
	const isLeft = () => database.pool.query("select from pg_stat_activity where pid = $1", [rows[0].pid]);
	await vi.waitUntil(async () => (await isLeft()).rowCount === 0, scaledTimeout(5000));
	expect(network.countSilent()).toBe(1);
	client.release(true);
	await vi.waitUntil(() => network.countSilent() === 0, scaledTimeout(5000));
});

test("each connection is kept alive, so that one on which nothing is under way is known to be dead as well", async () => {
	const keepAlive = vi.spyOn(Socket.prototype, "setKeepAlive");
	await openPool().pool.query("select 1");
	expect(keepAlive).toHaveBeenCalledWith(true, 10_000);
});

test("all connections of the shop are made by one class, which knows how to give up", () => {
	const made = [
		"main.ts",
		...["app", "server"].flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))),
	]
		.filter((file) => file.endsWith(".ts") && !/test/.test(file))
		.filter((file) => /new pg\.(Client|Pool)\(/.test(readFileSync(file, "utf8")));
	// they read how a URL is understood, or ask a host whether it takes writes
	expect(made.sort()).toEqual(["server/database/primary.ts", "server/environment/insecure-settings.ts"]);
});

test("who listens for changes notices that the server fell silent, and listens anew", async () => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	const lines: { msg: string; reason?: string }[] = [];
	const changes = listenForChanges(network.connection, createLog("warn", { write: (line) => void lines.push(JSON.parse(line)) }));
	closing.push(() => changes.stop());
	let heard = 0;
	changes.subscribe("a company", () => heard++);
	// the clock goes a hundred times faster
	const until = async (count: number) => {
		while (heard < count) {
			vi.advanceTimersByTime(1000);
			await wait(10);
		}
	};
	await until(1);
	network.silence();
	await until(2);
	expect(lines).toMatchObject([{ msg: "the live updates lost their connection", reason: "Query read timeout" }]);
	await sql`select pg_notify('changes', 'a company')`.execute(database.db);
	await until(3);
	expect(heard).toBe(3);
});

test("the queue goes on after its connections fell silent", async () => {
	const jobs = await startJobs({ ...network.connection, query_timeout: scaledTimeout(300) }, [], createLog("silent"), { supervise: true });
	closing.push(() => jobs.stop(1000));
	const kind = { name: "after-silence", key: () => "only", retryLimit: 1 };
	const later = await startJobs(database.connection, [kind as never], createLog("silent"), { supervise: false });
	closing.push(() => later.stop(1000));
	let done = 0;
	await jobs.work(kind, 1, async () => void done++);
	const send = () => database.db.transaction().execute((trx) => later.send(trx, kind, {}));
	await send();
	await vi.waitFor(() => expect(done).toBe(1), { timeout: scaledTimeout(20_000), interval: 20 });
	network.silence();
	await send();
	await vi.waitFor(() => expect(done).toBe(2), { timeout: scaledTimeout(20_000), interval: 20 });
});

test("a process that cannot write its heartbeat for a minute ends; one that can does not", async () => {
	// what was given up at once would be tried again at once, and never for a minute
	const { pool } = openPool({ max: 1 });
	vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
	const lines: { level: number; seconds: number }[] = [];
	const log = createLog("fatal", { write: (line) => void lines.push(JSON.parse(line)) });
	const end = vi.fn();
	const seen = async () => (await sql<{ at: Date }>`select seen_at as at from job_processes`.execute(database.db)).rows[0]?.at.getTime();
	const heartbeat = await startHeartbeat(pool, log, end);
	for (let minute = 0; minute < 3; minute++) {
		const before = await seen();
		vi.advanceTimersByTime(55_000);
		await vi.waitFor(async () => expect(await seen()).not.toBe(before), { timeout: scaledTimeout(20_000), interval: 5 });
		// the connection is free again once the whole heartbeat is written
		for (const turn of ["first", "second"]) await pool.query(`select '${turn}'`);
	}
	expect(end).not.toHaveBeenCalled();
	// the machine slept for an hour
	const now = performance.now.bind(performance);
	vi.spyOn(performance, "now").mockImplementation(() => now() + 3_600_000);
	const before = await seen();
	vi.advanceTimersByTime(5000);
	await vi.waitFor(async () => expect(await seen()).not.toBe(before), { timeout: scaledTimeout(20_000), interval: 5 });
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
