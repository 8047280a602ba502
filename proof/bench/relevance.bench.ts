import { join } from "node:path";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { Bench, BenchOptions, Figure, Table } from "./bench.ts";
import { startBenchServer } from "./database.ts";
import { formatFigure } from "./percentiles.ts";
import { computeRelevance, describeMiss, isRight, type Judged, judgeRelevance, type Relevance, relevanceGoals } from "./relevance/judge.ts";
import { importRegistry } from "./search/programs.ts";
import { withDatabase } from "./search/searches.ts";
import { writeRegistry } from "./synthetic-registry.ts";

const seed = 1;

export default {
	about: "Relevance of the company search: a judged set of queries, among generated companies",
	options: { units: { type: "string" } },
	maxMs: (options) => 300_000 + 0.4 * parseUnits(options),
	async measure(options) {
		const { undo, progress } = options;
		const units = parseUnits(options);
		progress("files of the sample, the companies of the set and generated ones");
		const files = await writeRegistry({ folder: join(temporaryFolder(undo), "registry"), units, seed, known: true });
		const server = await startBenchServer(undo, { max_wal_size: "8GB" });
		const connection = await server.create("relevance");
		progress(`import: ${files.units} units`);
		await importRegistry(undo, connection, files);
		progress("the set");
		const judged = await withDatabase(connection, 1, (db) => judgeRelevance(db, { generated: units > 0 }));
		const searched = computeRelevance(judged);
		const figures = listFigures(judged, searched);
		return {
			setting: [
				server.setting,
				`${judged.length} queries; the embedded sample and the companies of the set (test/fixtures/relevance) among ${units} generated units (seed ${seed})`,
			],
			options: `--units ${units}`,
			figures,
			tables: [kindTable(judged), missTable(judged)],
			broken: figures.filter(({ value, goal }) => value < goal).map(({ label, value }) => `${label}: ${formatFigure(value)}`),
		};
	},
} satisfies Bench;

/** Generated units, besides the sample; none judges the set among the sample alone. */
function parseUnits({ smoke, given }: Pick<BenchOptions, "smoke" | "given">): number {
	const units = Number(given.units ?? (smoke ? 0 : 1_000_000));
	if (!Number.isSafeInteger(units) || units < 0) throw new Error("--units must be a number of units");
	return units;
}

function listFigures(judged: readonly Judged[], searched: Relevance): Figure[] {
	const suggested = computeRelevance(judged, (row) => row.suggested);
	const percent = (label: string, key: "first" | "three" | "page", details: string[] = []): Figure => ({
		label,
		unit: "%",
		value: 100 * searched[key],
		goal: 100 * relevanceGoals[key],
		atLeast: true,
		details,
	});
	return [
		percent("The right company in first place", "first", ["of the queries that mean one company"]),
		percent("The right company among the first three", "three", [
			"of these, and of exact names of small companies beside a group of the same name",
		]),
		{ label: "Mean reciprocal rank", unit: "", value: searched.mrr, goal: relevanceGoals.mrr, atLeast: true },
		percent("A right company on page one", "page", [
			`suggestions, which correct nothing, have ${formatFigure(100 * suggested.first)} % in first place and ${formatFigure(100 * suggested.page)} % among the eight`,
		]),
	];
}

function kindTable(judged: readonly Judged[]): Table {
	const percent = (share: number) => formatFigure(100 * share);
	return {
		title: "By kind of query, in %",
		columns: ["kind", "queries", "first", "first three", "MRR", "page one"],
		rows: [...Map.groupBy(judged, ({ kind }) => kind)].map(([kind, rows]) => {
			const { queries, first, three, mrr, page } = computeRelevance(rows);
			return [kind, String(queries), percent(first), percent(three), mrr.toFixed(3), percent(page)];
		}),
	};
}

function missTable(judged: readonly Judged[]): Table {
	const misses = judged.filter((row) => !isRight(row));
	return {
		title: `The ${misses.length} queries whose company is not where it must be`,
		columns: ["query"],
		rows: misses.map((row) => [describeMiss(row)]),
	};
}
