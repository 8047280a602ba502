import type { Token, Tokens } from "marked";
import { drawingNames } from "../ui/drawings/drawing-names.ts";
import { lexBlocks, type MarkdownRules, readBlock, readInline, readSentence } from "../ui/markdown/read-markdown.ts";
import type { RichText } from "../ui/markdown/rich-text.ts";
import { isPart, type Layout, type PageBlock, type Section, type Table, type Text } from "./text.ts";

const layouts: readonly Layout[] = ["plain", "legal", "questions", "recipient", "custom"];
const knownNames = ["title", "description", "heading", "lead", "layout", "parent", "sells", "drawing", "action"];

/** Pages have no emphasis or code. A literal asterisk needs a backslash: « (\*) Rayez la mention inutile ». */
const rules: MarkdownRules = {
	forbidden: ["em", "del", "codespan", "br"],
	refuse: (_, { raw }) => fail(`a text cannot hold this: ${raw}`),
};

/**
 * Parses a page of texts/. app/content/LISEZMOI.md describes the format.
 * @throws Error with the invalid part. Tests check all texts.
 */
export function readText(source: string): Text {
	const [, head = "", body = ""] =
		/^---\n(.*?)\n---\n(.*)$/s.exec(source.replace(/^\ufeff/, "").replaceAll("\r\n", "\n")) ?? // Windows line endings and byte order mark
		fail("a text begins with its title and description between two lines of ---");
	const values = Object.fromEntries(head.split("\n").map(readLine));
	const { title = fail("a title is missing"), description = fail(`« ${title} » has no description`), layout = "plain" } = values;
	const { introduction, sections } = splitAtHeadings(lexBlocks(body));
	return {
		title,
		description,
		heading: values.heading ?? title,
		lead: values.lead ? readRichText(values.lead) : null,
		layout: layouts.find((name) => name === layout) ?? fail(`« ${title} »: a layout is one of ${layouts.join(", ")}`),
		parent: values.parent ?? null,
		sells: values.sells ?? null,
		drawing: values.drawing
			? (drawingNames.find((name) => name === values.drawing) ?? fail(`« ${title} »: a drawing is one of ${drawingNames.join(", ")}`))
			: null,
		action: values.action ? readRichText(values.action) : null,
		introduction: readBlocks(introduction),
		sections: sections.map(readSection),
	};
}

/** Parses the links and strong words of a sentence. */
export const readRichText = (sentence: string): RichText => readSentence(sentence, rules);

function readLine(line: string): [string, string] {
	const [, name = "", value = ""] = /^(\w+): (.+)$/.exec(line) ?? [];
	if (!knownNames.includes(name)) fail(`« ${line} » is not one of: ${knownNames.join(", ")}`);
	return [name, value.trim()];
}

interface Headed {
	heading: Tokens.Heading;
	content: Token[];
}

/** The blocks before the first heading, and each heading with its blocks. */
function splitAtHeadings(tokens: Token[]): { introduction: Token[]; sections: Headed[] } {
	const introduction: Token[] = [];
	const sections: Headed[] = [];
	for (const token of tokens) {
		if (isHeading(token) && token.depth === 2) sections.push({ heading: token, content: [] });
		else (sections.at(-1)?.content ?? introduction).push(token);
	}
	return { introduction, sections };
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === "heading";
const isTable = (token: Token): token is Tokens.Table => token.type === "table";
const isParagraph = (token: Token): token is Tokens.Paragraph => token.type === "paragraph";

/** Parses a section that starts with `## Vos droits {#droits}`. */
function readSection({ heading: { raw }, content }: Headed): Section {
	const [, heading = "", anchor = ""] = /^## (.+?) \{#([\w-]+)\}\s*$/.exec(raw) ?? fail(`« ${raw.trim()} » has no {#anchor}`);
	return { anchor, heading, content: readBlocks(content) };
}

function readBlocks(tokens: readonly Token[]): PageBlock[] {
	const blocks: PageBlock[] = [];
	let caption: string | undefined;
	for (const token of tokens) {
		if (isTable(token)) {
			const table = readTable(token, caption);
			const last = blocks.at(-1);
			if (last !== undefined && isPart(last)) last.table = table;
			else blocks.push({ table });
			caption = undefined;
			continue;
		}
		caption = isParagraph(token) ? /^Tableau : (?<caption>.+)$/.exec(token.text)?.groups?.caption : undefined;
		if (caption === undefined) blocks.push(readPageBlock(token));
	}
	return blocks;
}

function readPageBlock(token: Token): PageBlock {
	const part = isParagraph(token) ? /^\{\{(\w+)\}\}$/.exec(token.text)?.[1] : undefined;
	if (part !== undefined) return { part };
	if (isHeading(token) && token.depth !== 3) fail(`« ${token.text} »: a text has headings ## and ### only`);
	return readBlock(token, rules) ?? fail(`a text cannot hold this: ${token.raw}`);
}

function readTable({ header, rows }: Tokens.Table, caption: string | undefined): Table {
	const columns = header.map(({ text }) => text);
	return {
		caption: caption ?? fail(`the table « ${columns.join(", ")} » has no caption above it`),
		columns,
		rows: rows.map((cells) => cells.map(({ tokens }) => readInline(tokens, rules))),
	};
}

function fail(sentence: string): never {
	throw new Error(sentence);
}
