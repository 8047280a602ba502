import type { DrawingName } from "../ui/drawings/drawing-names.ts";
import { isRichText, type RichText, type TextBlock } from "../ui/markdown/rich-text.ts";

/**
 * The parsed content of a file of texts/. `{shopEmail}` is a variable of variables.ts. Authors type ordinary spaces: fillIn sets the
 * no-break spaces before « : ; ? ! € » and inside quotation marks.
 */
export interface Text {
	/** The title of the browser tab. */
	title: string;
	/** One or two sentences for search engines. */
	description: string;
	/** The heading of the page; by default its title. */
	heading: string;
	/** A sentence below the heading. */
	lead: RichText | null;
	layout: Layout;
	/** The path of the parent page in the breadcrumb. */
	parent: string | null;
	/** The service that the page offers, for search engines; `all` for every service. */
	sells: string | null;
	/** The drawing beside the heading. */
	drawing: DrawingName | null;
	/** The link of the main action: `[Commander](/commande)`. */
	action: RichText | null;
	introduction: readonly PageBlock[];
	sections: readonly Section[];
}

/**
 * `legal`: numbered sections with a table of contents; `questions`: an accordion; `recipient`: the essentials beside the text;
 * `custom`: rendered by a component.
 */
export type Layout = "plain" | "legal" | "questions" | "recipient" | "custom";

export interface Section {
	/** The fragment of its URL, by which components find it as well. */
	anchor: string;
	heading: string;
	content: readonly PageBlock[];
}

/** A block of a page: a text block, a table, or a part rendered by a component, which may draw the table that follows it. */
export type PageBlock = TextBlock | { table: Table } | { part: string; table?: Table };

export const isPart = (block: PageBlock): block is { part: string; table?: Table } => typeof block === "object" && "part" in block;

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

/** Whether ContentPage renders the page. */
export const isContentPage = ({ layout }: Text) => layout !== "custom";

/** Returns a section by its anchor. @throws Error when there is none. */
export function getSection({ title, sections }: Pick<Text, "title" | "sections">, anchor: string): Section {
	const section = sections.find((section) => section.anchor === anchor);
	if (section === undefined) throw new Error(`« ${title} » has no section {#${anchor}}`);
	return section;
}

/** Returns the only paragraph of a section. @throws Error when it has other content. */
export function getParagraph({ heading, content }: Section): RichText {
	const [paragraph, ...others] = content;
	if (paragraph === undefined || others.length > 0 || !isRichText(paragraph))
		throw new Error(`« ${heading} » is not followed by one paragraph`);
	return paragraph;
}
