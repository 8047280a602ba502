import { expect, test } from "vitest";
import { readText } from "./read-text.ts";

const page = (body: string, head = "title: Essai\ndescription: Une page d’essai.") => readText(`---\n${head}\n---\n\n${body}\n`);

test("a file says what it is, then what it has to say", () => {
	expect(
		page(
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

test("a table has the caption above it, a letter its lines, and a part stands alone", () => {
	expect(
		page(
			"Tableau : Les prix\n\n| Service | Prix |\n|---|---|\n| {expressName} | {expressPrice} |\n\n> Madame,\n>\n> Monsieur,\n\n{{offers}}",
		).introduction,
	).toEqual([
		{ table: { caption: "Les prix", columns: ["Service", "Prix"], rows: [["{expressName}", "{expressPrice}"]] } },
		{ quote: ["Madame,", "Monsieur,"] },
		{ part: "offers" },
	]);
});

test("a file from Windows reads the same", () => {
	expect(readText("\ufeff---\r\ntitle: A\r\ndescription: B\r\n---\r\nUne phrase\r\nqui continue.\r\n")).toEqual(
		readText("---\ntitle: A\ndescription: B\n---\nUne phrase\nqui continue.\n"),
	);
});

test("a paragraph may be written on several lines", () => {
	expect(page("Une phrase\nqui continue.").introduction).toEqual(["Une phrase qui continue."]);
});

test.each([
	["no head", () => readText("Bonjour."), "begins with its title"],
	["a line nobody knows", () => page("", "title: A\ncouleur: bleu"), "« couleur: bleu » is not one of"],
	["no description", () => page("", "title: A"), "has no description"],
	["a layout nobody knows", () => page("", "title: A\ndescription: B\nlayout: large"), "a layout is one of"],
	["a heading without its anchor", () => page("## Prix"), "« Prix » has no {#anchor}"],
	["a table without its caption", () => page("| A |\n|---|\n| b |"), "has no caption"],
	["HTML", () => page("<div>bloc</div>"), "cannot hold this: <div>"],
	["HTML within a sentence", () => page("Un mot <b>fort</b>."), "cannot hold this: <b>"],
	["a programmer’s words, in a list", () => page("- un\n- `deux`"), "cannot hold this: `deux`"],
	["an image, in a table", () => page("Tableau : A\n\n| A |\n|---|\n| ![b](/b.png) |"), "cannot hold this: ![b]"],
	["a list within a list", () => page("- un\n  - deux"), "cannot hold this: - deux"],
	["emphasis, which pages do not show", () => page("Un *mot*."), "cannot hold this: *mot*"],
	["a rule", () => page("un\n\n---\n\ndeux"), "cannot hold this"],
])("%s is refused in a sentence", (_, read, sentence) => {
	expect(read).toThrow(sentence);
});
