import type { Database } from "../../server/database/database.ts";
import { pageList } from "../../server/sitemap.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";
import { countListedRanges, hasListedCompany, listedCompanies } from "./sitemap.store.server.ts";

/** Ids of one file, hence at most as many addresses: the protocol's own limit (sitemaps.org; and 50 MB, of which this is a tenth). */
const idsPerFile = 50_000;

/** Ids of one query: what is held in memory of a file. */
const idsPerQuery = 2000;

/** How many files list companies; they are numbered from 1. */
export function countCompanySitemaps(db: Database): Promise<number> {
	return countListedRanges(db, idsPerFile);
}

/**
 * One file of companies, in pieces: each is read from the database when it is asked for.
 * No transaction stays open meanwhile: an import may replace the table between two queries.
 * @param baseUrl without a trailing slash. @param number of the file, from 1 to 9999.
 * @returns null where no file has that number.
 */
export async function companySitemap(db: Database, baseUrl: string, number: number): Promise<AsyncGenerator<string> | null> {
	const last = number * idsPerFile;
	const first = last - idsPerFile;
	return (await hasListedCompany(db, first, last)) ? pieces(db, baseUrl, first, last) : null;
}

async function* pieces(db: Database, baseUrl: string, first: number, last: number): AsyncGenerator<string> {
	yield pageList.head;
	for (let after = first; after < last; after += idsPerQuery) {
		const rows = await listedCompanies(db, after, after + idsPerQuery);
		if (rows.length === 0) continue;
		yield pageList.entries(
			rows.map(({ siren, updated_on }) => ({ address: absoluteUrl(baseUrl, "/entreprise/:siren", { siren }), changedOn: updated_on })),
		);
	}
	yield pageList.tail;
}
