import { createReadStream, existsSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type pg from "pg";
import { withClient } from "../../test/postgres.ts";
import { seededRandom } from "../../test/random.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { Bench, BenchOptions } from "./bench.ts";
import { startBenchServer } from "./database.ts";
import { type DrawnCompany, drawCompanies } from "./search/draw-companies.ts";
import { findSlowSearch, type SearchResults, searchFigures } from "./search/figures.ts";
import { drawDifferentSearches, measureAtRate } from "./search/fixed-rate.ts";
import { measureMistyped } from "./search/mistyped-names.ts";
import { measureOverHttp } from "./search/over-http.ts";
import { copyRegistry, importRegistry, measureTables } from "./search/programs.ts";
import { drawQueries, kindNames, type Query } from "./search/queries.ts";
import {
	type Alone,
	listTypedPrefixes,
	measureConcurrent,
	measureIlike,
	measureInTurns,
	measureRows,
	measureSuggestions,
} from "./search/searches.ts";
import { isForSqlite, measureSqlite } from "./search/sqlite.ts";
import { searchTables } from "./search/tables.ts";
import { type Registry, writeRegistry } from "./synthetic-registry.ts";

const seed = 20261121;
const registrySeed = 1;
const clients = 8;

const repetitions = {
	smoke: { perKind: 8, rounds: 2, typed: 12, mistyped: 80, ilike: 9, loadMs: 1000, perSecond: 20, different: 60 },
	full: { perKind: 60, rounds: 3, typed: 80, mistyped: 400, ilike: 18, loadMs: 12_000, perSecond: 100, different: 3000 },
};

export default {
	about: "Company search and import",
	options: { units: { type: "string" }, folder: { type: "string" }, "tenth-folder": { type: "string" } },
	maxMs: (options) => 300_000 + 0.4 * parseUnits(options),
	async measure(options) {
		const { smoke, given, undo, progress } = options;
		const units = parseUnits(options);
		const times = smoke ? repetitions.smoke : repetitions.full;

		progress("synthetic SIRENE files");
		const tenthFiles = await openRegistry(undo, units / 10, given["tenth-folder"]);
		const files = await openRegistry(undo, units, given.folder);
		const server = await startBenchServer(undo, settings());
		const [tenthConnection, connection] = [await server.create("tenth"), await server.create("full")];

		progress(`a tenth: ${units / 10} units`);
		await importRegistry(undo, tenthConnection, tenthFiles);
		const { queries: tenthQueries } = await draw(tenthConnection, times.perKind);

		progress(`COPY: ${files.units} units, ${files.establishments} establishments`);
		const copied = await copyRegistry(undo, connection, files);
		progress("import");
		const imported = await importRegistry(undo, connection, files);
		const disk = await measureTables(connection, ["companies", "company_branches", "company_words", "company_sources"]);

		const { companies, queries } = await draw(connection, times.perKind);
		progress(`page and count: ${queries.length} queries, here and on a tenth`);
		const targets = [
			{ connection, queries },
			{ connection: tenthConnection, queries: tenthQueries },
		];
		const [alone, tenth] = (await measureInTurns(targets, times.rounds)) as [Alone, Alone];
		const rows = await measureRows(connection, companies);
		progress("suggestions");
		const texts = listTypedPrefixes(companies.slice(0, times.typed));
		const suggestions = await measureSuggestions(connection, texts);
		progress("eight clients at once");
		const concurrent = await measureConcurrent(connection, { queries, companies, clients, ms: times.loadMs });
		progress(`${times.perSecond} searches a second`);
		const different = drawDifferentSearches(companies, times.different, seededRandom(seed + 2));
		const atRate = await measureAtRate(connection, different, { perSecond: times.perSecond, connections: clients });
		progress("SQLite");
		const sqlite = await measureSqlite(undo, connection, queries.filter(isForSqlite));
		progress("typing errors");
		const mistyped = await measureMistyped(connection, companies.slice(0, times.mistyped), seededRandom(seed + 1));
		progress("over HTTP");
		const http = await measureOverHttp(undo, { connection, queries, clients, ms: times.loadMs });
		progress("ILIKE");
		const names = queries.filter(({ ofName }) => ofName).slice(0, times.ilike);
		const ilike = await measureIlike(
			connection,
			names.map(({ search }) => search.query),
		);

		const loads = { copied, imported, disk, alone, tenth, rows, suggestions, concurrent, atRate, sqlite, mistyped, http, ilike };
		const results: SearchResults = { clients, files, texts, ...loads };
		return {
			setting: [
				server.setting,
				`${files.units} units and ${files.establishments} establishments, generated (seed ${registrySeed}); ${queries.length} queries of ${kindNames.length} kinds (seed ${seed}); the client is one Node process on the same machine`,
			],
			options: `--units ${units}`,
			figures: searchFigures(results),
			tables: searchTables(results),
			broken: findSlowSearch(results),
		};
	},
} satisfies Bench;

function parseUnits({ smoke, given }: Pick<BenchOptions, "smoke" | "given">): number {
	const units = Number(given.units ?? (smoke ? 20_000 : 1_000_000));
	if (!Number.isSafeInteger(units / 10) || units < 1000) throw new Error("--units must be a multiple of ten, at least 1000");
	return units;
}

/** Settings for a registry of this size. */
function settings(): Record<string, string> {
	const gigabytes = totalmem() / 2 ** 30;
	return {
		shared_buffers: `${Math.round(1024 * Math.min(4, gigabytes / 4))}MB`,
		effective_cache_size: `${Math.round(1024 * gigabytes * 0.5)}MB`,
		max_wal_size: "8GB",
	};
}

/** The same queries for the same seed and companies. */
async function draw(connection: pg.ClientConfig, perKind: number): Promise<{ companies: DrawnCompany[]; queries: Query[] }> {
	const random = seededRandom(seed);
	const companies = await withClient(connection, (client) => drawCompanies(client, 5000, random));
	return { companies, queries: drawQueries(companies, perKind, random) };
}

/**
 * Finds the synthetic SIRENE files of a folder, or creates them there; without a folder, in a temporary one.
 * @throws Error when the folder has files of another size.
 */
async function openRegistry(undo: AsyncDisposableStack, units: number, folder: unknown): Promise<Registry> {
	if (typeof folder !== "string") return writeRegistry({ folder: temporaryFolder(undo), units, seed: registrySeed });
	const unitsFile = join(folder, "StockUniteLegale_utf8.csv");
	const establishmentsFile = join(folder, "StockEtablissement_utf8.csv");
	if (!existsSync(unitsFile) || !existsSync(establishmentsFile)) return writeRegistry({ folder, units, seed: registrySeed });
	const present = await countRows(unitsFile);
	if (present !== units) throw new Error(`${folder} has ${present} units, not ${units}: give another folder`);
	return { unitsFile, establishmentsFile, units, establishments: await countRows(establishmentsFile) };
}

/** Lines after the header; no cell of a synthetic file has a line break. */
async function countRows(file: string): Promise<number> {
	let lines = 0;
	for await (const _ of createInterface({ input: createReadStream(file) })) lines++;
	return lines - 1;
}
