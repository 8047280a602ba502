import type { Database } from "../../../server/database/database.ts";
import { companiesBySiren, companiesByWords, type FoundPage, firstThatMatches, lookUpWords, wordsLike } from "../companies.store.server.ts";
import { toSummary } from "../company-rows.ts";
import { leadingDigits } from "../siren.ts";
import { type CompanySearch, cleanText, largestTotal, resultsPerPage, type SearchResult } from "./company-search.ts";
import { isArrondissement, type QueryWord, queryWords, toQueryWords, withoutForms } from "./lexemes.ts";
import { shortestMended, typoLikelihood } from "./typos.ts";

/**
 * Searches companies by SIREN, SIRET, the start of a SIREN, or words of name, acronym, trade sign, city, arrondissement and postal code.
 * Order: the whole name first, then by importance. A query that finds nothing is tried with one typing error mended per word.
 * A page beyond the last is the last; an empty query finds nothing, whatever the filters.
 */
export async function searchCompanies(db: Database, search: CompanySearch): Promise<SearchResult> {
	const query = cleanText(search.query);
	const found = await findPage(db, query, search);
	return { query, perPage: resultsPerPage, ...found };
}

type Found = Omit<SearchResult, "query" | "perPage">;

const nothing: Found = { corrected: null, page: 1, total: 0, totalIsCapped: false, results: [] };

async function findPage(db: Database, query: string, search: CompanySearch): Promise<Found> {
	const page = Math.min(search.page, Math.ceil(largestTotal / resultsPerPage));
	const wanted = { page, size: resultsPerPage, cap: largestTotal + 1 };
	const digits = leadingDigits(query);
	if (digits) {
		const found = await companiesBySiren(db, digits, search, wanted);
		if (found.total > 0 || digits.length === 9) return toFound(found, null);
	}
	const words = queryWords(query);
	if (words.length === 0) return nothing;
	const found = await companiesByWords(db, words, search, wanted);
	if (found.total > 0) return toFound(found, null);
	const mended = await mendQuery(db, words);
	return mended ? toFound(await companiesByWords(db, toQueryWords(mended), search, wanted), mended.join(" ")) : nothing;
}

function toFound({ rows, total, page }: FoundPage, corrected: string | null): Found {
	return { corrected, page, total: Math.min(total, largestTotal), totalIsCapped: total > largestTotal, results: rows.map(toSummary) };
}

/**
 * What is searched in place of words that find nothing: those without the legal form, which a register need not write into the name,
 * or those with a typing error mended. Null where that finds nothing either.
 */
async function mendQuery(db: Database, asked: readonly QueryWord[]): Promise<readonly string[] | null> {
	const words = asked.map(({ word }) => word);
	const name = withoutForms(words);
	const shorter = name.length < words.length ? await firstThatMatches(db, [name], new Set(name)) : null;
	return shorter ?? mendTypos(db, asked);
}

/** Candidates that are tried for one word, and for all words together. */
const mostCandidates = 12;
const mostAttempts = 24;

/**
 * The words with typing errors mended, so that they find something; null where they do not.
 * First each word that nothing starts with; else one word at a time, as a slip may itself be a rare word (« comte » for « comité »).
 */
async function mendTypos(db: Database, asked: readonly QueryWord[]): Promise<readonly string[] | null> {
	const words = asked.map(({ word }) => word);
	const long = asked.filter((one) => !isTooShortToMend(one.word) && !isArrondissement(one)).map(({ word }) => word);
	const known = await lookUpWords(db, long);
	const unknown = known.filter(({ begins }) => !begins).map(({ word }) => word);
	const doubtful = known.filter(({ frequent }) => !frequent).map(({ word }) => word);
	const wrong = unknown.length > 0 ? unknown : words.length > 1 ? doubtful : [];
	if (wrong.length === 0) return null;
	const candidates = await candidatesFor(db, wrong);
	const attempts =
		unknown.length > 0
			? words.reduce<string[][]>(
					(before, word) =>
						(wrong.includes(word) ? (candidates.get(word) ?? []) : [word])
							.flatMap((candidate) => before.map((attempt) => [...attempt, candidate]))
							.slice(0, mostAttempts),
					[[]],
				)
			: words.flatMap((word, index) => (candidates.get(word) ?? []).map((candidate) => words.with(index, candidate)));
	// candidates are whole words, and so is a frequent one; any other may go on
	const frequent = known.filter((word) => word.frequent).map(({ word }) => word);
	const whole = new Set([...frequent, ...[...candidates.values()].flat()]);
	return firstThatMatches(db, attempts.slice(0, mostAttempts), new Set(words.filter((word) => !whole.has(word))));
}

/** For each word those of the vocabulary that one typing error leads to, the likeliest first. */
async function candidatesFor(db: Database, words: readonly string[]): Promise<Map<string, string[]>> {
	const like = (await wordsLike(db, words)).map((row) => ({ ...row, odds: row.companies * typoLikelihood(row.word, row.asked) }));
	like.sort((a, b) => b.odds - a.odds || (a.word < b.word ? -1 : 1));
	return new Map(
		words.map((asked) => [
			asked,
			like
				.filter((row) => row.asked === asked && row.odds > 0)
				.slice(0, mostCandidates)
				.map(({ word }) => word),
		]),
	);
}

/** Shorter words and numbers are not in the vocabulary. */
function isTooShortToMend(word: string): boolean {
	return word.length < shortestMended || /^\d+$/.test(word);
}
