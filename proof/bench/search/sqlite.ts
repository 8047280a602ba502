import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type pg from "pg";
import { maxTotal, resultsPerPage } from "../../../app/companies/search/company-search.ts";
import { tokenize } from "../../../app/companies/search/tokens.ts";
import { withClient } from "../../../test/postgres.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { measureEach, measureMs } from "../percentiles.ts";
import type { Query } from "./queries.ts";

export interface Sqlite {
	version: string;
	buildMs: number;
	bytes: number;
	/** Page and count of each query, in its place; the first run is left out. */
	latencies: number[];
}

const rowsAtOnce = 20_000;

/** Queries that SQLite can answer too: words without filters, corrections and numbers, on the first page. */
export const isForSqlite = ({ kind, search: { departement, formes, secteur, page } }: Query): boolean =>
	departement === null && formes.length === 0 && secteur === null && page === 1 && !/typing error|nothing found|SIREN|digits/.test(kind);

/** The same companies in SQLite's FTS5, in this process: names and towns, in the order of importance; words match by their start. */
export async function measureSqlite(undo: AsyncDisposableStack, connection: pg.ClientConfig, queries: readonly Query[]): Promise<Sqlite> {
	const file = join(temporaryFolder(undo), "companies.sqlite");
	const sqlite = new DatabaseSync(file);
	undo.defer(() => sqlite.close());
	sqlite.exec("pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -500000");
	sqlite.exec(`create virtual table companies using fts5 (text, content = '', detail = none, prefix = '2 3 4')`);
	const insert = sqlite.prepare("insert into companies (rowid, text) values (?, ?)");
	const buildMs = await measureMs(() =>
		withClient(connection, async (client) => {
			for (let last = 0; ; ) {
				const { rows } = await client.query<{ id: number; text: string }>(
					`select id, concat_ws(' ', name, acronym, trade_names, city, postal_code) as text from companies where id > $1 order by id limit ${rowsAtOnce}`,
					[last],
				);
				sqlite.exec("begin");
				for (const { id, text } of rows) insert.run(id, tokenize(text).join(" "));
				sqlite.exec("commit");
				if (rows.length < rowsAtOnce) break;
				last = rows.at(-1)?.id ?? last;
			}
			sqlite.exec("insert into companies (companies) values ('optimize')");
		}),
	);
	const page = sqlite.prepare(`select rowid from companies where companies match ? order by rowid limit ${resultsPerPage}`);
	const count = sqlite.prepare(`select count(*) from (select 1 from companies where companies match ? limit ${maxTotal + 1})`);
	const texts = queries.map(({ search }) =>
		tokenize(search.query)
			.map((word) => `"${word}"*`)
			.join(" AND "),
	);
	const search = (text: string) => [page.all(text), count.get(text)];
	for (const text of texts) search(text);
	const version = String(sqlite.prepare("select sqlite_version() as version").get()?.version);
	return { version, buildMs, bytes: statSync(file).size, latencies: await measureEach(texts, search) };
}
