import type { Database } from "../../../server/database/database.ts";
import { findCommuneName } from "../addresses/communes.server.ts";
import { isTownName } from "../addresses/find-cities.server.ts";
import {
	findFirstFound,
	findFirstMatch,
	listCompaniesByWords,
	listSimilarWords,
	listWordFrequencies,
	type ResultPage,
} from "../companies.store.server.ts";
import { toSummary } from "../company-rows.ts";
import { isNumberLabel } from "../company-text.ts";
import { type CompanySearch, maxTotal, normalizeQuery, resultsPerPage, type SearchResult } from "./company-search.ts";
import { type Filters, isArrondissement, noFilters, parseQueryWords, type QueryWord, removeFormWords, toQueryWords } from "./lexemes.ts";
import { searchByNumber } from "./search-by-number.server.ts";
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
	const { found, words: text } = await searchByNumber(db, query, search, pageRequest);
	if (found) return toPageResult(found, []);
	const words = parseQueryWords(text);
	if (words.length === 0) return noResults;
	const byWords = await listCompaniesByWords(db, words, search, pageRequest);
	if (byWords.total > 0) return { ...toPageResult(byWords, words), dropped: text === query ? null : text };
	const corrected = await correctQuery(db, words);
	const kept = corrected ? null : await findKeptWords(db, words, search);
	const searched = corrected ?? kept;
	if (!searched) return noResults;
	const otherWords = toQueryWords(searched);
	const shown = searched.join(" ");
	return {
		...toPageResult(await listCompaniesByWords(db, otherWords, search, pageRequest), otherWords),
		...(corrected ? { corrected: shown } : { dropped: shown }),
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

/** Words of a query that are kept or dropped together: one word, or the name of a town. */
interface Unit {
	words: readonly string[];
	isPlace: boolean;
	/** In how many companies its rarest word is; 0 when it only begins words. */
	companies: number;
	/** Its words that are no whole words of the register: they match as prefixes, which costs more. */
	prefixes: readonly string[];
	/** Whether the vocabulary has words that begin with each of its words. */
	known: boolean;
}

/** Each unit costs one or two queries, so a query with more is cut. */
const maxUnits = 6;
/** Of more units, one after the other is kept, from the rarest on: such queries read short lists. */
const maxTriedUnits = 4;
const maxTownWords = 4;

/** Words that do not help to find a company by themselves. */
const minorWords = new Set("au aux avec chez dans de des du en et la le les par pour sous sur un une".split(" "));

/**
 * Drops the fewest words of a query without results so that the others find a company. Prefers to keep rare words, then the town, which is
 * never kept alone.
 * @returns the kept words in their order; null when nothing is found, or when all words together find companies that the filters exclude.
 */
async function findKeptWords(db: Database, words: readonly QueryWord[], filters: Filters): Promise<readonly string[] | null> {
	const list = words.map(({ word }) => word);
	const units = await listUnits(db, list);
	const known = units.filter((unit) => unit.known);
	const find = createFinder(db, filters, units);
	const isFiltered = filters.departement !== null || filters.formes.length > 0 || filters.secteur !== null;
	if (known.length === 0 || list.length < 2 || (isFiltered && (await createFinder(db, noFilters, units)([list])))) return null;
	const withoutOne = known.length > maxTriedUnits ? [] : orderByValue(known).map((dropped) => known.filter((unit) => unit !== dropped));
	const candidates = [known, ...withoutOne]
		.filter((kept) => kept.some(({ isPlace }) => !isPlace))
		.map(toWords)
		.filter(({ length }) => length < list.length);
	return (await find(candidates)) ?? (known.length > 2 ? keepOneByOne(known, find) : null);
}

type Find = (candidates: readonly (readonly string[])[]) => Promise<readonly string[] | null>;

/** Keeps the most valuable unit that finds something, and then each other one that still finds something beside those kept. */
async function keepOneByOne(units: readonly Unit[], find: Find): Promise<readonly string[] | null> {
	let kept: readonly Unit[] = [];
	for (const unit of orderByValue(units).toReversed()) {
		const more = units.filter((other) => other === unit || kept.includes(other));
		if ((kept.length > 0 || !unit.isPlace) && (await find([toWords(more)]))) kept = more;
	}
	return kept.length > 0 ? toWords(kept) : null;
}

/** A town says more than a word that is this much rarer in the register: all companies of a town have it. */
const townBonus = 20;

/** Orders units by what is lost without them, the least first: frequent words before rare ones. A lone word is worth more than its town. */
function orderByValue(units: readonly Unit[]): Unit[] {
	const townFirst = units.filter(({ isPlace }) => !isPlace).length < 2;
	const getFrequency = ({ isPlace, companies }: Unit) =>
		isPlace ? (townFirst ? Number.POSITIVE_INFINITY : companies / townBonus) : companies;
	return units.toSorted((a, b) => getFrequency(b) - getFrequency(a));
}

const toWords = (units: readonly Unit[]) => units.flatMap(({ words }) => words);

function createFinder(db: Database, filters: Filters, units: readonly Unit[]): Find {
	const prefixes = new Set(units.flatMap((unit) => unit.prefixes));
	return (candidates) => findFirstFound(db, candidates, prefixes, filters);
}

/** Splits a query into units, without minor words and legal forms. */
async function listUnits(db: Database, list: readonly string[]): Promise<Unit[]> {
	const names = removeFormWords(list);
	const groups: { words: string[]; isPlace: boolean }[] = [];
	for (let place = 0; place < list.length; ) {
		const town = listBeginnings(list.slice(place)).find((words) => isTownName(words.join(" ")));
		const word = list[place] ?? "";
		if (town) groups.push({ words: town, isPlace: true });
		else if (names.includes(word) && !minorWords.has(word) && !isNumberLabel(word) && (word.length > 2 || !/^\D/.test(word)))
			groups.push({ words: [word], isPlace: /^\d{1,5}$/.test(word) });
		place += town?.length ?? 1;
	}
	const units = groups.slice(0, maxUnits);
	const frequencies = new Map(
		(
			await listWordFrequencies(
				db,
				units.flatMap(({ words }) => words),
			)
		).map((row) => [row.word, row]),
	);
	return units.map(({ words, isPlace }) => {
		// the vocabulary lacks short words and numbers
		const inVocabulary = words
			.filter((word) => word.length >= minCorrectedLength && !/^\d+$/.test(word))
			.map((word) => frequencies.get(word));
		const companies = Math.min(...inVocabulary.map((row) => row?.companies ?? 0));
		return {
			words,
			isPlace,
			companies: Number.isFinite(companies) ? companies : 0,
			prefixes: words.filter((word) => !frequencies.get(word)?.companies),
			known: inVocabulary.every((row) => row?.begins),
		};
	});
}

/** The first words of a list that may be the name of a town, the longest first. */
function listBeginnings(list: readonly string[]): string[][] {
	const longest = Math.min(maxTownWords, list.length);
	return Array.from({ length: longest }, (_, index) => list.slice(0, longest - index));
}
