import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { openDatabase } from "../../server/database/database.ts";
import { type JobKind, startJobs } from "../../server/jobs.ts";
import { createLog } from "../../server/observability/log.ts";
import type { BenchOptions, Figure } from "../bench.ts";
import { percentile, spread } from "../percentiles.ts";
import { seededRandom } from "../random.ts";

const noted: JobKind<{ number: number }> = { name: "bench-noted", key: ({ number }) => String(number), retryLimit: 0 };

/** From the transaction that sends a job to the first line of what does it, on the shop's own queue. */
export async function measureJobStart({ smoke, undo }: BenchOptions, connection: pg.ClientConfig): Promise<Figure> {
	const times = smoke ? 5 : 300;
	const warmUps = smoke ? 2 : 10;
	const log = createLog("warn");
	const { db } = openDatabase(connection, log);
	undo.defer(() => db.destroy());
	const jobs = await startJobs(connection, [noted], log, { supervise: true });
	undo.defer(() => jobs.stop(1000));

	const waiting = new Map<number, () => void>();
	await jobs.work(noted, 4, async ({ number }) => waiting.get(number)?.());
	await wait(500); // the queue listens a moment after it is told to
	const random = seededRandom(5);
	const latencies: number[] = [];
	for (let number = 0; number < times + warmUps; number++) {
		const started = performance.now();
		const begun = new Promise<void>((done) => waiting.set(number, done));
		await db.transaction().execute((trx) => jobs.send(trx, noted, { number }));
		await begun;
		if (number >= warmUps) latencies.push(performance.now() - started);
		await wait(5 + 15 * random.next()); // never in step with what the queue does by the clock
	}
	const signals = await notifications(undo, connection, times);
	return {
		what: "From enqueue to job start, p95",
		unit: "ms",
		value: percentile(latencies, 0.95),
		goal: 50,
		bare: percentile(signals, 0.95),
		bareWhat: "NOTIFY to LISTEN on the same server",
		details: [
			`${times} jobs, each sent in a transaction of its own and timed from its beginning, commit included: ${spread(latencies, "ms")}`,
			`NOTIFY to LISTEN: ${spread(signals, "ms")}`,
		],
		largestRatio: 500,
	};
}

async function notifications(undo: AsyncDisposableStack, connection: pg.ClientConfig, times: number): Promise<number[]> {
	const [listener, sender] = [new pg.Client(connection), new pg.Client(connection)];
	for (const client of [listener, sender]) {
		await client.connect();
		undo.defer(() => client.end());
	}
	await listener.query("listen bench");
	const latencies: number[] = [];
	for (let time = 0; time < times; time++) {
		const heard = new Promise((done) => listener.once("notification", done));
		const started = performance.now();
		await Promise.all([sender.query("notify bench"), heard]);
		latencies.push(performance.now() - started);
	}
	return latencies;
}
