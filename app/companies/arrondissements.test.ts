import { expect, test } from "vitest";
import { formatTown, isDepartmentOfCity, listArrondissementWords } from "./arrondissements.ts";

/** Returns the words of a query that name an arrondissement, with its postal code. */
const findArrondissementWords = (query: string) =>
	listArrondissementWords(query.split(" ")).flatMap(([postalCode], place) => (postalCode ? [[query.split(" ")[place], postalCode]] : []));

test.each([
	["paris 8", [["8", "75008"]]],
	["paris 08", [["08", "75008"]]],
	["boulangerie paris 11e", [["11e", "75011"]]],
	["paris 8eme danone", [["8eme", "75008"]]],
	[
		"paris 8 eme",
		[
			["8", "75008"],
			["eme", "75008"],
		],
	],
	[
		"paris 8e arrondissement",
		[
			["8e", "75008"],
			["arrondissement", "75008"],
		],
	],
	[
		"8e arrondissement de paris",
		[
			["8e", "75008"],
			["arrondissement", "75008"],
			["de", "75008"],
		],
	],
	["2e lyon", [["2e", "69002"]]],
	["paris viii", [["viii", "75008"]]],
	["paris xe", [["xe", "75010"]]],
	["lyon 1er", [["1er", "69001"]]],
	["lyon 9eme", [["9eme", "69009"]]],
	["marseille 16", [["16", "13016"]]],
	["marseille 13e", [["13e", "13013"]]],
])("« %s » names an arrondissement", (query, expected) => {
	expect(findArrondissementWords(query)).toEqual(expected);
});

test.each([
	"paris 21",
	"paris 0",
	"lyon 10",
	"lyon 69",
	"marseille 13",
	"paris 75",
	"paris 75008",
	"paris x",
	"paris vie",
	"bordeaux 8",
	"etam 8",
	"8 paris",
])("« %s » names no arrondissement", (query) => {
	expect(findArrondissementWords(query)).toEqual([]);
});

test("lists the postal codes and spellings of an arrondissement; the 16th of Paris has two postal codes", () => {
	expect(listArrondissementWords(["paris", "16"])[1]).toEqual(["75016", "75116", "16", "16e", "16eme", "xvi"]);
	expect(listArrondissementWords(["marseille", "13e"])[1]).toEqual(["13013", "13e", "13eme", "xiii"]);
	expect(listArrondissementWords(["lyon", "1er"])[1]).toEqual(["69001", "1", "01", "1e", "1er"]);
});

test("recognises the department number after its city", () => {
	expect(["paris", "lyon", "marseille"].map((town) => isDepartmentOfCity("13", town))).toEqual([false, false, true]);
	expect(isDepartmentOfCity("13", undefined)).toBe(false);
});

test.each([
	["Paris", "75009", "Paris\u00a09e"],
	["Paris", "75001", "Paris\u00a01er"],
	["Paris", "75116", "Paris\u00a016e"],
	["Paris", "75021", "Paris"],
	["Paris", "75379", "Paris"],
	["Paris", null, "Paris"],
	["Lyon", "69009", "Lyon\u00a09e"],
	["Lyon", "69010", "Lyon"],
	["Lyon", "75009", "Lyon"],
	["Marseille", "13016", "Marseille\u00a016e"],
	["Toulon", "83000", "Toulon"],
	["Villeurbanne", "69100", "Villeurbanne"],
])("the town %s with the postal code %s is « %s »", (town, postalCode, text) => {
	expect(formatTown(town, postalCode)).toBe(text);
});
