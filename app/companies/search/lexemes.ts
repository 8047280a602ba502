import { arrondissementWords, isDepartmentOfTown } from "../arrondissements.ts";
import { type LegalForm, legalForms } from "../legal-forms.ts";
import { sectors } from "../sectors.ts";
import type { CompanySearch } from "./company-search.ts";
import { allSpellings, joinedSpellings, words } from "./tokens.ts";

/**
 * The language between importer and search: each company has one tsvector of lexemes, each search is one tsquery.
 * Words are in lower case; a capital letter starts the first letters of a word, or a filter: « Danone » is stored as danone, Pda, Pdan, Pdano.
 * What a company is filtered by is department D75, form F1, section SG, and any two of them together, D75F1 (filter_lexemes in the
 * database): a filter alone may fit a tenth of the registry, and to look for two of those would read both lists to their end.
 */

/** Beginnings of these lengths are lexemes of their own: looking them up as prefixes would visit much of the vocabulary. */
const shortestPrefix = 2;
const longestPrefix = 4;
/** Shorter numbers begin too many postal codes to be looked up by their beginning. */
const shortestNumber = 3;
/** More words than any name has. */
const mostWords = 12;

/** What the RNE alone knows; the import adds it. */
export const partnerLexemes = { single: "X1", several: "X0" } as const;

/** SAS and SASU, SARL and EURL have one code each at INSEE; the RNE tells them apart (partnerLexemes). */
const formLexemes: Record<LegalForm, string> = {
	SAS: "F1",
	SASU: "F1",
	SARL: "F2",
	EURL: "F2",
	SA: "F3",
	SNC: "F4",
	"Auto-entrepreneur": "F5",
};
/** A form whose companies the RNE may call otherwise. */
const otherPartners: Partial<Record<LegalForm, string>> = {
	SAS: partnerLexemes.single,
	SARL: partnerLexemes.single,
	SASU: partnerLexemes.several,
	EURL: partnerLexemes.several,
};

export const formLexeme = (form: LegalForm) => formLexemes[form];

/**
 * All lexemes under which a company with some texts is found, apart by spaces.
 * A word made by leaving out an apostrophe (« d’art »: dart) is found whole, and from its fifth letter on: as first letters of so many
 * nouns its own would hide the companies called « Darty ».
 */
export function lexemesOf(texts: readonly (string | null)[]): string {
	const found = new Set<string>();
	const joined = new Set<string>();
	for (const text of new Set(texts)) {
		if (!text) continue;
		for (const word of allSpellings(text)) found.add(word);
		for (const spellings of joinedSpellings(text).values()) for (const word of spellings) joined.add(word);
	}
	let lexemes = "";
	for (const word of found) {
		lexemes += lexemes === "" ? word : ` ${word}`;
		if (word.length < shortestPrefix || isNumber(word)) continue;
		for (let length = shortestPrefix; length <= longestPrefix && length <= word.length; length++) lexemes += ` P${beginning(word, length)}`;
	}
	for (const word of joined) {
		if (found.has(word)) continue;
		lexemes += ` ${word}`;
		// a query of so few letters asks for this lexeme
		if (word.length <= longestPrefix) lexemes += ` P${word}`;
	}
	return lexemes;
}

function isNumber(word: string): boolean {
	return /^\d/.test(word);
}

/** So many letters of a word; some scripts write a letter as two units of a string. */
function beginning(word: string, letters: number): string {
	const units = word.slice(0, letters);
	return /[\ud800-\udfff]/.test(units) ? [...word].slice(0, letters).join("") : units;
}

const formWords = new Set(
	"sa sas sasu sarl eurl snc sci scp scm scs sca gie gaec earl scea selarl selas selafa selasu scop scic".split(" "),
);

/** The words of a name or query, those of a legal form aside; all, where there are no others. */
export function withoutForms(list: readonly string[]): readonly string[] {
	const name = list.filter((word) => !formWords.has(word));
	return name.length > 0 ? name : list;
}

/**
 * A hash of a name as it is compared whole; its legal form aside: « Martin SARL » is « MARTIN ».
 * FNV-1a of 32 bits: two names in four thousand million share one by chance, and a search asks for all words beside.
 */
export function nameKey(list: readonly string[]): number {
	let hash = 0x811c9dc5;
	for (const word of withoutForms(list)) {
		for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
		hash = Math.imul(hash ^ 32, 0x01000193);
	}
	return hash | 0;
}

/** A word of a query, and the words that may stand in its place as they are. */
export interface QueryWord {
	word: string;
	others: readonly string[];
}

/** The words of a query that are searched. */
export function queryWords(query: string): QueryWord[] {
	return toQueryWords(words(query).slice(0, mostWords), query);
}

/** Some words as they are searched. @param text what they were written as, where it is known. */
export function toQueryWords(list: readonly string[], text = list.join(" ")): QueryWord[] {
	const joined = joinedSpellings(text);
	const arrondissements = arrondissementWords(list);
	return list.map((word, place) => {
		const others = new Set([...(joined.get(word) ?? []), ...(arrondissements[place] ?? [])]);
		others.delete(word);
		return { word, others: [...others] };
	});
}

/** Whether a word of a query stands for an arrondissement. */
export function isArrondissement({ others }: QueryWord): boolean {
	return others.some(isNumber);
}

export type Filters = Pick<CompanySearch, "departement" | "formes" | "secteur">;
export const noFilters: Filters = { departement: null, formes: [], secteur: null };

/**
 * The tsqueries of words that match from their beginning.
 * Only the last one may be as short as typed: a short one before it (« la », « de ») stands for itself, as does any number there.
 * The word of a legal form also stands for the form: « danone sa ».
 */
export function prefixQueries(list: readonly QueryWord[]): string[] {
	return list.map((one, index) => {
		if (isBeside(list, index)) return "";
		const { word } = one;
		const query = isArrondissement(one) && isNumber(word) ? quote(word) : prefixQuery(word, index === list.length - 1);
		const form = list.length > 1 && legalForms.find((known) => known.toLowerCase() === word);
		return form ? `(${query} | ${quote(formLexemes[form])})` : query;
	});
}

/** The tsquery of the first letters of each word that is longer than they are; null for any other. */
export function keyQueries(list: readonly QueryWord[]): (string | null)[] {
	return list.map(({ word }) => (word.length > longestPrefix && !isNumber(word) ? quote(`P${beginning(word, longestPrefix)}`) : null));
}

/** The tsquery of what may stand in the place of each word; null for none. Of the last one, a long one may be begun. */
export function otherQueries(list: readonly QueryWord[]): (string | null)[] {
	return list.map((_, index) => (isBeside(list, index) ? null : otherQuery(list, index)));
}

function otherQuery(list: readonly QueryWord[], index: number): string | null {
	const isLast = index === list.length - 1;
	const queries = list[index]?.others.map((word) =>
		isLast && word.length > longestPrefix ? prefixQuery(word, !isNumber(word)) : quote(word),
	);
	return queries?.length ? anyOf(queries) : null;
}

/**
 * The tsquery of what is only read in the companies that the other words find, as up to a third of all fit it (postal codes begin with
 * digits): a last word of one letter or of one or two digits, and the department's number after its town. Null for none.
 */
export function besideQuery(list: readonly QueryWord[]): string | null {
	const queries = list.flatMap(({ word }, index) => {
		if (!isBeside(list, index)) return [];
		const other = otherQuery(list, index);
		return other ? `(${prefixQuery(word, true)} | ${other})` : prefixQuery(word, true);
	});
	return queries.join(" & ") || null;
}

function isBeside(list: readonly QueryWord[], index: number): boolean {
	const asked = list[index];
	if (asked === undefined || index === 0 || isArrondissement(asked)) return false;
	const { word } = asked;
	if (isDepartmentOfTown(word, list[index - 1]?.word)) return true;
	return index === list.length - 1 && [...word].length < (isNumber(word) ? shortestNumber : shortestPrefix);
}

function prefixQuery(word: string, last: boolean): string {
	const { length } = [...word];
	if (isNumber(word)) return last ? `${quote(word)}:*` : quote(word);
	if (length > longestPrefix) return `${quote(word)}:*`;
	if (length > shortestPrefix || (last && length === shortestPrefix)) return quote(`P${word}`);
	return last ? `${quote(word)}:*` : quote(word);
}

/** The tsqueries of words that match as a whole. */
export function wordQueries(list: readonly QueryWord[]): string[] {
	return list.map(({ word }) => quote(word));
}

/** The tsquery of the filters, all of which must fit; "" for none. */
export function filterQuery({ departement, formes, secteur }: Filters): string {
	const place = departement ? `D${departement}` : "";
	const sections = (sectors.find(({ value }) => value === secteur)?.sections ?? []).map((section) => `S${section}`);
	const forms = anyOf(formes.map((form) => formQuery(form, place)));
	if (!place && forms && sections.length > 0)
		return anyOf(formes.flatMap((form) => sections.map((section) => formQuery(form, "", section))));
	const activity = anyOf(sections.map((section) => quote(place + section)));
	return [forms, activity].filter(Boolean).join(" & ") || (place && quote(place));
}

function formQuery(form: LegalForm, place: string, section = ""): string {
	const lexeme = quote(place + formLexemes[form] + section);
	const other = otherPartners[form];
	return other ? `(${lexeme} & !${quote(other)})` : lexeme;
}

function anyOf(queries: string[]): string {
	const different = [...new Set(queries)];
	return different.length > 1 ? `(${different.join(" | ")})` : (different[0] ?? "");
}

function quote(lexeme: string): string {
	return `'${lexeme.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
