import { expect, test } from "vitest";
import { fillIn, splitInline } from "./text.ts";

test("values take the place of their names, wherever they stand", () => {
	const text = { heading: "Prix du {name}", content: ["{price} TTC", { list: ["{name}"] }] };
	expect(fillIn(text, { name: "Kbis", price: "39,00\u00a0€" })).toEqual({
		heading: "Prix du Kbis",
		content: ["39,00\u00a0€ TTC", { list: ["Kbis"] }],
	});
});

test("a name that does not exist stops at once, and says which do", () => {
	expect(() => fillIn("{pirce}", { price: "39" })).toThrow("{pirce}; those that are: price");
});

test("French spaces are unbreakable", () => {
	expect(fillIn("Le « droit » : lequel ? Celui de 20 % sous 14 jours", {})).toBe(
		"Le «\u00a0droit\u00a0»\u00a0: lequel\u00a0? Celui de 20\u00a0% sous 14\u00a0jours",
	);
});

test("a sentence is split at its links and strong words", () => {
	expect(splitInline("**Ici** : [écrivez](mailto:a@b.fr), puis [lisez](#lire).")).toEqual([
		{ strong: "Ici" },
		" : ",
		{ words: "écrivez", href: "mailto:a@b.fr" },
		", puis ",
		{ words: "lisez", href: "#lire" },
		".",
	]);
	expect(splitInline("Rien à voir.")).toEqual(["Rien à voir."]);
});
