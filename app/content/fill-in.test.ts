import { expect, test } from "vitest";
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

test("keeps a sentence, a paragraph or a list item with a condition only while its variable is not empty", () => {
	const text = {
		content: ["{?on}Un paragraphe {name}.", "Toujours.{?on} Une phrase.{/on} Fin.", "{?off}Sinon.{/off}"],
		list: [["{?on}", { strong: "Un point" }, " et {name}"], "Un autre"],
		lead: "{?on}Une phrase.{/on}",
	};
	expect(fillIn(text, { on: "oui", off: "", name: "un nom" })).toEqual({
		content: ["Un paragraphe un nom.", "Toujours. Une phrase. Fin.", ""],
		list: [["", { strong: "Un point" }, " et un nom"], "Un autre"],
		lead: "Une phrase.",
	});
	expect(fillIn(text, { on: "", off: "oui", name: "un nom" })).toEqual({
		content: ["Toujours. Fin.", "Sinon."],
		list: ["Un autre"],
		lead: "",
	});
	expect(() => fillIn(["{?onn}Un point"], { on: "oui" })).toThrow("{onn}");
	expect(() => fillIn("Une {?onn}phrase{/onn}", { on: "oui" })).toThrow("{onn}");
});
