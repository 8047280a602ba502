import type pg from "pg";
import { parseCompanySearch } from "../../../app/companies/search/company-search.ts";
import { searchCompanies } from "../../../app/companies/search/search-companies.server.ts";
import { openDatabase } from "../../../server/database/database.ts";
import { createLog } from "../../../server/observability/log.ts";
import { measureUsage } from "../../../test/report-usage.ts";
import type { BenchOptions, Figure } from "../bench.ts";
import { loadHttp } from "../load.ts";
import type { MeasuredServer } from "../measured-server.ts";
import { formatSpread, measureEach, percentile } from "../percentiles.ts";

interface SearchAlone {
	latencies: number[];
	/** CPU of one search in the Node process in milliseconds, PostgreSQL not counted. */
	cpu: number;
}

/** Runs each path's search without its page `rounds` times on one connection, after one round that is not measured. */
export async function measureSearchAlone(connection: pg.ClientConfig, paths: readonly string[], rounds: number): Promise<SearchAlone> {
	const { db } = openDatabase({ ...connection, max: 1 }, createLog("silent"));
	const searches = paths.map((path) => parseCompanySearch(new URL(path, "http://localhost").searchParams));
	const measure = (count: number) => measureEach(Array(count).fill(searches).flat(), (search) => searchCompanies(db, search));
	await measure(1);
	const before = measureUsage().cpu;
	const latencies = await measure(rounds);
	const cpu = (measureUsage().cpu - before) / latencies.length;
	await db.destroy();
	return { latencies, cpu };
}

interface Subjects {
	shop: MeasuredServer;
	fixed: MeasuredServer;
	connection: pg.ClientConfig;
	paths: readonly string[];
}

/** The search page as a browser requests it, one visitor after the other. */
export async function measureSearchPage({ smoke }: BenchOptions, { shop, fixed, connection, paths }: Subjects): Promise<Figure> {
	const rounds = smoke ? 1 : 5;
	const measure = async ({ url }: MeasuredServer, headers = {}) => {
		await loadHttp({ url, paths, headers }, { amount: paths.length });
		return (await loadHttp({ url, paths, headers }, { amount: rounds * paths.length })).latencies;
	};
	const compressed = await measure(shop, { "accept-encoding": "br" });
	const plain = await measure(shop);
	const fixedPage = await measure(fixed);
	const alone = await measureSearchAlone(connection, paths, rounds);
	return {
		label: "Search page, p95",
		unit: "ms",
		value: percentile(compressed, 0.95),
		goal: 15,
		details: [
			`${compressed.length} requests for ${paths.length} different searches by one client to a warm server, compressed (brotli): ${formatSpread(compressed, "ms")}`,
			`not compressed: ${formatSpread(plain, "ms")}`,
			`the search alone, without its page: ${formatSpread(alone.latencies, "ms")}`,
		],
		baseline: { value: percentile(fixedPage, 0.95), label: "Hono answering a fixed page of the same size", maxRatio: 200 },
	};
}
