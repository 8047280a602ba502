import { expect, test } from "vitest";
import { listJoinedSpellings, listSameWords, listTokenVariants, tokenize } from "./tokens.ts";

test.each([
	["DANONE", ["danone"]],
	["Société Générale", ["societe", "generale"]],
	["L’Œuvre d'Ève", ["oeuvre", "eve"]],
	["L'OREAL", ["oreal"]],
	["AUJOURD'HUI", ["aujourd", "hui"]],
	["QU'IMPORTE", ["importe"]],
	["L 'ENA, D' APPUI", ["ena", "appui"]],
	["BUREAU D APPUI", ["bureau", "appui"]],
	["S A GARDIOL", ["sa", "gardiol"]],
	["McDonald’s France", ["mcdonalds", "france"]],
	["S.N.C.F.", ["sncf"]],
	["S.A GARDIOL", ["sa", "gardiol"]],
	["A S.N.C.F.", ["a", "sncf"]],
	["J.C.DECAUX", ["jc", "decaux"]],
	["ETABLISSEMENTS A. PORQUET", ["etablissements", "a", "porquet"]],
	["25 RUE J.JAURES", ["25", "rue", "j", "jaures"]],
	["S A R L MARTIN", ["sarl", "martin"]],
	["H&M", ["h", "et", "m"]],
	["HENNES & MAURITZ", ["hennes", "et", "mauritz"]],
	["CANAL+", ["canal", "plus"]],
	["Saint-Gobain", ["saint", "gobain"]],
	["N°26 AU N°30", ["n", "26", "au", "n", "30"]],
	["ŌSAKA ﬁlms Straße", ["osaka", "films", "strasse"]],
	["ACME™ №5 𝐃75 Ǿre", ["acmetm", "no5", "d75", "ore"]],
	["ΑΘΗΝΑ Москва", ["αθηνα", "москва"]],
	[":*&|!()<->'\\+", []],
	["C++ & Co", ["c", "plus", "co"]],
	["", []],
])("splits « %s » into tokens", (text, expected) => {
	expect(tokenize(text)).toEqual(expected);
});

test("cuts a long word", () => {
	expect(tokenize("x".repeat(10_000))).toEqual(["x".repeat(40)]);
});

test.each([
	["L'OREAL", ["loreal"]],
	["L OREAL", ["loreal"]],
	["H&M", ["hm"]],
	["ST GOBAIN", ["saint"]],
	["COMPAGNIE DE SAINT-GOBAIN", ["cie", "st", "saintgobain"]],
	["CENTRE D'ANGERS", []],
	["SAINT-GOBAIN-DEVELOPPEMENT", ["st"]],
	["MCDONALD'S FRANCE", ["mcdonald", "mcdonalds"]],
	["BEA'S, O'S", ["bea", "beas", "os"]],
	["DANONE", []],
])("lists the variants of « %s »", (text, expected) => {
	expect(listTokenVariants(text)).toEqual([...tokenize(text), ...expected]);
});

test.each<[text: string, expected: Record<string, string[]>]>([
	["D'ART", { art: ["dart"] }],
	["METIERS D ART", { art: ["dart"] }],
	["D'ART 2", { art: ["dart"] }],
	["TETE D OR", { d: ["dor"], or: ["dor"] }],
	["L’Oréal", { oreal: ["loreal"] }],
	["n'guyen", { guyen: ["nguyen"] }],
	["N GUYEN", { n: ["nguyen"], guyen: ["nguyen"] }],
	["O'Brien", { o: ["obrien"], brien: ["obrien"] }],
	["o brien", { o: ["obrien"], brien: ["obrien"] }],
	["CLEM'IMMO", { clem: ["clemimmo"], immo: ["clemimmo"] }],
	["aujourd hui", { aujourd: ["aujourdhui"], hui: ["aujourdhui"] }],
	["CAROLE'S STUDIO", {}],
	["carole s studio", { carole: ["caroles"], s: ["caroles"] }],
	["mc donald s", { mc: ["mcdonald", "mcdonalds"], donald: ["mcdonald", "mcdonalds", "donalds"], s: ["mcdonalds", "donalds"] }],
	["M ET S", {}],
	["MC 21", {}],
	["S A R L MARTIN", {}],
	["SAINT GOBAIN 2", {}],
])("lists the joined spellings of « %s »", (text, expected) => {
	expect(Object.fromEntries([...listJoinedSpellings(text)].map(([word, joined]) => [word, [...joined]]))).toEqual(expected);
});

test.each([
	["trois", ["3"]],
	["3", ["trois"]],
	["and", ["et"]],
	["et", ["and"]],
	["macdonald", ["mcdonald"]],
	["mckenzie", ["mackenzie"]],
	["mac", []],
	["mcd", []],
	["un", []],
])("« %s » is also written %j", (word, others) => {
	expect(listSameWords(word)).toEqual(others);
});

test("omits long joined spellings", () => {
	expect(listJoinedSpellings(`${"x".repeat(40)}'s'${"y".repeat(10_000)}`).size).toBe(0);
	expect(Math.max(...[...listJoinedSpellings("mc ".repeat(10_000)).values()].map(({ size }) => size))).toBeLessThan(30);
});
