import type { Database } from "../../../server/database/database.ts";
import { findCommuneName } from "../addresses/communes.server.ts";
import { listCompaniesByWords, type SummaryRow } from "../companies.store.server.ts";
import type { CompanyPreview } from "../company.ts";
import { toPreview, toSummary } from "../company-rows.ts";
import { listLegalForms } from "../legal-forms.ts";
import { normalizeQuery } from "./company-search.ts";
import { readDocumentWords } from "./document-words.ts";
import { hashName, noFilters, type ParsedQuery, parseQuery, removeFormWords } from "./lexemes.ts";
import { searchByNumber } from "./search-by-number.server.ts";
import { listWords, putFormFirst, readOtherwise } from "./search-companies.server.ts";
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
		const typed = parseQuery(query);
		const { rows } = await listCompaniesByWords(db, typed, noFilters, pageRequest);
		return rows.length > 0 ? toPreviews(rows, typed) : suggestCompanies(db, rest);
	}
	const { found, words } = await searchByNumber(db, query, noFilters, pageRequest);
	return found ? toPreviews(found.rows) : suggestForWords(db, words);
}

/** The companies of words; if there are none, of what the search finds for them, unless it drops some. */
async function suggestForWords(db: Database, text: string): Promise<CompanyPreview[]> {
	const typed = parseQuery(text);
	if (typed.words.length === 0) return [];
	const find = async (query: ParsedQuery) => (await listCompaniesByWords(db, query, noFilters, pageRequest)).rows;
	const rows = await find(typed);
	const other = rows.length < pageRequest.size ? await readOtherwise(db, typed, { rows, total: rows.length }) : null;
	const query = other?.query ?? typed;
	return toPreviews(putFormFirst(other ? await find(query) : rows, listWords(typed), query.nameKey), query);
}

const toPreviews = (rows: readonly SummaryRow[], query?: ParsedQuery): CompanyPreview[] =>
	rows.map((row) => toPreview(toSummary(row, findCommuneName, query?.words)));

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
