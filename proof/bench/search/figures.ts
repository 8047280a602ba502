import type { Figure } from "../bench.ts";
import { formatFigure, formatSpread, mean, percentile } from "../percentiles.ts";
import { type Filled, rowsPerSecond } from "../programs.ts";
import type { Registry } from "../synthetic-registry.ts";
import type { AtRate } from "./fixed-rate.ts";
import { asTyped, type Mistyped } from "./mistyped-names.ts";
import type { measureOverHttp } from "./over-http.ts";
import { type copyRegistry, fileBytes, type TableSize, totalBytes } from "./programs.ts";
import type { Alone, Concurrent } from "./searches.ts";
import { isForSqlite, type Sqlite } from "./sqlite.ts";

/** All measurements of one run. */
export interface SearchResults {
	clients: number;
	files: Registry;
	copied: Awaited<ReturnType<typeof copyRegistry>>;
	imported: Filled;
	disk: TableSize[];
	alone: Alone;
	/** The same kinds of query on a tenth of the units. */
	tenth: Alone;
	/** Nine rows by their primary key, one client. */
	rows: number[];
	texts: readonly string[];
	suggestions: number[];
	concurrent: Concurrent;
	/** Different searches at fixed moments. */
	atRate: AtRate;
	/** The queries of words without filters, in SQLite's FTS5. */
	sqlite: Sqlite;
	mistyped: Mistyped;
	http: Awaited<ReturnType<typeof measureOverHttp>>;
	ilike: number[];
}

const megabyte = 2 ** 20;
const p95 = (latencies: readonly number[]) => percentile(latencies, 0.95);
const describeSpread = (latencies: readonly number[]) => `${formatSpread(latencies, "ms")}, mean ${formatFigure(mean(latencies))}`;

export function searchFigures(results: SearchResults): Figure[] {
	return [
		...latencyFigures(results),
		...loadFigures(results),
		atRateFigure(results),
		sqliteFigure(results),
		mistypedFigure(results),
		...growthFigures(results),
		...importFigures(results),
	];
}

function latencyFigures({ alone, rows, texts, suggestions }: SearchResults): Figure[] {
	const latencies = alone.rounds.flat();
	const label = "nine rows by their primary key, one client";
	const latencyFigure = (what: string, values: readonly number[], share: number, goal: number, details: string[] = []): Figure => ({
		label: `${what}, p${100 * share}`,
		unit: "ms",
		value: percentile(values, share),
		goal,
		details,
		baseline: { value: percentile(rows, share), label, maxRatio: 1000 },
	});
	return [
		latencyFigure("Page and count", latencies, 0.95, 8, [
			`one client, one connection, each query once and then ${alone.rounds.length} times more: these ${describeSpread(latencies)}`,
			`the first time: ${formatSpread(alone.first, "ms")}`,
			`${label}: ${describeSpread(rows)}`,
		]),
		latencyFigure("Page and count", latencies, 0.99, 20),
		latencyFigure("Suggestions", suggestions, 0.95, 4, [
			`${texts.length} beginnings of names, typed letter by letter from the third: ${formatSpread(suggestions, "ms")}`,
		]),
	];
}

function loadFigures({ clients, concurrent: { searches, rows }, http: { shop, fixed, bytes } }: SearchResults): Figure[] {
	return [
		{
			label: `Searches of ${clients} clients at once`,
			unit: "/s",
			value: searches.perSecond,
			goal: 800,
			atLeast: true,
			details: [
				`${clients} connections, page and count: ${formatSpread(searches.latencies, "ms")}; nine rows by their key: ${formatSpread(rows.latencies, "ms")}`,
			],
			baseline: { value: rows.perSecond, label: "nine rows by their primary key, through the same connections", maxRatio: 200 },
		},
		{
			label: `Search over HTTP, ${clients} clients at once, p95`,
			unit: "ms",
			value: p95(shop.latencies),
			goal: 15,
			details: [
				`${formatFigure(shop.perSecond)} requests per second, ${formatSpread(shop.latencies, "ms")}; Hono alone ${formatFigure(fixed.perSecond)} per second, ${formatSpread(fixed.latencies, "ms")}`,
				`CPU of the shop's process ${formatFigure(shop.cpu)} ms a request, of Hono alone ${formatFigure(fixed.cpu)} ms`,
			],
			baseline: {
				value: p95(fixed.latencies),
				label: `Hono answering ${formatFigure(bytes / 1024)} kB of fixed content`,
				maxRatio: 500,
			},
		},
	];
}

function atRateFigure({ atRate: { perSecond, latencies }, rows }: SearchResults): Figure {
	return {
		label: `Searches at ${perSecond} a second, p95`,
		unit: "ms",
		value: p95(latencies),
		goal: 20,
		details: [
			`${latencies.length} different queries, sent at fixed moments and timed from them, also while earlier ones are not answered: ${describeSpread(latencies)}, p99 ${formatFigure(percentile(latencies, 0.99))}`,
		],
		baseline: { value: p95(rows), label: "nine rows by their primary key, one client that waits for each answer", maxRatio: 1000 },
	};
}

function sqliteFigure({ alone: { queries, rounds }, sqlite }: SearchResults): Figure {
	const same = rounds.flatMap((round) => round.filter((_, index) => isForSqlite(queries[index] as (typeof queries)[number])));
	return {
		label: "Page and count of words without filters, p95",
		unit: "ms",
		value: p95(same),
		goal: 8,
		details: [
			`${sqlite.latencies.length} queries: ${describeSpread(same)}; SQLite: ${describeSpread(sqlite.latencies)}`,
			`SQLite was filled in ${formatFigure(sqlite.buildMs / 1000)} s and has ${formatFigure(sqlite.bytes / megabyte)} MB; it corrects nothing, ranks by importance alone and needs no connection`,
		],
		baseline: { value: p95(sqlite.latencies), label: `SQLite ${sqlite.version} FTS5 in the same process, the same words`, maxRatio: 200 },
	};
}

function mistypedFigure({ mistyped: { names, right, perKind, notFound } }: SearchResults): Figure {
	const counts = [...perKind.values()];
	const tried = counts.reduce((sum, count) => sum + count.tried, 0);
	const found = counts.reduce((sum, count) => sum + count.found, 0);
	const ambiguous = notFound.filter(({ searchedAs }) => searchedAs === asTyped).length;
	return {
		label: "Names with one typing error, their company on page one",
		unit: "%",
		value: (100 * found) / tried,
		goal: 99,
		atLeast: true,
		details: [
			`${right} of ${names} names show their company on page one when spelled correctly; each was tried with every kind of error, in any word of five letters or more`,
			`not found: ${notFound.length}, of which ${ambiguous} are also the name, or the beginning of the name, of other companies`,
		],
		baseline: { value: 100, label: "the same names, spelled correctly", maxRatio: 100 / 95 },
	};
}

function growthFigures({ alone, tenth }: SearchResults): Figure[] {
	const latencies = tenth.rounds.flat();
	return [["mean", mean] as const, ["p95", p95] as const].map(([name, measure]) => ({
		label: `Page and count beside a tenth of the size, ${name}`,
		unit: "ms",
		value: measure(alone.rounds.flat()),
		goal: 2 * measure(latencies),
		details: [`on a tenth: ${formatSpread(latencies, "ms")}`],
		baseline: { value: measure(latencies), label: "the same kinds of query on a tenth of the units", maxRatio: 20 },
	}));
}

function importFigures({ files, imported, copied, disk }: SearchResults): Figure[] {
	const perMillion = (bytes: number) => bytes / megabyte / (files.units / 1e6);
	const [establishments, searched] = [disk.filter(isOfEstablishments), disk.filter((size) => !isOfEstablishments(size))].map((tables) =>
		perMillion(totalBytes(tables)),
	) as [number, number];
	return [
		{
			label: "Import, rows of both files",
			unit: "/s",
			value: rowsPerSecond(imported),
			goal: rowsPerSecond(copied) / 5,
			atLeast: true,
			details: [
				`${imported.rows} rows in ${formatFigure(imported.ms / 1000)} s, until the new companies are live; COPY ${formatFigure(copied.ms / 1000)} s`,
			],
			baseline: {
				value: rowsPerSecond(copied),
				label: "COPY of the same two files, one after the other, into text tables without an index",
				maxRatio: 200,
			},
		},
		{
			label: "Most memory of the import",
			unit: "MB",
			value: imported.peak / megabyte,
			goal: 400,
			baseline: { value: copied.peak / megabyte, label: "the Node process that runs that COPY", maxRatio: 20 },
		},
		{
			label: "Disk of the search tables per million units",
			unit: "MB",
			value: searched,
			goal: 500,
			details: [
				`besides, the lists of establishments on company pages (company_branches): ${formatFigure(establishments)} MB per million units, hence ${formatFigure((10 * establishments) / 1024)} GB for ten million; together ${formatFigure(searched + establishments)} MB per million`,
				`the tables into which COPY writes: ${formatFigure(perMillion(copied.bytes))} MB per million`,
			],
			baseline: { value: perMillion(fileBytes(files)), label: "the two files", maxRatio: 20 },
		},
	];
}

/** The lists of company pages are no part of the search, but for the trade names that a result shows. */
const isOfEstablishments = ({ table }: TableSize) => table === "company_branches";

/** A search far slower than `ILIKE` in the same run: no machine explains that. */
export function findSlowSearch({ alone, ilike }: SearchResults): string[] {
	const [search, scan] = [percentile(alone.rounds.flat(), 0.5), percentile(ilike, 0.5)];
	return search > 3 * scan ? [`Page and count, p50: ${formatFigure(search)} ms, and \`ILIKE '%q%'\` takes ${formatFigure(scan)}`] : [];
}
