import { Tokenizer } from "htmlparser2";

/** Longer HTML is cut, in characters. */
const maxHtmlLength = 1_000_000;

/** Elements whose text is not shown. */
const hiddenElements: ReadonlySet<string> = new Set(["script", "style", "title", "template", "xml", "noframes", "iframe"]);

/** Elements that begin and end a line, and the line breaks around them: two leave a blank line. */
const blocks: ReadonlyMap<string, number> = new Map([
	...["p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "table", "blockquote", "pre", "hr"].map((name) => [name, 2] as const),
	...["div", "tr", "li", "dt", "dd", "section", "article", "header", "footer", "main", "nav", "aside", "address", "center", "form"].map(
		(name) => [name, 1] as const,
	),
	...["fieldset", "legend", "figure", "figcaption", "caption", "thead", "tbody", "tfoot", "option"].map((name) => [name, 1] as const),
]);

/**
 * The text of HTML, as somebody reads it (HTML Living Standard, 13.2.5): lines for blocks, tabs between cells, links with their
 * address, pictures by their alternative text. In one pass, because a sender may write any HTML; nothing is nested.
 */
export function toText(html: string): string {
	const source = html.slice(0, maxHtmlLength);
	const text = new TextLines();
	let tag = "";
	let attribute = "";
	let attributes = new Map<string, string>();
	let hidden: string | null = null;
	let href: string | null = null;
	const addText = (added: string) => hidden === null && text.add(added);
	const closeLink = () => {
		if (href !== null) text.addAddress(href);
		href = null;
	};
	const openTag = () => {
		if (hidden !== null) return;
		if (hiddenElements.has(tag)) hidden = tag;
		else if (tag === "br") text.breakLine();
		else if (tag === "td" || tag === "th") text.startCell();
		else if (tag === "img") text.add(attributes.has("alt") ? ` ${attributes.get("alt")} ` : "");
		else if (tag === "a") {
			closeLink();
			href = attributes.get("href") ?? null;
			text.startLink();
		} else text.startBlock(blocks.get(tag) ?? 0);
		if (tag === "li") text.add("- ");
		if (tag === "pre") text.isPreformatted = true;
	};
	const closeTag = (name: string) => {
		if (hidden !== null) {
			if (hidden === name) hidden = null;
			return;
		}
		if (name === "a") closeLink();
		if (name === "pre") text.isPreformatted = false;
		text.startBlock(blocks.get(name) ?? 0);
	};
	const addToAttribute = (added: string) => attributes.set(attribute, (attributes.get(attribute) ?? "") + added);
	const tokenizer = new Tokenizer(
		{ decodeEntities: true },
		{
			ontext: (start, end) => addText(source.slice(start, end)),
			ontextentity: (codePoint) => addText(String.fromCodePoint(codePoint)),
			onopentagname(start, end) {
				tag = source.slice(start, end).toLowerCase();
				attributes = new Map();
			},
			onattribname(start, end) {
				attribute = source.slice(start, end).toLowerCase();
			},
			onattribdata: (start, end) => addToAttribute(source.slice(start, end)),
			onattribentity: (codePoint) => addToAttribute(String.fromCodePoint(codePoint)),
			onattribend() {},
			onopentagend: openTag,
			onselfclosingtag: openTag,
			onclosetag: (start, end) => closeTag(source.slice(start, end).trim().toLowerCase()),
			oncdata() {},
			oncomment() {},
			ondeclaration() {},
			onprocessinginstruction() {},
			onend() {},
		},
	);
	tokenizer.write(source);
	tokenizer.end();
	closeLink();
	return text.toString();
}

/** The longest address of a link that is shown. */
const maxAddressLength = 1000;

/** Collects text in lines. Blanks are one blank, except in preformatted text. */
class TextLines {
	isPreformatted = false;
	readonly #parts: string[] = [];
	/** Line breaks before the next text. */
	#breaks = 0;
	/** The blank before the next text. */
	#blank = "";
	/** The text of the link since its beginning. */
	#link = "";

	add(text: string): void {
		if (this.isPreformatted) {
			for (const [n, line] of text.split("\n").entries()) {
				if (n > 0) this.#parts.push("\n");
				this.#parts.push(line);
			}
			return;
		}
		const words = text.replace(/[\s\u00a0]+/g, " ");
		if (words.startsWith(" ")) this.#blank ||= " ";
		const content = words.trim();
		if (content === "") return;
		this.#write(content);
		this.#blank = words.endsWith(" ") ? " " : "";
	}

	#write(content: string): void {
		if (this.#parts.length > 0) this.#parts.push(this.#breaks > 0 ? "\n".repeat(this.#breaks) : this.#blank);
		this.#parts.push(content);
		this.#link += `${this.#blank}${content}`;
		this.#breaks = 0;
		this.#blank = "";
	}

	breakLine(): void {
		this.#breaks = Math.min(this.#breaks + 1, 2);
		this.#blank = "";
	}

	startBlock(breaks: number): void {
		if (breaks === 0) return;
		this.#breaks = Math.max(this.#breaks, breaks);
		this.#blank = "";
	}

	startCell(): void {
		if (this.#breaks === 0) this.#blank = "\t";
	}

	startLink(): void {
		this.#link = "";
	}

	/** The address of a link, unless the text says it. */
	addAddress(href: string): void {
		const [, scheme, address = ""] = /^\s*(mailto:|(?=https?:\/\/))(\S*)/i.exec(href) ?? [];
		const label = this.#link.trim().toLowerCase();
		const plain = (url: string) => url.toLowerCase().replace(/^https?:\/\/|\/$/g, "");
		if (scheme === undefined || plain(label) === plain(address)) return;
		const blank = this.#blank;
		this.#blank = " ";
		this.#write(`(${address.slice(0, maxAddressLength)})`);
		this.#blank = blank;
	}

	toString(): string {
		return this.#parts.join("");
	}
}
