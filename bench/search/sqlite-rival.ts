import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type pg from "pg";
import { words } from "../../app/companies/search/tokens.ts";
import { temporaryFolder, withClient } from "../database.ts";
import { inTurn } from "./timing.ts";

const batch = 20_000;

export interface SqliteRival {
	/** Seconds. */
	building: number;
	bytes: number;
	/** The first nine and a count up to 1001, each text asked once before. */
	searches(texts: readonly string[]): Promise<number[]>;
	/** The first eight. */
	suggestions(texts: readonly string[]): Promise<number[]>;
}

/** SQLite's full text search on the same names and cities, in this process: no connection, no typing errors, no filters. The order is that of the ids. */
export async function openSqliteRival(undo: AsyncDisposableStack, connection: pg.ClientConfig): Promise<SqliteRival> {
	const db = new DatabaseSync(join(temporaryFolder(undo), "rival.sqlite"));
	undo.defer(() => db.close());
	db.exec(`
		pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -1000000; pragma mmap_size = 8000000000;
		create virtual table company using fts5(name, city, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2');
	`);
	const started = performance.now();
	await fill(db, connection);
	db.exec("insert into company (company) values ('optimize')");
	const building = (performance.now() - started) / 1000;
	const page = db.prepare("select rowid, name, city from company where company match ? order by rowid limit ?");
	const count = db.prepare("select count(*) from (select rowid from company where company match ? limit 1001)");
	const size = db.prepare("select page_count * page_size as bytes from pragma_page_count, pragma_page_size").get() as { bytes: number };
	const measure = async (texts: readonly string[], ask: (terms: string) => void) => {
		const asked = texts.map(termsOf).filter(Boolean);
		await inTurn(asked, ask);
		return inTurn(asked, ask);
	};
	return {
		building,
		bytes: size.bytes,
		searches: (texts) =>
			measure(texts, (terms) => {
				page.all(terms, 9);
				count.get(terms);
			}),
		suggestions: (texts) => measure(texts, (terms) => void page.all(terms, 8)),
	};
}

function termsOf(text: string): string {
	return words(text)
		.map((word) => `"${word}"*`)
		.join(" ");
}

async function fill(db: DatabaseSync, connection: pg.ClientConfig): Promise<void> {
	const insert = db.prepare("insert into company (rowid, name, city) values (?, ?, ?)");
	await withClient(connection, async (client) => {
		for (let last = 0; ; ) {
			const { rows } = await client.query<{ id: number; name: string | null; city: string | null }>(
				"select id, name, city from companies where id > $1 order by id limit $2",
				[last, batch],
			);
			db.exec("begin");
			for (const { id, name, city } of rows) insert.run(id, name, city);
			db.exec("commit");
			if (rows.length < batch) return;
			last = rows.at(-1)?.id ?? last;
		}
	});
}
