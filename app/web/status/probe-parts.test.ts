import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "../../../server/database/database.ts";
import { createLog } from "../../../server/observability/log.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { deleteRows } from "../../../test/delete-rows.ts";
import { adminDatabase } from "../../../test/postgres.ts";
import { type Part, partNames } from "./part.ts";
import { createPartProber, type PartProber, type Probe, type ProbedShop } from "./probe-parts.server.ts";
import { findProbeSpan, insertProbes, listChanges, listProbeDays } from "./status.store.server.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let now = new Date("2026-11-21T13:07:00Z");
beforeAll(async () => {
	database = await createTestDatabase();
});
beforeEach(() => deleteRows(database.db, "probes", "probe_days"));
afterAll(() => database?.close());

/** Nobody does jobs here: that part is down throughout. */
const shopWith = (change: Partial<ProbedShop> = {}): ProbedShop => {
	const { db } = database;
	const works = { ready: async () => true };
	return { db, readDb: db, now: () => now, storage: works, mailer: works, provider: paid(12), ...change };
};
const paid = (clockAhead: number | null) => ({ ready: async () => ({ ok: true, clockAhead }) as const });
const probeParts = (shop: ProbedShop) => createPartProber(shop).probe();
const listDownParts = ({ parts }: { parts: Record<Part, Probe> }) => partNames.filter((part) => !parts[part].ok);

describe("each part has its own probe", () => {
	const faults = [
		["says no", async () => false],
		["throws", () => Promise.reject(new Error("away"))],
	] as const;

	test.each([
		["storage", "storage"],
		["mailer", "mail"],
		["provider", "payment"],
	] as const)("%s: %s", async (partner, part) => {
		for (const [_what, ready] of faults) {
			const down = listDownParts(await probeParts(shopWith({ [partner]: { ready } })));
			expect(down.sort()).toEqual(["jobs", part].sort());
		}
	});

	test("the search is probed on the read database, the rest on the primary", async () => {
		const { db: away } = openDatabase({ ...database.connection, database: "nowhere" }, createLog("silent"));
		expect(listDownParts(await probeParts(shopWith({ readDb: away })))).toEqual(["search", "jobs"]);
		expect(listDownParts(await probeParts(shopWith({ db: away })))).toEqual(["database", "jobs"]);
		await away.destroy();
	});
});

describe("a database that accepts no writes is down", () => {
	test.each([
		["it is read-only", "default_transaction_read_only = on"],
		// stands for a full disk: there is no room for what is written beside the tables
		["it has no room left", "temp_file_limit = 1000"],
	])("%s", async (_, setting) => {
		const name = database.connection.database ?? "";
		const admin = openDatabase({ ...database.connection, database: adminDatabase, max: 1 }, createLog("silent"));
		await admin.pool.query(`alter database ${name} set ${setting}`);
		const { db } = openDatabase(database.connection, createLog("silent"));
		try {
			expect((await sql`select 1`.execute(db)).rows).toHaveLength(1);
			expect(listDownParts(await probeParts(shopWith({ db })))).toEqual(["database", "jobs"]);
		} finally {
			await db.destroy();
			await admin.pool.query(`alter database ${name} reset all`);
			await admin.db.destroy();
		}
	});
});

describe("concurrent and early callers share a result", () => {
	let times = 0;
	let answer = true;
	const counted = async () => {
		times++;
		return answer ? ({ ok: true, clockAhead: times } as const) : ({ ok: false, code: "unavailable" } as const);
	};
	let prober: PartProber;
	/** @param readyTtlMs what the provider says of its own answers. */
	const restart = (readyTtlMs?: number) => {
		prober = createPartProber(shopWith({ provider: { ready: counted, readyTtlMs } }));
		times = 0;
		answer = true;
	};
	beforeEach(() => restart());
	const at = async (milliseconds: number, ttlMs?: number) => {
		const before = now;
		now = new Date(now.getTime() + milliseconds);
		try {
			return await prober.probe(ttlMs);
		} finally {
			now = before;
		}
	};

	test("concurrent callers cause one request to each partner", async () => {
		await Promise.all(Array.from({ length: 20 }, () => prober.probe()));
		expect(times).toBe(1);
		await prober.probe();
		expect(times).toBe(2);
	});

	test("a result is reused for the given time, also when the clock is set back, and no longer", async () => {
		const first = await at(0, 10_000);
		expect(await at(9999, 10_000)).toBe(first);
		expect(await at(-9999, 10_000)).toBe(first);
		expect(times).toBe(1);
		expect(await at(10_000, 10_000)).not.toBe(first);
		expect(times).toBe(2);
		// a clock that was put back far makes no answer last
		expect(await at(-10_000, 10_000)).not.toBe(first);
		expect(times).toBe(3);
	});

	test("the clock is read with the payment provider, and unknown while it does not answer", async () => {
		expect((await at(0)).parts.payment.clockAhead).toBe(1);
		expect([await prober.readClock(60_000), await prober.readClock(0)]).toEqual([1, 2]);
		answer = false;
		expect([(await at(0)).parts.payment.clockAhead, await prober.readClock(60_000)]).toEqual([null, null]);
	});

	test("a partner with a readyTtlMs is asked again only after that time, also when the clock is set back", async () => {
		restart(5000);
		expect((await at(0)).parts.payment.ok).toBe(true);
		answer = false;
		for (const soon of [0, 4999, -4999]) expect((await at(soon)).parts.payment.ok).toBe(true);
		expect(times).toBe(1);
		expect((await at(5000)).parts.payment.ok).toBe(false);
		answer = true;
		expect((await at(0)).parts.payment.ok).toBe(true);
	});
});

describe("measures are stored", () => {
	const probes = (failed: Part[]) =>
		Object.fromEntries(partNames.map((part) => [part, { ok: !failed.includes(part), ms: 7 }])) as Record<Part, Probe>;
	const write = (at: string, ...failed: Part[]) => insertProbes(database.db, new Date(at), probes(failed));

	test("under the day in Paris, once for each due instant", async () => {
		await write("2026-11-20T22:55:00Z", "mail");
		await write("2026-11-20T23:00:00Z");
		await write("2026-11-20T23:00:00Z", "mail"); // another process, a moment later
		const days = (await listProbeDays(database.db, "2026-11-20")).filter(({ part }) => part === "mail");
		expect(days.sort((a, b) => (a.day < b.day ? -1 : 1))).toEqual([
			{ part: "mail", day: "2026-11-20", checks: 1, failed: 1 },
			{ part: "mail", day: "2026-11-21", checks: 1, failed: 0 },
		]);
		expect((await listProbeDays(database.db, "2026-11-21")).map(({ day }) => day)).toEqual(Array(6).fill("2026-11-21"));
	});

	test("and the changes of each part are listed, after its first measure", async () => {
		await write("2026-11-21T10:00:00Z");
		await write("2026-11-21T10:05:00Z", "mail");
		await write("2026-11-21T10:10:00Z", "mail", "storage");
		await write("2026-11-21T10:15:00Z", "storage");
		const since = async (at: string, part: Part) =>
			(await listChanges(database.db, new Date(at)))
				.filter((row) => row.part === part)
				.map((row) => [row.at.toISOString().slice(11, 16), row.ok]);
		expect(await since("2026-11-21T10:00:00Z", "mail")).toEqual([
			["10:00", true],
			["10:05", false],
			["10:15", true],
		]);
		expect(await since("2026-11-21T10:00:00Z", "search")).toEqual([["10:00", true]]);
		expect(await since("2026-11-21T10:10:00Z", "mail")).toEqual([
			["10:10", false],
			["10:15", true],
		]);
		const all = await listChanges(database.db, new Date("2026-11-21T10:00:00Z"));
		expect(all.map(({ at }) => at.getTime())).toEqual(all.map(({ at }) => at.getTime()).sort());
		expect(await findProbeSpan(database.db)).toEqual({ first: new Date("2026-11-21T10:00:00Z"), last: new Date("2026-11-21T10:15:00Z") });
	});
});
