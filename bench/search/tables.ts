import type { Table } from "../bench.ts";
import { figure, percentile } from "../percentiles.ts";
import type { SearchResults } from "./figures.ts";
import { latenciesByKind, latenciesOf, slowestQueries } from "./searches.ts";
import { sharesOf } from "./timing.ts";

const megabyte = 2 ** 20;
const shares = ["p50", "p95", "p99", "max"];
const cells = (latencies: readonly number[]) => sharesOf(latencies).map(figure);
const mostMissed = 10;
const mostSlow = 12;

/** What the figures are made of: where to work. */
export function tablesOf(results: SearchResults): Table[] {
	return [
		kindsTable(results),
		slowestTable(results),
		rivalsTable(results),
		mistypedTable(results),
		missedTable(results),
		diskTable(results),
	];
}

function kindsTable({ alone, tenth }: SearchResults): Table {
	const kindsOfTenth = latenciesByKind(tenth);
	const kinds = [...latenciesByKind(alone)].sort(([, a], [, b]) => percentile(b, 0.95) - percentile(a, 0.95));
	return {
		title: "Page and count by kind of query, ms, the slowest first",
		columns: ["kind", ...shares, "p95 of a tenth"],
		rows: kinds.map(([kind, latencies]) => [kind, ...cells(latencies), figure(percentile(kindsOfTenth.get(kind) ?? [], 0.95))]),
	};
}

function slowestTable({ alone }: SearchResults): Table {
	return {
		title: "The slowest queries, ms, at their fastest",
		columns: ["kind", "query", "filters", "page", "fastest"],
		rows: slowestQueries(alone, mostSlow).map(({ query: { kind, search }, ms }) => [
			kind,
			search.query,
			[search.departement, ...search.formes, search.secteur].filter(Boolean).join(", "),
			String(search.page),
			figure(ms),
		]),
	};
}

function rivalsTable({ alone, suggestions, rivals }: SearchResults): Table {
	const { ilike, trigrams, sqlite } = rivals;
	const row = (what: string, latencies: readonly number[], building?: number) => [
		what,
		String(latencies.length),
		...cells(latencies),
		building === undefined ? "" : `${figure(building)} s`,
	];
	return {
		title: "Beside others on the same companies, ms",
		columns: ["design", "asked", ...shares, "built in"],
		rows: [
			row("the shop's search, page and count", latenciesOf(alone)),
			...[ilike, ...trigrams].map(({ what, latencies, building }) => row(`${what} on the name, page alone`, latencies, building)),
			row(
				`SQLite ${process.versions.sqlite} FTS5 (${figure(sqlite.bytes / megabyte)} MB), page and count`,
				rivals.sqliteSearches,
				sqlite.building,
			),
			row("the shop's suggestions", suggestions),
			row("SQLite FTS5, suggestions", rivals.sqliteSuggestions),
		],
	};
}

function mistypedTable({ mistyped }: SearchResults): Table {
	return {
		title: "Names with one typing error",
		columns: ["error", "asked", "on page one"],
		rows: [...mistyped.perSort].map(([sort, { found, asked }]) => [sort, String(asked), `${figure((100 * found) / asked)} %`]),
	};
}

function missedTable({ mistyped: { notFound } }: SearchResults): Table {
	const step = Math.max(1, Math.floor(notFound.length / mostMissed));
	return {
		title: `Not found: ${Math.min(notFound.length, mostMissed)} of ${notFound.length}`,
		columns: ["typed", "meant", "error", "searched as"],
		rows: notFound
			.filter((_, index) => index % step === 0)
			.slice(0, mostMissed)
			.map(({ typed, name, sort, searchedAs }) => [typed, name, sort, searchedAs]),
	};
}

function diskTable({ disk }: SearchResults): Table {
	const megabytes = (bytes: number) => figure(bytes / megabyte);
	return {
		title: "On disk, MB",
		columns: ["table", "rows", "indexes", "toast and maps", "all"],
		rows: disk.map(({ table, rows, indexes, toast }) => [table, ...[rows, indexes, toast, rows + indexes + toast].map(megabytes)]),
	};
}
