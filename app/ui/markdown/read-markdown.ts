import { Lexer, type Token, type Tokens } from "marked";
import { joinRichText, type RichText, type TextBlock, toPlainText } from "./rich-text.ts";

/** The rules of one kind of text. No kind allows HTML, images, code blocks or nested lists. */
export interface MarkdownRules {
	/** Types of marked's tokens that are refused in addition. */
	forbidden?: readonly string[];
	/** Called for each refused token; the reader skips it and continues. */
	refuse: (place: "block" | "inline" | "link", token: Token) => void;
	/** Resolves the URL of a link; null refuses it. Without this function, URLs stay unchanged. */
	resolveUrl?: (url: string) => string | null;
}

/** Splits a Markdown source into tokens, one for each block. */
export const lexBlocks = (source: string): Token[] =>
	Lexer.lex(source.replace(/^\ufeff/, "")).filter(({ type }) => type !== "space" && type !== "def");

/** @returns null when the token is refused. */
export function readBlock(token: Token, rules: MarkdownRules): TextBlock | null {
	switch (token.type) {
		case "heading":
			return { heading: toPlainText(readInline(token.tokens, rules)) };
		case "paragraph":
			return readInline(token.tokens, rules);
		case "list":
			return { list: token.items.map((item: Tokens.ListItem) => readInline(item.tokens, rules)), numbered: token.ordered };
		case "blockquote":
			return { quote: splitLines(readTokens(token.tokens, rules)) };
		default:
			rules.refuse("block", token);
			return null;
	}
}

/** Reads one sentence, without blocks: `Une autre question ? [Écrivez-nous](/contact)`. */
export const readSentence = (source: string, rules: MarkdownRules): RichText => readInline(Lexer.lexInline(source), rules);

/** Reads inline tokens, and replaces line breaks by spaces. */
export const readInline = (tokens: readonly Token[] | undefined, rules: MarkdownRules): RichText => onOneLine(readTokens(tokens, rules));

/** Reads tokens with their line breaks, which quotations keep. */
function readTokens(tokens: readonly Token[] = [], rules: MarkdownRules): RichText {
	return joinRichText(tokens.map((token) => readToken(token, rules)));
}

function readToken(token: Token, rules: MarkdownRules): RichText {
	if (rules.forbidden?.includes(token.type)) {
		rules.refuse("inline", token);
		return "";
	}
	switch (token.type) {
		case "text":
			return token.tokens ? readTokens(token.tokens, rules) : token.text;
		case "escape":
		case "codespan":
			return token.text;
		case "em":
		case "del":
			return readTokens(token.tokens, rules);
		case "strong":
			return { strong: readTokens(token.tokens, rules) };
		case "br":
		case "space":
			return "\n";
		case "paragraph":
			return joinRichText([readTokens(token.tokens, rules), "\n"]);
		case "link":
			return readLink(token, rules);
		default:
			rules.refuse("inline", token);
			return "";
	}
}

function readLink(token: Tokens.Link | Tokens.Generic, rules: MarkdownRules): RichText {
	const label = readInline(token.tokens, rules);
	const url = rules.resolveUrl ? rules.resolveUrl(token.href) : token.href;
	if (url === null) rules.refuse("link", token);
	// a bare URL or e-mail address is no link; mail clients make it clickable
	return url === null || token.autolink ? label : { link: label, url };
}

function onOneLine(text: RichText): RichText {
	const replaced = replaceStrings(text, (part) => part.replace(/(?<!\s)\s*\n\s*/g, " "));
	if (typeof replaced === "string") return replaced.trim();
	if (!Array.isArray(replaced)) return replaced;
	const parts: readonly RichText[] = replaced;
	return joinRichText(
		parts.map((part, index) => {
			if (typeof part !== "string") return part;
			if (index === 0) return part.trimStart();
			return index === parts.length - 1 ? part.trimEnd() : part;
		}),
	);
}

/** Splits a quotation into lines, without empty ones. */
function splitLines(text: RichText): RichText[] {
	const lines: RichText[][] = [[]];
	const parts: readonly RichText[] = Array.isArray(text) ? text : [text];
	for (const part of parts) {
		const [first = "", ...others] = typeof part === "string" ? part.split("\n") : [part];
		lines.at(-1)?.push(first);
		lines.push(...others.map((line) => [line]));
	}
	return lines.map((line) => onOneLine(joinRichText(line))).filter((line) => line !== "");
}

function replaceStrings(text: RichText, replace: (part: string) => string): RichText {
	if (typeof text === "string") return replace(text);
	if ("strong" in text) return { strong: replaceStrings(text.strong, replace) };
	if ("link" in text) return { ...text, link: replaceStrings(text.link, replace) };
	return text.map((part) => replaceStrings(part, replace));
}
