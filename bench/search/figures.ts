import type { Figure } from "../bench.ts";
import { figure, mean, percentile, spread } from "../percentiles.ts";
import type { Registry } from "../synthetic-registry.ts";
import { type copyAsTheyAre, type Filled, fileBytes, perSecond, type TableSize } from "./import.ts";
import type { Rival } from "./like-rivals.ts";
import { asTyped, type Mistyped } from "./mistyped-names.ts";
import type { measureOverHttp } from "./over-http.ts";
import { type Alone, type AtOnce, latenciesOf } from "./searches.ts";
import type { SqliteRival } from "./sqlite-rival.ts";

/** All that one run measures. */
export interface SearchResults {
	clients: number;
	files: Registry;
	copied: Awaited<ReturnType<typeof copyAsTheyAre>>;
	imported: Filled;
	disk: TableSize[];
	alone: Alone;
	/** The same kinds of query on a tenth of the size. */
	tenth: Alone;
	texts: readonly string[];
	suggestions: number[];
	atOnce: AtOnce;
	mistyped: Mistyped;
	http: Awaited<ReturnType<typeof measureOverHttp>>;
	rivals: {
		ilike: Rival;
		trigrams: Rival[];
		sqlite: SqliteRival;
		sqliteSearches: number[];
		sqliteSuggestions: number[];
	};
}

const megabyte = 2 ** 20;
const p95 = (latencies: readonly number[]) => percentile(latencies, 0.95);

/** Each goal of the company search. */
export function figuresOf(results: SearchResults): Figure[] {
	return [
		...searchFigures(results),
		...loadFigures(results),
		mistypedFigure(results),
		...growthFigures(results),
		...importFigures(results),
	];
}

const sqliteWhat = "SQLite FTS5 in the process itself, page and count of the same words: no typing errors, no filters, no connection";

function searchFigures({ alone, texts, suggestions, rivals }: SearchResults): Figure[] {
	const latencies = latenciesOf(alone);
	return [
		{
			what: "Page and count, p95",
			unit: "ms",
			value: p95(latencies),
			goal: 8,
			bare: p95(rivals.sqliteSearches),
			bareWhat: sqliteWhat,
			details: [
				`one client, one connection, ${alone.rounds.length} times each after a first: ${spread(latencies, "ms")}, mean ${figure(mean(latencies))}`,
				`the first time each: ${spread(alone.first, "ms")}`,
				`SQLite: ${spread(rivals.sqliteSearches, "ms")}, mean ${figure(mean(rivals.sqliteSearches))}`,
			],
			largestRatio: 1000,
		},
		{
			what: "Page and count, p99",
			unit: "ms",
			value: percentile(latencies, 0.99),
			goal: 20,
			bare: percentile(rivals.sqliteSearches, 0.99),
			bareWhat: "the same",
			details: [],
			largestRatio: 1000,
		},
		{
			what: "Suggestions, p95",
			unit: "ms",
			value: p95(suggestions),
			goal: 4,
			bare: p95(rivals.sqliteSuggestions),
			bareWhat: "SQLite FTS5, the first eight of the same beginnings",
			details: [`${texts.length} beginnings of names, letter by letter from the third: ${spread(suggestions, "ms")}`],
			largestRatio: 1000,
		},
	];
}

function loadFigures({ clients, atOnce, http }: SearchResults): Figure[] {
	return [
		{
			what: `Searches of ${clients} clients at once`,
			unit: "/s",
			value: atOnce.searches.perSecond,
			goal: 800,
			atLeast: true,
			bare: atOnce.rows.perSecond,
			bareWhat: "nine rows by their primary key, through the same connections",
			details: [
				`${clients} connections, page and count: ${spread(atOnce.searches.latencies, "ms")}; nine rows: ${spread(atOnce.rows.latencies, "ms")}`,
			],
			largestRatio: 200,
		},
		{
			what: `Search over HTTP, ${clients} clients at once, p95`,
			unit: "ms",
			value: p95(http.shop.latencies),
			goal: 15,
			bare: p95(http.bare.latencies),
			bareWhat: `Hono answering ${figure(http.bytes / 1024)} kB that are always the same`,
			details: [
				`${figure(http.shop.perSecond)} requests per second, ${spread(http.shop.latencies, "ms")}; Hono alone ${figure(http.bare.perSecond)} per second, ${spread(http.bare.latencies, "ms")}`,
				`CPU of the shop's process ${figure(http.shop.cpu)} ms a request, of Hono alone ${figure(http.bare.cpu)} ms`,
			],
			largestRatio: 500,
		},
	];
}

function mistypedFigure({ mistyped }: SearchResults): Figure {
	const tallies = [...mistyped.perSort.values()];
	const asked = tallies.reduce((sum, tally) => sum + tally.asked, 0);
	return {
		what: "Names with one typing error, their company on page one",
		unit: "%",
		value: (100 * tallies.reduce((sum, { found }) => sum + found, 0)) / asked,
		goal: 98,
		atLeast: true,
		bare: 100,
		bareWhat: "the same names, right",
		details: [
			`${mistyped.right} names whose right spelling shows their company on page one, of ${mistyped.names}; each with every sort of error, in any word of five letters or more`,
			`not found ${mistyped.notFound.length}, of which ${mistyped.notFound.filter(({ searchedAs }) => searchedAs === asTyped).length} are what other companies are called or begin with`,
		],
		largestRatio: 100 / 95,
	};
}

function growthFigures({ alone, tenth }: SearchResults): Figure[] {
	return [["mean", mean] as const, ["p95", p95] as const].map(([name, of]) => ({
		what: `Page and count beside a tenth of the size, ${name}`,
		unit: "ms",
		value: of(latenciesOf(alone)),
		goal: 2 * of(latenciesOf(tenth)),
		bare: of(latenciesOf(tenth)),
		bareWhat: "the same kinds of query on a tenth of the units",
		details: [`on a tenth: ${spread(latenciesOf(tenth), "ms")}`],
		largestRatio: 20,
	}));
}

function importFigures({ files, imported, copied, disk }: SearchResults): Figure[] {
	const millions = files.units / 1e6;
	const bytes = disk.reduce((sum, { rows, indexes, toast }) => sum + rows + indexes + toast, 0);
	return [
		{
			what: "Import, rows of both files",
			unit: "/s",
			value: perSecond(imported),
			goal: perSecond(copied) / 5,
			atLeast: true,
			bare: perSecond(copied),
			bareWhat: "COPY of the same two files as they are, one after the other, into tables of text without an index",
			details: [
				`${imported.rows} rows in ${figure(imported.ms / 1000)} s, until the new companies are live; COPY ${figure(copied.ms / 1000)} s`,
			],
			largestRatio: 200,
		},
		{
			what: "Most memory of the import",
			unit: "MB",
			value: imported.peak / megabyte,
			goal: 400,
			bare: copied.peak / megabyte,
			bareWhat: "the Node process that copies",
			details: [],
			largestRatio: 20,
		},
		{
			what: "Disk per million units",
			unit: "MB",
			value: bytes / megabyte / millions,
			goal: 500,
			bare: fileBytes(files) / megabyte / millions,
			bareWhat: "the two files",
			details: [`the tables they were copied into: ${figure(copied.bytes / megabyte / millions)} MB per million`],
			largestRatio: 20,
		},
	];
}

/** What no machine explains, beside the rate of typing errors: a search that a rival of the same run leaves far behind. */
export function brokenOf({ alone, rivals: { ilike } }: SearchResults): string[] {
	const [search, scan] = [percentile(latenciesOf(alone), 0.5), percentile(ilike.latencies, 0.5)];
	return search > 3 * scan ? [`Page and count, p50: ${figure(search)} ms, and ${ilike.what} takes ${figure(scan)}`] : [];
}
