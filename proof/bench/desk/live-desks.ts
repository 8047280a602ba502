import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { changesChannel, deskSubject } from "../../../server/database/changes.ts";
import { withClient } from "../../../test/postgres.ts";
import type { Figure } from "../bench.ts";
import { formatSpread, percentile } from "../percentiles.ts";
import type { DeskShop } from "./desk-shop.ts";

const megabyte = 2 ** 20;

/**
 * Desks that show the queue, each with its live stream, while orders change: each desk reads its data again after a change, at most once
 * a second, as the page does.
 */
export async function measureLiveDesks(
	shop: DeskShop,
	connection: pg.ClientConfig,
	{ cookies, ms, changesPerSecond }: { cookies: readonly string[]; ms: number; changesPerSecond: number },
): Promise<{ figures: Figure[]; broken: string[] }> {
	const before = await shop.usage();
	const ended = new AbortController();
	const latencies: number[] = [];
	const failures: string[] = [];
	const desks = cookies.map((cookie) =>
		watchQueue(shop.url, cookie, ended.signal, latencies).catch((error) => failures.push(String(error))),
	);
	const started = performance.now();
	await withClient(connection, async (client) => {
		while (performance.now() - started < ms) {
			await client.query("select pg_notify($1, $2)", [changesChannel, deskSubject]);
			await wait(1000 / changesPerSecond);
		}
	});
	const seconds = (performance.now() - started) / 1000;
	const after = await shop.usage();
	ended.abort();
	await Promise.all(desks);
	const details = [
		`${cookies.length} desks, ${changesPerSecond} changes a second for ${seconds.toFixed(0)} s, ${latencies.length} readings: ${formatSpread(latencies, "ms")}`,
	];
	return {
		figures: [
			{ label: `CPU of ${cookies.length} live desks`, unit: "%", value: (after.cpu - before.cpu) / seconds / 10, goal: 100, details },
			{ label: `Memory with ${cookies.length} live desks`, unit: "MB", value: after.resident / megabyte, goal: 350 },
			{ label: "– a desk’s reading, p95", unit: "ms", value: percentile(latencies, 0.95), goal: 1000 },
		],
		broken: [...failures, ...(latencies.length < cookies.length ? ["some desks read nothing"] : [])],
	};
}

/** One desk: its stream, and a reading after each change. */
async function watchQueue(url: string, cookie: string, signal: AbortSignal, latencies: number[]): Promise<void> {
	const stream = await fetch(`${url}/bureau/direct`, { headers: { cookie }, signal });
	if (stream.status !== 200 || stream.body === null) throw new Error(`the stream answers ${stream.status}`);
	let isDue = false;
	const reading = (async () => {
		while (!signal.aborted) {
			if (isDue) {
				isDue = false;
				const sent = performance.now();
				const answer = await fetch(`${url}/bureau/commandes.data`, { headers: { cookie }, signal });
				await answer.arrayBuffer();
				if (answer.status !== 200) throw new Error(`the queue answers ${answer.status}`);
				latencies.push(performance.now() - sent);
				await wait(Math.max(0, 1000 - (performance.now() - sent)));
			} else await wait(20);
		}
	})();
	try {
		for await (const _ of stream.body) isDue = true;
		await reading;
	} catch (error) {
		if (!signal.aborted) throw error;
		await reading.catch(() => {});
	}
}
