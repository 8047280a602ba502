/** Inline text: plain, strong, a link, or a list of these. A string contains no markup. */
export type RichText = string | Strong | Link | readonly RichText[];

export interface Strong {
	strong: RichText;
}

export interface Link {
	link: RichText;
	url: string;
}

/** The blocks that pages, e-mails and newsletters share. `Inline` alone is a paragraph; a quotation is a list of lines. */
export type TextBlock<Inline = RichText> =
	| Inline
	| { heading: string }
	| { list: readonly Inline[]; numbered: boolean }
	| { quote: readonly Inline[] };

export const isLink = (block: object | string): block is Link => typeof block === "object" && "link" in block;

/** Whether a block is a paragraph. */
export const isRichText = (block: object | string): block is RichText =>
	typeof block === "string" || Array.isArray(block) || "strong" in block || "link" in block;

/** Joins parts of a sentence: merges neighbouring strings, and returns a single part without a list. */
export function joinRichText(parts: readonly RichText[]): RichText {
	const joined: RichText[] = [];
	for (const part of parts.flatMap(listParts)) {
		const last = joined.at(-1);
		if (typeof part === "string" && typeof last === "string") joined[joined.length - 1] = last + part;
		else if (part !== "") joined.push(part);
	}
	const [first = ""] = joined;
	return joined.length > 1 ? joined : first;
}

const listParts = (text: RichText): RichText[] => (isList(text) ? text.flatMap(listParts) : [text]);

/** `Array.isArray` does not narrow a readonly array. */
const isList = (text: RichText): text is readonly RichText[] => Array.isArray(text);

/** Removes links and strong marks from a text. */
export function toPlainText(text: RichText): string {
	if (typeof text === "string") return text;
	if (isList(text)) return text.map(toPlainText).join("");
	return toPlainText("link" in text ? text.link : text.strong);
}

/** Lists the links of a text in reading order. */
export function listLinks(text: RichText): Link[] {
	if (typeof text === "string") return [];
	if (isList(text)) return text.flatMap(listLinks);
	return "link" in text ? [text] : listLinks(text.strong);
}
