import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rateLimits, takeEach } from "./rate-limits.ts";
import { testDatabase } from "./test-database.ts";

let database: Awaited<ReturnType<typeof testDatabase>>;
let pools: pg.Pool[];

beforeAll(async () => {
	database = await testDatabase();
	// two processes
	pools = [1, 2].map(() => new pg.Pool({ ...database.connection, max: 10 }));
});

afterAll(async () => {
	await Promise.all(pools.map((pool) => pool.end()));
	await database.close();
});

const open = (name: string, points: number) => pools.map((pool) => rateLimits(pool)(name, points, 3600));

test("of a burst at two processes, as many get through as there are points", async () => {
	const limits = open("burst", 20);
	const taken = await Promise.all(Array.from({ length: 300 }, (_, index) => limits[index % 2]?.take("somebody")));
	expect(taken.filter((answer) => answer?.ok)).toHaveLength(20);
	for (const answer of taken) if (!answer?.ok) expect(answer?.retryAfter).toBeGreaterThan(3500);
});

test("subjects have points of their own, and so have limits", async () => {
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

test("who is refused by the first limit takes nothing from the second", async () => {
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
