import type { CompanySearch } from "./company-search.ts";
import { sectors } from "./sectors.ts";
import { otherSpellings, words } from "./words.ts";

/**
 * The language between importer and search: each company has one tsvector of lexemes, each search is one tsquery.
 * Words are in lower case; a capital letter starts a filter, or the first letters of a word:
 * « Danone » is stored as danone, Pd, Pda, Pdan.
 */

/** Beginnings up to this long are lexemes of their own: looking them up as prefixes would visit half the vocabulary. */
const longestPrefix = 3;
/** More words than any name has. */
const mostWords = 12;

const filterLetters = { department: "D", form: "F", section: "S" } as const;

/** The lexeme of a filter: department 75 → D75. */
export function filterLexeme(filter: keyof typeof filterLetters, value: string): string {
	return filterLetters[filter] + value;
}

/** All lexemes under which some texts are found. */
export function lexemesOf(texts: readonly (string | null)[]): string[] {
	const found = new Set<string>();
	for (const text of texts) {
		if (text === null) continue;
		for (const word of [...words(text), ...otherSpellings(text)]) {
			found.add(word);
			const letters = [...word];
			for (let length = 1; length <= Math.min(longestPrefix, letters.length); length++) found.add(`P${letters.slice(0, length).join("")}`);
		}
	}
	return [...found];
}

const formWords = new Set(["sa", "sas", "sasu", "sarl", "eurl", "snc", "sci"]);

/** A name as it is compared whole; its legal form aside: « Martin SARL » is « MARTIN ». */
export function exactName(text: string): string {
	const all = words(text);
	const name = all.filter((word) => !formWords.has(word));
	return (name.length > 0 ? name : all).join(" ");
}

/** The words of a query that are searched. */
export function queryWords(query: string): string[] {
	return words(query).slice(0, mostWords);
}

export type Filters = Pick<CompanySearch, "departement" | "formes" | "secteur">;
export const noFilters: Filters = { departement: null, formes: [], secteur: null };

/**
 * The tsquery of some words, all of which must be there, each from its beginning; and of the filters.
 * Only a last word may be as short as typed: a short one before it (« la », « de ») stands for itself.
 */
export function searchQuery(list: readonly string[], { departement, formes, secteur }: Filters): string {
	const sections = sectors.find(({ value }) => value === secteur)?.sections ?? [];
	return [
		...list.map((word, index) => wordQuery(word, index === list.length - 1)),
		...(departement ? [quote(filterLexeme("department", departement))] : []),
		anyOf(formes.map((form) => filterLexeme("form", form))),
		anyOf(sections.map((section) => filterLexeme("section", section))),
	]
		.filter(Boolean)
		.join(" & ");
}

function wordQuery(word: string, last: boolean): string {
	const length = [...word].length;
	if (length > longestPrefix) return `${quote(word)}:*`;
	return quote(last || length === longestPrefix ? `P${word}` : word);
}

function anyOf(lexemes: string[]): string {
	return lexemes.length > 0 ? `(${lexemes.map(quote).join(" | ")})` : "";
}

function quote(lexeme: string): string {
	return `'${lexeme.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
