import { Lexer, type Token, type Tokens } from "marked";
import type { EmailBlock, EmailContent } from "../mail/email.ts";

/** `content`: the file itself. `complaints`: a sentence for each thing that a letter cannot show. */
export type ReadIssue = { ok: true; content: string; letter: EmailContent } | { ok: false; complaints: string[] };

/** What mailboxes show after the subject. */
const longestPreheader = 140;

/**
 * Reads a newsletter from Markdown: a heading that is its subject, then paragraphs, headings, lists, quotes and links. A link within a
 * sentence stands again below it, to be clicked.
 * @param baseUrl where links without a host lead
 */
export function readIssue(content: string, baseUrl: string): ReadIssue {
	const [heading, ...rest] = Lexer.lex(content.replace(/^\ufeff/, "")).filter(({ type }) => type !== "space" && type !== "def");
	if (heading?.type !== "heading" || heading.depth !== 1)
		return { ok: false, complaints: ["La lettre commence par son objet : « # Les nouvelles de novembre »."] };
	const reader = openReader(baseUrl);
	const { words: subject } = reader.readWords(heading.tokens);
	const blocks = rest.flatMap(reader.readBlock);
	if (reader.complaints.length === 0 && (subject === "" || blocks.length === 0)) reader.complaints.push("Cette lettre est vide.");
	if (reader.complaints.length > 0) return { ok: false, complaints: reader.complaints };
	const [first = ""] = blocks.filter((block) => typeof block === "string");
	return { ok: true, content, letter: { subject, title: subject, preheader: shorten(first), blocks } };
}

type Link = Extract<EmailBlock, { link: string }>;

function openReader(baseUrl: string) {
	const complaints: string[] = [];
	const refuse = (why: string, { raw }: Token) => void complaints.push(`${why} : « ${shorten(raw.trim())} ».`);

	function readBlock(token: Token): EmailBlock[] {
		switch (token.type) {
			case "hr":
				return [];
			case "heading":
				return [{ heading: readWords(token.tokens).words }];
			case "paragraph": {
				const { words, links } = readWords(token.tokens);
				// a paragraph that is one link is that link
				return links.length === 1 && links[0]?.link === words ? links : [words, ...links];
			}
			case "list": {
				const { items, ordered } = token as Tokens.List;
				const read = items.map((item) => readWords(item.tokens));
				return [{ list: read.map(({ words }) => words), numbered: ordered }, ...read.flatMap(({ links }) => links)];
			}
			case "blockquote": {
				const { words, links } = readWords(token.tokens, "\n");
				return [{ quote: words }, ...links];
			}
			default:
				refuse("Une lettre n’a que des titres, des paragraphes, des listes, des citations et des liens", token);
				return [];
		}
	}

	/** The words of a sentence without their marks, and where they lead. `between` keeps the lines of a quote apart. */
	function readWords(tokens: readonly Token[] = [], between: " " | "\n" = " "): { words: string; links: Link[] } {
		const links: Link[] = [];
		const readAll = (inner: readonly Token[] = []): string => inner.map(read).join("");
		const read = (token: Token): string => {
			switch (token.type) {
				case "strong":
				case "em":
				case "del":
					return readAll(token.tokens);
				case "text":
					return token.tokens ? readAll(token.tokens) : token.text;
				case "escape":
				case "codespan":
					return token.text;
				case "br":
				case "space":
					return between;
				case "paragraph":
					return readAll(token.tokens) + between;
				case "link": {
					const words = joinLines(readAll(token.tokens), " ");
					const url = readAddress(token as Tokens.Link);
					// an address that stands there in full is made clickable by the mailbox
					if (url !== null && !token.autolink) links.push({ link: words, url });
					return words;
				}
				default:
					refuse("Une phrase de lettre n’a que des mots et des liens", token);
					return "";
			}
		};
		return { words: joinLines(readAll(tokens), between), links };
	}

	function readAddress(token: Tokens.Link): string | null {
		const url = URL.canParse(token.href, baseUrl) ? new URL(token.href, baseUrl) : null;
		if (url !== null && ["https:", "http:", "mailto:"].includes(url.protocol)) return url.href;
		refuse("Ce lien n’est pas une adresse du web", token);
		return null;
	}

	return { complaints, readBlock, readWords };
}

/** Without empty lines, and on one line where `between` is a space. */
const joinLines = (text: string, between: " " | "\n") =>
	text
		.split(between === " " ? /\s+/ : /\s*\n\s*/)
		.filter((part) => part !== "")
		.join(between);

const shorten = (text: string) => (text.length <= longestPreheader ? text : `${text.slice(0, longestPreheader - 1).trimEnd()}…`);
