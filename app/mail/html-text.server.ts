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
	...["fieldset", "legend", "figure", "figcaption", "caption", "thead", "tbody", "tfoot", "option", "details", "summary"].map(
		(name) => [name, 1] as const,
	),
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
	let value = "";
	let attributes = new Map<string, string>();
	let hidden: string | null = null;
	let href: string | undefined;
	const addText = (added: string) => hidden === null && text.add(added);
	const closeLink = () => {
		if (href !== undefined) text.addAddress(href);
		href = undefined;
	};
	const startBlock = (name: string) => {
		if (name === "tr" || name === "table") text.startRow();
		text.startBlock(blocks.get(name) ?? 0);
	};
	const openTag = () => {
		if (hidden !== null) return;
		if (hiddenElements.has(tag)) hidden = tag;
		else if (tag === "br") text.breakLine();
		else if (tag === "td" || tag === "th") text.startCell();
		else if (tag === "img") text.add(attributes.has("alt") ? ` ${attributes.get("alt")} ` : "");
		else if (tag === "a") {
			closeLink();
			href = attributes.get("href");
			text.startLink();
		} else startBlock(tag);
		if (tag === "li") text.startItem();
		if (tag === "pre") text.isPreformatted = true;
	};
	const closeTag = (name: string) => {
		if (hidden !== null) {
			if (hidden === name) hidden = null;
			return;
		}
		if (name === "a") closeLink();
		if (name === "pre") text.isPreformatted = false;
		if (name === "li" || name === "ul" || name === "ol") text.endItem();
		startBlock(name);
	};
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
				value = "";
			},
			onattribdata(start, end) {
				value += source.slice(start, end);
			},
			onattribentity(codePoint) {
				value += String.fromCodePoint(codePoint);
			},
			onattribend() {
				// of two with one name, the first
				if (!attributes.has(attribute)) attributes.set(attribute, value);
			},
			onopentagend: openTag,
			onselfclosingtag: openTag,
			onclosetag: (start, end) => closeTag(source.slice(start, end).toLowerCase()),
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

const itemMark = "- ";

/** Collects text in lines. Blanks are one blank, except in preformatted text. */
class TextLines {
	isPreformatted = false;
	readonly #parts: string[] = [];
	/** Line breaks before the next text. */
	#breaks = 0;
	/** The blank before the next text. */
	#blank = "";
	/** What stands before the next text on its line: the tabs of cells, the mark of an item. Until then, no block begins a line. */
	#lead = "";
	#cells = 0;
	/** The number of parts before the row. */
	#rowStart = 0;
	/** The text of the link since its beginning. */
	#link = "";

	add(text: string): void {
		if (this.isPreformatted) {
			// a line break right after <pre> is none
			this.#write(this.#breaks > 0 ? text.replace(/^\n/, "") : text);
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
		const gap = this.#breaks > 0 ? "\n".repeat(this.#breaks) : this.#lead === "" ? this.#blank : "";
		if (this.#parts.length !== 0) this.#parts.push(gap);
		this.#parts.push(this.#lead, content);
		this.#link += `${this.#blank}${content}`;
		this.#breaks = 0;
		this.#blank = "";
		this.#lead = "";
	}

	breakLine(): void {
		this.startBlock(Math.min(this.#breaks + 1, 2));
	}

	startBlock(breaks: number): void {
		if (breaks === 0 || this.#lead !== "") return;
		this.#breaks = Math.max(this.#breaks, breaks);
		this.#blank = "";
	}

	/** Also at the end of a row, and of a table: the cell around it goes on below. */
	startRow(): void {
		this.#lead = "";
		this.#cells = 0;
		this.#rowStart = this.#parts.length;
	}

	startCell(): void {
		if (this.#cells++ === 0) return;
		if (this.#parts.length !== this.#rowStart) this.#breaks = 0;
		this.#blank = "";
		this.#lead += "\t";
	}

	startItem(): void {
		this.endItem();
		this.#lead += itemMark;
	}

	/** An item without text has no mark. */
	endItem(): void {
		this.#lead = this.#lead.replace(itemMark, "");
	}

	startLink(): void {
		this.#link = "";
	}

	/** The address of a link, unless the text says it. */
	addAddress(href: string): void {
		const [, scheme, address = ""] = /^\s*(mailto:|(?=https?:\/\/))(\S*)/i.exec(href) ?? [];
		const label = this.#link.trim();
		const plain = (url: string) => url.toLowerCase().replace(/^https?:\/\/|\/$|(?<=@[^?]*)\?.*$/g, "");
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
