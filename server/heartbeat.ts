import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Log } from "./observability/log.ts";

const interval = 5000;

/** Milliseconds: whatever holds a process up for so long, another one in its place begins anew. */
const longestSilence = 60_000;

/**
 * Writes again and again that this process does jobs (`job_processes`), and deletes those that have long written nothing.
 * A process that could not write it for a minute ends, and its process manager starts another.
 * @param end ends the process.
 */
export async function startHeartbeat(pool: pg.Pool, log: Log, end: () => void): Promise<{ stop(): Promise<void> }> {
	const id = randomUUID();
	const beat = async () => {
		await pool.query("insert into job_processes values ($1, now()) on conflict (id) do update set seen_at = excluded.seen_at", [id]);
		await pool.query("delete from job_processes where seen_at < now() - interval '1 minute'");
	};
	await beat();
	// counted by ticks of a clock that does not jump: a machine that slept, or a process that was stopped, has not been silent meanwhile
	let silence = 0;
	let lastTick = performance.now();
	let beating: Promise<void> | undefined;
	const timer = setInterval(() => {
		const tick = performance.now();
		silence += Math.min(tick - lastTick, 2 * interval);
		lastTick = tick;
		if (silence > longestSilence) {
			log.fatal({ seconds: Math.round(silence / 1000) }, "this process could not write its heartbeat for a minute: it ends");
			return end();
		}
		// the queue itself reports a database that is away
		beating ??= beat()
			.then(
				() => {
					silence = 0;
				},
				() => {},
			)
			.finally(() => {
				beating = undefined;
			});
	}, interval);
	return {
		async stop() {
			clearInterval(timer);
			await beating;
			await pool.query("delete from job_processes where id = $1", [id]).catch(() => {});
		},
	};
}
