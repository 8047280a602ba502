import type { Database, Trx } from "../../server/database.ts";
import { hasMatch, isKnownBeginning, type Part, pageOf, partsOfSiren, partsOfWords, similarWords } from "./companies.store.server.ts";
import { toSummary } from "./company-rows.ts";
import { type CompanySearch, cleanText, largestTotal, resultsPerPage, type SearchResult } from "./company-search.ts";
import { queryWords } from "./lexemes.ts";
import { leadingDigits } from "./siren.ts";
import { isOneTypoAway, rests } from "./typos.ts";

/**
 * Searches companies by SIREN, SIRET, the start of a SIREN, or words of name, acronym, trade sign, city and postal code.
 * Order: the whole name first, then by importance. A query that finds nothing is tried with one typing error mended per word.
 * A page beyond the last is the last; an empty query finds nothing, whatever the filters.
 */
export async function searchCompanies(db: Database, search: CompanySearch): Promise<SearchResult> {
	const query = cleanText(search.query);
	const empty: SearchResult = { query, corrected: null, page: 1, perPage: resultsPerPage, total: 0, totalIsCapped: false, results: [] };
	// in one transaction, an import cannot replace the tables between two of its statements
	return db
		.transaction()
		.setAccessMode("read only")
		.execute(async (trx) => {
			const digits = leadingDigits(query);
			if (digits) {
				const found = await fetchPage(trx, partsOfSiren(digits, search), search.page);
				if (found.total > 0 || digits.length === 9) return { ...empty, ...found };
			}
			const words = queryWords(query);
			if (words.length === 0) return empty;
			const found = await fetchPage(trx, partsOfWords(words, search), search.page);
			if (found.total > 0) return { ...empty, ...found };
			const mended = await mendTypos(trx, words);
			if (mended === null) return empty;
			return { ...empty, ...(await fetchPage(trx, partsOfWords(mended, search), search.page)), corrected: mended.join(" ") };
		});
}

async function fetchPage(
	trx: Trx,
	parts: Part[],
	wanted: number,
): Promise<Pick<SearchResult, "page" | "total" | "totalIsCapped" | "results">> {
	const fetch = (page: number) => pageOf(trx, parts, { offset: (page - 1) * resultsPerPage, limit: resultsPerPage, cap: largestTotal + 1 });
	let page = Math.min(wanted, Math.ceil(largestTotal / resultsPerPage));
	let found = await fetch(page);
	const total = Math.min(found.total, largestTotal);
	const last = Math.max(1, Math.ceil(total / resultsPerPage));
	if (page > last) {
		page = last;
		found = await fetch(page);
	}
	return { page, total, totalIsCapped: found.total > largestTotal, results: found.rows.map(toSummary) };
}

/** Candidates that are tried for one word, and for all words together. */
const mostCandidates = 4;
const mostAttempts = 12;

/**
 * The words with typing errors mended, so that they find something; null where they do not.
 * First each word that nothing starts with; then one word at a time, as a slip may itself be a word (« comte » for « comité »).
 */
async function mendTypos(trx: Trx, words: string[]): Promise<string[] | null> {
	const known: boolean[] = [];
	for (const word of words) known.push(isTooShortToMend(word) || (await isKnownBeginning(trx, word)));
	const similar = async (word: string) =>
		(await similarWords(trx, rests(word))).filter((candidate) => isOneTypoAway(word, candidate)).slice(0, mostCandidates);
	let attempts: string[][] = [];
	if (known.every(Boolean)) {
		for (const [index, word] of words.entries()) {
			if (words.length === 1 || isTooShortToMend(word)) continue;
			for (const candidate of await similar(word)) attempts.push(words.with(index, candidate));
		}
	} else {
		attempts = [[]];
		for (const [index, word] of words.entries()) {
			const candidates = known[index] ? [word] : await similar(word);
			attempts = attempts.flatMap((attempt) => candidates.map((candidate) => [...attempt, candidate])).slice(0, mostAttempts);
		}
	}
	for (const attempt of attempts.slice(0, mostAttempts)) if (await hasMatch(trx, attempt)) return attempt;
	return null;
}

/** Shorter words and numbers are not in the vocabulary. */
function isTooShortToMend(word: string): boolean {
	return word.length < 4 || /^\d+$/.test(word);
}
