import type pg from "pg";
import { parseCompanySearch } from "../../app/companies/search/company-search.ts";
import { searchCompanies } from "../../app/companies/search/search-companies.server.ts";
import { openDatabase } from "../../server/database/database.ts";
import { createLog } from "../../server/observability/log.ts";
import type { BenchOptions, Figure } from "../bench.ts";
import { type Client, page } from "../client.ts";
import { percentile, spread } from "../percentiles.ts";
import { usage } from "../tell-usage.ts";

/** What the search costs without its page: its statements and the rows made of them, on one connection. */
export interface SearchAlone {
	latencies: number[];
	/** CPU of one search in the Node process, PostgreSQL not counted, in milliseconds. */
	cpu: number;
}

/** Answers each path's search `rounds` times, after one round that is not measured. */
export async function searchAlone(connection: pg.ClientConfig, paths: readonly string[], rounds: number): Promise<SearchAlone> {
	const { db } = openDatabase({ ...connection, max: 1 }, createLog("silent"));
	const searches = paths.map((path) => parseCompanySearch(new URL(path, "http://localhost").searchParams));
	const latencies: number[] = [];
	const go = async () => {
		for (const search of searches) {
			const started = performance.now();
			await searchCompanies(db, search);
			latencies.push(performance.now() - started);
		}
	};
	await go();
	latencies.length = 0;
	const before = usage().cpu;
	for (let round = 0; round < rounds; round++) await go();
	const cpu = (usage().cpu - before) / latencies.length;
	await db.destroy();
	return { latencies, cpu };
}

/** The search page as a browser asks for it, one visitor after another. */
export async function measureSearchPage(
	{ smoke }: BenchOptions,
	{ shop, bare, connection, paths }: { shop: Client; bare: Client; connection: pg.ClientConfig; paths: readonly string[] },
): Promise<Figure> {
	const rounds = smoke ? 1 : 5;
	const compressed = await latenciesOf(shop, paths, rounds, { "accept-encoding": "br" });
	const plain = await latenciesOf(shop, paths, rounds);
	const fixed = await latenciesOf(bare, paths, rounds);
	const alone = await searchAlone(connection, paths, rounds);
	return {
		what: "Search page, p95",
		unit: "ms",
		value: percentile(compressed, 0.95),
		goal: 15,
		bare: percentile(fixed, 0.95),
		bareWhat: "Hono answering a fixed page of the same size",
		details: [
			`${compressed.length} requests of ${paths.length} different searches by one client, warm, compressed (brotli): ${spread(compressed, "ms")}`,
			`the same, not compressed: ${spread(plain, "ms")}`,
			`the search alone, without its page: ${spread(alone.latencies, "ms")}`,
		],
		largestRatio: 200,
	};
}

async function latenciesOf(client: Client, paths: readonly string[], rounds: number, headers?: Record<string, string>): Promise<number[]> {
	for (const path of paths) await page(client, path, headers);
	const latencies: number[] = [];
	for (let round = 0; round < rounds; round++) for (const path of paths) latencies.push((await page(client, path, headers)).ms);
	return latencies;
}
