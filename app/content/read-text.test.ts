import { expect, test } from "vitest";
import { readText } from "./read-text.ts";

const readPage = (body: string, head = "title: Essai\ndescription: Une page d’essai.") => readText(`---\n${head}\n---\n\n${body}\n`);

test("parses the head and the sections of a file", () => {
	expect(
		readPage(
			"Bonjour {shopName}.\n\n## Prix {#prix}\n\nCela coûte **peu** : [voir](/tarifs).\n\n### Détail\n\n- un\n- deux\n\n1. d’abord\n2. ensuite",
		),
	).toEqual({
		title: "Essai",
		description: "Une page d’essai.",
		heading: "Essai",
		lead: null,
		layout: "plain",
		parent: null,
		sells: null,
		drawing: null,
		action: null,
		introduction: ["Bonjour {shopName}."],
		sections: [
			{
				anchor: "prix",
				heading: "Prix",
				content: [
					["Cela coûte ", { strong: "peu" }, " : ", { link: "voir", url: "/tarifs" }, "."],
					{ heading: "Détail" },
					{ list: ["un", "deux"], numbered: false },
					{ list: ["d’abord", "ensuite"], numbered: true },
				],
			},
		],
	});
});

test("parses a table with its caption, a quotation, and a part", () => {
	expect(
		readPage(
			"Tableau : Les prix\n\n| Service | Prix |\n|---|---|\n| {expressName} | {expressPrice} |\n\n> Madame,\n>\n> Monsieur,\n\n{{offers}}",
		).introduction,
	).toEqual([
		{ table: { caption: "Les prix", columns: ["Service", "Prix"], rows: [["{expressName}", "{expressPrice}"]] } },
		{ quote: ["Madame,", "Monsieur,"] },
		{ part: "offers" },
	]);
});

test("parses a table that follows a heading", () => {
	const table = { caption: "A", columns: ["A"], rows: [["b"]] };
	expect(readPage("## Prix {#prix}\n\nTableau : A\n\n| A |\n|---|\n| b |").sections[0]?.content).toEqual([{ table }]);
});

test("gives a part the table that follows it, and a page its drawing", () => {
	const text = readPage("{{kbis}}\n\nTableau : A\n\n| A |\n|---|\n| b |", "title: A\ndescription: B\ndrawing: seal");
	expect(text.introduction).toEqual([{ part: "kbis", table: { caption: "A", columns: ["A"], rows: [["b"]] } }]);
	expect(text.drawing).toBe("seal");
});

test("parses Windows line endings and a byte order mark", () => {
	expect(readText("\ufeff---\r\ntitle: A\r\ndescription: B\r\n---\r\nUne phrase\r\nqui continue.\r\n")).toEqual(
		readText("---\ntitle: A\ndescription: B\n---\nUne phrase\nqui continue.\n"),
	);
});

test("joins the lines of a paragraph", () => {
	expect(readPage("Une phrase\nqui continue.").introduction).toEqual(["Une phrase qui continue."]);
});

test.each([
	["no head", () => readText("Bonjour."), "begins with its title"],
	["an unknown line in the head", () => readPage("", "title: A\ncouleur: bleu"), "« couleur: bleu » is not one of"],
	["a line of the head without a name", () => readPage("", "title: A\nbleu"), "« bleu » is not one of"],
	["no description", () => readPage("", "title: A"), "has no description"],
	["an unknown layout", () => readPage("", "title: A\ndescription: B\nlayout: large"), "a layout is one of"],
	["a heading of another level", () => readPage("## Prix {#prix}\n\n#### Détail"), "« Détail »: a text has headings ## and ### only"],
	["an unknown drawing", () => readPage("", "title: A\ndescription: B\ndrawing: lion"), "a drawing is one of"],
	["a heading without its anchor", () => readPage("## Prix"), "« ## Prix » has no {#anchor}"],
	["a table without its caption", () => readPage("| A |\n|---|\n| b |"), "has no caption"],
	["HTML", () => readPage("<div>bloc</div>"), "cannot hold this: <div>"],
	["HTML within a sentence", () => readPage("Un mot <b>fort</b>."), "cannot hold this: <b>"],
	["code in a list", () => readPage("- un\n- `deux`"), "cannot hold this: `deux`"],
	["an image in a table", () => readPage("Tableau : A\n\n| A |\n|---|\n| ![b](/b.png) |"), "cannot hold this: ![b]"],
	["a nested list", () => readPage("- un\n  - deux"), "cannot hold this: - deux"],
	["struck-out words", () => readPage("Un ~~mot~~."), "cannot hold this: ~~mot~~"],
	["a line break", () => readPage("Un  \nmot."), "cannot hold this"],
	["a block of code", () => readPage("```\ncode\n```"), "cannot hold this: ```"],
	["emphasis", () => readPage("Un *mot*."), "cannot hold this: *mot*"],
	["a horizontal rule", () => readPage("un\n\n---\n\ndeux"), "cannot hold this"],
])("refuses %s with an explanation", (_, read, sentence) => {
	expect(read).toThrow(sentence);
});

test("blanks around the values of the head do not count", () => {
	expect(readPage("", "title: Essai  \ndescription:   Une page d’essai.")).toMatchObject({
		title: "Essai",
		description: "Une page d’essai.",
	});
});
