import { setFrenchSpaces } from "../ui/french-spaces.ts";

/**
 * The form in which legal pages are written: headings, paragraphs, lists and tables, to be edited as plain text.
 *
 * - `{shopEmail}` stands for a value that the shop knows: prices, periods, identity. All of them are in facts.ts.
 * - `[les mots du lien]({termsUrl})` makes a link; `(#paiement)` leads to the section of that anchor.
 * - `**ces mots**` are strong.
 * - Ordinary spaces will do: those that French keeps unbroken, before « : ; ? ! € » and inside quotation marks, are put in here.
 */
export interface LegalText {
	/** Heading of the page, and its name in the browser's tab. */
	title: string;
	/** What search engines show below the name: one or two sentences. */
	description: string;
	introduction: readonly Block[];
	sections: readonly Section[];
}

export interface Section {
	/** Its place in the page's address, after the #. */
	anchor: string;
	heading: string;
	content: readonly Block[];
}

/** A paragraph, a list, a table, or a letter to copy out. */
export type Block = string | { list: readonly string[] } | { table: Table } | { letter: readonly string[] };

export interface Table {
	caption: string;
	columns: readonly string[];
	rows: readonly (readonly string[])[];
}

/** Part of a sentence: plain words, words that lead somewhere, strong words. */
export type Inline = string | { words: string; href: string } | { strong: string };

/**
 * Puts the shop's values in place of their names, and French spaces where they belong.
 * @throws Error on a name that is not among the facts: the author's slip, found by the tests.
 */
export function fillIn<Content>(content: Content, facts: Readonly<Record<string, string>>): Content {
	if (typeof content === "string") return setFrenchSpaces(content.replace(/\{(\w+)\}/g, (_, name) => factNamed(name, facts))) as Content;
	if (Array.isArray(content)) return content.map((part) => fillIn(part, facts)) as Content;
	return Object.fromEntries(Object.entries(content as object).map(([key, part]) => [key, fillIn(part, facts)])) as Content;
}

function factNamed(name: string, facts: Readonly<Record<string, string>>): string {
	const fact = facts[name];
	if (fact === undefined) throw new Error(`no fact is named {${name}}; those that are: ${Object.keys(facts).join(", ")}`);
	return fact;
}

/** Splits a sentence at its links and its strong words. */
export function splitInline(text: string): Inline[] {
	const parts: Inline[] = [];
	let from = 0;
	for (const found of text.matchAll(/\[(?<words>[^\]]+)\]\((?<href>[^)\s]+)\)|\*\*(?<strong>[^*]+)\*\*/g)) {
		const { words = "", href = "", strong } = found.groups ?? {};
		if (found.index > from) parts.push(text.slice(from, found.index));
		parts.push(strong === undefined ? { words, href } : { strong });
		from = found.index + found[0].length;
	}
	if (from < text.length) parts.push(text.slice(from));
	return parts;
}
