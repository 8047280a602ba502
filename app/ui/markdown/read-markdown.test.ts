import { expect, test } from "vitest";
import { lexBlocks, type MarkdownRules, readBlock, readSentence } from "./read-markdown.ts";
import { listLinks, type RichText, toPlainText } from "./rich-text.ts";

/** Creates a reader that collects refused tokens. */
function createReader(rules: Omit<MarkdownRules, "refuse"> = {}) {
	const refused: [string, string][] = [];
	const all: MarkdownRules = { ...rules, refuse: (place, { raw }) => void refused.push([place, raw]) };
	return {
		refused,
		blocks: (source: string) => lexBlocks(source).map((token) => readBlock(token, all)),
		sentence: (source: string) => readSentence(source, all),
	};
}
const readBlocks = (source: string) => createReader().blocks(source);
const read = (sentence: string) => createReader().sentence(sentence);

test("splits a sentence at its links and strong words", () => {
	expect(read("**Ici** : [écrivez](mailto:a@b.fr), puis [lisez](#lire).")).toEqual([
		{ strong: "Ici" },
		" : ",
		{ link: "écrivez", url: "mailto:a@b.fr" },
		", puis ",
		{ link: "lisez", url: "#lire" },
		".",
	]);
	expect(read("Rien à voir.")).toBe("Rien à voir.");
	expect(read("[Commander](/commande)")).toEqual({ link: "Commander", url: "/commande" });
	expect(read("[notre **guide**](/guide-kbis)")).toEqual({ link: ["notre ", { strong: "guide" }], url: "/guide-kbis" });
	expect(read("")).toBe("");
});

test("unclosed marks, URLs and e-mail addresses are plain text", () => {
	for (const sentence of ["Rayez la mention inutile (*).", "2 < 3 & 4", "Voyez https://guide.example/a ou ada@shop.example."])
		expect(read(sentence)).toBe(sentence);
	expect(read("Je/nous (\\*) vous notifie/notifions (\\*)")).toBe("Je/nous (*) vous notifie/notifions (*)");
});

test("reads paragraphs, headings and lists, and quotations line by line", () => {
	expect(readBlocks("\ufeff# Un *titre*\r\n\r\nUne phrase\r\nqui **con\r\ntinue**.")).toEqual([
		{ heading: "Un titre" },
		["Une phrase qui ", { strong: "con tinue" }, "."],
	]);
	expect(readBlocks("- un\n- [deux](/deux)\n\n  et trois\n\n1. quatre")).toEqual([
		{ list: ["un", [{ link: "deux", url: "/deux" }, " et trois"]], numbered: false },
		{ list: ["quatre"], numbered: true },
	]);
	expect(readBlocks("> Madame,\n> [lisez](/cgv) ceci\n>\n> Fin")).toEqual([
		{ quote: ["Madame,", [{ link: "lisez", url: "/cgv" }, " ceci"], "Fin"] },
	]);
});

test("refuses HTML, code, tables, images and nested lists, and reads the rest", () => {
	const { refused, blocks } = createReader();
	expect(blocks("<div>bloc</div>\n\n```\ncode\n```\n\n| a |\n|---|\n| b |\n\nUn <b>mot</b> ![chat](chat.png)\n\n- un\n  - deux")).toEqual([
		...[null, null, null],
		"Un mot",
		{ list: ["un"], numbered: false },
	]);
	expect(refused).toEqual([
		["block", "<div>bloc</div>"],
		["block", "```\ncode\n```"],
		["block", "| a |\n|---|\n| b |"],
		["inline", "<b>"],
		["inline", "</b>"],
		["inline", "![chat](chat.png)"],
		["inline", "- deux"],
	]);
});

test("rules can forbid more tokens and resolve links", () => {
	const { refused, sentence } = createReader({
		forbidden: ["em"],
		resolveUrl: (url) => (url.startsWith("/") ? `https://shop.example${url}` : null),
	});
	expect(sentence("*mot* [ici](/cgv) [là](javascript:alert(1))")).toEqual([{ link: "ici", url: "https://shop.example/cgv" }, " là"]);
	expect(refused).toEqual([
		["inline", "*mot*"],
		["link", "[là](javascript:alert(1))"],
	]);
});

test("converts rich text to plain text, and lists its links in reading order", () => {
	const text: RichText = ["Lisez ", { strong: ["ce ", { link: "guide", url: "/a" }] }, " et ", { link: { strong: "ceci" }, url: "/b" }];
	expect(toPlainText(text)).toBe("Lisez ce guide et ceci");
	expect(listLinks(text).map(({ url }) => url)).toEqual(["/a", "/b"]);
});
