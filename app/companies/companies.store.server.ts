import { type RawBuilder, sql } from "kysely";
import type { Database, Trx } from "../../server/database/database.ts";
import { prepared } from "../../server/database/dialect.ts";
import {
	alternativeQueries,
	type Filters,
	filterQuery,
	hashName,
	keyQueries,
	type ParsedQuery,
	postFilterQuery,
	prefixQueries,
	type QueryWord,
	rankQueries,
	toQueryWords,
	wordQueries,
} from "./search/lexemes.ts";
import { listHalfPatterns, listTranspositions } from "./search/typos.ts";
import type { Siren } from "./siren.ts";

/** The columns of a search result. */
export interface SummaryRow {
	siren: Siren;
	name: string | null;
	legal_category: string;
	single_partner: boolean | null;
	naf_code: string | null;
	naf_nomenclature: string | null;
	address: string | null;
	address_complement: string | null;
	postal_code: string | null;
	city: string | null;
	/** INSEE's code of the commune. */
	commune: string | null;
	acronym: string | null;
	/** The head office's trade signs and usual name, one a line. */
	trade_names: string | null;
	/** Trade names of other establishments, one a line. */
	branch_trade_names: string | null;
	status: "active" | "ceased" | "removed";
}

/** The columns of a company's page. Days are yyyy-mm-dd. */
export interface CompanyRow extends SummaryRow {
	masked: boolean;
	/** Masked by the shop, at the request of the person concerned. */
	hidden: boolean;
	siret: string | null;
	staff_band: string | null;
	staff_year: number | null;
	category: string | null;
	/** The number of open establishments besides the head office, and the first of them as JSON; null without any. */
	branches: number | null;
	branch_list: string | null;
	/** The head office's activity, where it differs from the company's. */
	head_office_naf_code: string | null;
	/** The keys of its VAT numbers, two characters each, and the day of the DGFiP's file; null when the file has none of it. */
	vat_keys: string | null;
	vat_as_of: string | null;
	created_on: string | null;
	updated_on: string | null;
	/** This and the following columns come from the RNE. */
	registered_on: string | null;
	removed_on: string | null;
	capital: string | null;
	capital_currency: string | null;
	duration_years: number | null;
	purpose: string | null;
	/** The last day of the financial year: 1231 is 31 December. */
	year_end: number | null;
	/** The year in which the duration ends. */
	ends_in: number | null;
	registration_as_of: string | null;
}

/** The columns of SummaryRow, of `companies company` and `company_branches branch`. */
export const summaryColumns = sql.raw(
	`company.siren, name, legal_category, company.single_partner, naf_code, coalesce(naf_nomenclature, 'NAFRev2') as naf_nomenclature,
	address, address_complement, postal_code, city, commune, acronym, company.trade_names, branch.trade_names as branch_trade_names, status`,
);

export async function findCompanyRow(db: Database, siren: string): Promise<CompanyRow | undefined> {
	const { rows } = await sql<CompanyRow>`${selectCompanies(sql`company.siren = ${siren}`)}`.execute(db);
	return rows[0];
}

export async function listCompanyRows(db: Database, sirens: readonly string[]): Promise<CompanyRow[]> {
	const { rows } = await sql<CompanyRow>`${selectCompanies(sql`company.siren = any(${sirens})`)}`.execute(db);
	return rows;
}

const selectCompanies = (condition: RawBuilder<unknown>) => sql`
		select ${summaryColumns}, masked, exists (select from hidden_companies hidden where hidden.siren = company.siren) as hidden, company.siren || nic as siret,
			staff_band, staff_year, category, branches, list as branch_list, created_on::text, updated_on::text, head_office_naf_code, vat_keys,
			case when vat_keys is not null then (select source.as_of::text from company_sources source where source.name = 'vat') end as vat_as_of,
			registered_on::text, removed_on::text, capital, capital_currency, duration_years, purpose, year_end, ends_in, as_of::text as registration_as_of
		from companies company
		left join company_registrations registration on registration.siren = company.siren and not masked
		left join company_branches branch on branch.siren = company.siren and not masked
		left join company_vat_numbers vat on vat.siren = company.siren::integer and not masked
		where ${condition}
	`;

/** A page of results. `total` is at most the cap; a page number beyond the last returns the last page. */
export interface ResultPage {
	rows: SummaryRow[];
	total: number;
	page: number;
}

export interface PageRequest {
	page: number;
	size: number;
	cap: number;
}

/**
 * Finds companies that have all the words: first those whose full name matches, then those whose name has all the words, then trade
 * names and acronyms, then places; by importance in each.
 */
export async function listCompaniesByWords(
	db: Database,
	{ words, nameKey }: ParsedQuery,
	filters: Filters,
	pageRequest: PageRequest,
): Promise<ResultPage> {
	const { name, trade, place, wholeName, wholeTrade } = rankQueries(words);
	return listPage(
		db,
		sql`find_companies(${formatQueryArguments(words)}, ${filterQuery(filters)}::tsquery, ${postFilterQuery(words)}::tsquery,
			${alternativeQueries(words)}::tsquery[], ${[name, trade, place, wholeName, wholeTrade]}::tsquery[],
			${nameKey}, ${pageRequest.page}::integer, ${pageRequest.size}::integer, ${pageRequest.cap}::integer)`,
	);
}

/** Finds companies whose SIREN starts with some digits. Masked ones need all nine. */
export async function listCompaniesBySiren(db: Database, digits: string, filters: Filters, pageRequest: PageRequest): Promise<ResultPage> {
	return listPage(
		db,
		sql`search_sirens(${digits.padEnd(9, "0")}, ${digits.padEnd(9, "9")}, ${filterQuery(filters)}::tsquery,
			${pageRequest.page}::integer, ${pageRequest.size}::integer, ${pageRequest.cap}::integer)`,
	);
}

async function listPage(db: Database, search: RawBuilder<unknown>): Promise<ResultPage> {
	const { rows } = await sql<SummaryRow & { total: number; shown_page: number; siren: Siren | null }>`
		select total, shown_page, ${summaryColumns}
		from ${search} found
		left join unnest(ids) with ordinality shown (id, place) on true
		left join companies company using (id)
		left join company_branches branch on branch.siren = company.siren
		order by place
	`.execute(prepared(db));
	const { total = 0, shown_page: page = 1 } = rows[0] ?? {};
	return { rows: rows.filter(({ siren }) => siren !== null), total, page };
}

/** Groups the companies that have all the words by the values of the filters, and counts each group; null beyond the cap. */
export async function countGroups(db: Database, { words, nameKey }: ParsedQuery, cap: number): Promise<GroupRow[] | null> {
	const { rows } = await sql<GroupRow>`
		select left(coalesce(commune, postal_code), 3) as place, section, legal_category, single_partner, count(*)::integer as companies
		from company_query(${formatQueryArguments(words)}, '', ${postFilterQuery(words)}::tsquery, ${alternativeQueries(words)}::tsquery[]) query,
			unnest(company_ids(query.asked, '', query.beside, ${nameKey}, ${cap + 1})
				|| exact_company_ids(${words.map(({ word }) => word)}::text[], ${nameKey}, query.asked, query.beside, '', ${cap + 1})) id
		join companies using (id)
		group by 1, section, legal_category, single_partner
	`.execute(prepared(db));
	return rows.reduce((sum, { companies }) => sum + companies, 0) > cap ? null : rows;
}

export interface GroupRow {
	/** The first three characters of the commune's code, or of the postal code, which identify the department. */
	place: string | null;
	section: string | null;
	legal_category: string;
	single_partner: boolean | null;
	companies: number;
}

/** The words and their queries, as arguments of the database's functions. */
function formatQueryArguments(words: readonly QueryWord[]): RawBuilder<unknown> {
	const list = words.map(({ word }) => word);
	return sql`${list}::text[], ${prefixQueries(words)}::tsquery[], ${keyQueries(words)}::tsquery[], ${wordQueries(words)}::tsquery[]`;
}

/**
 * Returns the first list of words that is the full name of a company, or else the first that any company has; null if there is none.
 * @param attempts lists of the same length.
 * @param prefixes words that match as prefixes; the others match as whole words.
 */
export async function findFirstMatch(
	db: Database,
	attempts: readonly (readonly string[])[],
	prefixes: ReadonlySet<string>,
): Promise<readonly string[] | null> {
	const [first] = attempts;
	if (!first) return null;
	const lists = attempts.map((attempt) => listAttemptQueries(attempt, prefixes));
	const anyOf = first.map((_, place) => `(${[...new Set(lists.map((list) => list[place]))].join(" | ")})`).join(" & ");
	const { rows } = await sql<{ place: number | null }>`
		select first_match(${lists.map((list) => list.join(" & "))}::tsquery[], ${attempts.map((attempt) => hashName(attempt.join(" ")))}::integer[], ${anyOf}::tsquery) as place
	`.execute(prepared(db));
	return attempts[(rows[0]?.place ?? 0) - 1] ?? null;
}

/**
 * Returns the first list of words that is the full name of a company, or else the first that any company has; null if there is none. Unlike
 * findFirstMatch, it takes lists of different lengths.
 * @param prefixes as for findFirstMatch.
 */
export async function findFirstFound(
	db: Database,
	attempts: readonly (readonly string[])[],
	prefixes: ReadonlySet<string>,
): Promise<readonly string[] | null> {
	if (attempts.length === 0) return null;
	const queries = attempts.map((attempt) => listAttemptQueries(attempt, prefixes).join(" & "));
	const { rows } = await sql<{ place: number | null }>`
		select first_found(${queries}::tsquery[], ''::tsquery,
			${attempts.map((attempt) => hashName(attempt.join(" ")))}::integer[]) as place
	`.execute(prepared(db));
	return attempts[(rows[0]?.place ?? 0) - 1] ?? null;
}

/** The tsquery of each word of an attempt. */
function listAttemptQueries(attempt: readonly string[], prefixes: ReadonlySet<string>): string[] {
	const words = toQueryWords(attempt);
	const [byPrefix, byWord, others] = [prefixQueries(words), wordQueries(words), alternativeQueries(words)];
	return words.map(({ word }, index) => {
		const query = (prefixes.has(word) && byPrefix[index]) || byWord[index] || "";
		return others[index] ? `(${query} | ${others[index]})` : query;
	});
}

/** Returns whether each word is a prefix in the vocabulary, how many companies have it, and whether it is too frequent to be a typing error (see company_query). */
export async function listWordFrequencies(db: Database, words: readonly string[]): Promise<WordFrequency[]> {
	const { rows } = await sql<WordFrequency>`
		select asked as word,
			exists (select from company_words where word >= asked and word < asked || chr(1114111)) as begins,
			coalesce((select companies from company_words where word = asked), 0) as companies,
			exists (select from company_words where word = asked and companies >= 2000) as frequent
		from unnest(${words}::text[]) asked
	`.execute(prepared(db));
	return rows;
}

export interface WordFrequency {
	word: string;
	begins: boolean;
	companies: number;
	frequent: boolean;
}

/** Returns candidates from the vocabulary for misspelt words. Some are more than one typing error away: callers must filter. */
export async function listSimilarWords(
	db: Database,
	words: readonly string[],
): Promise<{ typed: string; word: string; companies: number }[]> {
	const halves = words.flatMap((word) => listHalfPatterns(word).map((half) => ({ typed: word, ...half })));
	const transpositions = words.flatMap((word) => listTranspositions(word).map((other) => ({ typed: word, other })));
	const { rows } = await sql<{ typed: string; word: string; companies: number }>`
		with half as materialized (
			select * from jsonb_to_recordset(${JSON.stringify(halves)}::jsonb)
				as half (typed text, side text, size integer, letters text, near text, far text)
		)
		select typed, word, companies from half
		join company_words on length(word) = size and left(word, length(word) / 2) = letters
		where side = 'first' and (substr(word, size / 2 + 1, 1) = near or right(word, 1) = far)
		union
		select typed, word, companies from half
		join company_words on length(word) = size and right(word, (length(word) + 1) / 2) = letters
		where side = 'second' and (substr(word, size / 2, 1) = near or left(word, 1) = far)
		union
		select typed, word, companies from jsonb_to_recordset(${JSON.stringify(transpositions)}::jsonb) as transposition (typed text, other text)
		join company_words on word = other
	`.execute(prepared(db));
	return rows;
}

export interface SourceRow {
	name: "sirene" | "rne" | "vat";
	as_of: string | null;
	companies: number;
}

/** Returns which words are in the vocabulary, with the number of their companies. */
export async function countCompaniesOfWords(db: Database, words: readonly string[]): Promise<Map<string, number>> {
	if (words.length === 0) return new Map();
	const { rows } = await sql<{ word: string; companies: number }>`
		select word, companies from company_words where word = any(${words}::text[])
	`.execute(prepared(db));
	return new Map(rows.map(({ word, companies }) => [word, companies]));
}

export async function listImportTimes(trx: Trx): Promise<{ name: string; imported_at: Date }[]> {
	return trx.selectFrom("company_sources").select(["name", "imported_at"]).execute();
}

export async function listSources(db: Database): Promise<SourceRow[]> {
	const { rows } = await sql<SourceRow>`select name, as_of::text, companies from company_sources`.execute(db);
	return rows;
}
