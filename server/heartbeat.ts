import { randomUUID } from "node:crypto";
import type pg from "pg";
import { clearFutureStamps } from "./clear-future-stamps.ts";
import type { Log } from "./observability/log.ts";

const intervalMs = 5000;

const maxSilenceMs = 60_000;

const maxStepMs = 60_000;

/** While no process ran, nobody looked at the schedules: the first one has its time for it. */
const beginSchedule = `update jobs.version set cron_on = now()
	where cron_on < now() - interval '1 minute' and (select count(*) from job_processes) = 1`;

/**
 * Records every five seconds that this process does jobs (`job_processes`), and deletes the rows of processes that died.
 * A process that cannot write its heartbeat for a minute ends, and its process manager starts another. So does one whose clock is set
 * back by more than a minute: the timers of its schedules would wait for the old time.
 * @param end ends the process.
 */
export async function startHeartbeat(pool: pg.Pool, log: Log, end: () => void): Promise<{ stop(): Promise<void> }> {
	const id = randomUUID();
	const writeHeartbeat = async () => {
		if (await clearFutureStamps(pool)) log.error("the clock of the database was set back: the queue goes on by the new time");
		await pool.query("insert into job_processes values ($1, now()) on conflict (id) do update set seen_at = excluded.seen_at", [id]);
		await pool.query("delete from job_processes where seen_at < now() - interval '1 minute'");
	};
	await writeHeartbeat();
	await pool.query(beginSchedule);
	// each tick counts for two intervals at most, so that a machine that slept does not count as silent
	let silenceMs = 0;
	let lastTick = performance.now();
	let lastWallTick = Date.now();
	let writing: Promise<void> | undefined;
	const timer = setInterval(() => {
		const tick = performance.now();
		const wallTick = Date.now();
		const aheadMs = wallTick - lastWallTick - (tick - lastTick);
		silenceMs += Math.min(tick - lastTick, 2 * intervalMs);
		lastTick = tick;
		lastWallTick = wallTick;
		// a machine that slept looks like one whose clock was set forward, which stops nothing
		if (aheadMs < -maxStepMs) {
			log.fatal({ seconds: Math.round(-aheadMs / 1000) }, "the clock of this machine was set back: this process ends");
			return end();
		}
		if (silenceMs > maxSilenceMs) {
			log.fatal({ seconds: Math.round(silenceMs / 1000) }, "this process could not write its heartbeat for a minute: it ends");
			return end();
		}
		// errors are ignored here: the queue reports an unavailable database
		writing ??= writeHeartbeat()
			.then(
				() => {
					silenceMs = 0;
				},
				() => {},
			)
			.finally(() => {
				writing = undefined;
			});
	}, intervalMs);
	return {
		async stop() {
			clearInterval(timer);
			await writing;
			await pool.query("delete from job_processes where id = $1", [id]).catch(() => {});
		},
	};
}
