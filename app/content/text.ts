import { setFrenchSpaces } from "../ui/french-spaces.ts";

/**
 * A page of words: what a file of texts/ says, once it is read.
 *
 * - `{shopEmail}` stands for a value that the shop knows: prices, periods, identity. All of them are in facts.ts.
 * - `[les mots du lien](/cgv)` makes a link; `(#paiement)` leads to the section of that anchor.
 * - `**ces mots**` are strong.
 * - Ordinary spaces will do: those that French keeps unbroken, before « : ; ? ! € » and inside quotation marks, are put in here.
 */
export interface Text {
	/** Its name in the browser's tab. */
	title: string;
	/** What search engines show below the name: one or two sentences. */
	description: string;
	/** Heading of the page: its title, unless said otherwise. */
	heading: string;
	/** A sentence under the heading. */
	lead: string | null;
	layout: Layout;
	/** The address of the page above it, for the breadcrumb. */
	parent: string | null;
	/** For search engines: the code of the service that the page offers, or `all`. */
	sells: string | null;
	/** The one thing to do here, as a link: `[Commander](/commande)`. */
	action: string | null;
	introduction: readonly Block[];
	sections: readonly Section[];
}

/** `legal` numbers the sections and lists them first; `questions` folds each one under its heading. */
export type Layout = "plain" | "legal" | "questions";

export interface Section {
	/** Its place in the page's address, after the #. */
	anchor: string;
	heading: string;
	content: readonly Block[];
}

/** A paragraph, a heading within a section, a list, numbered steps, a table, a letter to copy out, or a part that the page draws itself. */
export type Block =
	| string
	| { subheading: string }
	| { list: readonly string[] }
	| { steps: readonly string[] }
	| { table: Table }
	| { letter: readonly string[] }
	| { part: string };

export interface Table {
	caption: string;
	columns: readonly string[];
	rows: readonly (readonly string[])[];
}

/** A question whose answer is one paragraph. */
export interface Question {
	anchor: string;
	question: string;
	answer: string;
}

/** Part of a sentence: plain words, words that lead somewhere, strong words. */
export type Inline = string | { words: string; href: string } | { strong: string };

/**
 * Puts the shop's values in place of their names, and French spaces where they belong.
 * @throws Error on a name that is not among the facts: the author's slip, found by the tests.
 */
export function fillIn<Content>(content: Content, facts: Readonly<Record<string, string>>): Content {
	const fill = (part: unknown): unknown => {
		if (typeof part === "string") return setFrenchSpaces(part.replace(/\{(\w+)\}/g, (_, name) => factNamed(name, facts)));
		if (Array.isArray(part)) return part.map(fill);
		if (typeof part !== "object" || part === null) return part;
		return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, fill(inner)]));
	};
	return fill(content) as Content; // every text stays a text where it stood
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

/** The same sentence without its marks, for those who read no links. */
export const wordsOf = (text: string) =>
	splitInline(text)
		.map((part) => (typeof part === "string" ? part : "words" in part ? part.words : part.strong))
		.join("");
