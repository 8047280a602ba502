import { sql } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase } from "../test/database.ts";
import { scaledTimeout } from "../test/time-limits.ts";
import type { Database } from "./database/database.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { areJobsProcessed, type JobKind, type Jobs, startJobs } from "./jobs.ts";
import { createLog } from "./observability/log.ts";

let db: Database;
let connection: pg.ClientConfig;
let pool: pg.Pool;
let close: () => Promise<void>;
const running: Pick<Jobs, "stop">[] = [];

beforeAll(async () => {
	({ db, connection, pool, close } = await createTestDatabase());
});

afterAll(async () => {
	for (const jobs of running) await jobs.stop(1000);
	await close();
});

async function start<Kinds extends Record<keyof Kinds, JobKind<never>>>(kinds: Kinds, supervise = true): Promise<Jobs<Kinds>> {
	const jobs = await startJobs(connection, kinds, createLog("silent"), { supervise });
	running.push(jobs);
	return jobs;
}

async function stop(jobs: Pick<Jobs, "stop">): Promise<void> {
	running.splice(running.indexOf(jobs), 1);
	await jobs.stop(1000);
}

const keyedKind = { key: ({ id }: { id: string }) => id, retryLimit: 3 };

const listJobs = async (name: string) =>
	(await sql<{ state: string; created_on: Date; output: unknown }>`select * from jobs.job where name = ${name}`.execute(db)).rows;

const pollOptions = { timeout: scaledTimeout(20_000), interval: 50 };

test("a schedule sends one job for the whole shop, and again after a failure", async () => {
	const minute = () => Math.floor(Date.now() / 60_000);
	const startMinute = minute();
	let done = 0;
	const everyMinute = { "every-minute": { retryLimit: 0, cron: "* * * * *" } };
	const processes = [await start(everyMinute), await start(everyMinute)];
	for (const jobs of processes)
		await jobs.work("every-minute", async () => {
			done++;
			throw new Error("it always fails: ada@example.fr");
		});
	await vi.waitFor(async () => expect((await listJobs("every-minute")).map(({ state }) => state)).toContain("failed"), pollOptions);

	// moves the last scheduled run back by an hour
	await sql`update jobs.job set singleton_on = singleton_on - interval '1 hour', created_on = created_on - interval '1 hour'`.execute(db);
	await vi.waitFor(async () => expect((await listJobs("every-minute")).length).toBeGreaterThan(1), pollOptions);
	// another minute may start meanwhile, and its job must end as well
	const failedJobs = await vi.waitFor(async () => {
		const jobs = await listJobs("every-minute");
		expect(jobs.map(({ state }) => state)).toEqual(Array(done).fill("failed"));
		return jobs;
	}, pollOptions);
	expect(failedJobs.length).toBeLessThanOrEqual(2 + minute() - startMinute);
	// the stored error has a name, but no text that may quote personal data
	for (const { output } of failedJobs) expect(output).toEqual({ fault: "Error" });

	// schedules use French time
	const schedules = async () => (await sql`select timezone from jobs.schedule where name = 'every-minute'`.execute(db)).rows;
	expect(await schedules()).toEqual([{ timezone: "Europe/Paris" }]);
	// a removed kind loses its schedule, but not by a process that only sends, which may be older
	for (const jobs of processes) await stop(jobs);
	await stop(await start({}, false));
	expect(await schedules()).toHaveLength(1);
	await stop(await start({}));
	expect(await schedules()).toHaveLength(0);
});

test("a process that does jobs has a heartbeat until it stops; one that only sends has none", async () => {
	const countProcesses = async () => (await sql<{ seen_at: Date }>`select seen_at from job_processes`.execute(db)).rows.length;
	await sql`insert into job_processes values (gen_random_uuid(), now() - interval '2 minutes')`.execute(db);
	const sender = await start({}, false);
	expect(await areJobsProcessed(db)).toBe(false);
	const worker = await start({});
	expect(await countProcesses()).toBe(1); // the row of the dead process is deleted
	expect(await areJobsProcessed(db)).toBe(true);
	// a process counts as dead half a minute after its last heartbeat
	for (const [silence, processed] of [
		["29.9 seconds", true],
		["30 seconds", false],
	] as const) {
		const { rows } = await db.transaction().execute(async (trx) => {
			await sql`update job_processes set seen_at = now() - ${silence}::interval`.execute(trx);
			const result = await areJobsProcessed(trx as never);
			return { rows: [result] };
		});
		expect(rows, silence).toEqual([processed]);
	}
	await stop(worker);
	await stop(sender);
	expect(await countProcesses()).toBe(0);
	expect(await areJobsProcessed(db)).toBe(false);
});

test.each([
	["119 seconds", true],
	["121 seconds", false],
	["-59 seconds", true],
	["-61 seconds", false],
])("schedules that were looked at %s ago leave the queue ready: %s", async (age, ready) => {
	const worker = await start({});
	const found = db.transaction().execute(async (trx) => {
		await sql`update jobs.version set cron_on = now() - ${age}::interval`.execute(trx);
		throw Object.assign(new Error("seen"), { ready: await areJobsProcessed(trx as never) });
	});
	await expect(found).rejects.toMatchObject({ ready });
	await stop(worker);
});

test("who starts alone has time to look at the schedules; beside others they stand still", async () => {
	const silent = createLog("silent");
	const readAge = async () =>
		(await sql<{ age: number }>`select extract(epoch from now() - cron_on)::float8 as age from jobs.version`.execute(db)).rows[0]?.age;
	const stopSchedules = () => sql`update jobs.version set cron_on = now() - interval '1 hour'`.execute(db);
	await stopSchedules();
	const first = await startHeartbeat(pool, silent, () => {});
	expect(await readAge()).toBeLessThan(3000);
	await stopSchedules();
	const second = await startHeartbeat(pool, silent, () => {});
	expect(await readAge()).toBeGreaterThan(3000);
	for (const heartbeat of [first, second]) await heartbeat.stop();
});

test(
	"what a clock that was set back leaves in the future stops nothing: neither schedules, nor jobs, nor readiness",
	async () => {
		const kinds = { hourly: { retryLimit: 0, cron: "* * * * *" }, single: { ...keyedKind, retryLimit: 1 } };
		await stop(await start(kinds));
		const ahead = "now() + interval '9 hours'";
		const insertJob = (key: string, state: string, columns: Record<string, string>) =>
			sql`insert into jobs.job (name, state, singleton_key, data, retry_limit, ${sql.raw(Object.keys(columns).join())})
			values ('single', ${state}::jobs.job_state, ${key}, ${`{"id":"${key}"}`}, 1, ${sql.raw(Object.values(columns).join())})`.execute(db);
		await insertJob("new", "created", { created_on: ahead, start_after: ahead });
		await insertJob("again", "retry", { start_after: ahead, retry_count: "1" });
		await insertJob("running", "active", { started_on: ahead, heartbeat_on: ahead, heartbeat_seconds: "2" });
		await insertJob("later", "created", { start_after: "now() + interval '3 days'" });
		await sql`insert into job_processes values (gen_random_uuid(), ${sql.raw(ahead)})`.execute(db);
		await sql.raw(`update jobs.version set cron_on = ${ahead}`).execute(db);
		await sql.raw(`update jobs.queue set maintain_on = ${ahead}, monitor_claim_on = ${ahead}, monitor_on = ${ahead}`).execute(db);
		// the minutes of the coming hours were sent already
		await sql`insert into jobs.job (name, state, singleton_key, singleton_on, data)
		select '__pgboss__send-it', 'completed', 'hourly__all', date_trunc('minute', now() at time zone 'UTC') + make_interval(mins => minutes), '{}'
		from generate_series(-1, 540) as minutes on conflict do nothing`.execute(db);
		expect(await areJobsProcessed(db)).toBe(false);

		const jobs = await start(kinds);
		const done: string[] = [];
		await jobs.work("single", async ({ id }) => void done.push(id));
		await jobs.work("hourly", async () => void done.push("hourly"));
		expect(await areJobsProcessed(db)).toBe(true);
		await vi.waitFor(() => expect(new Set(done)).toEqual(new Set(["new", "again", "running", "hourly"])), {
			timeout: scaledTimeout(90_000),
			interval: 50,
		});
		expect((await sql`select from jobs.job where state = 'created' and singleton_key = 'later'`.execute(db)).rows).toHaveLength(1);
		await stop(jobs);
	},
	scaledTimeout(120_000),
);

test("overdue jobs make the queue not ready, future ones do not", async () => {
	const jobs = await start({ waiting: keyedKind });
	await db.transaction().execute(async (trx) => {
		await jobs.send(trx, "waiting", { id: "a" });
		await jobs.send(trx, "waiting", { id: "a" });
		await jobs.send(trx, "waiting", { id: "b" }, new Date(Date.now() + 3_600_000));
	});
	expect(await listJobs("waiting")).toHaveLength(2);
	expect(await areJobsProcessed(db)).toBe(true);
	const wait = (minutes: number) =>
		sql`update jobs.job set start_after = start_after - make_interval(mins => ${minutes}) where name = 'waiting'`.execute(db);
	await wait(9);
	expect(await areJobsProcessed(db)).toBe(true);
	await db.transaction().execute(async (trx) => {
		// exactly ten minutes is not yet too long
		await sql`update jobs.job set start_after = now() - interval '10 minutes' where name = 'waiting' and start_after < now()`.execute(trx);
		expect(await areJobsProcessed(trx as never)).toBe(true);
	});
	await wait(2);
	expect(await areJobsProcessed(db)).toBe(false);
	// a job that waits for its next attempt counts as well
	await sql`update jobs.job set state = 'retry' where name = 'waiting' and start_after < now()`.execute(db);
	expect(await areJobsProcessed(db)).toBe(false);
	await jobs.work("waiting", async () => {});
	await vi.waitFor(async () => expect(await areJobsProcessed(db)).toBe(true), pollOptions);
	await stop(jobs);
});

test("a job exists only if its transaction is committed", async () => {
	const jobs = await start({ bound: keyedKind }, false);
	const failed = db.transaction().execute(async (trx) => {
		await jobs.send(trx, "bound", { id: "a" });
		throw new Error("no order after all");
	});
	await expect(failed).rejects.toThrow("no order");
	expect(await listJobs("bound")).toEqual([]);
	await stop(jobs);
});

test("a job ends in the transaction of its handler, or after a rollback at the next attempt", async () => {
	const jobs = await start({ bound: keyedKind, other: keyedKind });
	const listStates = async () => (await listJobs("bound")).map(({ state }) => state);
	const seen: unknown[] = [];
	let attempts = 0;
	await jobs.work("bound", async () => {
		attempts++;
		const work = db.transaction().execute(async (trx) => {
			await jobs.complete(trx, "other");
			seen.push((await sql<{ state: string }>`select state from jobs.job where name = 'bound'`.execute(trx)).rows[0]?.state);
			await jobs.complete(trx, "bound");
			seen.push((await sql<{ state: string }>`select state from jobs.job where name = 'bound'`.execute(trx)).rows[0]?.state);
			if (attempts === 1) throw new Error("rolled back");
		});
		await work.finally(async () => seen.push(...(await listStates())));
	});
	await db.transaction().execute((trx) => jobs.send(trx, "bound", { id: "a" }));
	await vi.waitFor(() => expect(seen).toHaveLength(6), pollOptions);
	expect(seen).toEqual(["active", "completed", "active", "active", "completed", "completed"]);
	// outside of a job there is nothing to complete
	await db.transaction().execute(async (trx) => {
		await jobs.send(trx, "other", { id: "b" });
		await jobs.complete(trx, "other");
	});
	expect((await listJobs("other")).map(({ state }) => state)).toEqual(["created"]);
	await stop(jobs);
	expect([attempts, await listStates()]).toEqual([2, ["completed"]]);
});

test("jobs that fail for the same reason are one line a minute, and another reason has its own", async () => {
	const lines: { error: string }[] = [];
	const log = createLog("error", { write: (line) => lines.push(JSON.parse(line)) });
	const kind = { "many-failures": { ...keyedKind, retryLimit: 0 } };
	const jobs = await startJobs(connection, kind, log, { supervise: true });
	running.push(jobs);
	await jobs.work("many-failures", async ({ id }) => {
		throw new Error(id === "other" ? "a bug" : `the partner refuses ${id}`);
	});
	await db.transaction().execute(async (trx) => {
		for (const id of ["1", "2", "3", "4", "other"]) await jobs.send(trx, "many-failures", { id });
	});
	await vi.waitFor(
		async () => expect((await listJobs("many-failures")).map(({ state }) => state)).toEqual(Array(5).fill("failed")),
		pollOptions,
	);
	const faults = lines.map(({ error }) => error.split("\n")[0]?.replace(/\d/, "#")).sort();
	expect(faults).toEqual(["Error: a bug", "Error: the partner refuses #"]);
	await stop(jobs);
});

test("a scheduled job may take an hour, any other two minutes; a dead worker is noticed soon", async () => {
	await stop(await start({ nightly: { retryLimit: 0, cron: "0 3 * * *" }, ordinary: { retryLimit: 3 } }));
	const { rows } = await sql<{ name: string; expire_seconds: number; heartbeat_seconds: number; policy: string }>`
		select * from jobs.queue where name in ('nightly', 'ordinary') order by name`.execute(db);
	expect(rows.map(({ name, expire_seconds, policy }) => [name, expire_seconds >= 3600, expire_seconds <= 600, policy])).toEqual([
		["nightly", true, false, "exclusive"],
		["ordinary", false, true, "exclusive"],
	]);
	for (const { heartbeat_seconds } of rows) expect(heartbeat_seconds).toBeLessThanOrEqual(30);
});

test("waiting jobs of low priority do not make the queue not ready", async () => {
	const jobs = await start({ letter: { ...keyedKind, lowPriority: true } });
	await db.transaction().execute((trx) => jobs.send(trx, "letter", { id: "a" }));
	await sql`update jobs.job set start_after = start_after - interval '11 minutes' where name = 'letter'`.execute(db);
	expect(await areJobsProcessed(db)).toBe(true);
	const done = Promise.withResolvers<void>();
	await jobs.work("letter", async () => done.resolve());
	await done.promise;
	await stop(jobs);
});

test("a stopping process aborts its job, returns it to the queue, and another process does it", async () => {
	const first = await start({ long: keyedKind });
	const started = Promise.withResolvers<void>();
	const aborted = Promise.withResolvers<void>();
	await first.work("long", (_data, signal) => {
		started.resolve();
		return new Promise((_, reject) =>
			signal.addEventListener("abort", () => {
				aborted.resolve();
				reject(new Error("interrupted"));
			}),
		);
	});
	await db.transaction().execute((trx) => first.send(trx, "long", { id: "a" }));
	await started.promise;
	await stop(first);
	await aborted.promise;

	const second = await start({ long: keyedKind });
	const done = Promise.withResolvers<void>();
	await second.work("long", async () => done.resolve());
	await done.promise;
	await stop(second);
});

test.each([1, 2, 4, 10])("as many jobs of a kind run at once as it says: %i", async (concurrency) => {
	const name = `parallel-${concurrency}`;
	const jobs = await start({ [name]: { ...keyedKind, concurrency }, [`${name}-later`]: keyedKind });
	const ids = Array.from({ length: 3 * concurrency }, (_, index) => String(index));
	await db.transaction().execute(async (trx) => {
		for (const id of ids) await jobs.send(trx, name, { id });
		await jobs.send(trx, `${name}-later`, { id: "only" });
	});
	const running = new Set<string>();
	const ended: string[] = [];
	const released = Promise.withResolvers<void>();
	await jobs.work(name, async ({ id }) => {
		running.add(id);
		await released.promise;
		running.delete(id);
		ended.push(id);
	});
	await vi.waitFor(() => expect(running.size).toBeGreaterThanOrEqual(concurrency), pollOptions);
	// once a job of another kind has run, all workers of this kind have fetched what they may
	const later = Promise.withResolvers<void>();
	await jobs.work(`${name}-later`, async () => later.resolve());
	await later.promise;
	expect(running.size).toBe(concurrency);
	released.resolve();
	await vi.waitFor(() => expect(ended.toSorted()).toEqual(ids.toSorted()), pollOptions);
	await stop(jobs);
});

test("runs missed during an outage are sent once, at the next start", async () => {
	const halfAnHourAgo = new Date(Date.now() - 1_800_000).getUTCMinutes();
	const hourly = { hourly: { retryLimit: 0, cron: `${halfAnHourAgo} * * * *` } };
	const before = await start(hourly);
	await before.work("hourly", async () => {});
	await stop(before);
	await sql`update jobs.schedule set created_on = created_on - interval '3 hours'`.execute(db);
	await sql`update jobs.version set cron_on = cron_on - interval '3 hours'`.execute(db);
	const after = await start(hourly);
	await after.work("hourly", async () => {});
	await vi.waitFor(async () => expect((await listJobs("hourly")).map(({ state }) => state)).toEqual(["completed"]), pollOptions);
	await stop(after);
});

test("a process that does jobs updates the queue of a changed kind", async () => {
	const changing = (retryLimit: number) => ({ changing: { retryLimit } });
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
