import type { Database } from "../../../server/database/database.ts";
import { findCommuneName } from "../addresses/communes.server.ts";
import { listCompaniesByWords, type SummaryRow } from "../companies.store.server.ts";
import type { CompanyPreview } from "../company.ts";
import { toPreview, toSummary } from "../company-rows.ts";
import { listLegalForms } from "../legal-forms.ts";
import { normalizeQuery } from "./company-search.ts";
import { readDocumentWords } from "./document-words.ts";
import { hashName, noFilters, parseQuery, removeFormWords, toQuery } from "./lexemes.ts";
import { findRegisteredSpelling } from "./registered-spelling.ts";
import { searchByNumber } from "./search-by-number.server.ts";
import { listCompaniesByNames, listCompaniesByTexts } from "./suggestions.store.server.ts";
import { tokenize } from "./tokens.ts";

const minTextLength = 3;
const pageRequest = { page: 1, size: 8, cap: 8 };

/** Suggests up to eight companies for a partial name or SIREN of at least three characters. */
export async function suggestCompanies(db: Database, text: string): Promise<CompanyPreview[]> {
	const query = normalizeQuery(text);
	if ([...query].length < minTextLength) return [];
	const rest = readDocumentWords(query)?.rest;
	if (rest) {
		// a company may have such words in its name
		const named = await suggestForWords(db, query);
		return named.length > 0 ? named : suggestCompanies(db, rest);
	}
	const { found, words } = await searchByNumber(db, query, noFilters, pageRequest);
	return found ? found.rows.map((row) => toPreview(toSummary(row, findCommuneName))) : suggestForWords(db, words);
}

async function suggestForWords(db: Database, words: string): Promise<CompanyPreview[]> {
	const parsed = parseQuery(words);
	if (parsed.words.length === 0) return [];
	const { rows } = await listCompaniesByWords(db, parsed, noFilters, pageRequest);
	const spelling = rows.length < pageRequest.size ? findRegisteredSpelling(parsed, rows) : null;
	const other = spelling && toQuery(spelling);
	const shown = other ? (await listCompaniesByWords(db, other, noFilters, pageRequest)).rows : rows;
	return shown.map((row) => toPreview(toSummary(row, findCommuneName, (other ?? parsed).words)));
}

/**
 * Finds the companies whose whole name each of several texts is, in one query: in any case and marks, and without its legal form, unless the
 * text has another one. @returns the best ones of each name, those that have an extract if any has.
 */
export async function listNamesakes(db: Database, names: readonly string[]): Promise<CompanyPreview[][]> {
	const words = names.map((name) => tokenize(name));
	const rows = await listCompaniesByNames(db, names.map(hashName));
	return words.map((list, place) => {
		const same = rows
			.filter((row) => row.place === place && isWholeName(list, row))
			.map((row) => toPreview(toSummary(row, findCommuneName)));
		const orderable = same.filter(({ eligibility }) => eligibility !== "none");
		return orderable.length > 0 ? orderable : same;
	});
}

/** @param list the words of a text. */
function isWholeName(list: readonly string[], { name, legal_category, single_partner }: SummaryRow): boolean {
	const own = tokenize(name ?? "");
	const forms = [...own, ...listLegalForms(legal_category, single_partner).map((form) => form.toLowerCase())];
	const bare = removeFormWords(list);
	return bare.join("") === removeFormWords(own).join("") && list.every((word) => bare.includes(word) || forms.includes(word));
}

/** Suggests up to `size` companies for each of several names, in one query. @returns a list for each name. */
export async function suggestForNames(db: Database, names: readonly string[], size: number): Promise<CompanyPreview[][]> {
	const queries = names.map((name) => parseQuery(name.length < minTextLength ? "" : normalizeQuery(name)));
	const found: CompanyPreview[][] = names.map(() => []);
	const asked = queries.flatMap((query, index) => (query.words.length > 0 ? [{ query, index }] : []));
	const rows =
		asked.length > 0
			? await listCompaniesByTexts(
					db,
					asked.map(({ query }) => query),
					size,
				)
			: [];
	for (const row of rows) {
		const { query, index } = asked[row.place] ?? {};
		if (query && index !== undefined) found[index]?.push(toPreview(toSummary(row, findCommuneName, query.words)));
	}
	return found;
}
