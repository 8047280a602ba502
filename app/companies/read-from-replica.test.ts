import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sql } from "kysely";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { type Database, openDatabase } from "../../server/database/database.ts";
import { type EmbeddedPostgres, startPostgres } from "../../server/database/embedded-postgres.ts";
import { migrate } from "../../server/database/migrate.ts";
import { findMismatch, openReadDatabase, type ServerState } from "../../server/database/read-database.ts";
import { createLog } from "../../server/observability/log.ts";
import { csv, establishment, unit } from "../../test/fixtures/sirene.ts";
import { everyPartWorks, untilReadyzAnswers } from "../../test/readiness.ts";
import { createTestShop, paymentRequest, type TestShop } from "../../test/shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { importCompanies } from "./registry/sirene/import-companies.server.ts";
import { establishmentColumns, unitColumns } from "./registry/sirene/sirene-rows.ts";

/** Runs two real servers: a primary, and a standby that started from a copy of it and streams its changes. */

const folders = {
	primary: mkdtempSync(join(tmpdir(), "extrait-pro-primary-")),
	standby: mkdtempSync(join(tmpdir(), "extrait-pro-standby-")),
};
const foldersToDelete: string[] = Object.values(folders);
let primary: EmbeddedPostgres;
let standby: EmbeddedPostgres;
/** Connections of the superuser. The shop has an ordinary role. */
let admin: { primary: pg.Pool; standby: pg.Pool };
let pool: pg.Pool;
let db: Database;
const closing: (() => Promise<void>)[] = [];

/** A standby needs at least the settings of its primary. */
const settings = ["wal_level=replica", "max_wal_senders=4", "fsync=off"];
const startPrimary = () => startPostgres(folders.primary, settings);
const startStandby = () =>
	startPostgres(folders.standby, [...settings, `primary_conninfo=host=${primary.connection.host} port=5432 user=postgres`]);
const getShopConnection = ({ connection }: EmbeddedPostgres) => ({ ...connection, user: "shop", database: "shop" });
const formatUrl = ({ connection }: EmbeddedPostgres) => `postgres://shop@localhost/shop?host=${encodeURIComponent(connection.host)}`;
const openAdminPool = ({ connection }: EmbeddedPostgres) =>
	openDatabase({ ...connection, database: "shop", max: 1 }, createLog("silent")).pool;

beforeAll(async () => {
	primary = await startPrimary();
	const first = openDatabase(primary.connection, createLog("silent"));
	await first.pool.query("create role shop login");
	await first.pool.query("create database shop owner shop");
	await first.db.destroy();
	const migrating = openDatabase(getShopConnection(primary), createLog("silent"));
	await migrate(migrating.db);
	await migrating.pool.end();
	await primary.stop();

	const id = randomBytes(6).toString("hex");
	const copy = primary.folder.startsWith(folders.primary) ? join(folders.standby, "postgres") : join(dirname(primary.folder), id);
	foldersToDelete.push(primary.folder, copy);
	expect(spawnSync("cp", ["-a", primary.folder, copy]).status).toBe(0);
	writeFileSync(join(folders.standby, "database-id"), id);
	writeFileSync(join(copy, "standby.signal"), "");
	primary = await startPrimary();
	standby = await startStandby();
	foldersToDelete.push(primary.connection.host, standby.connection.host);
	admin = { primary: openAdminPool(primary), standby: openAdminPool(standby) };
	({ db, pool } = openDatabase(getShopConnection(primary), createLog("silent")));
	await importDanone();
}, scaledTimeout(120_000));

/** Imports a company on the primary, which creates, fills and renames tables. */
async function importDanone(): Promise<void> {
	const [units, establishments] = ["units.csv", "establishments.csv"].map((name) => join(folders.primary, name)) as [string, string];
	const danone = unit("552032534", { denomination: "DANONE", categorieJuridique: "5599", nicSiege: "00703" });
	const other = unit("813693868", { denomination: "DAN INVEST", categorieJuridique: "5499", nicSiege: "00703" });
	writeFileSync(units, csv(unitColumns, [danone, other]));
	writeFileSync(establishments, csv(establishmentColumns, [establishment("55203253400703", { libelleCommune: "PARIS" })]));
	await importCompanies(getShopConnection(primary), units, establishments);
}

afterEach(async () => {
	for (const close of closing.splice(0).reverse()) await close();
	await admin.standby.query("select pg_wal_replay_resume()");
});

afterAll(async () => {
	await db?.destroy();
	await admin?.primary.end();
	await admin?.standby.end();
	await standby?.stop();
	await primary?.stop();
	for (const path of foldersToDelete) rmSync(path, { recursive: true, force: true });
});

/** Waits until the standby has replayed everything, and pauses its replay. */
async function freezeStandby(): Promise<void> {
	const { rows } = await admin.primary.query("select pg_current_wal_flush_lsn()::text as lsn");
	await vi.waitFor(async () => {
		const reached = await admin.standby.query("select pg_last_wal_replay_lsn() >= $1::pg_lsn as reached", [rows[0].lsn]);
		expect(reached.rows).toEqual([{ reached: true }]);
	}, scaledTimeout(10_000));
	await admin.standby.query("select pg_wal_replay_pause()");
	await vi.waitFor(async () => {
		expect((await admin.standby.query("select pg_get_wal_replay_pause_state() as state")).rows).toEqual([{ state: "paused" }]);
	}, scaledTimeout(10_000));
}

/** Opens the read database with a clock that the test sets. */
function openReads(replica: pg.PoolConfig = getShopConnection(standby), primaryPool: pg.Pool = pool, startsAt = 0) {
	const lines: { level: number; reason?: string; msg: string }[] = [];
	const clock = { ms: startsAt };
	const log = createLog("info", { write: (line) => void lines.push(JSON.parse(line)) });
	const reads = openReadDatabase(primaryPool, replica, log, { clock: () => clock.ms, interval: 20 });
	closing.push(reads.close);
	const untilState = (state: "ok" | "behind" | "down") =>
		vi.waitFor(() => expect(reads.replica.state()).toBe(state), { timeout: scaledTimeout(10_000) });
	return { ...reads, lines, clock, untilState };
}

/** A pool of the primary that reports a changed state. */
function createChangedPool(change: (state: ServerState) => ServerState | Promise<ServerState>): pg.Pool {
	return Object.create(pool, {
		query: {
			async value(statement: string | pg.QueryConfig) {
				const result = await pool.query(statement);
				if (typeof statement === "string" && statement.includes("pg_control_system")) result.rows[0] = await change(result.rows[0]);
				return result;
			},
		},
	});
}

const findAnsweringServer = async (reads: Database) =>
	(await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(reads)).rows[0]?.standby ? "replica" : "primary";

const rename = (name: string) => sql`update companies set name = ${name} where siren = '552032534'`.execute(db);

test("a lagging replica is read for a minute, then the primary, and the replica again when it has caught up", async () => {
	const reads = openReads();
	expect(await findAnsweringServer(reads.db)).toBe("primary"); // the replica is not checked yet
	await reads.untilState("ok");
	expect(await findAnsweringServer(reads.db)).toBe("replica");

	await freezeStandby();
	await rename("DANONE II");
	// the minute counts from the last proof that the replica was current
	reads.clock.ms += 59_000;
	expect(await findAnsweringServer(reads.db)).toBe("replica");
	reads.clock.ms += 1000;
	expect(await findAnsweringServer(reads.db)).toBe("primary");
	expect(reads.replica.state()).toBe("behind");
	await vi.waitFor(() => expect(reads.lines).toHaveLength(2), scaledTimeout(10_000));

	await admin.standby.query("select pg_wal_replay_resume()");
	await reads.untilState("ok");
	expect(await findAnsweringServer(reads.db)).toBe("replica");
	await vi.waitFor(() => expect(reads.lines).toHaveLength(3), scaledTimeout(10_000));
	expect(reads.lines.map(({ level, reason }) => [level, reason])).toEqual([
		[30, undefined],
		[40, "it is more than a minute behind"],
		[30, undefined],
	]);
	await rename("DANONE");
});

test("logs no warning before the first check, however high the clock; close ends all connections to the replica", async () => {
	const reads = openReads(getShopConnection(standby), pool, 3_600_000);
	await reads.untilState("ok");
	expect(await findAnsweringServer(reads.db)).toBe("replica");
	await vi.waitFor(() => expect(reads.lines).toHaveLength(1), scaledTimeout(10_000));
	expect(reads.lines).toMatchObject([{ level: 30 }]);
	closing.splice(closing.indexOf(reads.close), 1);
	await reads.close();
	await vi.waitFor(async () => {
		const { rows } = await admin.standby.query("select from pg_stat_activity where application_name = 'extrait-pro reads'");
		expect(rows).toEqual([]);
	}, scaledTimeout(2000));
});

test("after invalidate, the primary is read until the replica has the change", async () => {
	const reads = openReads();
	await reads.untilState("ok");
	await freezeStandby();
	await rename("DANONE II");
	reads.invalidate();
	expect(await findAnsweringServer(reads.db)).toBe("primary");
	await admin.standby.query("select pg_wal_replay_resume()");
	await reads.untilState("ok");
	expect((await sql<{ name: string }>`select name from companies where siren = '552032534'`.execute(reads.db)).rows).toEqual([
		{ name: "DANONE II" },
	]);
	await rename("DANONE");
});

test("an idle primary does not make its replica outdated", async () => {
	const reads = openReads();
	await reads.untilState("ok");
	await freezeStandby();
	reads.clock.ms += 600_000;
	await reads.untilState("ok");
	expect(await findAnsweringServer(reads.db)).toBe("replica");
});

test("a statement that fails on the replica runs on the primary; writes and transactions are refused", async () => {
	const reads = openReads();
	await reads.untilState("ok");
	const { rows } = await sql`select pg_current_wal_lsn() is not null as known`.execute(reads.db); // fails on a standby
	expect(rows).toEqual([{ known: true }]);
	expect(reads.replica.state()).toBe("ok");
	await expect(sql`update companies set name = null`.execute(reads.db)).rejects.toThrow(/read-only/);
	await expect(reads.db.transaction().execute(async () => {})).rejects.toThrow(/no transactions/);
});

test("a replica with another schema version is not read", async () => {
	const reads = openReads();
	await reads.untilState("ok");
	await freezeStandby();
	await sql`insert into kysely_migration values ('9999_next', now()::text)`.execute(db);
	await reads.untilState("down");
	expect(await findAnsweringServer(reads.db)).toBe("primary");
	await sql`delete from kysely_migration where name = '9999_next'`.execute(db);
	await reads.untilState("ok");
	expect(reads.lines[1]).toMatchObject({ level: 40, reason: "its schema is of another version" });
});

test.each<[string, () => pg.PoolConfig, RegExp]>([
	["the primary itself", () => getShopConnection(primary), /it is not a standby/],
	["another database of the replica", () => ({ ...getShopConnection(standby), database: "postgres" }), /it cannot be asked \(42P01\)/],
	["a missing socket", () => ({ ...getShopConnection(standby), host: folders.standby }), /it cannot be asked \(ENOENT\)/],
])("%s is not used as a replica", async (_what, replica, reason) => {
	const reads = openReads(replica());
	await reads.untilState("down");
	expect(await findAnsweringServer(reads.db)).toBe("primary");
	await vi.waitFor(
		() => expect(reads.lines).toEqual([expect.objectContaining({ level: 40, reason: expect.stringMatching(reason) })]),
		scaledTimeout(10_000),
	);
});

test("a check that started before invalidate does not count", async () => {
	/** The number of checks; the gate delays their responses. */
	let checks = 0;
	let gate = Promise.resolve();
	const slow = createChangedPool(async (state) => {
		checks++;
		await gate;
		return state;
	});
	const reads = openReads(getShopConnection(standby), slow);
	await reads.untilState("ok");
	const untilChecked = (times: number) =>
		vi.waitFor(() => expect(checks).toBeGreaterThanOrEqual(times), { timeout: scaledTimeout(10_000), interval: 5 });

	const { promise, resolve } = Promise.withResolvers<void>();
	gate = promise;
	await untilChecked(checks + 1);
	await freezeStandby();
	await rename("DANONE III");
	reads.invalidate();
	resolve();
	// that check and the next one have ended
	await untilChecked(checks + 2);
	expect(reads.replica.state()).toBe("behind");
	expect(await findAnsweringServer(reads.db)).toBe("primary");
	await rename("DANONE");
});

test("a replica that is always slightly behind is read until its last proof is a minute old", async () => {
	let reportedPosition: bigint | undefined;
	let checks = 0;
	const reads = openReads(
		getShopConnection(standby),
		createChangedPool((state) => {
			checks++;
			return { ...state, position: String(reportedPosition ?? state.position) };
		}),
	);
	await reads.untilState("ok");
	const { rows } = await admin.primary.query("select (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text as position");
	/** Makes the primary report a position this many bytes ahead, and waits for three checks. */
	const reportAhead = async (ahead: bigint, ms: number) => {
		[reportedPosition, reads.clock.ms] = [BigInt(rows[0].position) + ahead, ms];
		const before = checks;
		await vi.waitFor(() => expect(checks).toBeGreaterThan(before + 2), { timeout: scaledTimeout(10_000), interval: 5 });
	};
	await reportAhead(500_000n, 30_000);
	await reportAhead(10n ** 12n, 40_000);
	await admin.primary.query("select pg_logical_emit_message(true, 'test', repeat('x', 1000000))");
	// it has reached the first position, which proves it current at 30 seconds
	reads.clock.ms = 89_999;
	await reads.untilState("ok");
	reads.clock.ms = 90_000;
	await reads.untilState("behind");
});

test("logs a replica that never catches up after a minute, not earlier", async () => {
	let checks = 0;
	const reads = openReads(
		getShopConnection(standby),
		createChangedPool((state) => {
			checks++;
			return { ...state, position: String(10n ** 15n) };
		}),
	);
	for (const [ms, lines] of [
		[59_999, 0],
		[60_000, 1],
	] as const) {
		reads.clock.ms = ms;
		const before = checks;
		await vi.waitFor(() => expect(checks).toBeGreaterThan(before + 2), { timeout: scaledTimeout(10_000), interval: 5 });
		const warnings = reads.lines.filter(({ reason }) => reason === "it is more than a minute behind");
		expect([ms, warnings.length]).toEqual([ms, lines]);
	}
});

test("notices a fault of the replica even when the primary does not respond", async () => {
	const reads = openReads(
		{ ...getShopConnection(standby), host: folders.standby },
		createChangedPool(() => {
			throw new Error("the primary does not respond");
		}),
	);
	await reads.untilState("down");
});

/** Takes thirty seconds on the replica, none on the primary. */
const slowOnReplica = sql`select case when pg_is_in_recovery() then pg_sleep(30) end`;

test("runs reads on the primary when the replica's pool is full, which is no fault of the replica", async () => {
	const reads = openReads({ ...getShopConnection(standby), max: 1, connectionTimeoutMillis: 300 });
	await reads.untilState("ok");
	const lineCount = reads.lines.length;
	const slowRead = slowOnReplica.execute(reads.db);
	const sleepingBackend = "from pg_stat_activity where wait_event = 'PgSleep'";
	await vi.waitFor(async () => expect((await admin.standby.query(`select ${sleepingBackend}`)).rows).toHaveLength(1), {
		timeout: scaledTimeout(10_000),
		interval: 10,
	});
	expect(await findAnsweringServer(reads.db)).toBe("primary");
	expect(reads.replica.state()).toBe("ok");
	expect(reads.lines).toHaveLength(lineCount);
	await admin.standby.query(`select pg_cancel_backend(pid) ${sleepingBackend}`);
	expect((await slowRead).rows).toHaveLength(1); // repeated on the primary
	expect(await findAnsweringServer(reads.db)).toBe("replica");
});

test("a replica that times out is not read again before a successful check", async () => {
	const reads = openReads({ ...getShopConnection(standby), query_timeout: 300, statement_timeout: 2000 });
	await reads.untilState("ok");
	expect((await slowOnReplica.execute(reads.db)).rows).toHaveLength(1);
	expect(reads.lines).toContainEqual(expect.objectContaining({ level: 40, reason: "it cannot be asked (Query read timeout)" }));
	await reads.untilState("ok");
});

test.each<[string, Partial<ServerState>, string | null]>([
	["accepts a standby of this primary", {}, null],
	["refuses a server that accepts writes", { standby: false }, "it is not a standby"],
	["refuses a standby of another server", { cluster: "7" }, "it is a replica of another database"],
	["refuses another database of the standby", { database: "postgres" }, "it is a replica of another database"],
	["refuses a newer schema", { schema: "0099_next" }, "its schema is of another version"],
	["refuses a missing schema", { schema: null }, "its schema is of another version"],
])("%s", (_what, change, mismatch) => {
	const ours = { standby: false, position: "1", cluster: "1", database: "shop", schema: "0020_now" };
	expect(findMismatch(ours, { ...ours, standby: true, ...change })).toBe(mismatch);
});

test("a host that accepts connections and never responds delays no read", async () => {
	const sockets: Socket[] = [];
	const silent = createServer((socket) => sockets.push(socket));
	await new Promise<void>((ready) => silent.listen(0, "127.0.0.1", ready));
	closing.push(async () => {
		for (const socket of sockets) socket.destroy();
		silent.close();
	});
	const reads = openReads({ ...getShopConnection(standby), host: "127.0.0.1", port: (silent.address() as AddressInfo).port });
	expect(await Promise.all(Array.from({ length: 20 }, () => findAnsweringServer(reads.db)))).toEqual(Array(20).fill("primary"));
	await reads.untilState("down");
});

test("searches and company pages read the replica, orders the primary; the shop works without the replica", {
	timeout: scaledTimeout(120_000),
}, async () => {
	const lines: string[] = [];
	const shop: TestShop = await createTestShop({
		variables: { DATABASE_URL: formatUrl(primary), DATABASE_READ_URL: formatUrl(standby), LOG_LEVEL: "info" },
		database: { connection: getShopConnection(primary), close: async () => {} },
		onLog: (line) => lines.push(line),
	});
	closing.push(shop.close);
	const listLoggedLevels = () => lines.filter((line) => line.includes("read replica")).map((line) => JSON.parse(line).level);
	const untilReplicaIs = (state: string) => untilReadyzAnswers(shop.ask, 200, { ...everyPartWorks, replica: state });
	const reads: [string, string][] = [
		["/recherche?q=danone", "552032534"],
		["/api/entreprises?q=danone", "552032534"],
		["/api/entreprises/suggestions?q=danone", "552032534"],
		["/api/entreprises/552032534", "DANONE"],
		["/entreprise/552032534", "DANONE"],
		["/sitemap.xml", "sitemap-entreprises-1.xml"],
		["/sitemap-entreprises-1.xml", "552032534"],
	];
	const readAll = () =>
		Promise.all(
			reads.map(async ([path, content]) => {
				const response = await shop.ask(path);
				expect({ path, status: response.status, body: await response.text() }).toMatchObject({
					path,
					status: 200,
					body: expect.stringContaining(content),
				});
			}),
		);
	await untilReplicaIs("ok");

	// the primary has lost the companies, the paused replica has them
	await freezeStandby();
	await admin.primary.query("alter table companies rename to companies_renamed");
	// on a busy machine the replica may be too slow once; the primary then has no companies
	const retry = { timeout: scaledTimeout(30_000), interval: 100 };
	await vi.waitFor(readAll, retry);
	await vi.waitFor(async () => {
		// several results: the order form reads the company of a single one from the primary
		const suggested = await shop.postForm("/commande", { intent: "find-company", companyQuery: "dan" });
		expect(await suggested.text()).toContain("813693868");
	}, retry);
	const orders = await Promise.all([
		shop.postJson("/api/create-payment", paymentRequest()),
		shop.ask("/commande/552032534?service=express"),
	]);
	// 503 when the replica was too slow for a part that it may read
	for (const { status } of orders) expect(status).toBeGreaterThanOrEqual(500);
	// after a notification that public pages changed, the shop reads the primary
	await admin.primary.query("select pg_notify('changes', 'public pages')");
	await vi.waitFor(async () => expect((await shop.ask("/api/entreprises/552032534")).status).toBe(500), { timeout: scaledTimeout(10_000) });
	await admin.primary.query("alter table companies_renamed rename to companies");
	await admin.standby.query("select pg_wal_replay_resume()");

	await admin.standby.end();
	await standby.stop();
	await Promise.all([readAll(), readAll()]);
	await untilReplicaIs("down");
	await readAll();
	standby = await startStandby();
	admin.standby = openAdminPool(standby);
	await untilReplicaIs("ok");
	await readAll();
	// one line per change of state
	expect([listLoggedLevels()[0], listLoggedLevels().includes(40), listLoggedLevels().at(-1)]).toEqual([30, true, 30]);
	expect(listLoggedLevels().filter((level, index) => level === listLoggedLevels()[index - 1])).toEqual([]);
});
