import type pg from "pg";
import { searchCompanies } from "../../../app/companies/search/search-companies.server.ts";
import { suggestCompanies } from "../../../app/companies/search/suggest-companies.server.ts";
import { type Database, openDatabase } from "../../../server/database/database.ts";
import { createLog } from "../../../server/observability/log.ts";
import { withClient } from "../../../test/postgres.ts";
import { type Load, loadConcurrently } from "../load.ts";
import { measureEach } from "../percentiles.ts";
import type { DrawnCompany } from "./draw-companies.ts";
import type { Query } from "./queries.ts";

/** Opens at most so many connections for some work. */
export async function withDatabase<T>(connection: pg.ClientConfig, connections: number, work: (db: Database) => Promise<T>): Promise<T> {
	const { db } = openDatabase({ ...connection, max: connections }, createLog("silent"));
	try {
		return await work(db);
	} finally {
		await db.destroy();
	}
}

/** Page and count of each query by one client on one connection, in milliseconds. */
export interface Alone {
	queries: readonly Query[];
	/** The first run of each query. */
	first: number[];
	/** The runs after that. */
	rounds: number[][];
}

/** Measures several databases in turns, so that other work of the machine slows all of them alike. */
export async function measureInTurns(
	targets: readonly { connection: pg.ClientConfig; queries: readonly Query[] }[],
	rounds: number,
): Promise<Alone[]> {
	const opened = targets.map(({ connection, queries }) => {
		const { db } = openDatabase({ ...connection, max: 1 }, createLog("silent"));
		return { db, queries, measure: () => measureEach(queries, ({ search }) => searchCompanies(db, search)) };
	});
	const measured: Alone[] = [];
	for (const { queries, measure } of opened) measured.push({ queries, first: await measure(), rounds: [] });
	for (let round = 0; round < rounds; round++) for (const [at, { measure }] of opened.entries()) measured[at]?.rounds.push(await measure());
	for (const { db } of opened) await db.destroy();
	return measured;
}

export function groupByKind({ queries, rounds }: Alone): Map<string, number[]> {
	const kinds = new Map<string, number[]>(queries.map(({ kind }) => [kind, []]));
	for (const round of rounds) for (const [at, ms] of round.entries()) kinds.get(queries[at]?.kind ?? "")?.push(ms);
	return kinds;
}

/** The slowest queries by their fastest run, which leaves out accidental delays. */
export function findSlowest({ queries, rounds }: Alone, count: number): { query: Query; ms: number }[] {
	return queries
		.map((query, at) => ({ query, ms: Math.min(...rounds.map((round) => round[at] ?? 0)) }))
		.toSorted((a, b) => b.ms - a.ms)
		.slice(0, count);
}

const maxTyped = 20;

/** The texts that are sent while names are typed letter by letter, from the third letter on. */
export function listTypedPrefixes(companies: readonly DrawnCompany[]): string[] {
	return companies.flatMap(({ name }) => {
		const letters = [...name.toLowerCase()].slice(0, maxTyped);
		return letters.slice(2).map((_, index) => letters.slice(0, index + 3).join(""));
	});
}

/** Suggestions for each text by one client, twice after a first time that warms up. */
export function measureSuggestions(connection: pg.ClientConfig, texts: readonly string[]): Promise<number[]> {
	return withDatabase(connection, 1, async (db) => {
		const measure = () => measureEach(texts, (text) => suggestCompanies(db, text));
		await measure();
		return [...(await measure()), ...(await measure())];
	});
}

export interface Concurrent {
	searches: Load;
	rows: Load;
}

interface ConcurrentOptions {
	queries: readonly Query[];
	companies: readonly DrawnCompany[];
	clients: number;
	ms: number;
}

/** Searches of many clients, a connection each; every query ran before. The baseline: the nine rows of a page by their primary key. */
export function measureConcurrent(
	connection: pg.ClientConfig,
	{ queries, companies, clients, ms }: ConcurrentOptions,
): Promise<Concurrent> {
	return withDatabase(connection, clients, async (db) => {
		const search = ({ search }: Query) => searchCompanies(db, search);
		await loadConcurrently(queries, { clients, ms: ms / 4 }, search); // until every connection has its plans
		const searches = await loadConcurrently(queries, { clients, ms }, search);
		const rows = await loadConcurrently(listPages(companies), { clients, ms: ms / 2 }, (ids) => selectRows(db, ids));
		return { searches, rows };
	});
}

/** The baseline of one client: nine rows by their primary key, on one connection. */
export function measureRows(connection: pg.ClientConfig, companies: readonly DrawnCompany[]): Promise<number[]> {
	return withDatabase(connection, 1, async (db) => {
		const measure = () => measureEach(listPages(companies), (ids) => selectRows(db, ids));
		await measure();
		return measure();
	});
}

const listPages = (companies: readonly DrawnCompany[]) =>
	companies.slice(0, 1000).map((_, index) => companies.slice(index, index + 9).map(({ id }) => id));

const columns = ["siren", "name", "legal_category", "single_partner", "naf_code", "address", "postal_code", "city", "status"] as const;
const selectRows = (db: Database, ids: readonly number[]) =>
	db.selectFrom("companies").select(columns).where("id", "in", ids).orderBy("id").execute();

/** The design without a search of our own: the first nine names that contain a text. A statement is cancelled after a minute. */
export function measureIlike(connection: pg.ClientConfig, texts: readonly string[]): Promise<number[]> {
	return withClient(connection, async (client) => {
		await client.query("set statement_timeout = '60s'");
		return measureEach(texts, async (text) => {
			const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
			await client
				.query("select siren, name, city from companies where name ilike $1 order by id limit 9", [pattern])
				.catch((error: { code?: string }) => {
					if (error.code !== "57014") throw error; // query_canceled
				});
		});
	});
}
