import type { Database } from "../../../server/database/database.ts";
import { findCommuneName } from "../addresses/communes.server.ts";
import {
	findFirstMatch,
	listCompaniesBySiren,
	listCompaniesByWords,
	listSimilarWords,
	listWordFrequencies,
	type ResultPage,
} from "../companies.store.server.ts";
import { toSummary } from "../company-rows.ts";
import { parseLeadingDigits } from "../siren.ts";
import { type CompanySearch, maxTotal, normalizeQuery, resultsPerPage, type SearchResult } from "./company-search.ts";
import { findKeptWords } from "./drop-words.server.ts";
import { isArrondissement, parseQueryWords, type QueryWord, removeFormWords, toQueryWords } from "./lexemes.ts";
import { minCorrectedLength, typoLikelihood } from "./typos.ts";

/**
 * Searches companies by SIREN, SIRET, leading digits of a SIREN, or words of name, acronym, trade sign, city, arrondissement and postal
 * code: full names first, then by importance. A query without results is corrected, with one typing error per word.
 */
export async function searchCompanies(db: Database, search: CompanySearch): Promise<SearchResult> {
	const query = normalizeQuery(search.query);
	return { query, perPage: resultsPerPage, ...(await findPage(db, query, search)) };
}

type PageResult = Omit<SearchResult, "query" | "perPage">;

const noResults: PageResult = { corrected: null, dropped: null, page: 1, total: 0, totalIsCapped: false, results: [] };

async function findPage(db: Database, query: string, search: CompanySearch): Promise<PageResult> {
	const page = Math.min(search.page, Math.ceil(maxTotal / resultsPerPage));
	const pageRequest = { page, size: resultsPerPage, cap: maxTotal + 1 };
	const digits = parseLeadingDigits(query);
	if (digits) {
		const bySiren = await listCompaniesBySiren(db, digits, search, pageRequest);
		if (bySiren.total > 0 || digits.length === 9) return toPageResult(bySiren, []);
	}
	const words = parseQueryWords(query);
	if (words.length === 0) return noResults;
	const byWords = await listCompaniesByWords(db, words, search, pageRequest);
	if (byWords.total > 0) return toPageResult(byWords, words);
	const corrected = await correctQuery(db, words);
	const kept = corrected ? null : await findKeptWords(db, words, search);
	const searched = corrected ?? kept;
	if (!searched) return noResults;
	const otherWords = toQueryWords(searched);
	const text = searched.join(" ");
	return {
		...toPageResult(await listCompaniesByWords(db, otherWords, search, pageRequest), otherWords),
		...(corrected ? { corrected: text } : { dropped: text }),
	};
}

function toPageResult({ rows, total, page }: ResultPage, words: readonly QueryWord[]): PageResult {
	const results = rows.map((row) => toSummary(row, findCommuneName, words));
	return { corrected: null, dropped: null, page, total: Math.min(total, maxTotal), totalIsCapped: total > maxTotal, results };
}

/**
 * Corrects a query without results: removes the legal form, which may be absent from the registered name, or corrects typing errors.
 * Returns null when that finds nothing either.
 */
async function correctQuery(db: Database, queryWords: readonly QueryWord[]): Promise<readonly string[] | null> {
	const words = queryWords.map(({ word }) => word);
	const name = removeFormWords(words);
	const withoutForm = name.length < words.length ? await findFirstMatch(db, [name], new Set(name)) : null;
	return withoutForm ?? correctTypos(db, queryWords);
}

/** The number of candidates to try for one word, and of combinations for all words. */
const maxCandidates = 12;
const maxAttempts = 24;

/**
 * Corrects typing errors so that the words find a company; null if that fails. First it replaces all words that are no prefix in the
 * vocabulary; otherwise one word at a time, because a slip may be a rare word (« comte » for « comité »).
 */
async function correctTypos(db: Database, queryWords: readonly QueryWord[]): Promise<readonly string[] | null> {
	const words = queryWords.map(({ word }) => word);
	const correctable = queryWords
		.filter((queryWord) => !isUncorrectable(queryWord.word) && !isArrondissement(queryWord))
		.map(({ word }) => word);
	const frequencies = await listWordFrequencies(db, correctable);
	const unknown = frequencies.filter(({ begins }) => !begins).map(({ word }) => word);
	const doubtful = frequencies.filter(({ frequent }) => !frequent).map(({ word }) => word);
	const misspelt = unknown.length > 0 ? unknown : words.length > 1 ? doubtful : [];
	if (misspelt.length === 0) return null;
	const candidates = await findCandidates(db, misspelt);
	const attempts =
		unknown.length > 0
			? words.reduce<string[][]>(
					(before, word) =>
						(misspelt.includes(word) ? (candidates.get(word) ?? []) : [word])
							.flatMap((candidate) => before.map((attempt) => [...attempt, candidate]))
							.slice(0, maxAttempts),
					[[]],
				)
			: words.flatMap((word, index) => (candidates.get(word) ?? []).map((candidate) => words.with(index, candidate)));
	// candidates and frequent words match as whole words, others as prefixes
	const frequent = frequencies.filter((word) => word.frequent).map(({ word }) => word);
	const wholeWords = new Set([...frequent, ...[...candidates.values()].flat()]);
	return findFirstMatch(db, attempts.slice(0, maxAttempts), new Set(words.filter((word) => !wholeWords.has(word))));
}

/** Finds words of the vocabulary at one typing error from each word, the likeliest first. */
async function findCandidates(db: Database, words: readonly string[]): Promise<Map<string, string[]>> {
	const similar = (await listSimilarWords(db, words)).map((row) => ({ ...row, odds: row.companies * typoLikelihood(row.word, row.typed) }));
	similar.sort((a, b) => b.odds - a.odds || (a.word < b.word ? -1 : 1));
	return new Map(
		words.map((typed) => [
			typed,
			similar
				.filter((row) => row.typed === typed && row.odds > 0)
				.slice(0, maxCandidates)
				.map(({ word }) => word),
		]),
	);
}

/** The vocabulary lacks short words and numbers. */
function isUncorrectable(word: string): boolean {
	return word.length < minCorrectedLength || /^\d+$/.test(word);
}
