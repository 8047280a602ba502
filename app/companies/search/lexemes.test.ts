import { describe, expect, test } from "vitest";
import {
	alternativeQueries,
	createLexemes,
	filterQuery,
	hashName,
	keyQueries,
	noFilters,
	parseQueryWords,
	postFilterQuery,
	prefixQueries,
	removeFormWords,
	toQueryWords,
	wordQueries,
} from "./lexemes.ts";
import { tokenize } from "./tokens.ts";

const key = (name: string) => hashName(tokenize(name));

describe("the lexemes of a company", () => {
	test.each([
		["Danone", "danone Pda Pdan Pdano"],
		["Air", "air Pai Pair"],
		["X2", "x2 Px2"],
		["A", "a"],
		["75009", "75009"],
		["METIERS D ART", "metiers Pme Pmet Pmeti art Par Part dart Pdart"],
		["TETE D'ORGUE", "tete Pte Ptet Ptete orgue Por Porg Porgu dorgue"],
		["𝒟𝒜", "da Pda"],
		["𐐷𐐷𐐷𐐷", "𐐷𐐷𐐷𐐷 P𐐷𐐷 P𐐷𐐷𐐷 P𐐷𐐷𐐷𐐷"],
	])("called « %s » are %s", (name, lexemes) => {
		expect(createLexemes([name])).toBe(lexemes);
	});

	test("are there once, whatever repeats them, and none of nothing", () => {
		expect(createLexemes(["SNCF", "S.N.C.F.", null, "", "SNCF"])).toBe("sncf Psn Psnc Psncf");
		expect(createLexemes([null])).toBe("");
	});
});

describe("a whole name", () => {
	test("is the same with or without its legal form, but not in another order or cut otherwise", () => {
		for (const same of ["Martin", "MARTIN SARL", "sas martin", "S.A.R.L. MARTIN"]) expect(key(same)).toBe(key("MARTIN"));
		for (const other of ["MARTI", "MARTIN FRERES", "MAR TIN"]) expect(key(other)).not.toBe(key("MARTIN"));
		expect(key("JEAN MARTIN")).not.toBe(key("MARTIN JEAN"));
	});

	test("may be a word of a legal form", () => {
		expect(removeFormWords(["sa"])).toEqual(["sa"]);
		expect(key("SA")).not.toBe(key("SAS"));
		expect(removeFormWords(["danone", "sa"])).toEqual(["danone"]);
	});
});

describe("a query", () => {
	const asked = (query: string) => {
		const list = parseQueryWords(query);
		return { prefixes: prefixQueries(list), keys: keyQueries(list), others: alternativeQueries(list), beside: postFilterQuery(list) };
	};

	test.each([
		["danone", ["'danone':*"]],
		["dano", ["'Pdano'"]],
		["dan", ["'Pdan'"]],
		["da", ["'Pda'"]],
		["d", ["'d':*"]],
		["7", ["'7':*"]],
		["75009", ["'75009':*"]],
		// only the last word may be as short as typed, and only the last number begun
		["la poste", ["'la'", "'poste':*"]],
		["poste la", ["'poste':*", "'Pla'"]],
		["75009 danone", ["'75009'", "'danone':*"]],
		["danone 750", ["'danone':*", "'750':*"]],
		// a legal form stands for itself, or for the form
		["danone sas", ["'danone':*", "('Psas' | 'F1')"]],
		["danone sa", ["'danone':*", "('Psa' | 'F3')"]],
		["sa", ["'Psa'"]],
	])("« %s » asks for %j", (query, prefixes) => {
		expect(asked(query)).toMatchObject({ prefixes, beside: null });
	});

	test("looks beside for what up to a third of all companies have: a last letter, one or two digits, a town's department", () => {
		expect(asked("danone d")).toMatchObject({ prefixes: ["'danone':*", ""], beside: "'d':*" });
		expect(asked("danone 75")).toMatchObject({ prefixes: ["'danone':*", ""], beside: "'75':*" });
		expect(asked("marseille 13 delessert")).toMatchObject({ prefixes: ["'marseille':*", "", "'delessert':*"], beside: "'13':*" });
		expect(asked("d danone")).toMatchObject({ beside: null, prefixes: ["'d'", "'danone':*"] });
	});

	test("of an arrondissement asks for its postal code, too", () => {
		expect(asked("danone paris 8")).toMatchObject({ prefixes: ["'danone':*", "'paris':*", "'8'"], beside: null });
		expect(asked("danone paris 8").others[2]).toMatch(/^\('75008':?\*? \| /);
		expect(asked("danone").others).toEqual([null]);
	});

	test("asks for the first letters of each word that has more", () => {
		expect(asked("danone dano 75009").keys).toEqual(["'Pdano'", null, null]);
	});

	test("is of twelve words at most", () => {
		expect(parseQueryWords("mot ".repeat(30)).length).toBe(12);
	});

	test("quotes what it asks for, whatever that holds", () => {
		// no word holds such a sign (words.ts): this is the net behind
		const odd = toQueryWords(["l'a\\b"]);
		expect(wordQueries(odd)).toEqual(["'l''a\\\\b'"]);
		expect(prefixQueries(odd)).toEqual(["'l''a\\\\b':*"]);
	});
});

describe("filters", () => {
	test.each([
		[{}, ""],
		[{ departement: "75" }, "'D75'"],
		[{ formes: ["SNC"] }, "'F4'"],
		[{ formes: ["SAS"] }, "('F1' & !'X1')"],
		[{ formes: ["SASU"] }, "('F1' & !'X0')"],
		[{ formes: ["SARL"] }, "('F2' & !'X1')"],
		[{ formes: ["EURL"] }, "('F2' & !'X0')"],
		[{ formes: ["SA", "SNC"] }, "('F3' | 'F4')"],
		[{ secteur: "commerce" }, "'SG'"],
		[{ secteur: "services-aux-entreprises" }, "('SM' | 'SN')"],
		[{ departement: "2A", formes: ["SNC"] }, "'D2AF4'"],
		[{ departement: "2A", secteur: "commerce" }, "'D2ASG'"],
		[{ formes: ["SNC"], secteur: "commerce" }, "'F4SG'"],
		[{ formes: ["SNC", "SAS"], secteur: "services-aux-entreprises" }, "('F4SM' | 'F4SN' | ('F1SM' & !'X1') | ('F1SN' & !'X1'))"],
		[{ departement: "75", formes: ["SNC", "SA"], secteur: "commerce" }, "('D75F4' | 'D75F3') & 'D75SG'"],
	] as const)("%j ask for %s", (filters, query) => {
		expect(filterQuery({ ...noFilters, ...filters } as typeof noFilters)).toBe(query);
	});
});
