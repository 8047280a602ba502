import { sql } from "kysely";
import { parseCompanySearch } from "../../../app/companies/search/company-search.ts";
import { hashName, parseQuery, type QueryWord } from "../../../app/companies/search/lexemes.ts";
import { searchCompanies } from "../../../app/companies/search/search-companies.server.ts";
import { suggestCompanies } from "../../../app/companies/search/suggest-companies.server.ts";
import { listTokenVariants } from "../../../app/companies/search/tokens.ts";
import type { Database } from "../../../server/database/database.ts";
import { relevance } from "../../../test/fixtures/relevance/queries.ts";

export interface Judged {
	kind: string;
	query: string;
	siren: string;
	expected: "first" | "three" | "page";
	filters: Record<string, string>;
	/** The place of the first right answer on the first page, from 1; 0 without one. */
	rank: number;
	/** The same among the suggestions; null where filters are chosen, which suggestions lack. */
	suggested: number | null;
	/** What was searched in its place, and what came first. */
	searchedAs: string | null;
	first: string;
}

export const relevanceRows = Object.entries(relevance).flatMap(([kind, table]) =>
	table.map(([query, siren, expected, filters = {}]) => ({ kind, query, siren, expected, filters: filters as Record<string, string> })),
);

/**
 * Searches every query of the set.
 * @param generated whether there are generated companies, which bear names of the sample too: of two companies that a query means equally,
 * the more important one is right (see isAsRight).
 */
export async function judgeRelevance(db: Database, { generated }: { generated: boolean }): Promise<Judged[]> {
	const judged: Judged[] = [];
	for (const row of relevanceRows) {
		const { results, corrected, dropped } = await searchCompanies(
			db,
			parseCompanySearch(new URLSearchParams({ q: row.query, ...row.filters })),
		);
		const suggestions = Object.keys(row.filters).length > 0 ? null : await suggestCompanies(db, row.query);
		const searchedAs = corrected ?? dropped;
		const others = [...results, ...(suggestions ?? [])];
		const right = generated ? await listRight(db, row.siren, searchedAs ?? row.query, others) : new Set([row.siren]);
		const find = (found: readonly { siren: string }[]) => found.findIndex(({ siren }) => right.has(siren)) + 1;
		const [first] = results;
		judged.push({
			...row,
			rank: find(results),
			suggested: suggestions && find(suggestions),
			searchedAs,
			first: first ? `${first.name}, ${first.city} (${first.siren})` : "nothing",
		});
	}
	return judged;
}

interface Candidate {
	siren: string;
	name: string | null;
	names: string[];
	address: string;
}

/** @returns the SIRENs of the wanted company and of those that are as right. The more important have an extract, or else are larger. */
async function listRight(db: Database, siren: string, query: string, others: readonly { siren: string }[]): Promise<Set<string>> {
	const sirens = [siren, ...others.map((other) => other.siren)];
	const { rows } = await sql<Candidate>`
		select company.siren, name, array_remove(array[name, acronym] || string_to_array(company.trade_names, chr(10))
			|| string_to_array(branch.trade_names, chr(10)), null) as names, concat_ws(' ', postal_code, city) as address
		from companies company left join company_branches branch using (siren) where company.siren = any(${sirens}::text[])
		order by ranks_by_importance(legal_category, category) desc, id
	`.execute(db);
	const place = rows.findIndex((row) => row.siren === siren);
	const wanted = rows[place];
	const right = rows.filter((row, index) => wanted && isAsRight(row, wanted, query, index < place));
	return new Set([siren, ...right.map((row) => row.siren)]);
}

/**
 * Whether another company is as right as the wanted one: nobody who types « dubois » means the smaller of two. A more important one is, if
 * - it has the same whole name, where the query is that name; else
 * - it has all words of the query as whole words; or
 * - it has the name of the wanted one, and all the words that this one has.
 * So is a less important one with that name and with more of the words: a « DANONE » in Lyon for « danone lyon ».
 */
function isAsRight(other: Candidate, wanted: Candidate, query: string, isMoreImportant: boolean): boolean {
	const key = hashName(query);
	const hasName = ({ names }: Candidate, key: number) => names.some((name) => hashName(name) === key);
	if (hasName(wanted, key)) return isMoreImportant && hasName(other, key);
	const { words } = parseQuery(query);
	const [ofOther, ofWanted] = [listFound(other, words), listFound(wanted, words)];
	if (isMoreImportant && ofOther.whole.length === words.length) return true;
	const isNamesake = wanted.name !== null && hasName(other, hashName(wanted.name));
	const hasMore = ofOther.begun.length > ofWanted.begun.length;
	return isNamesake && (isMoreImportant || hasMore) && ofWanted.begun.every((word) => ofOther.begun.includes(word));
}

/** The words of a query that a company has, whole or as beginnings of its own. */
function listFound({ names, address }: Candidate, words: readonly QueryWord[]): { whole: string[]; begun: string[] } {
	const tokens = [...names, address].flatMap(listTokenVariants);
	const has = (test: (token: string, word: string) => boolean) =>
		words.flatMap(({ word, alternatives }) =>
			[word, ...alternatives].some((one) => tokens.some((token) => test(token, one))) ? [word] : [],
		);
	return { whole: has((token, word) => token === word), begun: has((token, word) => token.startsWith(word)) };
}

/** Shares from 0 to 1; the mean reciprocal rank (MRR) counts 1 for a right answer in first place, 1/2 in second, and so on. */
export interface Relevance {
	queries: number;
	/** Of the queries that mean one company. */
	first: number;
	mrr: number;
	/** Of these, and of exact names of small companies. */
	three: number;
	/** Of all. */
	page: number;
}

/** Of the set, among the sample and among ten million companies. */
export const relevanceGoals = { first: 0.92, three: 0.98, mrr: 0.95, page: 0.98 };

export function computeRelevance(judged: readonly Judged[], rankOf = ({ rank }: Judged): number | null => rank): Relevance {
	const ranked = judged.flatMap((row) => {
		const rank = rankOf(row);
		return rank === null ? [] : [{ expected: row.expected, rank }];
	});
	const one = ranked.filter(({ expected }) => expected === "first");
	const small = ranked.filter(({ expected }) => expected !== "page");
	const share = <Item>(items: readonly Item[], value: (item: Item) => number) =>
		items.reduce((sum, item) => sum + value(item), 0) / Math.max(1, items.length);
	return {
		queries: ranked.length,
		first: share(one, ({ rank }) => Number(rank === 1)),
		mrr: share(one, ({ rank }) => (rank > 0 ? 1 / rank : 0)),
		three: share(small, ({ rank }) => Number(rank > 0 && rank <= 3)),
		page: share(ranked, ({ rank }) => Number(rank > 0)),
	};
}

/** Whether the right answer is where it must be. */
export const isRight = ({ rank, expected }: Judged) => rank > 0 && (expected === "page" || rank <= (expected === "three" ? 3 : 1));

export function describeMiss({ kind, query, filters, rank, searchedAs, siren, first }: Judged): string {
	const chosen = Object.keys(filters).length > 0 ? ` ${JSON.stringify(filters)}` : "";
	const searched = searchedAs === null ? "" : ` searched as « ${searchedAs} »`;
	return `${rank === 0 ? "missing" : `number ${rank}`}: [${kind}] « ${query} »${chosen}${searched}: ${siren} wanted, first came ${first}`;
}
