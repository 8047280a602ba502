import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { openDatabase } from "../../../server/database/database.ts";
import { startJobs } from "../../../server/jobs.ts";
import { createLog } from "../../../server/observability/log.ts";
import { seededRandom } from "../../../test/random.ts";
import type { BenchOptions, Figure } from "../bench.ts";
import { formatSpread, measureEach, percentile } from "../percentiles.ts";

const benchKinds = { "bench-noted": { key: ({ number }: { number: number }) => String(number), retryLimit: 0 } };

/** From the transaction that enqueues a job to the first line of its handler, on the shop's own queue. */
export async function measureJobStart({ smoke, undo }: BenchOptions, connection: pg.ClientConfig): Promise<Figure> {
	const times = smoke ? 5 : 300;
	const warmUps = smoke ? 2 : 10;
	const log = createLog("warn");
	const { db } = openDatabase(connection, log);
	undo.defer(() => db.destroy());
	const jobs = await startJobs(connection, benchKinds, log, { supervise: true });
	undo.defer(() => jobs.stop(1000));

	const waiting = new Map<number, () => void>();
	await jobs.work("bench-noted", async ({ number }) => waiting.get(number)?.());
	await wait(500); // the queue listens a moment after it starts
	const random = seededRandom(5);
	const latencies: number[] = [];
	for (let number = 0; number < times + warmUps; number++) {
		const enqueued = performance.now();
		const started = new Promise<void>((done) => waiting.set(number, done));
		await db.transaction().execute((trx) => jobs.send(trx, "bench-noted", { number }));
		await started;
		if (number >= warmUps) latencies.push(performance.now() - enqueued);
		await wait(5 + 15 * random.next()); // never in step with the queue's own timers
	}
	const notifications = await measureNotifications(undo, connection, times);
	return {
		label: "From enqueue to job start, p95",
		unit: "ms",
		value: percentile(latencies, 0.95),
		goal: 50,
		details: [
			`${times} jobs, each sent in its own transaction, whose commit is included: ${formatSpread(latencies, "ms")}`,
			`NOTIFY to LISTEN: ${formatSpread(notifications, "ms")}`,
		],
		baseline: { value: percentile(notifications, 0.95), label: "NOTIFY to LISTEN on the same server", maxRatio: 500 },
	};
}

async function measureNotifications(undo: AsyncDisposableStack, connection: pg.ClientConfig, times: number): Promise<number[]> {
	const [listener, sender] = [new pg.Client(connection), new pg.Client(connection)];
	for (const client of [listener, sender]) {
		await client.connect();
		undo.defer(() => client.end());
	}
	await listener.query("listen bench");
	return measureEach(Array(times).fill(null), () => {
		const heard = new Promise((done) => listener.once("notification", done));
		return Promise.all([sender.query("notify bench"), heard]);
	});
}
