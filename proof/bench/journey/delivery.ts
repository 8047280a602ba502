import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { openClient } from "../../../test/http-client.ts";
import type { KnownCompany } from "../../../test/known-companies.ts";
import { placeOrder } from "../../../test/place-order.ts";
import { withClient } from "../../../test/postgres.ts";
import type { BenchOptions, Figure } from "../bench.ts";
import { measureEmptyCommits } from "../database.ts";
import { formatFigure, formatSpread, percentile } from "../percentiles.ts";

/** Milliseconds between two polls of an order. */
const pollMs = 10;

/** Empty commits measured before each order. */
const commitsBesideOrder = 10;

interface Subjects {
	url: string;
	connection: pg.ClientConfig;
	companies: readonly KnownCompany[];
}

/** From the payment to the delivered document as a customer sees it, one order after the other and many at once. */
export async function measureDelivery({ smoke, undo }: BenchOptions, { url, connection, companies }: Subjects): Promise<Figure[]> {
	const count = smoke ? 2 : 50;
	const concurrent = smoke ? 2 : 20;
	const client = openClient(undo, url, concurrent);
	// many customers who poll as often as one would be the load that is measured
	const pollTogetherMs = (pollMs * concurrent) / 2;
	const place = (number: number, every = pollMs) =>
		placeOrder(client, url, companies[number % companies.length] as KnownCompany, { number, pollMs: every });

	await (await place(0))(); // the first order loads the PDF code
	const idle = await countWrites(connection, () => wait(smoke ? 200 : 2000));
	const latencies: number[] = [];
	const commits: number[] = [];
	// beside the orders and not after them, so that a machine that becomes busy in between slows both
	const sampleCommits = async () => {
		commits.push(...(await measureEmptyCommits(connection, commitsBesideOrder)));
	};
	const writes = await countWrites(connection, async () => {
		for (let number = 1; number <= count; number++) {
			await sampleCommits();
			latencies.push(await (await place(number))());
		}
	});
	const perOrder = Math.max(1, (writes.count - (idle.count / idle.ms) * writes.ms) / count - commitsBesideOrder);

	const placed: (() => Promise<number>)[] = [];
	for (let number = 0; number < concurrent; number++) placed.push(await place(count + 1 + number, pollTogetherMs));
	await sampleCommits();
	const concurrentLatencies = await Promise.all(placed.map((pay) => pay()));
	await sampleCommits();

	const commit = percentile(commits, 0.5);
	return [
		{
			label: "From paid to delivered, p95",
			unit: "s",
			value: percentile(latencies, 0.95) / 1000,
			goal: 2,
			details: [
				`${count} orders one after the other, from the payment request until /api/suivi, polled every ${pollMs} ms, answers completed: ${formatSpread(latencies, "ms")}`,
				`empty commits: ${formatSpread(commits, "ms")}`,
			],
			baseline: {
				value: (perOrder * commit) / 1000,
				label: `the ${formatFigure(perOrder)} writing transactions of one order, as empty commits of ${formatFigure(commit)} ms`,
				maxRatio: 400,
			},
		},
		{
			label: `From paid to delivered, slowest of ${concurrent} at once`,
			unit: "s",
			value: percentile(concurrentLatencies, 1) / 1000,
			goal: 2,
			details: [`each polled every ${pollTogetherMs} ms: ${formatSpread(concurrentLatencies, "ms")}`],
			baseline: {
				value: (concurrent * perOrder * commit) / 1000,
				label: `${concurrent} times those commits, one after the other`,
				maxRatio: 200,
			},
		},
	];
}

/** Counts the transactions that write while some work runs: each takes a transaction number, a reading one takes none. */
async function countWrites(connection: pg.ClientConfig, work: () => Promise<void>): Promise<{ count: number; ms: number }> {
	const nextNumber = () =>
		withClient(connection, async (client) =>
			Number((await client.query("select pg_snapshot_xmax(pg_current_snapshot())::text as next")).rows[0].next),
		);
	const first = await nextNumber();
	const started = performance.now();
	await work();
	return { ms: performance.now() - started, count: (await nextNumber()) - first };
}
