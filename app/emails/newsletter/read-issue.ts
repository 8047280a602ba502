import type { Token } from "marked";
import type { EmailBlock, EmailContent } from "../../mail/email.ts";
import { lexBlocks, type MarkdownRules, readBlock, readInline } from "../../ui/markdown/read-markdown.ts";
import { isRichText, listLinks, type RichText, toPlainText } from "../../ui/markdown/rich-text.ts";

/** `content`: the Markdown of the file. `problems`: a sentence for each element that an issue cannot contain. */
export type ReadIssue = { ok: true; content: string; email: EmailContent } | { ok: false; problems: string[] };

/** Characters of the preheader, which mailboxes show after the subject. */
const maxPreheaderLength = 140;

const refusals = {
	block: "Une lettre n’a que des titres, des paragraphes, des listes, des citations et des liens",
	inline: "Une phrase de lettre n’a que des mots et des liens",
	link: "Ce lien n’est pas une adresse du web",
};

/**
 * Reads an issue of the newsletter from Markdown: the subject as a heading, then paragraphs, headings, lists, quotations and links.
 * A link within a paragraph is repeated below it, on a separate line that is easy to tap.
 * @param baseUrl the base of relative links
 */
export function readIssue(content: string, baseUrl: string): ReadIssue {
	const [heading, ...rest] = lexBlocks(content);
	if (heading?.type !== "heading" || heading.depth !== 1)
		return { ok: false, problems: ["La lettre commence par son objet : « # Les nouvelles de novembre »."] };
	const problems: string[] = [];
	const rules: MarkdownRules = {
		refuse: (place, { raw }) => void problems.push(`${refusals[place]} : « ${shorten(raw.trim())} ».`),
		resolveUrl: (url) => resolveUrl(url, baseUrl),
	};
	const subject = toEmailText(readInline(heading.tokens, rules));
	const blocks = rest.filter(({ type }) => type !== "hr").flatMap((token) => readEmailBlocks(token, rules));
	if (problems.length === 0 && (subject === "" || blocks.length === 0)) problems.push("Cette lettre est vide.");
	if (problems.length > 0) return { ok: false, problems };
	const [first = ""] = blocks.filter((block) => typeof block === "string");
	return { ok: true, content, email: { subject, title: subject, preheader: shorten(first), blocks } };
}

function readEmailBlocks(token: Token, rules: MarkdownRules): EmailBlock[] {
	const block = readBlock(token, rules);
	if (block === null) return [];
	if (isRichText(block)) {
		const [text, links] = [toEmailText(block), repeatLinks(block)];
		// a paragraph that consists of one link is not repeated
		return links.length === 1 && links[0]?.link === text ? links : [text, ...links];
	}
	if ("list" in block) return [{ list: block.list.map(toEmailText), numbered: block.numbered }, ...repeatLinks(block.list)];
	if ("quote" in block) return [{ quote: block.quote.map(toEmailText) }, ...repeatLinks(block.quote)];
	return [{ heading: toEmailText(block.heading) }];
}

const repeatLinks = (text: RichText) => listLinks(text).map(({ link, url }) => ({ link: toEmailText(link), url }));

/** Plain text for an e-mail; no-break spaces are set when it is rendered. */
const toEmailText = (text: RichText) => toPlainText(text).replace(/\s+/g, " ").trim();

function resolveUrl(href: string, baseUrl: string): string | null {
	const url = URL.canParse(href, baseUrl) ? new URL(href, baseUrl) : null;
	return url !== null && ["https:", "http:", "mailto:"].includes(url.protocol) ? url.href : null;
}

const shorten = (text: string) => (text.length <= maxPreheaderLength ? text : `${text.slice(0, maxPreheaderLength - 1).trimEnd()}…`);
