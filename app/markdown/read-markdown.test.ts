import { expect, test } from "vitest";
import { lexBlocks, type MarkdownRules, readBlock, readSentence } from "./read-markdown.ts";
import { listLinks, type RichText, toPlainText } from "./rich-text.ts";

/** Reads, and collects what is refused. */
function reader(rules: Omit<MarkdownRules, "refuse"> = {}) {
	const refused: [string, string][] = [];
	const all: MarkdownRules = { ...rules, refuse: (place, { raw }) => void refused.push([place, raw]) };
	return {
		refused,
		blocks: (source: string) => lexBlocks(source).map((token) => readBlock(token, all)),
		sentence: (source: string) => readSentence(source, all),
	};
}
const readBlocks = (source: string) => reader().blocks(source);
const read = (sentence: string) => reader().sentence(sentence);

test("a sentence is split at its links and strong words", () => {
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

test("what closes nothing, and an address written in full, are words", () => {
	for (const words of ["Rayez la mention inutile (*).", "2 < 3 & 4", "Voyez https://guide.example/a ou ada@shop.example."])
		expect(read(words)).toBe(words);
	expect(read("Je/nous (\\*) vous notifie/notifions (\\*)")).toBe("Je/nous (*) vous notifie/notifions (*)");
});

test("blocks: paragraphs, headings, lists, and quotations line by line", () => {
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

test("what no text may hold is refused, each in its place, and the rest is read", () => {
	const { refused, blocks } = reader();
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

test("a kind of text may forbid more, and say where links lead", () => {
	const { refused, sentence } = reader({
		forbidden: ["em"],
		resolveUrl: (url) => (url.startsWith("/") ? `https://shop.example${url}` : null),
	});
	expect(sentence("*mot* [ici](/cgv) [là](javascript:alert(1))")).toEqual([{ link: "ici", url: "https://shop.example/cgv" }, " là"]);
	expect(refused).toEqual([
		["inline", "*mot*"],
		["link", "[là](javascript:alert(1))"],
	]);
});

test("rich text as plain words, and its links in reading order", () => {
	const text: RichText = ["Lisez ", { strong: ["ce ", { link: "guide", url: "/a" }] }, " et ", { link: { strong: "ceci" }, url: "/b" }];
	expect(toPlainText(text)).toBe("Lisez ce guide et ceci");
	expect(listLinks(text).map(({ url }) => url)).toEqual(["/a", "/b"]);
});
