import { sql } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase } from "../test/database.ts";
import { scaledTimeout } from "../test/time-limits.ts";
import type { Database } from "./database/database.ts";
import { areJobsProcessed, type JobKind, type Jobs, startJobs } from "./jobs.ts";
import { createLog } from "./observability/log.ts";

type Nothing = Record<string, never>;

let db: Database;
let connection: pg.ClientConfig;
let close: () => Promise<void>;
const running: Jobs[] = [];

beforeAll(async () => {
	({ db, connection, close } = await createTestDatabase());
});

afterAll(async () => {
	for (const jobs of running) await jobs.stop(1000);
	await close();
});

async function start(kinds: JobKind<never>[], supervise = true): Promise<Jobs> {
	const jobs = await startJobs(connection, kinds, createLog("silent"), { supervise });
	running.push(jobs);
	return jobs;
}

async function stop(jobs: Jobs): Promise<void> {
	running.splice(running.indexOf(jobs), 1);
	await jobs.stop(1000);
}

const jobsOf = async (name: string) =>
	(await sql<{ state: string; created_on: Date; output: unknown }>`select * from jobs.job where name = ${name}`.execute(db)).rows;

const soon = { timeout: scaledTimeout(20_000), interval: 50 };

test("a kind with a clock is sent by it: once in the whole shop, and again although it failed before", async () => {
	const minute = () => Math.floor(Date.now() / 60_000);
	const began = minute();
	let done = 0;
	const everyMinute: JobKind<Nothing> = { name: "every-minute", key: () => "only", retryLimit: 0, cron: "* * * * *" };
	const processes = [await start([everyMinute as JobKind<never>]), await start([everyMinute as JobKind<never>])];
	for (const jobs of processes)
		await jobs.work(everyMinute, 2, async () => {
			done++;
			throw new Error("it always fails: ada@example.fr");
		});
	await vi.waitFor(async () => expect((await jobsOf("every-minute")).map(({ state }) => state)).toContain("failed"), soon);

	// the clock goes on: as if the last look at it, and what it sent, were of an hour ago
	await sql`update jobs.job set singleton_on = singleton_on - interval '1 hour', created_on = created_on - interval '1 hour'`.execute(db);
	await vi.waitFor(async () => expect((await jobsOf("every-minute")).length).toBeGreaterThan(1), soon);
	// a minute may turn meanwhile: the next one is waited for as well
	const found = await vi.waitFor(async () => {
		const jobs = await jobsOf("every-minute");
		expect(jobs.map(({ state }) => state)).toEqual(Array(done).fill("failed"));
		return jobs;
	}, soon);
	expect(found.length).toBeLessThanOrEqual(2 + minute() - began);
	// what is kept of a failure names it, and quotes nobody
	for (const { output } of found) expect(output).toEqual({ fault: "Error" });

	// the clock is that of the shop's customers and operators
	const schedules = async () => (await sql`select timezone from jobs.schedule where name = 'every-minute'`.execute(db)).rows;
	expect(await schedules()).toEqual([{ timezone: "Europe/Paris" }]);
	// a kind that is gone is sent no more; a process that only sends may be older, and takes nothing away
	for (const jobs of processes) await stop(jobs);
	await stop(await start([], false));
	expect(await schedules()).toHaveLength(1);
	await stop(await start([]));
	expect(await schedules()).toHaveLength(0);
});

test("a process that does jobs shows it until it stops; one that only sends does not", async () => {
	const alive = async () => (await sql<{ seen_at: Date }>`select seen_at from job_processes`.execute(db)).rows.length;
	await sql`insert into job_processes values (gen_random_uuid(), now() - interval '2 minutes')`.execute(db);
	const sender = await start([], false);
	expect(await areJobsProcessed(db)).toBe(false);
	const worker = await start([]);
	expect(await alive()).toBe(1); // the one that died long ago is forgotten
	expect(await areJobsProcessed(db)).toBe(true);
	// one that died a moment ago is not known to be dead yet; half a minute later it is
	for (const [silentFor, done] of [
		["29.9 seconds", true],
		["30 seconds", false],
	] as const) {
		const { rows } = await db.transaction().execute(async (trx) => {
			await sql`update job_processes set seen_at = now() - ${silentFor}::interval`.execute(trx);
			const asked = await areJobsProcessed(trx as never);
			return { rows: [asked] };
		});
		expect(rows, silentFor).toEqual([done]);
	}
	await stop(worker);
	await stop(sender);
	expect(await alive()).toBe(0);
	expect(await areJobsProcessed(db)).toBe(false);
});

test("jobs that nobody does are told, those whose time has not come are not", async () => {
	const waiting: JobKind<{ id: string }> = { name: "waiting", key: ({ id }) => id, retryLimit: 3 };
	const jobs = await start([waiting as JobKind<never>]);
	await db.transaction().execute(async (trx) => {
		await jobs.send(trx, waiting, { id: "a" });
		await jobs.send(trx, waiting, { id: "a" });
		await jobs.send(trx, waiting, { id: "b" }, new Date(Date.now() + 3_600_000));
	});
	expect(await jobsOf("waiting")).toHaveLength(2);
	expect(await areJobsProcessed(db)).toBe(true);
	const wait = (minutes: number) =>
		sql`update jobs.job set start_after = start_after - make_interval(mins => ${minutes}) where name = 'waiting'`.execute(db);
	await wait(9);
	expect(await areJobsProcessed(db)).toBe(true);
	await db.transaction().execute(async (trx) => {
		// one that has waited for ten minutes sharp has not waited longer
		await sql`update jobs.job set start_after = now() - interval '10 minutes' where name = 'waiting' and start_after < now()`.execute(trx);
		expect(await areJobsProcessed(trx as never)).toBe(true);
	});
	await wait(2);
	expect(await areJobsProcessed(db)).toBe(false);
	// one that failed and is to be tried again waits, too
	await sql`update jobs.job set state = 'retry' where name = 'waiting' and start_after < now()`.execute(db);
	expect(await areJobsProcessed(db)).toBe(false);
	await jobs.work(waiting, 2, async () => {});
	await vi.waitFor(async () => expect(await areJobsProcessed(db)).toBe(true), soon);
	await stop(jobs);
});

test("a job is sent with its transaction or not at all", async () => {
	const bound: JobKind<{ id: string }> = { name: "bound", key: ({ id }) => id, retryLimit: 3 };
	const jobs = await start([bound as JobKind<never>], false);
	const failed = db.transaction().execute(async (trx) => {
		await jobs.send(trx, bound, { id: "a" });
		throw new Error("no order after all");
	});
	await expect(failed).rejects.toThrow("no order");
	expect(await jobsOf("bound")).toEqual([]);
	await stop(jobs);
});

test("what goes through many rows by the clock may take an hour, any other job two minutes; a dead worker is noticed soon", async () => {
	const kinds = [
		{ name: "nightly", key: () => "only", retryLimit: 0, cron: "0 3 * * *" },
		{ name: "ordinary", key: () => "only", retryLimit: 3 },
	] as JobKind<never>[];
	await stop(await start(kinds));
	const { rows } = await sql<{ name: string; expire_seconds: number; heartbeat_seconds: number; policy: string }>`
		select * from jobs.queue where name in ('nightly', 'ordinary') order by name`.execute(db);
	expect(rows.map(({ name, expire_seconds, policy }) => [name, expire_seconds >= 3600, expire_seconds <= 600, policy])).toEqual([
		["nightly", true, false, "exclusive"],
		["ordinary", false, true, "exclusive"],
	]);
	for (const { heartbeat_seconds } of rows) expect(heartbeat_seconds).toBeLessThanOrEqual(30);
});

test("what is sent for many at once may wait: nothing is wrong meanwhile", async () => {
	const letter: JobKind<{ id: string }> = { name: "letter", key: ({ id }) => id, retryLimit: 3, mayWait: true };
	const jobs = await start([letter as JobKind<never>]);
	await db.transaction().execute((trx) => jobs.send(trx, letter, { id: "a" }));
	await sql`update jobs.job set start_after = start_after - interval '11 minutes' where name = 'letter'`.execute(db);
	expect(await areJobsProcessed(db)).toBe(true);
	const done = Promise.withResolvers<void>();
	await jobs.work(letter, 2, async () => done.resolve());
	await done.promise;
	await stop(jobs);
});

test("a job that is interrupted by the stop of its process is told so, handed back, and done by another", async () => {
	const long: JobKind<{ id: string }> = { name: "long", key: ({ id }) => id, retryLimit: 3 };
	const first = await start([long as JobKind<never>]);
	const began = Promise.withResolvers<void>();
	const told = Promise.withResolvers<void>();
	await first.work(long, 2, (_data, signal) => {
		began.resolve();
		return new Promise((_, reject) =>
			signal.addEventListener("abort", () => {
				told.resolve();
				reject(new Error("interrupted"));
			}),
		);
	});
	await db.transaction().execute((trx) => first.send(trx, long, { id: "a" }));
	await began.promise;
	await stop(first);
	await told.promise;

	const second = await start([long as JobKind<never>]);
	const done = Promise.withResolvers<void>();
	await second.work(long, 2, async () => done.resolve());
	await done.promise;
	await stop(second);
});

test("what the clock would have sent while nothing ran is sent once, at the next start", async () => {
	const halfAnHourAgo = new Date(Date.now() - 1_800_000).getUTCMinutes();
	const hourly: JobKind<Nothing> = { name: "hourly", key: () => "only", retryLimit: 0, cron: `${halfAnHourAgo} * * * *` };
	const before = await start([hourly as JobKind<never>]);
	await before.work(hourly, 2, async () => {});
	await stop(before);
	await sql`update jobs.schedule set created_on = created_on - interval '3 hours'`.execute(db);
	await sql`update jobs.version set cron_on = cron_on - interval '3 hours'`.execute(db);
	const after = await start([hourly as JobKind<never>]);
	await after.work(hourly, 2, async () => {});
	await vi.waitFor(async () => expect((await jobsOf("hourly")).map(({ state }) => state)).toEqual(["completed"]), soon);
	await stop(after);
});

test("a kind that changed is taken as it is now, by a process that does jobs", async () => {
	const changing = (retryLimit: number) => [{ name: "changing", key: () => "only", retryLimit } as JobKind<never>];
	const queue = async () =>
		(await sql<{ retry_limit: number; updated_on: Date }>`select * from jobs.queue where name = 'changing'`.execute(db)).rows[0];
	await stop(await start(changing(3)));
	const first = await queue();
	await stop(await start(changing(3)));
	expect(await queue()).toMatchObject({ retry_limit: 3, updated_on: first?.updated_on });
	await stop(await start(changing(5), false));
	expect(await queue()).toMatchObject({ retry_limit: 3 });
	await stop(await start(changing(5)));
	expect(await queue()).toMatchObject({ retry_limit: 5 });
});
