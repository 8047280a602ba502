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
import { createTestShop, paymentRequest, type TestShop } from "../../test/shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { importCompanies } from "../registry/sirene/import-companies.server.ts";
import { establishmentColumns, unitColumns } from "../registry/sirene/sirene-rows.ts";

/** Two real servers: a primary, and a standby that was made from a copy of it and streams what follows. */

const folders = {
	primary: mkdtempSync(join(tmpdir(), "extrait-pro-primary-")),
	standby: mkdtempSync(join(tmpdir(), "extrait-pro-standby-")),
};
const left: string[] = Object.values(folders);
let primary: EmbeddedPostgres;
let standby: EmbeddedPostgres;
/** The superuser's way into each; the shop itself has a plain role. */
let admin: { primary: pg.Pool; standby: pg.Pool };
let pool: pg.Pool;
let db: Database;
const closing: (() => Promise<void>)[] = [];

/** A standby needs at least what its primary has. */
const settings = ["wal_level=replica", "max_wal_senders=4", "fsync=off"];
const startPrimary = () => startPostgres(folders.primary, settings);
const startStandby = () =>
	startPostgres(folders.standby, [...settings, `primary_conninfo=host=${primary.connection.host} port=5432 user=postgres`]);
const shopAt = ({ connection }: EmbeddedPostgres) => ({ ...connection, user: "shop", database: "shop" });
const urlOf = ({ connection }: EmbeddedPostgres) => `postgres://shop@localhost/shop?host=${encodeURIComponent(connection.host)}`;
const adminOf = ({ connection }: EmbeddedPostgres) => openDatabase({ ...connection, database: "shop", max: 1 }, createLog("silent")).pool;

beforeAll(async () => {
	primary = await startPrimary();
	const first = openDatabase(primary.connection, createLog("silent"));
	await first.pool.query("create role shop login");
	await first.pool.query("create database shop owner shop");
	await first.db.destroy();
	const filling = openDatabase(shopAt(primary), createLog("silent"));
	await migrate(filling.db);
	await filling.pool.end();
	await primary.stop();

	const id = randomBytes(6).toString("hex");
	const copy = primary.folder.startsWith(folders.primary) ? join(folders.standby, "postgres") : join(dirname(primary.folder), id);
	left.push(primary.folder, copy);
	expect(spawnSync("cp", ["-a", primary.folder, copy]).status).toBe(0);
	writeFileSync(join(folders.standby, "database-id"), id);
	writeFileSync(join(copy, "standby.signal"), "");
	primary = await startPrimary();
	standby = await startStandby();
	left.push(primary.connection.host, standby.connection.host);
	admin = { primary: adminOf(primary), standby: adminOf(standby) };
	({ db, pool } = openDatabase(shopAt(primary), createLog("silent")));
	await importDanone();
}, scaledTimeout(120_000));

/** The companies come to the standby as they would in a shop: tables are made, filled and renamed on the primary. */
async function importDanone(): Promise<void> {
	const [units, establishments] = ["units.csv", "establishments.csv"].map((name) => join(folders.primary, name)) as [string, string];
	writeFileSync(units, csv(unitColumns, [unit("552032534", { denomination: "DANONE", categorieJuridique: "5599", nicSiege: "00703" })]));
	writeFileSync(establishments, csv(establishmentColumns, [establishment("55203253400703", { libelleCommune: "PARIS" })]));
	await importCompanies(shopAt(primary), units, establishments);
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
	for (const path of left) rmSync(path, { recursive: true, force: true });
});

/** Replays all that the primary has written so far, and nothing more. */
async function freezeStandby(): Promise<void> {
	const { rows } = await admin.primary.query("select pg_current_wal_flush_lsn()::text as lsn");
	await vi.waitFor(async () => {
		const reached = await admin.standby.query("select pg_last_wal_replay_lsn() >= $1::pg_lsn as reached", [rows[0].lsn]);
		expect(reached.rows).toEqual([{ reached: true }]);
	});
	await admin.standby.query("select pg_wal_replay_pause()");
	await vi.waitFor(async () => {
		expect((await admin.standby.query("select pg_get_wal_replay_pause_state() as state")).rows).toEqual([{ state: "paused" }]);
	});
}

/** Reads with a clock that a test moves. */
function openReads(replica: pg.PoolConfig = shopAt(standby), asked: pg.Pool = pool, startsAt = 0) {
	const lines: { level: number; reason?: string; msg: string }[] = [];
	const clock = { ms: startsAt };
	const log = createLog("info", { write: (line) => void lines.push(JSON.parse(line)) });
	const reads = openReadDatabase(asked, replica, log, { clock: () => clock.ms, interval: 20 });
	closing.push(reads.close);
	const untilState = (state: "ok" | "behind" | "down") =>
		vi.waitFor(() => expect(reads.replica.state()).toBe(state), { timeout: scaledTimeout(10_000) });
	return { ...reads, lines, clock, untilState };
}

/** The primary, which says something else of itself. */
function answering(change: (facts: ServerState) => ServerState | Promise<ServerState>): pg.Pool {
	return Object.create(pool, {
		query: {
			async value(text: string, parameters: unknown[]) {
				const answer = await pool.query(text, parameters);
				if (text.includes("pg_control_system")) answer.rows[0] = await change(answer.rows[0]);
				return answer;
			},
		},
	});
}

const answersFrom = async (reads: Database) =>
	(await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(reads)).rows[0]?.standby ? "replica" : "primary";

const rename = (name: string) => sql`update companies set name = ${name} where siren = '552032534'`.execute(db);

test("a replica that lags serves for a minute, then the primary does, and the replica again once it has caught up", async () => {
	const reads = openReads();
	expect(await answersFrom(reads.db)).toBe("primary"); // nothing is known yet
	await reads.untilState("ok");
	expect(await answersFrom(reads.db)).toBe("replica");

	await freezeStandby();
	await rename("DANONE II");
	// the minute runs from the last moment at which the replica was known to have everything
	reads.clock.ms += 59_000;
	expect(await answersFrom(reads.db)).toBe("replica");
	reads.clock.ms += 1000;
	expect(await answersFrom(reads.db)).toBe("primary");
	expect(reads.replica.state()).toBe("behind");
	await vi.waitFor(() => expect(reads.lines).toHaveLength(2));

	await admin.standby.query("select pg_wal_replay_resume()");
	await reads.untilState("ok");
	expect(await answersFrom(reads.db)).toBe("replica");
	await vi.waitFor(() => expect(reads.lines).toHaveLength(3));
	expect(reads.lines.map(({ level, reason }) => [level, reason])).toEqual([
		[30, undefined],
		[40, "it is more than a minute behind"],
		[30, undefined],
	]);
	await rename("DANONE");
});

test("nothing is said of a replica that is being tried, however long the machine has run; closed, it is left without a connection", async () => {
	const reads = openReads(shopAt(standby), pool, 3_600_000);
	await reads.untilState("ok");
	expect(await answersFrom(reads.db)).toBe("replica");
	await vi.waitFor(() => expect(reads.lines).toHaveLength(1));
	expect(reads.lines).toMatchObject([{ level: 30 }]);
	closing.splice(closing.indexOf(reads.close), 1);
	await reads.close();
	await vi.waitFor(async () => {
		const { rows } = await admin.standby.query("select from pg_stat_activity where application_name = 'extrait-pro reads'");
		expect(rows).toEqual([]);
	}, scaledTimeout(2000));
});

test("told that something must no longer be read, the primary answers until the replica is proved to have it", async () => {
	const reads = openReads();
	await reads.untilState("ok");
	await freezeStandby();
	await rename("DANONE II");
	reads.invalidate();
	expect(await answersFrom(reads.db)).toBe("primary");
	await admin.standby.query("select pg_wal_replay_resume()");
	await reads.untilState("ok");
	expect((await sql<{ name: string }>`select name from companies where siren = '552032534'`.execute(reads.db)).rows).toEqual([
		{ name: "DANONE II" },
	]);
	await rename("DANONE");
});

test("a primary on which nothing happens does not make its replica look old", async () => {
	const reads = openReads();
	await reads.untilState("ok");
	await freezeStandby();
	reads.clock.ms += 600_000;
	await reads.untilState("ok");
	expect(await answersFrom(reads.db)).toBe("replica");
});

test("a statement that fails on the replica is answered by the primary; a write and a transaction are refused", async () => {
	const reads = openReads();
	await reads.untilState("ok");
	const { rows } = await sql`select pg_current_wal_lsn() is not null as known`.execute(reads.db); // no standby can say it
	expect(rows).toEqual([{ known: true }]);
	expect(reads.replica.state()).toBe("ok");
	await expect(sql`update companies set name = null`.execute(reads.db)).rejects.toThrow(/read-only/);
	await expect(reads.db.transaction().execute(async () => {})).rejects.toThrow(/no transactions/);
});

test("a schema of another version is not read", async () => {
	const reads = openReads();
	await reads.untilState("ok");
	await freezeStandby();
	await sql`insert into kysely_migration values ('9999_next', now()::text)`.execute(db);
	await reads.untilState("down");
	expect(await answersFrom(reads.db)).toBe("primary");
	await sql`delete from kysely_migration where name = '9999_next'`.execute(db);
	await reads.untilState("ok");
	expect(reads.lines[1]).toMatchObject({ level: 40, reason: "its schema is of another version" });
});

test.each<[string, () => pg.PoolConfig, RegExp]>([
	["the primary itself", () => shopAt(primary), /it is not a standby/],
	["another database of the replica", () => ({ ...shopAt(standby), database: "postgres" }), /it cannot be asked \(42P01\)/],
	["a socket that is not there", () => ({ ...shopAt(standby), host: folders.standby }), /it cannot be asked \(ENOENT\)/],
])("%s is not taken for a replica", async (_what, replica, reason) => {
	const reads = openReads(replica());
	await reads.untilState("down");
	expect(await answersFrom(reads.db)).toBe("primary");
	await vi.waitFor(() => expect(reads.lines).toEqual([expect.objectContaining({ level: 40, reason: expect.stringMatching(reason) })]));
});

test("a check that began before something had to be hidden proves nothing", async () => {
	/** How often the primary was asked how far it is; its answer is held at the gate. */
	let asked = 0;
	let gate = Promise.resolve();
	const slow = answering(async (facts) => {
		asked++;
		await gate;
		return facts;
	});
	const reads = openReads(shopAt(standby), slow);
	await reads.untilState("ok");
	const untilAsked = (times: number) =>
		vi.waitFor(() => expect(asked).toBeGreaterThanOrEqual(times), { timeout: scaledTimeout(10_000), interval: 5 });

	const { promise, resolve } = Promise.withResolvers<void>();
	gate = promise;
	await untilAsked(asked + 1);
	await freezeStandby();
	await rename("DANONE III");
	reads.invalidate();
	resolve();
	// that check has ended, and so has the next
	await untilAsked(asked + 2);
	expect(reads.replica.state()).toBe("behind");
	expect(await answersFrom(reads.db)).toBe("primary");
	await rename("DANONE");
});

test("a replica that is always a little behind serves until its last proof is a minute old", async () => {
	let told: bigint | undefined;
	let asked = 0;
	const reads = openReads(
		shopAt(standby),
		answering((facts) => {
			asked++;
			return { ...facts, position: String(told ?? facts.position) };
		}),
	);
	await reads.untilState("ok");
	const { rows } = await admin.primary.query("select (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text as position");
	/** Makes the primary report, from this moment on, a position so many bytes ahead, and waits until checks have seen it. */
	const primaryIs = async (ahead: bigint, ms: number) => {
		[told, reads.clock.ms] = [BigInt(rows[0].position) + ahead, ms];
		const before = asked;
		await vi.waitFor(() => expect(asked).toBeGreaterThan(before + 2), { timeout: scaledTimeout(10_000), interval: 5 });
	};
	await primaryIs(500_000n, 30_000);
	await primaryIs(10n ** 12n, 40_000);
	await admin.primary.query("select pg_logical_emit_message(true, 'test', repeat('x', 1000000))");
	// it has reached the first of these, and is known to have had all of half a minute
	reads.clock.ms = 89_999;
	await reads.untilState("ok");
	reads.clock.ms = 90_000;
	await reads.untilState("behind");
});

test("a replica that never catches up is reported after a minute, and not before", async () => {
	let asked = 0;
	const reads = openReads(
		shopAt(standby),
		answering((facts) => {
			asked++;
			return { ...facts, position: String(10n ** 15n) };
		}),
	);
	for (const [ms, lines] of [
		[59_999, 0],
		[60_000, 1],
	] as const) {
		reads.clock.ms = ms;
		const before = asked;
		await vi.waitFor(() => expect(asked).toBeGreaterThan(before + 2), { timeout: scaledTimeout(10_000), interval: 5 });
		const told = reads.lines.filter(({ reason }) => reason === "it is more than a minute behind");
		expect([ms, told.length]).toEqual([ms, lines]);
	}
});

test("a fault of the replica is noticed even while the primary does not answer", async () => {
	const reads = openReads(
		{ ...shopAt(standby), host: folders.standby },
		answering(() => {
			throw new Error("the primary says nothing");
		}),
	);
	await reads.untilState("down");
});

/** On the replica it takes half a minute, on the primary no time. */
const slowOnReplica = sql`select case when pg_is_in_recovery() then pg_sleep(30) end`;

test("a peak of reads is answered by the primary, and is no fault of the replica", async () => {
	const reads = openReads({ ...shopAt(standby), max: 1, connectionTimeoutMillis: 300 });
	await reads.untilState("ok");
	const said = reads.lines.length;
	const taken = slowOnReplica.execute(reads.db);
	const sleeper = "from pg_stat_activity where wait_event = 'PgSleep'";
	await vi.waitFor(async () => expect((await admin.standby.query(`select ${sleeper}`)).rows).toHaveLength(1), { interval: 10 });
	expect(await answersFrom(reads.db)).toBe("primary");
	expect(reads.replica.state()).toBe("ok");
	expect(reads.lines).toHaveLength(said);
	await admin.standby.query(`select pg_cancel_backend(pid) ${sleeper}`);
	expect((await taken).rows).toHaveLength(1); // asked again of the primary
	expect(await answersFrom(reads.db)).toBe("replica");
});

test("a replica that takes a statement and never ends it is not used again before it has answered", async () => {
	const reads = openReads({ ...shopAt(standby), query_timeout: 300, statement_timeout: 2000 });
	await reads.untilState("ok");
	expect((await slowOnReplica.execute(reads.db)).rows).toHaveLength(1);
	expect(reads.lines).toContainEqual(expect.objectContaining({ level: 40, reason: "it cannot be asked (Query read timeout)" }));
	await reads.untilState("ok");
});

test.each<[string, Partial<ServerState>, string | null]>([
	["a standby of this primary, for this program", {}, null],
	["a server that takes writes", { standby: false }, "it is not a standby"],
	["a standby of another server", { cluster: "7" }, "it is a replica of another database"],
	["another database of its standby", { database: "postgres" }, "it is a replica of another database"],
	["a schema of the next program", { schema: "0099_next" }, "its schema is of another version"],
	["no schema", { schema: null }, "its schema is of another version"],
])("%s", (_what, change, mismatch) => {
	const ours = { standby: false, position: "1", cluster: "1", database: "shop", schema: "0020_now" };
	expect(findMismatch(ours, { ...ours, standby: true, ...change })).toBe(mismatch);
});

test("a host that takes the connection and says nothing keeps nobody waiting", async () => {
	const sockets: Socket[] = [];
	const silent = createServer((socket) => sockets.push(socket));
	await new Promise<void>((ready) => silent.listen(0, "127.0.0.1", ready));
	closing.push(async () => {
		for (const socket of sockets) socket.destroy();
		silent.close();
	});
	const reads = openReads({ ...shopAt(standby), host: "127.0.0.1", port: (silent.address() as AddressInfo).port });
	expect(await Promise.all(Array.from({ length: 20 }, () => answersFrom(reads.db)))).toEqual(Array(20).fill("primary"));
	await reads.untilState("down");
});

test("searches and company pages are the replica's, orders the primary's; the shop goes on without the replica", {
	timeout: scaledTimeout(120_000),
}, async () => {
	const lines: string[] = [];
	const shop: TestShop = await createTestShop({
		variables: { DATABASE_URL: urlOf(primary), DATABASE_READ_URL: urlOf(standby), LOG_LEVEL: "info" },
		database: { connection: shopAt(primary), close: async () => {} },
		onLog: (line) => lines.push(line),
	});
	closing.push(shop.close);
	const told = () => lines.filter((line) => line.includes("read replica")).map((line) => JSON.parse(line).level);
	const untilReplicaIs = (state: string) =>
		vi.waitFor(
			async () => {
				const answer = await shop.ask("/readyz");
				expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status: 200, body: { ok: true, replica: state } });
			},
			{ timeout: scaledTimeout(20_000), interval: 100 },
		);
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
				const answer = await shop.ask(path);
				expect({ path, status: answer.status, body: await answer.text() }).toMatchObject({
					path,
					status: 200,
					body: expect.stringContaining(content),
				});
			}),
		);
	await untilReplicaIs("ok");

	// on the primary the companies are gone, and the replica does not know it yet
	await freezeStandby();
	await admin.primary.query("alter table companies rename to companies_gone");
	// where this machine is so busy that the replica comes too late once, the primary is asked, and has nothing to answer
	const again = { timeout: scaledTimeout(30_000), interval: 100 };
	await vi.waitFor(readAll, again);
	await vi.waitFor(async () => {
		const suggested = await shop.postForm("/commande", { intent: "find-company", companyQuery: "danone" });
		expect(await suggested.text()).toContain("552032534");
	}, again);
	const orders = await Promise.all([
		shop.postJson("/api/create-payment", paymentRequest()),
		shop.ask("/commande/552032534?service=express"),
	]);
	expect(orders.map(({ status }) => status)).toEqual([500, 500]);
	// told that public pages show what they may show no longer, the shop asks the primary
	await admin.primary.query("select pg_notify('changes', 'public pages')");
	await vi.waitFor(async () => expect((await shop.ask("/api/entreprises/552032534")).status).toBe(500), { timeout: scaledTimeout(10_000) });
	await admin.primary.query("alter table companies_gone rename to companies");
	await admin.standby.query("select pg_wal_replay_resume()");

	await admin.standby.end();
	await standby.stop();
	await Promise.all([readAll(), readAll()]);
	await untilReplicaIs("down");
	await readAll();
	standby = await startStandby();
	admin.standby = adminOf(standby);
	await untilReplicaIs("ok");
	await readAll();
	// once for each change
	expect([told()[0], told().includes(40), told().at(-1)]).toEqual([30, true, 30]);
	expect(told().filter((level, index) => level === told()[index - 1])).toEqual([]);
});
