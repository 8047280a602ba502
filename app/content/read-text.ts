import { lexer, type Token, type Tokens, walkTokens } from "marked";
import type { Block, Layout, Section, Text } from "./text.ts";

const layouts: readonly Layout[] = ["plain", "legal", "questions"];
/** What Markdown knows and a page does not: it would show the signs themselves. One asterisk is that of a form, « Rayez la mention inutile (*) ». */
const undrawn: readonly string[] = ["html", "del", "codespan", "image"];
const known = ["title", "description", "heading", "lead", "layout", "parent", "sells", "action"];

/**
 * Reads a page of texts/. How one is written stands in app/content/LISEZMOI.md.
 * @throws Error that says what cannot be read, and where: the author's slip, found by the tests.
 */
export function readText(source: string): Text {
	const [, head = "", body = ""] =
		/^---\n(.*?)\n---\n(.*)$/s.exec(source.replace(/^\ufeff/, "").replaceAll("\r\n", "\n")) ?? // as editors on Windows write it
		fail("a text begins with its title and description between two lines of ---");
	const said = Object.fromEntries(head.split("\n").map(readLine));
	const { title = fail("a title is missing"), description = fail(`« ${title} » has no description`), layout = "plain" } = said;
	const tokens = lexer(body);
	walkTokens(tokens, ({ type, raw }) => void (undrawn.includes(type) && fail(`a text cannot hold this: ${raw}`)));
	const [introduction = [], ...sections] = splitAtHeadings(tokens);
	return {
		title,
		description,
		heading: said.heading ?? title,
		lead: said.lead ?? null,
		layout: layouts.find((name) => name === layout) ?? fail(`« ${title} »: a layout is one of ${layouts.join(", ")}`),
		parent: said.parent ?? null,
		sells: said.sells ?? null,
		action: said.action ?? null,
		introduction: blocksOf(introduction),
		sections: sections.map(readSection),
	};
}

function readLine(line: string): [string, string] {
	const [, name = "", value = ""] = /^(\w+): (.+)$/.exec(line) ?? [];
	if (!known.includes(name)) fail(`« ${line} » is not one of: ${known.join(", ")}`);
	return [name, value.trim()];
}

/** What stands before the first heading, then each heading with what follows it. */
function splitAtHeadings(tokens: Token[]): Token[][] {
	const parts: Token[][] = [[]];
	for (const token of tokens) {
		if (isHeading(token) && token.depth === 2) parts.push([]);
		parts.at(-1)?.push(token);
	}
	return parts;
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === "heading";

/** `## Vos droits {#droits}` */
function readSection([first, ...content]: Token[]): Section {
	const text = (first as Tokens.Heading).text;
	const [, heading = "", anchor = ""] = /^(.+?) \{#([\w-]+)\}$/.exec(text) ?? fail(`the heading « ${text} » has no {#anchor}`);
	return { anchor, heading, content: blocksOf(content) };
}

const captioned = /^Tableau : (?<caption>.+)$/;

function blocksOf(tokens: Token[]): Block[] {
	const blocks: Block[] = [];
	let caption: string | undefined;
	for (const token of tokens as Tokens.Generic[]) {
		if (token.type === "space") continue;
		if (token.type === "table") {
			blocks.push({ table: readTable(token as Tokens.Table, caption) });
			caption = undefined;
			continue;
		}
		caption = captioned.exec(token.text)?.groups?.caption;
		if (caption === undefined) blocks.push(readBlock(token));
	}
	return blocks;
}

function readBlock(token: Tokens.Generic): Block {
	switch (token.type) {
		case "paragraph": {
			const part = /^\{\{(\w+)\}\}$/.exec(token.text)?.[1];
			return part === undefined ? onOneLine(token.text) : { part };
		}
		case "list": {
			const items = (token as Tokens.List).items.map(({ text }) => onOneLine(text));
			return token.ordered ? { steps: items } : { list: items };
		}
		case "blockquote":
			return {
				letter: (token.tokens ?? []).filter(({ type }) => type === "paragraph").map((line) => onOneLine((line as Tokens.Paragraph).text)),
			};
		case "heading":
			return token.depth === 3 ? { subheading: token.text } : fail(`« ${token.text} »: a text has headings ## and ### only`);
		default:
			return fail(`a text cannot hold this: ${token.raw}`);
	}
}

function readTable({ header, rows }: Tokens.Table, caption: string | undefined) {
	const columns = header.map(({ text }) => text);
	return {
		caption: caption ?? fail(`the table « ${columns.join(", ")} » has no caption above it`),
		columns,
		rows: rows.map((cells) => cells.map(({ text }) => text)),
	};
}

const onOneLine = (text: string) => text.replace(/\s*\n\s*/g, " ");

function fail(sentence: string): never {
	throw new Error(sentence);
}
