import { isRichText, type RichText, type TextBlock } from "../markdown/rich-text.ts";

/**
 * What a file of texts/ says, once it is read. `{shopEmail}` stands for one of the variables of variables.ts. Ordinary spaces will do:
 * those that French keeps unbroken, before « : ; ? ! € » and inside quotation marks, are put in by fillIn.
 */
export interface Text {
	/** Its name in the browser's tab. */
	title: string;
	/** What search engines show below the name: one or two sentences. */
	description: string;
	/** Heading of the page: its title, unless the file says otherwise. */
	heading: string;
	/** A sentence under the heading. */
	lead: RichText | null;
	layout: Layout;
	/** The address of the page above it, for the breadcrumb. */
	parent: string | null;
	/** For search engines: the code of the service that the page offers, or `all`. */
	sells: string | null;
	/** The one thing to do here: `[Commander](/commande)`. */
	action: RichText | null;
	introduction: readonly PageBlock[];
	sections: readonly Section[];
}

/** `legal` numbers the sections and lists them first; `questions` folds each one under its heading; `custom`: a component places them. */
export type Layout = "plain" | "legal" | "questions" | "custom";

export interface Section {
	/** Its place in the page's address, after the #; the name by which a component finds it. */
	anchor: string;
	heading: string;
	content: readonly PageBlock[];
}

/** A block of a page: also a table, or a part that the page draws itself. */
export type PageBlock = TextBlock | { table: Table } | { part: string };

export interface Table {
	caption: string;
	columns: readonly string[];
	rows: readonly (readonly RichText[])[];
}

/** A question whose answer is one paragraph. */
export interface Question {
	anchor: string;
	question: string;
	answer: RichText;
}

/** Whether a page is its text alone, drawn by ContentPage. */
export const isContentPage = ({ layout }: Text) => layout !== "custom";

/** @throws Error when the text has no such section. */
export function getSection({ title, sections }: Pick<Text, "title" | "sections">, anchor: string): Section {
	const section = sections.find((section) => section.anchor === anchor);
	if (section === undefined) throw new Error(`« ${title} » has no section {#${anchor}}`);
	return section;
}

/** The one paragraph of a section. @throws Error when it holds something else. */
export function getParagraph({ heading, content }: Section): RichText {
	const [paragraph, ...others] = content;
	if (paragraph === undefined || others.length > 0 || !isRichText(paragraph))
		throw new Error(`« ${heading} » is not followed by one paragraph`);
	return paragraph;
}
