import type { PageBlock, Text } from "../../content/text.ts";
import { isRichText, type RichText } from "../../ui/markdown/rich-text.ts";
import { termsSentence, waiverHint, waiverSentence } from "./consent-sentences.ts";

/** A line of the terms: a heading, a paragraph, an item of a list, or a line of a box. */
export interface TermsLine {
	kind: "heading" | "paragraph" | "item" | "boxed";
	text: string;
}

/** A version of the terms of sale, with the names and prices of the shop. */
export interface TermsOfSale {
	/** ISO date. */
	version: string;
	title: string;
	/** The seller, as a heading names it. */
	seller: string;
	lines: TermsLine[];
}

/**
 * Lists the lines of the terms, with the two boxes of the order form at their end.
 * @param text after `fillIn`.
 */
export function listTermsLines({ introduction, sections }: Pick<Text, "introduction" | "sections">): TermsLine[] {
	return [
		...introduction.flatMap(formatBlock),
		...sections.flatMap(({ heading, content }, index): TermsLine[] => [
			{ kind: "heading", text: `${index + 1}. ${heading}` },
			...content.flatMap(formatBlock),
		]),
		{ kind: "heading", text: "Les deux cases du formulaire de commande" },
		{ kind: "paragraph", text: "Aucune n’est cochée d’avance. La première est nécessaire pour commander, la seconde est facultative." },
		{ kind: "item", text: `${termsSentence.before}${termsSentence.link}${termsSentence.after}` },
		{ kind: "item", text: `${waiverSentence} ${waiverHint}` },
	];
}

function formatBlock(block: PageBlock): TermsLine[] {
	if (isRichText(block)) return [{ kind: "paragraph", text: formatRichText(block) }];
	if ("heading" in block) return [{ kind: "heading", text: block.heading }];
	if ("list" in block)
		return block.list.map((item, index) => ({
			kind: "item",
			text: block.numbered ? `${index + 1}. ${formatRichText(item)}` : formatRichText(item),
		}));
	if ("quote" in block) return block.quote.map((line) => ({ kind: "boxed", text: formatRichText(line) }));
	if (!block.table) return [];
	const { caption, columns, rows } = block.table;
	return [
		{ kind: "paragraph", text: `${caption}\u00a0:` },
		...rows.map((cells): TermsLine => {
			const [first = "", ...others] = cells.map(formatRichText);
			return { kind: "item", text: `${first}\u00a0: ${others.map((cell, index) => `${columns[index + 1]}, ${cell}`).join("\u00a0; ")}.` };
		}),
	];
}

/** « MonIdenum (https://monidenum.fr) »; a link to a page of the shop keeps its words, which name the page. */
function formatRichText(text: RichText): string {
	if (typeof text === "string") return text;
	if ("strong" in text) return formatRichText(text.strong);
	if (!("link" in text)) return text.map(formatRichText).join("");
	const words = formatRichText(text.link);
	return text.url.startsWith("https://") && text.url !== `https://${words}` ? `${words} (${text.url})` : words;
}

/** The text of which a version has its hash: what the customer saw, without its layout. */
export const formatTerms = ({ title, lines }: TermsOfSale): string => [title, ...lines.map(({ text }) => text)].join("\n");
