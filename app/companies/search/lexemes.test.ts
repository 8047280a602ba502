import { describe, expect, test } from "vitest";
import {
	alternativeQueries,
	createLexemes,
	filterQuery,
	hashName,
	keyQueries,
	noFilters,
	parseQuery,
	postFilterQuery,
	prefixQueries,
	rankQueries,
	removeFormWords,
	toQueryWords,
	wordQueries,
} from "./lexemes.ts";

const key = hashName;

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
	])("with the name « %s » are %s", (name, lexemes) => {
		expect(createLexemes([name], "name").replaceAll(":1A", "")).toBe(lexemes);
	});

	test("have a weight for each whole word of a name, a trade name or a place", () => {
		expect(createLexemes(["Danone"], "name")).toBe("danone:1A Pda Pdan Pdano");
		expect(createLexemes(["Danone", "D'ART"], "trade")).toBe("danone:1B Pda Pdan Pdano art:1B Par Part dart:1B Pdart");
		expect(createLexemes(["PARIS", "75009"], "place")).toBe("paris:1 Ppa Ppar Ppari 75009:1");
	});

	test("are unique, and absent for empty texts", () => {
		expect(createLexemes(["SNCF", "S.N.C.F.", null, "", "SNCF"], "trade")).toBe("sncf:1B Psn Psnc Psncf");
		expect(createLexemes([null], "name")).toBe("");
	});
});

describe("the hash of a full name", () => {
	test.each([
		["MARTIN", "Martin", "MARTIN SARL", "sas martin", "S.A.R.L. MARTIN", "MAR TIN"],
		["EURO DISNEY", "eurodisney", "Euro-Disney", "EURO DISNEY S.A.S."],
		["L'OREAL", "loreal", "L OREAL", "l’Oréal"],
		["COMPAGNIE DE SAINT-GOBAIN", "cie de st gobain", "CIE DE SAINT GOBAIN"],
		["ETABLISSEMENTS DUPONT", "ets dupont", "ETS. DUPONT"],
		["3 SUISSES", "trois suisses"],
		["H & M", "h et m", "H AND M"],
		["S.N.C.F.", "sncf", "S N C F"],
	])("of « %s » is that of its other spellings", (name, ...others) => {
		for (const other of others) expect(key(other), other).toBe(key(name));
	});

	test("is another for other letters, another order of words and another number", () => {
		for (const other of ["MARTI", "MARTIN FRERES"]) expect(key(other)).not.toBe(key("MARTIN"));
		expect(key("JEAN MARTIN")).not.toBe(key("MARTIN JEAN"));
		expect(key("2 SUISSES")).not.toBe(key("3 SUISSES"));
		expect(key("OREAL")).not.toBe(key("L'OREAL"));
	});

	test("uses the legal form if there is no other word", () => {
		expect(removeFormWords(["sa"])).toEqual(["sa"]);
		expect(key("SA")).not.toBe(key("SAS"));
		expect(removeFormWords(["danone", "sa"])).toEqual(["danone"]);
	});
});

describe("a query", () => {
	const parse = (query: string) => {
		const list = parseQuery(query).words;
		return {
			prefixes: prefixQueries(list),
			keys: keyQueries(list),
			alternatives: alternativeQueries(list),
			postFilter: postFilterQuery(list),
		};
	};

	test.each([
		["danone", ["'danone':*"]],
		["dano", ["'Pdano'"]],
		["dan", ["'Pdan'"]],
		["da", ["'Pda'"]],
		["d", ["'d':*"]],
		["7", ["'7':*"]],
		["75009", ["'75009':*"]],
		// only the last word may be a short prefix, and only a last number is a prefix
		["la poste", ["'la'", "'poste':*"]],
		["poste la", ["'poste':*", "'Pla'"]],
		["75009 danone", ["'75009'", "'danone':*"]],
		["danone 750", ["'danone':*", "'750':*"]],
		// the word of a legal form matches itself or the form
		["danone sas", ["'danone':*", "('Psas' | 'F1')"]],
		["danone sa", ["'danone':*", "('Psa' | 'F3')"]],
		["sa", ["'Psa'"]],
	])("« %s » gives the tsqueries %j", (query, prefixes) => {
		expect(parse(query)).toMatchObject({ prefixes, postFilter: null });
	});

	test("filters afterwards by frequent words: a last letter, one or two digits, a department number after its city", () => {
		expect(parse("danone d")).toMatchObject({ prefixes: ["'danone':*", ""], postFilter: "'d':*" });
		expect(parse("danone 7").postFilter).toBe("('7':* | 'sept')");
		expect(parse("danone 75")).toMatchObject({ prefixes: ["'danone':*", ""], postFilter: "'75':*" });
		expect(parse("marseille 13 delessert")).toMatchObject({ prefixes: ["'marseille':*", "", "'delessert':*"], postFilter: "'13':*" });
		expect(parse("d danone")).toMatchObject({ postFilter: null, prefixes: ["'d'", "'danone':*"] });
	});

	test("with an arrondissement also searches its postal code", () => {
		expect(parse("danone paris 8")).toMatchObject({ prefixes: ["'danone':*", "'paris':*", "'8'"], postFilter: null });
		expect(parse("danone paris 8").alternatives[2]).toMatch(/^\('75008':?\*? \| /);
		expect(parse("danone").alternatives).toEqual([null]);
	});

	test("has a prefix lexeme for each longer word", () => {
		expect(parse("danone dano 75009").keys).toEqual(["'Pdano'", null, null]);
	});

	test("has at most twelve words", () => {
		expect(parseQuery("mot ".repeat(30)).words.length).toBe(12);
	});

	test("ranks a company by where it has the words, and whether they are whole", () => {
		expect(rankQueries(parseQuery("la poste paris").words)).toEqual({
			name: "'la':A & 'poste':*A & 'paris':*A",
			trade: "'la':AB & 'poste':*AB & 'paris':*AB",
			place: "'la':AD & 'poste':*AD & 'paris':*AD",
			wholeName: "'la':A & 'poste':A & 'paris':A",
			wholeTrade: "'la':AB & 'poste':AB & 'paris':AB",
		});
		expect(rankQueries(parseQuery("danone sa").words).wholeName).toBe("'danone':A & ('sa':A | 'F3')");
		expect(rankQueries(parseQuery("danone 7").words).name).toBe("'danone':*A & ('7':*A | 'sept':A)");
		expect(rankQueries(parseQuery("o brien").words).name).toBe("('o':A | 'obrien':A) & ('brien':*A | 'obrien':*A)");
		expect(rankQueries(parseQuery("paris 8").words).place).toContain("'75008':*AD");
		expect(rankQueries(parseQuery("danone").words)).toMatchObject({ place: null, wholeName: "'danone':A" });
		expect(rankQueries([])).toEqual({ name: null, trade: null, place: null, wholeName: null, wholeTrade: null });
	});

	test("quotes special characters", () => {
		// tokenize removes these characters already
		const words = toQueryWords(["l'a\\b"]);
		expect(wordQueries(words)).toEqual(["'l''a\\\\b'"]);
		expect(prefixQueries(words)).toEqual(["'l''a\\\\b':*"]);
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
	] as const)("%j give the tsquery %s", (filters, query) => {
		expect(filterQuery({ ...noFilters, ...filters } as typeof noFilters)).toBe(query);
	});
});
