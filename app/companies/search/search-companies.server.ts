import type { Database } from "../../../server/database/database.ts";
import { findCommuneName } from "../addresses/communes.server.ts";
import { isTownName } from "../addresses/find-cities.server.ts";
import {
	countCompaniesOfWords,
	findFirstFound,
	findFirstMatch,
	listCompaniesByWords,
	listSimilarWords,
	listWordFrequencies,
	type PageRequest,
	type ResultPage,
	type SummaryRow,
	type WordFrequency,
} from "../companies.store.server.ts";
import { toSummary } from "../company-rows.ts";
import { isNumberLabel } from "../company-text.ts";
import { isOfForm } from "../legal-forms.ts";
import {
	type CompanySearch,
	isFiltered,
	maxTotal,
	normalizeQuery,
	resultsPerPage,
	type SearchResult,
	type Total,
} from "./company-search.ts";
import { readDocumentWords } from "./document-words.ts";
import { abbreviateForms, listFormReadings, removeForms } from "./form-names.ts";
import {
	type Filters,
	hashName,
	isArrondissement,
	noFilters,
	type ParsedQuery,
	parseQuery,
	type QueryWord,
	removeFormWords,
	toQuery,
	toQueryWords,
} from "./lexemes.ts";
import { findRegisteredSpelling } from "./registered-spelling.ts";
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

/** Puts companies of the legal form that is beside a name first, those of the whole name before others: their own name may lack it. */
export function putFormFirst(rows: readonly SummaryRow[], words: readonly string[], nameKey: number): SummaryRow[] {
	const nameWords = removeForms(words);
	const forms = abbreviateForms(words).filter((word) => !nameWords.includes(word));
	const getPlace = ({ name, legal_category, single_partner }: SummaryRow) => {
		if (!forms.some((form) => isOfForm(form, legal_category, single_partner))) return 2;
		return name !== null && hashName(name) === nameKey ? 0 : 1;
	};
	return rows.toSorted((a, b) => getPlace(a) - getPlace(b));
}

type PageResult = Omit<SearchResult, "query" | "perPage" | "withoutDocument">;

const nobody: ResultPage = { rows: [], total: 0, page: 1 };

async function findPage(db: Database, query: string, search: CompanySearch): Promise<Omit<SearchResult, "query" | "perPage">> {
	const page = Math.min(search.page, Math.ceil(maxTotal / resultsPerPage));
	const pageRequest = { page, size: resultsPerPage, cap: maxTotal + 1 };
	const named = readDocumentWords(query);
	// such words alone name no company
	if (named?.rest === "") return { ...toPageResult(nobody, nobody), searched: query, withoutDocument: null };
	const withoutDocument = named?.rest ?? null;
	const asked = withoutDocument ?? query;
	const { found, words } = await searchByNumber(db, asked, noFilters, pageRequest);
	if (!found) return { ...(await findPageOfWords(db, words, search, pageRequest, words !== asked)), withoutDocument };
	const filtered = isFiltered(search) ? ((await searchByNumber(db, asked, search, pageRequest)).found ?? nobody) : found;
	return { ...toPageResult(filtered, found), searched: asked, withoutDocument: null };
}

/** The words to search for a query, and what the page says of them. */
interface Reading extends Pick<SearchResult, "searched">, Partial<Pick<SearchResult, "corrected" | "dropped">> {
	query: ParsedQuery;
}

/** @param isPart whether the query has more than these words. */
async function findPageOfWords(
	db: Database,
	text: string,
	search: CompanySearch,
	pageRequest: PageRequest,
	isPart: boolean,
): Promise<PageResult> {
	const typed: Reading = { query: parseQuery(text), searched: text };
	const words = listWords(typed.query);
	if (words.length === 0) return { ...toPageResult(nobody, nobody), searched: text };
	const find = ({ query }: Reading, filters: Filters) => listCompaniesByWords(db, query, filters, pageRequest);
	const found = await find(typed, search);
	const isTyped = found.total > 0 && !findSpelling(typed.query, found);
	// filters do not change the words that are searched
	const all = isTyped || !isFiltered(search) ? found : await find(typed, noFilters);
	const other = isTyped ? null : await readOtherwise(db, typed.query, all);
	const reading = other ?? (all.total > 0 ? typed : ((await dropWords(db, typed.query)) ?? typed));
	const shown = reading === typed ? found : await find(reading, search);
	const unfiltered = reading === typed || shown.total > 0 ? all : await find(reading, noFilters);
	const { query, ...said } = isPart && all.total > 0 ? { dropped: text, ...reading } : reading;
	const rows = putFormFirst(shown.rows, words, query.nameKey);
	return { ...toPageResult({ ...shown, rows }, unfiltered, query.words), ...said };
}

/** How the register spells the name that the query is. */
const findSpelling = (query: ParsedQuery, { rows, total }: Omit<ResultPage, "page">): readonly string[] | null =>
	total <= resultsPerPage ? findRegisteredSpelling(query, rows) : null;

/**
 * Other words than those typed: the name that they are, as the register spells it; or, if they find nothing, another form, or a correction.
 * @param found without filters. @returns null for the words as they are.
 */
export async function readOtherwise(db: Database, query: ParsedQuery, found: Omit<ResultPage, "page">): Promise<Reading | null> {
	const spelling = findSpelling(query, found);
	if (spelling) return toReading(spelling, "corrected");
	if (found.total > 0) return null;
	const words = listWords(query);
	for (const list of listFormReadings(words)) {
		const { rows } = await listCompaniesByWords(db, toQuery(list), noFilters, onlyOne);
		if (rows.length > 0) return toReading(list);
	}
	const corrected = await correctQuery(db, toQueryWords(removeForms(words)));
	return corrected && toReading(corrected, "corrected");
}

async function dropWords(db: Database, query: ParsedQuery): Promise<Reading | null> {
	const kept = await findKeptWords(db, toQueryWords(removeForms(listWords(query))));
	return kept && toReading(kept, "dropped");
}

/** The words of a query. */
export const listWords = ({ words }: ParsedQuery): readonly string[] => words.map(({ word }) => word);

function toReading(list: readonly string[], said?: "corrected" | "dropped"): Reading {
	const searched = list.join(" ");
	return { query: toQuery(list), searched, ...(said && { [said]: searched }) };
}

const onlyOne: PageRequest = { page: 1, size: 1, cap: 1 };

/** @param unfiltered what is found without filters. */
function toPageResult(
	{ rows, total, page }: ResultPage,
	unfiltered: ResultPage,
	words: readonly QueryWord[] = [],
): Omit<PageResult, "searched"> {
	const results = rows.map((row) => toSummary(row, findCommuneName, words));
	const withoutFilters = total === 0 && unfiltered.total > 0 ? toTotal(unfiltered) : null;
	return { corrected: null, dropped: null, page, ...toTotal({ total }), withoutFilters, results };
}

const toTotal = ({ total }: Pick<ResultPage, "total">): Total => ({ total: Math.min(total, maxTotal), totalIsCapped: total > maxTotal });

/**
 * Corrects words without results: removes minor words, which may be absent from the registered name, joins words, puts one into the plural
 * or the singular, corrects typing errors, or splits words. Returns null when that finds nothing either.
 */
async function correctQuery(db: Database, queryWords: readonly QueryWord[]): Promise<readonly string[] | null> {
	const words = queryWords.map(({ word }) => word);
	const respellings = [...listJoins(words), ...listPlurals(words)];
	const asked = new Set([...words.filter(isCorrectable), ...respellings.map(({ respelt }) => respelt)]);
	const frequencies = await listWordFrequencies(db, [...asked]);
	if (frequencies.every(({ word, begins }) => begins || !words.includes(word))) {
		// as find_companies has it, very frequent words are no prefixes
		const frequent = new Set(frequencies.filter((word) => word.frequent).map(({ word }) => word));
		const prefixes = new Set(words.filter((word) => !frequent.has(word)));
		const name = words.filter((word) => !minorWords.has(word));
		const found = name.length > 0 && name.length < words.length ? await findFirstMatch(db, [name], prefixes) : null;
		if (found) return found;
	}
	const known = new Set(frequencies.filter(({ companies }) => companies > 0).map(({ word }) => word));
	const respelt = await findRespelling(
		db,
		respellings.filter((respelling) => known.has(respelling.respelt)).map(({ list }) => list),
	);
	return respelt ?? (await correctTypos(db, queryWords, frequencies)) ?? findRespelling(db, await listSplits(db, words, known));
}

/** A word of a query in another spelling, and the whole query with it. */
interface Respelling {
	respelt: string;
	list: string[];
}

/** Joins two neighbours: « photo web ». */
function listJoins(words: readonly string[]): Respelling[] {
	return words.slice(1).flatMap((word, place) => {
		const respelt = words[place] + word;
		const fits = /^\p{L}+$/u.test(respelt) && isCorrectable(respelt) && respelt.length <= maxJoinedLength;
		return fits ? [{ respelt, list: words.toSpliced(place, 2, respelt) }] : [];
	});
}

/** The plural of a word, or its singular: « galerie lafayette ». A very frequent word is no prefix of its plural. */
function listPlurals(words: readonly string[]): Respelling[] {
	return words.flatMap((word, place) => {
		const respelt = word.endsWith("s") ? word.slice(0, -1) : `${word}s`;
		return isCorrectable(word) && isCorrectable(respelt) ? [{ respelt, list: words.with(place, respelt) }] : [];
	});
}

/** In letters. A name of more is hardly written as one word. */
const maxJoinedLength = 24;
const minPartLength = 2;
/** The splits to try: each costs a search of common words. */
const maxSplits = 4;

/** Splits a word that the vocabulary lacks into words that it has, with a minor word between them if need be: « eurodisney ». The best first. */
async function listSplits(db: Database, words: readonly string[], known: ReadonlySet<string>): Promise<string[][]> {
	const splits = words.flatMap((word, place) =>
		!known.has(word) ? splitWord(word).map((parts) => ({ parts, list: words.toSpliced(place, 1, ...parts) })) : [],
	);
	// the vocabulary lacks short words
	const listLong = (parts: readonly string[]) => parts.filter((part) => isCorrectable(part) && !minorWords.has(part));
	const counts = await countCompaniesOfWords(db, [...new Set(splits.flatMap(({ parts }) => listLong(parts)))]);
	const shortParts = ({ parts }: { parts: readonly string[] }) =>
		parts.filter((part) => !isCorrectable(part) && !minorWords.has(part)).length;
	const rarest = ({ parts }: { parts: readonly string[] }) => Math.min(...listLong(parts).map((part) => counts.get(part) ?? 0));
	return splits
		.filter((split) => listLong(split.parts).length > 0 && rarest(split) > 0)
		.toSorted((a, b) => shortParts(a) - shortParts(b) || rarest(b) - rarest(a))
		.slice(0, maxSplits)
		.map(({ list }) => list);
}

function splitWord(word: string): string[][] {
	if (!/^\p{L}+$/u.test(word) || word.length > maxJoinedLength) return [];
	const splits: string[][] = [];
	for (let end = minPartLength; end <= word.length - minPartLength; end++) {
		const [first, rest] = [word.slice(0, end), word.slice(end)];
		if (minorWords.has(rest)) continue;
		splits.push([first, rest]);
		for (const minor of minorWords)
			if (rest.startsWith(minor) && rest.length >= minor.length + minPartLength) splits.push([first, minor, rest.slice(minor.length)]);
	}
	return splits;
}

/** The first respelling that is the full name of a company or that any company has; the shortest first. */
async function findRespelling(db: Database, respellings: readonly (readonly string[])[]): Promise<readonly string[] | null> {
	for (const [, lists] of [...Map.groupBy(respellings, ({ length }) => length)].toSorted(([a], [b]) => a - b)) {
		const found = await findFirstMatch(db, lists, new Set());
		if (found) return found;
	}
	return null;
}

/** The number of candidates to try for one word, and of combinations for all words. */
const maxCandidates = 12;
const maxAttempts = 24;

/**
 * Corrects typing errors so that the words find a company; null if that fails. First it replaces all words that are no prefix in the
 * vocabulary; otherwise one word at a time, because a slip may be a word too (« comte » for « comité »).
 */
async function correctTypos(
	db: Database,
	queryWords: readonly QueryWord[],
	frequenciesOfAll: readonly WordFrequency[],
): Promise<readonly string[] | null> {
	const words = queryWords.map(({ word }) => word);
	const correctable = queryWords.filter((queryWord) => !isArrondissement(queryWord)).map(({ word }) => word);
	const frequencies = frequenciesOfAll.filter(({ word }) => correctable.includes(word));
	const unknown = frequencies.filter(({ begins }) => !begins).map(({ word }) => word);
	// very frequent words are the last to be taken for slips
	const listWords = (isFrequent: boolean) => frequencies.filter(({ frequent }) => frequent === isFrequent).map(({ word }) => word);
	const [frequent, rare] = [listWords(true), listWords(false)];
	const suspects = unknown.length > 0 ? [unknown] : words.length > 1 ? [rare, frequent] : [];
	for (const misspelt of suspects) {
		if (misspelt.length === 0) continue;
		const candidates = await findCandidates(db, misspelt);
		const attempts =
			unknown.length > 0
				? words.reduce<string[][]>(
						(before, word) =>
							(candidates.get(word) ?? [word])
								.flatMap((candidate) => before.map((attempt) => [...attempt, candidate]))
								.slice(0, maxAttempts),
						[[]],
					)
				: words.flatMap((word, index) => (candidates.get(word) ?? []).map((candidate) => words.with(index, candidate)));
		// very frequent words match as whole words, and so do candidates, which are no words of the query
		const prefixes = new Set(words.filter((word) => !frequent.includes(word)));
		const found = await findFirstMatch(db, attempts.slice(0, maxAttempts), prefixes);
		if (found) return found;
	}
	return null;
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
function isCorrectable(word: string): boolean {
	return word.length >= minCorrectedLength && !/^\d+$/.test(word);
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
 * @returns the kept words in their order; null when nothing is found.
 */
async function findKeptWords(db: Database, words: readonly QueryWord[]): Promise<readonly string[] | null> {
	const list = words.map(({ word }) => word);
	const units = await listUnits(db, list);
	const known = units.filter((unit) => unit.known);
	if (known.length === 0 || list.length < 2) return null;
	const prefixes = new Set(units.flatMap((unit) => unit.prefixes));
	const find: Find = (candidates) => findFirstFound(db, candidates, prefixes);
	const withoutOne = known.length > maxTriedUnits ? [] : orderByValue(known).map((dropped) => known.filter((unit) => unit !== dropped));
	const findShorter = (candidates: readonly (readonly Unit[])[]) =>
		find(
			candidates
				.filter((kept) => kept.some(({ isPlace }) => !isPlace))
				.map(toWords)
				.filter(({ length }) => length < list.length),
		);
	return (await findShorter([known])) ?? (await findShorter(withoutOne)) ?? (known.length > 2 ? keepOneByOne(known, find) : null);
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
		const inVocabulary = words.filter(isCorrectable).map((word) => frequencies.get(word));
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
