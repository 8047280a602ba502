import type pg from "pg";
import { withClient } from "../database.ts";
import { inTurn } from "./timing.ts";

const longestStatement = 60_000;

export interface Rival {
	what: string;
	latencies: number[];
	/** Seconds, where something had to be built. */
	building?: number;
}

/** What stands in a LIKE pattern for itself. */
const contains = (text: string) => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

/** The first nine, of names that contain a text: what a shop writes first. A statement that takes longer than a minute is given up, and counts as one. */
export function measureIlike(connection: pg.ClientConfig, texts: readonly string[]): Promise<Rival> {
	return withClient(connection, async (client) => {
		await client.query(`set statement_timeout = ${longestStatement}`);
		return { what: "`ILIKE '%q%'`", latencies: await inTurn(texts, (text) => ilike(client, text)) };
	});
}

/** The same with an index of trigrams, and the order of similarity that it also offers. The index is gone afterwards. */
export function measureTrigrams(connection: pg.ClientConfig, texts: readonly string[]): Promise<Rival[]> {
	return withClient(connection, async (client) => {
		await client.query("create extension if not exists pg_trgm; set maintenance_work_mem = '1GB'");
		const [ms = 0] = await inTurn(["create index bare_trigrams on companies using gin (name gin_trgm_ops)"], (sql) => client.query(sql));
		await client.query(`set statement_timeout = ${longestStatement}`);
		await inTurn(texts, (text) => ilike(client, text));
		const like = await inTurn(texts, (text) => ilike(client, text));
		const similar = await inTurn(texts, (text) =>
			attempt(client, "select siren, name, city from companies where name % $1 order by similarity(name, $1) desc, id limit 9", text),
		);
		await client.query("drop index bare_trigrams");
		return [
			{ what: "pg_trgm, `ILIKE`", latencies: like, building: ms / 1000 },
			{ what: "pg_trgm, similarity order", latencies: similar },
		];
	});
}

const ilike = (client: pg.Client, text: string) =>
	attempt(client, "select siren, name, city from companies where name ilike $1 order by id limit 9", contains(text));

async function attempt(client: pg.Client, statement: string, text: string): Promise<void> {
	try {
		await client.query(statement, [text]);
	} catch (error) {
		if ((error as { code?: string }).code !== "57014") throw error; // query_canceled
	}
}
