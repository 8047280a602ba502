import { totalmem } from "node:os";
import type { Bench, BenchOptions } from "./bench.ts";
import { startBenchServer, withClient } from "./database.ts";
import { seededRandom } from "./random.ts";
import { type DrawnCompany, drawCompanies } from "./search/drawn-companies.ts";
import { brokenOf, figuresOf, type SearchResults } from "./search/figures.ts";
import { copyAsTheyAre, importInto, sizes } from "./search/import.ts";
import { measureIlike, measureTrigrams } from "./search/like-rivals.ts";
import { measureMistyped } from "./search/mistyped-names.ts";
import { measureOverHttp } from "./search/over-http.ts";
import { drawQueries, kindNames, type Query } from "./search/queries.ts";
import { registryOf, seed as registrySeed } from "./search/registry-files.ts";
import { type Alone, measureAtOnce, measureInTurns, measureSuggestions, typedBeginnings } from "./search/searches.ts";
import { openSqliteRival } from "./search/sqlite-rival.ts";
import { tablesOf } from "./search/tables.ts";

const seed = 20261121;
const clients = 8;
const smokeUnits = 50_000;

/** How often things are done. */
const repetitions = {
	smoke: { perKind: 8, rounds: 2, typed: 12, mistyped: 80, ilike: 9, trigrams: 0, loadMs: 1000 },
	whole: { perKind: 60, rounds: 3, typed: 80, mistyped: 400, ilike: 18, trigrams: 18, loadMs: 12_000 },
};

export default {
	about: "Company search and import",
	options: {
		units: { type: "string" },
		folder: { type: "string" },
		"tenth-folder": { type: "string" },
		"no-trigram": { type: "boolean" },
	},
	longest: (options) => 300_000 + 0.4 * unitsOf(options),
	async measure(options) {
		const { smoke, asked, undo, progress } = options;
		const units = unitsOf(options);
		const times = smoke ? repetitions.smoke : repetitions.whole;
		const folder = (name: string) => (typeof asked[name] === "string" ? asked[name] : undefined);

		progress("made-up SIRENE files");
		const tenthFiles = await registryOf(undo, units / 10, folder("tenth-folder"));
		const files = await registryOf(undo, units, folder("folder"));
		const server = await startBenchServer(undo, settings());
		const [tenthConnection, connection] = [await server.create("tenth"), await server.create("whole")];

		progress(`a tenth: ${units / 10} units`);
		await importInto(undo, tenthConnection, tenthFiles);
		const { queries: tenthQueries } = await draw(tenthConnection, times.perKind);

		progress(`the files copied as they are: ${files.units} units, ${files.establishments} establishments`);
		const copied = await copyAsTheyAre(undo, connection, files);
		progress("import");
		const imported = await importInto(undo, connection, files);
		const disk = await sizes(connection, ["companies", "company_words", "company_sources"]);

		const { companies, queries } = await draw(connection, times.perKind);
		progress(`page and count: ${queries.length} queries, here and on a tenth`);
		const targets = [
			{ connection, queries },
			{ connection: tenthConnection, queries: tenthQueries },
		];
		const [alone, tenth] = (await measureInTurns(targets, times.rounds)) as [Alone, Alone];
		progress("suggestions");
		const texts = typedBeginnings(companies.slice(0, times.typed));
		const suggestions = await measureSuggestions(connection, texts, 2);
		progress("eight clients at once");
		const atOnce = await measureAtOnce(connection, { queries, companies, clients, ms: times.loadMs });
		progress("typing errors");
		const mistyped = await measureMistyped(connection, companies.slice(0, times.mistyped), seededRandom(seed + 1));
		progress("over HTTP");
		const http = await measureOverHttp(undo, { connection, queries, clients, ms: times.loadMs });

		progress("ILIKE");
		const nameTexts = (count: number) => textsOf(queries.filter(({ of }) => of === "name")).slice(0, count);
		const ilike = await measureIlike(connection, nameTexts(times.ilike));
		progress("SQLite");
		const sqlite = await openSqliteRival(undo, connection);
		const wordQueries = queries.filter(({ of }) => of !== "digits");
		const rivals = {
			ilike,
			sqlite,
			sqliteSearches: await sqlite.searches(textsOf(wordQueries)),
			sqliteSuggestions: await sqlite.suggestions(texts),
			trigrams: [] as SearchResults["rivals"]["trigrams"],
		};
		if (times.trigrams > 0 && !asked["no-trigram"]) {
			progress("trigrams");
			rivals.trigrams = await measureTrigrams(connection, nameTexts(times.trigrams));
		}

		const results = { clients, files, copied, imported, disk, alone, tenth, texts, suggestions, atOnce, mistyped, http, rivals };
		return {
			setting: [
				server.setting,
				`${files.units} units, ${files.establishments} establishments, made up (${registrySeed} as seed); ${queries.length} queries of ${kindNames.length} kinds (${seed}); the client is one Node process on the same machine`,
			],
			options: `--units ${units}`,
			figures: figuresOf(results),
			tables: tablesOf(results),
			broken: brokenOf(results),
		};
	},
} satisfies Bench;

function unitsOf({ smoke, asked }: Pick<BenchOptions, "smoke" | "asked">): number {
	const units = Number(asked.units ?? (smoke ? smokeUnits : 1_000_000));
	if (!Number.isSafeInteger(units / 10) || units < 1000) throw new Error("--units wants a multiple of ten, 1000 at least");
	return units;
}

/** What whoever holds a registry of this size would set. */
function settings(): Record<string, string> {
	const gigabytes = totalmem() / 2 ** 30;
	return {
		shared_buffers: `${Math.round(1024 * Math.min(4, gigabytes / 4))}MB`,
		effective_cache_size: `${Math.round(1024 * gigabytes * 0.5)}MB`,
		max_wal_size: "8GB",
	};
}

/** The same draws for the same seed and companies. */
async function draw(
	connection: Parameters<typeof withClient>[0],
	perKind: number,
): Promise<{ companies: DrawnCompany[]; queries: Query[] }> {
	const random = seededRandom(seed);
	const companies = await withClient(connection, (client) => drawCompanies(client, 5000, random));
	return { companies, queries: drawQueries(companies, perKind, random) };
}

const textsOf = (queries: readonly Query[]) => queries.map(({ search }) => search.query);
