import { expect, test } from "vitest";
import { readIssue } from "./read-issue.ts";

const read = (content: string) => readIssue(content, "https://shop.example");
const readBlocks = (content: string) => {
	const issue = read(`# Objet\n\n${content}`);
	return issue.ok ? issue.email.blocks : issue.problems;
};
const readProblems = (content: string) => {
	const issue = read(content);
	return issue.ok ? [] : issue.problems;
};

test("the first heading is the subject, the first paragraph the preheader", () => {
	const content = `# Les *nouvelles* de novembre\r\n\r\nBonjour,\r\nvoici ${"tout ".repeat(40)}.\r\n\r\n## Ensuite\r\n\r\nFin.`;
	const issue = read(content);
	if (!issue.ok) throw new Error(issue.problems.join());
	expect(issue.content).toBe(content);
	expect(issue.email).toMatchObject({
		subject: "Les nouvelles de novembre",
		title: "Les nouvelles de novembre",
		preheader: expect.stringMatching(/^Bonjour, voici tout .*…$/),
	});
	expect(issue.email.preheader.length).toBeLessThanOrEqual(140);
	expect(issue.email.blocks.slice(1)).toEqual([{ heading: "Ensuite" }, "Fin."]);
});

test("a preheader has at most 140 characters, the last an ellipsis when it is cut", () => {
	const shown = (length: number) => {
		const issue = read(`# Objet\n\n## Un titre\n\n${"a".repeat(length)}`);
		return issue.ok ? issue.email.preheader : "";
	};
	expect([shown(140), shown(141)]).toEqual(["a".repeat(140), `${"a".repeat(139)}…`]);
});

test("a byte order mark is ignored", () => {
	const issue = read("\ufeff# Les **nouvelles**\n\nBonjour.");
	expect(issue).toMatchObject({ ok: true, email: { subject: "Les nouvelles" } });
});

test("a paragraph keeps its text and loses its emphasis", () => {
	expect(readBlocks("Un **mot** *fort*, un `code`, une étoile \\*,\nla suite & <3.")).toEqual([
		"Un mot fort, un code, une étoile *, la suite & <3.",
	]);
});

test("a link in a sentence is repeated below it; a link alone is not; an absolute URL stays unchanged", () => {
	expect(readBlocks("Lisez [notre **guide**](https://guide.example/a?b=1&c=2) et [commandez](/commande).")).toEqual([
		"Lisez notre guide et commandez.",
		{ link: "notre guide", url: "https://guide.example/a?b=1&c=2" },
		{ link: "commandez", url: "https://shop.example/commande" },
	]);
	expect(readBlocks("[Commander un extrait](/commande)")).toEqual([{ link: "Commander un extrait", url: "https://shop.example/commande" }]);
	expect(readBlocks("Voyez https://guide.example/a ou écrivez à ada@shop.example.")).toEqual([
		"Voyez https://guide.example/a ou écrivez à ada@shop.example.",
	]);
	expect(readBlocks("[Écrire](mailto:ada@shop.example)")).toEqual([{ link: "Écrire", url: "mailto:ada@shop.example" }]);
	expect(readBlocks("[Lire][1]\n\n[1]: https://guide.example/")).toEqual([{ link: "Lire", url: "https://guide.example/" }]);
});

test("ordered lists, unordered lists and quotations", () => {
	expect(readBlocks("- un\n- deux [liens](/commande)\n  et la suite\n\nFin")).toEqual([
		{ list: ["un", "deux liens et la suite"], numbered: false },
		{ link: "liens", url: "https://shop.example/commande" },
		"Fin",
	]);
	expect(readBlocks("1. un\n\n2. deux\n")).toEqual([{ list: ["un", "deux"], numbered: true }]);
	expect(readBlocks("> Première ligne\n> seconde\n>\n> autre")).toEqual([{ quote: ["Première ligne", "seconde", "autre"] }]);
	expect(readBlocks("avant\n\n---\n\naprès")).toEqual(["avant", "après"]);
});

test("unsupported elements are all refused at once, each quoted", () => {
	const problems = readProblems(
		"# Objet\n\n![chat](chat.png)\n\n<script>x</script>\n\n| a |\n|---|\n| 1 |\n\n```\ncode\n```\n\n- un\n  - deux\n",
	);
	expect(problems).toHaveLength(5);
	for (const [i, quoted] of ["![chat](chat.png)", "<script>", "| a |", "code", "- deux"].entries()) expect(problems[i]).toContain(quoted);
	expect(readProblems("# Objet\n\n[Cliquez](javascript:alert(1))")).toEqual([expect.stringContaining("[Cliquez](javascript:alert(1))")]);
	for (const address of ["data:text/html,x", "ftp://guide.example/", "http://"])
		expect(readProblems(`# Objet\n\n[Cliquez](${address})`), address).toHaveLength(1);
	expect(readProblems("# Objet\n\nUn <b>mot</b>")).toHaveLength(2);
});

test("an issue without a subject or without text is refused", () => {
	for (const content of ["", "Bonjour", "## Objet\n\nBonjour", "\n\n"])
		expect(readProblems(content), content).toEqual([expect.stringContaining("son objet")]);
	for (const content of ["# Objet", "# Objet\n\n---", "#\n\nBonjour"])
		expect(readProblems(content), content).toEqual(["Cette lettre est vide."]);
});
