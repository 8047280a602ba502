import { isDepartmentOfCity, listArrondissementWords } from "../arrondissements.ts";
import { type LegalForm, legalForms } from "../legal-forms.ts";
import { sectors } from "../sectors.ts";
import type { CompanySearch } from "./company-search.ts";
import { listJoinedSpellings, listNameParts, listSameWords, listTokenVariants, tokenize } from "./tokens.ts";

/**
 * The lexemes shared by importer and search: each company has one tsvector, each search is one tsquery. Words are in lower case; capitals
 * start prefixes and filters. « Danone » is stored as danone, Pda, Pdan, Pdano; department, form and section as D75, F1, SG and pairs (D75F1).
 * The weight of a word says where it stands; indexes do not hold it.
 */
const weights = { name: "A", trade: "B", place: "D" } as const;
type TextKind = keyof typeof weights;

/** Prefixes of these lengths are stored as lexemes, because a prefix search for them would visit much of the vocabulary. */
const minPrefixLength = 2;
const maxPrefixLength = 4;
/** Shorter numbers are prefixes of too many postal codes. */
const minNumberLength = 3;
/** No name has more words. */
const maxWords = 12;

/** Only the RNE knows the number of partners; its import adds these lexemes. */
export const partnerLexemes = { single: "X1", several: "X0" } as const;

/** INSEE has one code for SAS and SASU, and one for SARL and EURL; the RNE distinguishes them (partnerLexemes). */
const formLexemes: Record<LegalForm, string> = {
	SAS: "F1",
	SASU: "F1",
	SARL: "F2",
	EURL: "F2",
	SA: "F3",
	SNC: "F4",
	"Auto-entrepreneur": "F5",
};
/** The partner lexeme that excludes a form. */
const excludedPartnerLexemes: Partial<Record<LegalForm, string>> = {
	SAS: partnerLexemes.single,
	SARL: partnerLexemes.single,
	SASU: partnerLexemes.several,
	EURL: partnerLexemes.several,
};

export const formLexeme = (form: LegalForm) => formLexemes[form];

/**
 * Returns the lexemes of a company's texts of one kind, separated by spaces. A word without its apostrophe (« d’art »: dart) has no short prefixes:
 * there would be so many that they would hide companies such as « Darty ».
 */
export function createLexemes(texts: readonly (string | null)[], kind: TextKind): string {
	// D is the weight without a letter
	const suffix = kind === "place" ? ":1" : `:1${weights[kind]}`;
	const tokens = new Set<string>();
	const joined = new Set<string>();
	for (const text of new Set(texts)) {
		if (!text) continue;
		for (const word of listTokenVariants(text)) tokens.add(word);
		for (const spellings of listJoinedSpellings(text).values()) for (const word of spellings) joined.add(word);
	}
	let lexemes = "";
	for (const word of tokens) {
		lexemes += (lexemes === "" ? word : ` ${word}`) + suffix;
		if (word.length < minPrefixLength || isNumber(word)) continue;
		for (let length = minPrefixLength; length <= maxPrefixLength && length <= word.length; length++)
			lexemes += ` P${takeLetters(word, length)}`;
	}
	for (const word of joined) {
		if (tokens.has(word)) continue;
		lexemes += ` ${word}${suffix}`;
		// a query of this length searches for this lexeme
		if (word.length <= maxPrefixLength) lexemes += ` P${word}`;
	}
	return lexemes;
}

function isNumber(word: string): boolean {
	return /^\d/.test(word);
}

/** Returns the first letters of a word; some letters are two UTF-16 units. */
function takeLetters(word: string, letters: number): string {
	const units = word.slice(0, letters);
	return /[\ud800-\udfff]/.test(units) ? [...word].slice(0, letters).join("") : units;
}

const formWords = new Set(
	"sa sas sasu sarl eurl eirl se snc sci scp scm scs sca gie gaec earl scea selarl selas selafa selasu scop scic".split(" "),
);

export const isFormWord = (word: string): boolean => formWords.has(word);

/** Removes the words of legal forms, unless there are no others. */
export function removeFormWords(list: readonly string[]): readonly string[] {
	const name = list.filter((word) => !formWords.has(word));
	return name.length > 0 ? name : list;
}

/**
 * Hashes the letters of a full name without its legal form and without spaces: « Martin SARL » equals « MARTIN », « eurodisney » equals
 * « EURO DISNEY ». FNV-1a of 32 bits: collisions are rare, and a search also checks words or their first letters.
 */
export function hashName(name: string): number {
	let hash = 0x811c9dc5;
	for (const part of removeFormWords(listNameParts(name)))
		for (let i = 0; i < part.length; i++) hash = Math.imul(hash ^ part.charCodeAt(i), 0x01000193);
	return hash | 0;
}

/** A word of a query with its exact alternatives. */
export interface QueryWord {
	word: string;
	alternatives: readonly string[];
}

/** The words to search, and the key of the name that they may be as a whole. */
export interface ParsedQuery {
	words: readonly QueryWord[];
	nameKey: number;
}

export function parseQuery(query: string): ParsedQuery {
	return toQuery(tokenize(query).slice(0, maxWords), query);
}

/** @param text the original text of the words, if known. */
export function toQuery(list: readonly string[], text = list.join(" ")): ParsedQuery {
	return { words: toQueryWords(list, text), nameKey: hashName(text) };
}

/** Adds alternatives to words. */
export function toQueryWords(list: readonly string[], text = list.join(" ")): QueryWord[] {
	const joined = listJoinedSpellings(text);
	const arrondissements = listArrondissementWords(list);
	return list.map((word, place) => {
		const spellings = [...(joined.get(word) ?? []), ...(arrondissements[place] ?? [])];
		const alternatives = new Set([...spellings, ...[word, ...spellings].flatMap(listSameWords)]);
		alternatives.delete(word);
		return { word, alternatives: [...alternatives] };
	});
}

/** Whether a word of a query names an arrondissement. */
export function isArrondissement({ alternatives }: QueryWord): boolean {
	return alternatives.some((word) => /^\d{5}$/.test(word));
}

export type Filters = Pick<CompanySearch, "departement" | "formes" | "secteur">;
export const noFilters: Filters = { departement: null, formes: [], secteur: null };

/**
 * Returns the tsqueries of words as prefixes. Only the last word may be a short prefix; a short word before it (« la », « de ») and a
 * number match as whole words. The word of a legal form also matches the form: « danone sa ».
 */
export function prefixQueries(list: readonly QueryWord[]): string[] {
	return list.map((queryWord, index) => {
		if (isPostFilter(list, index)) return "";
		const { word } = queryWord;
		const query = isArrondissement(queryWord) && isNumber(word) ? quote(word) : prefixQuery(word, index === list.length - 1);
		const form = list.length > 1 && legalForms.find((known) => known.toLowerCase() === word);
		return form ? `(${query} | ${quote(formLexemes[form])})` : query;
	});
}

/** Returns the tsquery of the prefix lexeme of each longer word; null for other words. */
export function keyQueries(list: readonly QueryWord[]): (string | null)[] {
	return list.map(({ word }) =>
		word.length > maxPrefixLength && !isNumber(word) ? quote(`P${takeLetters(word, maxPrefixLength)}`) : null,
	);
}

/** Returns the tsquery of each word's alternatives; null without any. Long alternatives of the last word, and « mcdo », match as prefixes. */
export function alternativeQueries(list: readonly QueryWord[]): (string | null)[] {
	return list.map((_, index) => (isPostFilter(list, index) ? null : alternativeQuery(list, index)));
}

function alternativeQuery(list: readonly QueryWord[], index: number): string | null {
	const isLast = index === list.length - 1;
	const queries = list[index]?.alternatives.map((word) =>
		isLast && (word.length > maxPrefixLength || /^mc../.test(word)) ? prefixQuery(word, !isNumber(word)) : quote(word),
	);
	return queries?.length ? joinWithOr(queries) : null;
}

/**
 * Returns the tsquery of words that match up to a third of all companies, and so only filter the results of the others: a last word of
 * one letter or of one or two digits, and a department number after its city. Null if there is none.
 */
export function postFilterQuery(list: readonly QueryWord[]): string | null {
	const queries = list.flatMap(({ word }, index) => {
		if (!isPostFilter(list, index)) return [];
		const other = alternativeQuery(list, index);
		return other ? `(${prefixQuery(word, true)} | ${other})` : prefixQuery(word, true);
	});
	return queries.join(" & ") || null;
}

function isPostFilter(list: readonly QueryWord[], index: number): boolean {
	const queryWord = list[index];
	if (queryWord === undefined || index === 0 || isArrondissement(queryWord)) return false;
	const { word } = queryWord;
	if (isDepartmentOfCity(word, list[index - 1]?.word)) return true;
	return index === list.length - 1 && [...word].length < (isNumber(word) ? minNumberLength : minPrefixLength);
}

function prefixQuery(word: string, isLast: boolean): string {
	const { length } = [...word];
	if (isNumber(word)) return isLast ? `${quote(word)}:*` : quote(word);
	if (length > maxPrefixLength) return `${quote(word)}:*`;
	if (length > minPrefixLength || (isLast && length === minPrefixLength)) return quote(`P${word}`);
	return isLast ? `${quote(word)}:*` : quote(word);
}

/** Queries that rank a company that has all the words: whether they stand in some of its texts, as whole words or as prefixes. */
export interface RankQueries {
	/** Beginnings of words of the name; of the name and trade names; of the name and place, null for a single word. */
	name: string | null;
	trade: string | null;
	place: string | null;
	/** Whole words of the name; of the name and trade names. */
	wholeName: string | null;
	wholeTrade: string | null;
}

/** Returns the queries of the ranks; null without words. */
export function rankQueries(list: readonly QueryWord[]): RankQueries {
	const rank = (kinds: readonly TextKind[], whole: boolean) => {
		const suffix = (prefix: boolean) => `:${prefix ? "*" : ""}${kinds.map((kind) => weights[kind]).join("")}`;
		const queries = list.map(({ word, alternatives }, index) => {
			const isLast = index === list.length - 1;
			const isPrefix = !whole && (isLast || ([...word].length > minPrefixLength && !isNumber(word)));
			const form = list.length > 1 && legalForms.find((known) => known.toLowerCase() === word);
			return joinWithOr([
				quote(word) + suffix(isPrefix),
				...alternatives.map((other) => quote(other) + suffix(!whole && isLast && other.length > maxPrefixLength)),
				...(form ? [quote(formLexemes[form])] : []),
			]);
		});
		return queries.join(" & ") || null;
	};
	return {
		name: rank(["name"], false),
		trade: rank(["name", "trade"], false),
		place: list.length > 1 ? rank(["name", "place"], false) : null,
		wholeName: rank(["name"], true),
		wholeTrade: rank(["name", "trade"], true),
	};
}

/** Returns the tsqueries of whole words. */
export function wordQueries(list: readonly QueryWord[]): string[] {
	return list.map(({ word }) => quote(word));
}

/** Returns the tsquery of all filters; "" without any. */
export function filterQuery({ departement, formes, secteur }: Filters): string {
	const place = departement ? `D${departement}` : "";
	const sections = (sectors.find(({ value }) => value === secteur)?.sections ?? []).map((section) => `S${section}`);
	const forms = joinWithOr(formes.map((form) => formQuery(form, place)));
	if (!place && forms && sections.length > 0)
		return joinWithOr(formes.flatMap((form) => sections.map((section) => formQuery(form, "", section))));
	const activity = joinWithOr(sections.map((section) => quote(place + section)));
	return [forms, activity].filter(Boolean).join(" & ") || (place && quote(place));
}

function formQuery(form: LegalForm, place: string, section = ""): string {
	const lexeme = quote(place + formLexemes[form] + section);
	const other = excludedPartnerLexemes[form];
	return other ? `(${lexeme} & !${quote(other)})` : lexeme;
}

function joinWithOr(queries: string[]): string {
	const different = [...new Set(queries)];
	return different.length > 1 ? `(${different.join(" | ")})` : (different[0] ?? "");
}

function quote(lexeme: string): string {
	return `'${lexeme.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
