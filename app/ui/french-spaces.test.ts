import { globSync, readFileSync } from "node:fs";
import { parseSync, Visitor } from "oxc-parser";
import { expect, test } from "vitest";
import { formatSupportHours, setFrenchSpaces } from "./french-spaces.ts";

/**
 * Files without texts for the pages of the shop: tests, SQL and patterns, the operator’s terminal and imports, the worker's program,
 * errors of a developer, the lines of invoices and of typed lists.
 */
const otherFiles =
	/\.test\.|\.store\.server\.ts$|^app\/(commands|fulfilment\/extracts|companies\/(registry|bulletin\/import))\/|\/(arrondissements|lexemes|read-issue|read-text|service-worker|text|read-list|typed-lines|order-emails|invoice-draft\.server)\.ts$/;

/** Texts whose spaces setFrenchSpaces sets on their way: Markdown variables, e-mails. */
const setLater =
	/^app\/(content\/kbis-need|mail)\/|^app\/emails\/[^/]+$|\/(claims|variables|comparison|newsletter-emails|link-emails|(forward-message|send-link|deliver-alert-mail|send-order-numbers)\.server)\.tsx?$/;

const sources = globSync("app/**/*.{ts,tsx}").filter((path) => !otherFiles.test(path) && !setLater.test(path));

/** The strings of a source and the texts of its elements. A value in them is written « 0 », like a number before its unit. */
function listSentences(path: string): string[] {
	const source = readFileSync(path, "utf8");
	const sentences: string[] = [];
	new Visitor({
		Literal: ({ value }) => void (typeof value === "string" && sentences.push(value)),
		TemplateLiteral: ({ quasis }) => void sentences.push(quasis.map(({ value }) => value.cooked).join("0")),
		JSXElement: ({ children }) => void sentences.push(joinChildren(children)),
		JSXFragment: ({ children }) => void sentences.push(joinChildren(children)),
	}).visit(parseSync(path, source).program);
	return sentences;
}

type Child = { type: string; value?: unknown; expression?: unknown };

function joinChildren(children: readonly Child[]): string {
	const texts = children.map(({ type, value, expression }) => {
		if (type === "JSXText") return String(value).replaceAll("&nbsp;", "\u00a0");
		const literal = (expression as { value?: unknown } | undefined)?.value;
		return typeof literal === "string" ? literal : "0";
	});
	return texts.join("").replace(/[ \t\n]+/g, " ");
}

test.each(sources)("%s has the no-break spaces of French typography", (path) => {
	const breakable = listSentences(path).filter((sentence) => setFrenchSpaces(sentence) !== sentence);
	expect(breakable).toEqual([]);
});

test.each(sources.filter((path) => path.endsWith(".tsx")))(
	"%s has no escape where JSX reads none: in the value of an attribute",
	(path) => {
		const escaped: unknown[] = [];
		new Visitor({
			JSXAttribute: ({ value }) => void (value?.type === "Literal" && String(value.value).includes("\\u") && escaped.push(value.value)),
		}).visit(parseSync(path, readFileSync(path, "utf8")).program);
		expect(escaped).toEqual([]);
	},
);

test.each([
	["7j/7, 8h-20h", "7 j/7, de 8 h à 20 h"],
	["du lundi au samedi, 9h-19h", "du lundi au samedi, de 9 h à 19 h"],
	["du lundi au vendredi, 9h30-12h et 14h-17h45", "du lundi au vendredi, de 9 h 30 à 12 h et de 14 h à 17 h 45"],
	["5j/7, 09h–18h", "5 j/7, de 9 h à 18 h"],
	["du lundi au vendredi, de 9 h à 18 h", "du lundi au vendredi, de 9 h à 18 h"],
	["24h/24", "24h/24"],
])("%s reads %s", (hours, sentence) => {
	expect(formatSupportHours(hours).replaceAll("\u00a0", " ")).toBe(sentence);
});

test.each([
	["Lequel ? Celui-ci : « oui » !", "Lequel_? Celui-ci_: «_oui_»_!"],
	["39,00 € et 20 % ; n° 12, N° 13", "39,00_€ et 20_%_; n°_12, N°_13"],
	["le 1er mai, 12 mois, 2 jours, 1 an", "le 1er_mai, 12_mois, 2_jours, 1_an"],
	["14 h, 2 heures, 5 minutes", "14_h, 2_heures, 5_minutes"],
	["10 rue des Tests, 2 h-bombes", "10 rue des Tests, 2 h-bombes"],
])("the spaces of « %s » are those of French", (text, spaced) => {
	expect(setFrenchSpaces(text).replaceAll("\u00a0", "_")).toBe(spaced);
});
