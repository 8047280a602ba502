import type { Database } from "../../server/database/database.ts";
import { urlSet } from "../../server/sitemap.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";
import { countIndexableRanges, hasIndexableCompany, listIndexableCompanies } from "./sitemap.store.server.ts";

/** The limit of URLs per file (sitemaps.org). */
const idsPerFile = 50_000;

/** The number of ids per query, which limits the memory. */
const idsPerQuery = 2000;

/** Returns the number of sitemap files, which are numbered from 1. */
export function countCompanySitemaps(db: Database): Promise<number> {
	return countIndexableRanges(db, idsPerFile);
}

/**
 * Generates one sitemap of companies, read from the database piece by piece.
 * There is no transaction, so an import may replace the table between two queries.
 * @param baseUrl without a trailing slash. @param number the file's number, from 1 to 9999.
 * @returns null when there is no such file.
 */
export async function createCompanySitemap(db: Database, baseUrl: string, number: number): Promise<AsyncGenerator<string> | null> {
	const last = number * idsPerFile;
	const first = last - idsPerFile;
	return (await hasIndexableCompany(db, first, last)) ? generateSitemap(db, baseUrl, first, last) : null;
}

async function* generateSitemap(db: Database, baseUrl: string, first: number, last: number): AsyncGenerator<string> {
	yield urlSet.head;
	for (let after = first; after < last; after += idsPerQuery) {
		const rows = await listIndexableCompanies(db, after, after + idsPerQuery);
		if (rows.length === 0) continue;
		yield urlSet.entries(
			rows.map(({ siren, updated_on }) => ({ url: absoluteUrl(baseUrl, "/entreprise/:siren", { siren }), changedOn: updated_on })),
		);
	}
	yield urlSet.tail;
}
