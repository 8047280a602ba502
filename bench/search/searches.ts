import type pg from "pg";
import { searchCompanies } from "../../app/companies/search/search-companies.server.ts";
import { suggestCompanies } from "../../app/companies/search/suggest-companies.server.ts";
import { type Database, openDatabase } from "../../server/database/database.ts";
import { createLog } from "../../server/observability/log.ts";
import type { DrawnCompany } from "./drawn-companies.ts";
import type { Query } from "./queries.ts";
import { inTurn, type Load, together } from "./timing.ts";

/** Work with the shop's own search, on at most so many connections. */
export async function withDatabase<T>(connection: pg.ClientConfig, connections: number, work: (db: Database) => Promise<T>): Promise<T> {
	const { db } = openDatabase({ ...connection, max: connections }, createLog("silent"));
	try {
		return await work(db);
	} finally {
		await db.destroy();
	}
}

/** Page and count of each query by one client on one connection. */
export interface Alone {
	queries: readonly Query[];
	/** The first time that each was asked. */
	first: number[];
	/** Milliseconds of each query, in each round after that. */
	rounds: number[][];
}

export const latenciesOf = ({ rounds }: Alone): number[] => rounds.flat();

/** What is compared is measured in turns, so that the machine's other work falls on both alike. */
export async function measureInTurns(
	targets: readonly { connection: pg.ClientConfig; queries: readonly Query[] }[],
	rounds: number,
): Promise<Alone[]> {
	const opened = targets.map(({ connection, queries }) => {
		const { db } = openDatabase({ ...connection, max: 1 }, createLog("silent"));
		return { db, queries, go: () => inTurn(queries, ({ search }) => searchCompanies(db, search)) };
	});
	const measured: Alone[] = [];
	for (const { queries, go } of opened) measured.push({ queries, first: await go(), rounds: [] });
	for (let round = 0; round < rounds; round++) for (const [at, { go }] of opened.entries()) measured[at]?.rounds.push(await go());
	for (const { db } of opened) await db.destroy();
	return measured;
}

export function latenciesByKind({ queries, rounds }: Alone): Map<string, number[]> {
	const kinds = new Map<string, number[]>(queries.map(({ kind }) => [kind, []]));
	for (const round of rounds) for (const [at, ms] of round.entries()) kinds.get(queries[at]?.kind ?? "")?.push(ms);
	return kinds;
}

/** Each query with the least that it took: what is slow every time. The slowest first. */
export function slowestQueries({ queries, rounds }: Alone, count: number): { query: Query; ms: number }[] {
	return queries
		.map((query, at) => ({ query, ms: Math.min(...rounds.map((round) => round[at] ?? 0)) }))
		.toSorted((a, b) => b.ms - a.ms)
		.slice(0, count);
}

const longestTyped = 20;

/** What is asked while names are typed letter by letter: each beginning from the third character on. */
export function typedBeginnings(companies: readonly DrawnCompany[]): string[] {
	return companies.flatMap(({ name }) => {
		const letters = [...name.toLowerCase()].slice(0, longestTyped);
		return letters.slice(2).map((_, index) => letters.slice(0, index + 3).join(""));
	});
}

/** Suggestions for each text, by one client: once to warm up, then `rounds` times. */
export function measureSuggestions(connection: pg.ClientConfig, texts: readonly string[], rounds: number): Promise<number[]> {
	return withDatabase(connection, 1, async (db) => {
		const go = () => inTurn(texts, (text) => suggestCompanies(db, text));
		await go();
		const latencies: number[] = [];
		for (let round = 0; round < rounds; round++) latencies.push(...(await go()));
		return latencies;
	});
}

export interface AtOnce {
	searches: Load;
	/** The nine rows of a page by their primary key, in one statement: the least that a page costs. */
	rows: Load;
}

/** Searches of many clients, each with a connection of its own; all of them were asked before. */
export function measureAtOnce(
	connection: pg.ClientConfig,
	{ queries, companies, clients, ms }: { queries: readonly Query[]; companies: readonly DrawnCompany[]; clients: number; ms: number },
): Promise<AtOnce> {
	return withDatabase(connection, clients, async (db) => {
		const search = ({ search }: Query) => searchCompanies(db, search);
		await together(queries, { clients, ms: ms / 4 }, search); // every connection has its plans
		const searches = await together(queries, { clients, ms }, search);
		const pages = companies.slice(0, 1000).map((_, index) => companies.slice(index, index + 9).map(({ id }) => id));
		const columns = ["siren", "name", "legal_category", "single_partner", "naf_code", "address", "postal_code", "city", "status"] as const;
		const rows = await together(pages, { clients, ms: ms / 2 }, (ids) =>
			db.selectFrom("companies").select(columns).where("id", "in", ids).orderBy("id").execute(),
		);
		return { searches, rows };
	});
}
