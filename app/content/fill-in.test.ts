import { expect, test } from "vitest";
import { formatSupportHours } from "../ui/french-spaces.ts";
import { fillIn } from "./fill-in.ts";

test("replaces variables at every depth", () => {
	const text = { heading: "Prix du {name}", content: ["{price} TTC", { list: ["{name}"] }] };
	expect(fillIn(text, { name: "Kbis", price: "39,00\u00a0€" })).toEqual({
		heading: "Prix du Kbis",
		content: ["39,00\u00a0€ TTC", { list: ["Kbis"] }],
	});
});

test("does not change values other than strings", () => {
	const content = { list: ["un"], numbered: false, lead: null, places: 2 };
	expect(fillIn(content, {})).toEqual(content);
});

test("throws for an unknown variable and lists the known ones", () => {
	expect(() => fillIn("{pirce}", { price: "39" })).toThrow("{pirce}; those that are: price");
});

test("sets French no-break spaces", () => {
	expect(fillIn("Le « droit » : lequel ? Celui de 20 % sous 14 jours", {})).toBe(
		"Le «\u00a0droit\u00a0»\u00a0: lequel\u00a0? Celui de 20\u00a0% sous 14\u00a0jours",
	);
});

test("inserts variables with links into sentences and lists", () => {
	const policies = ["Voyez « ", { link: "ceci", url: "/ceci" }, " »."];
	expect(fillIn({ list: ["{policies}", "Avant {day}. {policies}"], lead: { strong: "{day}" } }, { policies, day: "1er mai" })).toEqual({
		list: [
			["Voyez «\u00a0", { link: "ceci", url: "/ceci" }, "\u00a0»."],
			["Avant 1er\u00a0mai. Voyez «\u00a0", { link: "ceci", url: "/ceci" }, "\u00a0»."],
		],
		lead: { strong: "1er\u00a0mai" },
	});
});

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
