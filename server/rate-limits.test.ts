import { sql } from "kysely";
import pg from "pg";
import { RateLimiterRes } from "rate-limiter-flexible";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createTestDatabase } from "../test/database.ts";
import {
	deleteCounts,
	deleteExpiredLimits,
	giveBack,
	hashSubject,
	type Point,
	rateLimits,
	takeEach,
	takePoint,
	takeTogether,
} from "./rate-limits.ts";
import { createSigner } from "./signing.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pools: pg.Pool[];

beforeAll(async () => {
	database = await createTestDatabase();
	// two processes
	pools = [1, 2].map(() => new pg.Pool({ ...database.connection, max: 10 }));
});

afterAll(async () => {
	await Promise.all(pools.map((pool) => pool.end()));
	await database.close();
});

const signer = createSigner(["a secret of the tests"]);
const open = (name: string, points: number) => pools.map((pool) => rateLimits(pool, signer)(name, points, 3600));

test("a burst at two processes gets no more than the points of the limit", async () => {
	const limits = open("burst", 20);
	const taken = await Promise.all(Array.from({ length: 300 }, (_, index) => limits[index % 2]?.take("somebody")));
	expect(taken.filter((answer) => answer?.ok)).toHaveLength(20);
	for (const answer of taken) if (!answer?.ok) expect(answer?.retryAfter).toBeGreaterThan(3500);
});

test("a subject is stored as a constant hash of 22 characters", () => {
	const hashes = ["ada@example.fr", "ada@example.fr", "b".repeat(1000)].map((subject) => hashSubject("secret", subject));
	for (const hash of hashes) expect(hash).toMatch(/^[\w-]{22}$/);
	expect(new Set(hashes).size).toBe(2);
	expect(hashSubject("another secret", "ada@example.fr")).not.toBe(hashes[0]);
});

test("each subject and each limit has its own points", async () => {
	const [one] = open("one", 1);
	const [other] = open("other", 1);
	for (const [limit, subject] of [
		[one, "ada"],
		[one, "grace"],
		[other, "ada"],
	] as const) {
		expect(await limit?.take(subject)).toEqual({ ok: true });
		expect(await limit?.take(subject)).toMatchObject({ ok: false });
	}
});

test("a client refused by the first limit takes no point of the second", async () => {
	const [client] = open("client", 2);
	const [mailbox] = open("mailbox", 3);
	if (!client || !mailbox) throw new Error("no limits");
	const write = (from: string) =>
		takeEach([
			{ limit: client, subject: from },
			{ limit: mailbox, subject: "ada@example.fr" },
		]);
	const flood = await Promise.all(Array.from({ length: 50 }, () => write("203.0.113.5")));
	expect(flood.filter(({ ok }) => ok)).toHaveLength(2);
	expect(await write("198.51.100.9")).toEqual({ ok: true });
	expect(await write("198.51.100.9")).toMatchObject({ ok: false });
});

test("an unavailable store throws; it is no refusal", async () => {
	const nowhere = new pg.Pool({ host: "/nowhere" });
	await expect(rateLimits(nowhere, signer)("name", 5, 60).take("ada")).rejects.toThrow();
	await nowhere.end();
});

test.each([
	[0, 1],
	[1, 1],
	[1000, 1],
	[1001, 2],
])("a point that returns in %i ms may be tried after %i s", async (ms, retryAfter) => {
	const exhausted = { consume: () => Promise.reject(new RateLimiterRes(0, ms)) };
	expect(await takePoint(exhausted as never, "a key")).toEqual({ ok: false, retryAfter });
});

test("a limit starts no timer: expired counts are deleted at night", () => {
	vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
	try {
		open("without a timer", 1);
		expect(vi.getTimerCount()).toBe(0);
	} finally {
		vi.useRealTimers();
	}
});

describe("takeTogether", () => {
	const hour = { seconds: 3600, now: new Date("2026-11-20T10:00:00Z") };
	const later = (ms: number) => ({ ...hour, now: new Date(hour.now.getTime() + ms) });
	const points = (name: string, most: number, spare?: number) => ({ name, subject: "ada@example.fr", most, spare });
	const take = (taken: Point[], time = hour) => database.db.transaction().execute((trx) => takeTogether({ signer }, trx, taken, time));

	test("takes a point of each count or of none", async () => {
		const [few, many] = [points("few", 1), points("many", 2)];
		expect(await take([many, few])).toEqual({ ok: true });
		expect(await take([many, few])).toEqual({ ok: false, name: "few", retryAfter: 3600 });
		expect(await take([many])).toEqual({ ok: true });
		expect(await take([many])).toMatchObject({ ok: false, name: "many" });
	});

	test("points return after the period since the first one; retryAfter is rounded up until then", async () => {
		const once = [points("once", 1)];
		await take(once);
		expect(await take(once, later(1))).toEqual({ ok: false, name: "once", retryAfter: 3600 });
		expect(await take(once, later(3_598_999))).toEqual({ ok: false, name: "once", retryAfter: 2 });
		expect(await take(once, later(3_599_999))).toEqual({ ok: false, name: "once", retryAfter: 1 });
		expect(await take(once, later(3_600_000))).toEqual({ ok: true });
	});

	test("a point given back in the transaction can be taken again once", async () => {
		const one = [points("given back", 2)];
		expect(await take(one)).toEqual({ ok: true });
		await database.db.transaction().execute(async (trx) => {
			await takeTogether({ signer }, trx, one, hour);
			await giveBack({ signer }, trx, one);
		});
		expect(await take(one)).toEqual({ ok: true });
		expect(await take(one)).toMatchObject({ ok: false });
	});

	test("a failed transaction takes no point", async () => {
		const one = [points("failed", 1)];
		const failed = database.db.transaction().execute(async (trx) => {
			await takeTogether({ signer }, trx, one, hour);
			throw new Error("no order after all");
		});
		await expect(failed).rejects.toThrow("no order");
		expect(await take(one)).toEqual({ ok: true });
	});

	test("a count of nothing accepts any cost, which is then all of it; what does not fit takes nothing", async () => {
		const cost = (name: string, points: number, most = 5) => [{ name, subject: "ada@example.fr", most, cost: points }];
		expect(await take(cost("costly", 9))).toEqual({ ok: true });
		expect(await take(cost("costly", 1))).toMatchObject({ ok: false });
		expect(await take(cost("fits", 3))).toEqual({ ok: true });
		expect(await take([...cost("other", 2), ...cost("fits", 3)])).toMatchObject({ ok: false, name: "fits" });
		expect(await take(cost("fits", 2))).toEqual({ ok: true });
		// what another count refused was given back
		expect(await take(cost("other", 5))).toEqual({ ok: true });
		await database.db.transaction().execute((trx) => giveBack({ signer }, trx, cost("costly", 9)));
		expect(await take(cost("costly", 5))).toEqual({ ok: true });
		expect(await take(cost("costly", 1))).toMatchObject({ ok: false });
	});

	test("the counts of a subject are deleted, also those that it shares; no others", async () => {
		const count = (name: string, subject: string | string[]) => take([{ name, subject, most: 9 }]);
		await sql`delete from rate_limits`.execute(database.db);
		for (const [name, subject] of [
			["of one", "ada"],
			["of both", ["client", "ada"]],
			["of another", ["client", "grace"]],
			["of others", "grace"],
		] as const)
			await count(name, typeof subject === "string" ? subject : [...subject]);
		expect(await deleteCounts({ signer }, database.db, "ada")).toBe(2);
		const { rows } = await sql<{ key: string }>`select key from rate_limits`.execute(database.db);
		expect(rows.map(({ key }) => key.split(":")[0]).sort()).toEqual(["of another", "of others"]);
		expect(await deleteCounts({ signer: createSigner(["another secret"]) }, database.db, "grace")).toBe(0);
	});

	test("without counts nothing is refused", async () => {
		expect(await take([])).toEqual({ ok: true });
	});
});

test("the table has no readable subject; only expired counts are deleted", async () => {
	const count = async () => (await sql<{ key: string }>`select key from rate_limits`.execute(database.db)).rows.map(({ key }) => key);
	await open("known", 5)[0]?.take("grace@example.fr");
	expect((await count()).join()).not.toMatch(/grace|ada|203\.0/);

	await sql`delete from rate_limits`.execute(database.db);
	const now = new Date("2026-11-20T10:00:00Z");
	const at = (name: string, first: Date) =>
		database.db
			.transaction()
			.execute((trx) => takeTogether({ signer }, trx, [{ name, subject: "ada", most: 5 }], { seconds: 60, now: first }));
	await at("over", new Date(now.getTime() - 60_001));
	await at("just now", new Date(now.getTime() - 60_000));
	await at("new", now);
	await at("being counted", new Date(now.getTime() - 60_001));
	// a count that somebody takes from just then is left for the next night: nobody waits
	const deleted = await database.db.transaction().execute(async (trx) => {
		await sql`select from rate_limits where key like 'being counted%' for update`.execute(trx);
		return deleteExpiredLimits(database.db, now);
	});
	expect(deleted).toBe(1);
	expect(await deleteExpiredLimits(database.db, now)).toBe(1);
	expect((await count()).map((key) => key.split(":")[0]).sort()).toEqual(["just now", "new"]);
});
