import type { Database, Trx } from "../../server/database.ts";
import { hasMatch, isKnownBeginning, pageOf, type Part, partsOfSiren, partsOfWords, similarWords } from "./companies.store.server.ts";
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
	return db.transaction().setAccessMode("read only").execute(async (trx) => {
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

async function fetchPage(trx: Trx, parts: Part[], wanted: number): Promise<Pick<SearchResult, "page" | "total" | "totalIsCapped" | "results">> {
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
const mostCandidates = 3;
const mostAttempts = 8;

/** The words with a typing error mended in each that nothing starts with; null where that finds nothing either. */
async function mendTypos(trx: Trx, words: string[]): Promise<string[] | null> {
	let attempts: string[][] = [[]];
	for (const word of words) {
		const candidates = await candidatesFor(trx, word);
		attempts = attempts.flatMap((attempt) => candidates.map((candidate) => [...attempt, candidate])).slice(0, mostAttempts);
	}
	for (const attempt of attempts) {
		if (attempt.join(" ") !== words.join(" ") && (await hasMatch(trx, attempt))) return attempt;
	}
	return null;
}

async function candidatesFor(trx: Trx, word: string): Promise<string[]> {
	// shorter words and numbers are not in the vocabulary
	if (word.length < 4 || /^\d+$/.test(word) || (await isKnownBeginning(trx, word))) return [word];
	return (await similarWords(trx, rests(word))).filter((candidate) => isOneTypoAway(word, candidate)).slice(0, mostCandidates);
}
