import type { Table } from "../bench.ts";
import { formatFigure, percentile } from "../percentiles.ts";
import type { SearchResults } from "./figures.ts";
import { findSlowest, groupByKind } from "./searches.ts";

const shares = [0.5, 0.95, 0.99, 1];
const maxNotFound = 10;
const maxSlowest = 12;

/** The numbers behind the figures. */
export function searchTables({ alone, tenth, mistyped: { perKind, notFound }, disk }: SearchResults): Table[] {
	const kindsOfTenth = groupByKind(tenth);
	const kinds = [...groupByKind(alone)].sort(([, a], [, b]) => percentile(b, 0.95) - percentile(a, 0.95));
	const step = Math.max(1, Math.floor(notFound.length / maxNotFound));
	const megabytes = (bytes: number) => formatFigure(bytes / 2 ** 20);
	return [
		{
			title: "Page and count by kind of query, in ms, the slowest first",
			columns: ["kind", "p50", "p95", "p99", "max", "p95 of a tenth"],
			rows: kinds.map(([kind, latencies]) => [
				kind,
				...shares.map((share) => formatFigure(percentile(latencies, share))),
				formatFigure(percentile(kindsOfTenth.get(kind) ?? [], 0.95)),
			]),
		},
		{
			title: "The slowest queries, in ms, by their fastest run",
			columns: ["kind", "query", "filters", "page", "fastest"],
			rows: findSlowest(alone, maxSlowest).map(({ query: { kind, search }, ms }) => {
				const filters = [search.departement, ...search.formes, search.secteur].filter(Boolean).join(", ");
				return [kind, search.query, filters, String(search.page), formatFigure(ms)];
			}),
		},
		{
			title: "Names with one typing error",
			columns: ["error", "tried", "on page one"],
			rows: [...perKind].map(([kind, { found, tried }]) => [kind, String(tried), `${formatFigure((100 * found) / tried)} %`]),
		},
		{
			title: `${Math.min(notFound.length, maxNotFound)} of the ${notFound.length} names that were not found`,
			columns: ["typed", "meant", "error", "searched as"],
			rows: notFound
				.filter((_, index) => index % step === 0)
				.slice(0, maxNotFound)
				.map(({ typed, name, kind, searchedAs }) => [typed, name, kind, searchedAs]),
		},
		{
			title: "On disk, in MB",
			columns: ["table", "rows", "indexes", "TOAST and maps", "total"],
			rows: disk.map(({ table, rows, indexes, toast }) => [table, ...[rows, indexes, toast, rows + indexes + toast].map(megabytes)]),
		},
	];
}
