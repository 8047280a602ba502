import { describe, expect, test } from "vitest";
import { establishment, type Row, unit } from "../../../../test/fixtures/sirene.ts";
import { parseCalendarDay } from "../../calendar-day.ts";
import { copyLine, stagedTables } from "./import.store.server.ts";
import { createEstablishmentParser, createUnitParser, establishmentColumns, type ParsedUnit, unitColumns } from "./sirene-rows.ts";

const unitHeader = [...unitColumns, "activitePrincipaleNAF25UniteLegale"];
const cells = (header: readonly string[], row: Row) => header.map((column) => row[column] ?? "");
const readUnit = createUnitParser(unitHeader);
const readEstablishment = createEstablishmentParser(establishmentColumns);

const siren = "100000001";
const parseUnitRow = (row: Row) => readUnit(cells(unitHeader, unit(siren, row))) as ParsedUnit;
const parseUnit = (row: Row) => parseUnitRow(row).unit;
const parseEstablishment = (row: Row, siret = `${siren}00011`) => readEstablishment(cells(establishmentColumns, establishment(siret, row)));
const parseHeadOffice = (row: Row) => {
	const parsed = parseEstablishment(row);
	return typeof parsed === "object" && "head" in parsed ? parsed.head : expect.fail(JSON.stringify(parsed));
};

const person = {
	nom: "LEFÈVRE",
	nomUsage: "DUPONT",
	prenomUsuel: "ÉLODIE",
	pseudonyme: "LA FÉE",
	sigle: "EDL",
	denominationUsuelle1: "CHEZ ÉLODIE",
	categorieJuridique: "1000",
	activitePrincipale: "62.01Z",
	nomenclatureActivitePrincipale: "NAFRev2",
	dateCreation: "2015-06-01",
	dateDernierTraitement: "2026-01-01T08:00:00",
	trancheEffectifs: "11",
	categorie: "PME",
};
const place = {
	numeroVoie: "1",
	typeVoie: "RUE",
	libelleVoie: "CACHEE",
	complementAdresse: "ETAGE 2",
	codePostal: "75001",
	libelleCommune: "PARIS 1",
	codeCommune: "75101",
	codeCedex: "75045",
	libelleCedex: "PARIS CEDEX 01",
	enseigne1: "CACHETTE",
	denominationUsuelle: "LE SECRET",
};

describe("with a diffusion status other than O", () => {
	test.each(["P", "N", "", "o", "[ND]"])("a unit with « %s » has only number, form and state", (statutDiffusion) => {
		expect(parseUnit({ ...person, statutDiffusion })).toEqual({
			siren,
			status: "active",
			legalCategory: "1000",
			masked: true,
			importance: 0,
			nameKey: 0,
			aliasKey: null,
			lexemes: "",
			form: null,
			nic: null,
			name: null,
			nafCode: null,
			nafNomenclature: null,
			section: null,
			createdOn: null,
			updatedOn: null,
			acronym: null,
			staffBand: null,
			staffYear: null,
			category: null,
		});
	});

	test.each(["P", "N", "", "o", "[ND]"])("a head office with « %s » has neither address nor trade sign", (statutDiffusion) => {
		expect(parseHeadOffice({ ...place, statutDiffusion })).toEqual({
			siren,
			nic: "00011",
			open: true,
			updatedOn: null,
			lexemes: "",
			address: null,
			complement: null,
			postalCode: null,
			city: null,
			commune: null,
			department: null,
			nafCode: null,
			nafNomenclature: null,
			tradeNames: null,
		});
	});

	test.each([
		["P", '["00011"]'],
		["N", null],
		["", null],
	])("a branch with « %s » has no trade sign, no address and no activity; with P it has a number", (statutDiffusion, entry) => {
		const branch = (row: object) => parseEstablishment({ ...place, activitePrincipale: "56.10A", siege: "false", ...row });
		const withheld = { tradeName: null, nafCode: null, nafNomenclature: null, lexemes: null };
		expect(branch({ statutDiffusion })).toEqual({ branch: { siren, entry, ...withheld } });
		expect(branch({})).toMatchObject({ branch: { siren, lexemes: expect.stringMatching(/\bcachette:1B\b/) } });
	});

	test("spaces around a value are removed", () => {
		expect(parseHeadOffice({ ...place, libelleCommune: " PARIS 1 " })).toEqual(parseHeadOffice(place));
		expect(parseUnit({ denomination: " LA NEUVE  " })).toEqual(parseUnit({ denomination: "LA NEUVE" }));
		expect(parseUnit({ ...person, nomUsage: " DUPONT " })).toEqual(parseUnit(person));
	});

	test("[ND] is no value of a diffused unit", () => {
		const withheld = Object.fromEntries(Object.keys(person).map((name) => [name, "[ND]"]));
		const parsed = parseUnit({ ...withheld, denomination: " [ND] ", nicSiege: "[ND]" });
		expect(parsed).toMatchObject({
			name: null,
			legalCategory: "",
			nafCode: null,
			nic: null,
			createdOn: null,
			updatedOn: null,
			aliasKey: null,
		});
		expect(parsed.lexemes).toBe("");
	});

	test("[ND] is no value of an address", () => {
		const withheld = Object.fromEntries(Object.keys(place).map((name) => [name, "[ND]"]));
		expect(parseHeadOffice(withheld)).toMatchObject({
			address: null,
			complement: null,
			postalCode: null,
			city: null,
			commune: null,
			lexemes: "",
		});
		expect(
			parseHeadOffice({ ...place, numeroVoie: "[ND]", typeVoie: "[ND]", libelleVoie: "[ND]", complementAdresse: "[ND]" }),
		).toMatchObject({
			address: null,
			complement: null,
			postalCode: "75001",
			city: "PARIS",
		});
		expect(parseHeadOffice({ ...place, enseigne1: "[ND]", denominationUsuelle: "[ND]" }).lexemes).not.toMatch(/\bnd\b/);
	});
});

describe("a skipped row", () => {
	test.each([
		["12345678", {}, "no-number"],
		["1234567890", {}, "no-number"],
		["x100000001", {}, "no-number"],
		["000000000", {}, "no-number"],
		[siren, { etatAdministratif: "" }, "no-state"],
		[siren, { etatAdministratif: "F" }, "no-state"],
	])("unit %s %j", (number, row, reason) => {
		expect(readUnit(cells(unitHeader, unit(number, row as Row)))).toBe(reason);
	});

	test.each([
		["1000000010001", {}, "no-number"],
		["100000001000111", {}, "no-number"],
		["00000000000012", {}, "no-number"],
		[`${siren}00011`, { etatAdministratif: "" }, "no-state"],
		[`${siren}00011`, { etatAdministratif: "C" }, "no-state"],
		[`${siren}00011`, { etatAdministratif: "F", siege: "false" }, "closed"],
	])("establishment %s %j", (siret, row, reason) => {
		expect(parseEstablishment(row as Row, siret)).toBe(reason);
	});

	test("a closed head office is not skipped", () => {
		expect(parseHeadOffice({ etatAdministratif: "F" })).toMatchObject({ siren, open: false });
		expect(parseHeadOffice({})).toMatchObject({ open: true });
	});
});

describe("the name of a unit", () => {
	test.each<[Row, string | null]>([
		[{ ...person, denomination: "ATELIER" }, "ATELIER"],
		[person, "ÉLODIE DUPONT"],
		[{ nom: "LEFÈVRE", prenom1: "ÉLODIE", prenomUsuel: "LODI" }, "LODI LEFÈVRE"],
		[{ nom: "LEFÈVRE", prenom1: "ÉLODIE" }, "ÉLODIE LEFÈVRE"],
		[{ sigle: "EDL", denominationUsuelle2: "CHEZ ÉLODIE" }, "EDL"],
		[{ sigle: "EDL" }, "EDL"],
		[{ sigle: "NEANT" }, null],
		[{ denominationUsuelle1: "CHEZ ÉLODIE" }, null],
		[{}, null],
	])("%j", (row, name) => {
		expect(parseUnit(row).name).toBe(name);
	});

	test("has its acronym beside it", () => {
		expect(parseUnit(person)).toMatchObject({ acronym: "EDL" });
		for (const sigle of ["", "[ND]", "NEANT", "-"])
			expect(parseUnit({ denomination: "SEULE", sigle })).toMatchObject({ acronym: null, aliasKey: null });
	});

	test("is found by all its names, including birth name and pseudonym", () => {
		const { lexemes } = parseUnit(person);
		for (const word of ["elodie", "dupont", "lefevre", "fee"]) expect(lexemes.split(" ")).toContain(`${word}:1A`);
		expect(lexemes.split(" ")).toContain("edl:1B");
		expect(parseUnit({ ...person, pseudonyme: "NEANT", sigle: "SANS ENSEIGNE" }).lexemes).not.toMatch(/neant|sans|enseigne/);
	});

	test("is neither shown nor found by the usual names that INSEE keeps no longer", () => {
		const usual = { denominationUsuelle1: "SUPPRESSION DU NOM COMMERCIAL", denominationUsuelle2: "DEUX", denominationUsuelle3: "TROIS" };
		expect(parseUnit({ ...person, ...usual })).toEqual(parseUnit({ ...person, denominationUsuelle1: "" }));
		expect(JSON.stringify(parseUnit({ ...person, ...usual }))).not.toMatch(/SUPPRESSION|DEUX|TROIS|CHEZ/i);
	});

	test("has its acronym as an alias, unless that is its name", () => {
		const sncf = parseUnit({ denomination: "SNCF" }).nameKey;
		expect(parseUnit({ denomination: "SOCIETE NATIONALE", sigle: "S.N.C.F." }).aliasKey).toBe(sncf);
		expect(parseUnit({ sigle: "SNCF" })).toMatchObject({ nameKey: sncf, aliasKey: null });
	});

	test("has the surname first as an alias, where a sole trader has no other", () => {
		const trader = { ...person, sigle: "", denominationUsuelle1: "", denominationUsuelle2: "", denominationUsuelle3: "" };
		const [given, reversed] = [parseUnit(trader), parseUnit({ denomination: "DUPONT ELODIE" })];
		expect(given.name).toBe("ÉLODIE DUPONT");
		expect(given.aliasKey).toBe(reversed.nameKey);
		expect(parseUnit({ ...trader, prenomUsuel: "", prenom1: "" }).aliasKey).toBeNull();
		expect(parseUnit({ ...trader, nomUsage: "", nom: "" })).toMatchObject({ name: "ÉLODIE", aliasKey: null });
		expect(parseUnit({ ...trader, denomination: "AUTRE NOM" }).aliasKey).toBeNull();
	});

	test("is marked when INSEE purged it", () => {
		expect(parseUnitRow({ unitePurgee: "true", etatAdministratif: "C" }).purged).toBe(true);
		expect(parseUnitRow({ unitePurgee: "true", statutDiffusion: "P" }).purged).toBe(true);
		expect(parseUnitRow({}).purged).toBe(false);
	});
});

test("parses the dates of units and head offices; 1900-01-01 is unknown", () => {
	expect(parseUnit(person)).toMatchObject({ createdOn: "2015-06-01", updatedOn: "2026-01-01" });
	expect(parseHeadOffice({ dateDernierTraitement: "2026-01-01T08:00:00" })).toMatchObject({ updatedOn: "2026-01-01" });
	const unknown = { dateCreation: "1900-01-01", dateDernierTraitement: "1900-01-01T00:00:00" };
	expect(parseUnit(unknown)).toMatchObject({ createdOn: null, updatedOn: null });
	expect(parseHeadOffice(unknown)).toMatchObject({ updatedOn: null });
});

test("importance depends on activity, then category, then staff", () => {
	const ascending = [
		{ etatAdministratif: "C", categorie: "GE", trancheEffectifs: "53" },
		{},
		{ trancheEffectifs: "NN" },
		{ trancheEffectifs: "00" },
		{ trancheEffectifs: "03" },
		{ trancheEffectifs: "11" },
		{ trancheEffectifs: "53" },
		{ categorie: "PME" },
		{ categorie: "PME", trancheEffectifs: "53" },
		{ categorie: "ETI" },
		{ categorie: "GE" },
	].map((row) => parseUnit(row as Row).importance);
	expect(ascending).toEqual([...ascending].sort((a, b) => a - b));
	expect(ascending[1]).toBe(ascending[2]); // « NN » is an unknown staff
	expect(new Set(ascending).size).toBe(ascending.length - 1);
});

describe("activity", () => {
	test.each<[string, Row, { nafCode: string | null; nafNomenclature: string | null; section: string | null }]>([
		[
			"of rév. 2 if a unit has both",
			{ activitePrincipale: "62.01Z", nomenclatureActivitePrincipale: "NAFRev2", naf25: "62.10Y" },
			{ nafCode: "62.01Z", nafNomenclature: null, section: "J" },
		],
		["of 2025 otherwise", { naf25: "47.11Y" }, { nafCode: "47.11Y", nafNomenclature: "NAF25", section: "G" }],
		[
			"of an old nomenclature, with the section of 2025",
			{ activitePrincipale: "72.2Z", nomenclatureActivitePrincipale: "NAFRev1", naf25: "62.10Y" },
			{ nafCode: "72.2Z", nafNomenclature: "NAFRev1", section: "J" },
		],
		["none", {}, { nafCode: null, nafNomenclature: null, section: null }],
	])("%s", (_, row, expected) => {
		const { nafCode, nafNomenclature, section } = parseUnit(row);
		expect({ nafCode, nafNomenclature: nafNomenclature || null, section }).toEqual(expected);
	});
});

describe("the address of a head office", () => {
	test.each<[string, Row, object]>([
		["number and type", { numeroVoie: "59", typeVoie: "RUE", libelleVoie: "LA FAYETTE" }, { address: "59 RUE LA FAYETTE" }],
		[
			"an abbreviated type",
			{ numeroVoie: "3", indiceRepetition: "B", typeVoie: "AV", libelleVoie: "FOCH" },
			{ address: "3 BIS AVENUE FOCH" },
		],
		[
			"a letter that is no abbreviation",
			{ numeroVoie: "3", indiceRepetition: "C", typeVoie: "R", libelleVoie: "X" },
			{ address: "3 C RUE X" },
		],
		["a type that the name repeats", { typeVoie: "PL", libelleVoie: "PLACE DU MARCHE" }, { address: "PLACE DU MARCHE" }],
		[
			"a complement without a street",
			{ complementAdresse: "TOUR A", distributionSpeciale: "BP 12" },
			{ address: "TOUR A, BP 12", complement: null },
		],
		["a complement with a street", { complementAdresse: "TOUR A", libelleVoie: "QUAI" }, { address: "QUAI", complement: "TOUR A" }],
		["a CEDEX with its commune", place, { postalCode: "75001", city: "PARIS", commune: "75101", department: "75" }],
		[
			"a CEDEX without a commune",
			{ codeCedex: "92919", libelleCedex: "LA DEFENSE CEDEX" },
			{ postalCode: "92919", city: "LA DEFENSE CEDEX", department: "92" },
		],
		["an arrondissement", { libelleCommune: "MARSEILLE 1ER ARRONDISSEMENT" }, { city: "MARSEILLE" }],
		["no arrondissement", { libelleCommune: "PARIS L'HOPITAL" }, { city: "PARIS L'HOPITAL" }],
		[
			"abroad",
			{ libelleCommuneEtranger: "LONDRES", libellePaysEtranger: "ROYAUME-UNI" },
			{ city: "LONDRES (ROYAUME-UNI)", department: null },
		],
		["abroad, without a city", { libellePaysEtranger: "ROYAUME-UNI" }, { city: "(ROYAUME-UNI)" }],
		// some communes have a post office in the neighbouring department
		[
			"a postal code of the neighbouring department",
			{ codePostal: "01410", codeCommune: "39321" },
			{ postalCode: "01410", department: "39" },
		],
		["Corsica", { codePostal: "20090", codeCommune: "2A004" }, { department: "2A" }],
		["Corsica, by its postal code", { codePostal: "20200" }, { department: "2B" }],
		["overseas", { codePostal: "97400" }, { department: "974" }],
		["nothing", {}, { address: null, complement: null, postalCode: null, city: null, commune: null, department: null }],
	])("%s", (_, row, expected) => {
		expect(parseHeadOffice(row)).toMatchObject(expected);
	});

	test("is found by its city, postal code, CEDEX and trade signs only", () => {
		const first = parseHeadOffice(place).lexemes.split(" ");
		for (const word of ["paris:1", "75001:1", "75045:1", "cedex:1", "cachette:1B", "secret:1B"]) expect(first).toContain(word);
		const second = parseHeadOffice({ ...place, codePostal: "75002" }).lexemes.split(" ");
		expect(second).toContain("75002:1");
		expect(second).not.toContain("75001:1");
	});
});

test.each([
	[
		{ trancheEffectifs: "21", anneeEffectifs: "2023" },
		{ staffBand: "21", staffYear: 2023 },
	],
	[
		{ trancheEffectifs: "21", anneeEffectifs: "" },
		{ staffBand: "21", staffYear: null },
	],
	[
		{ trancheEffectifs: "21", anneeEffectifs: "23" },
		{ staffBand: "21", staffYear: null },
	],
	[
		{ trancheEffectifs: "00", anneeEffectifs: "2023" },
		{ staffBand: null, staffYear: null },
	],
	[
		{ trancheEffectifs: "NN", anneeEffectifs: "2023" },
		{ staffBand: null, staffYear: null },
	],
	[{ categorie: "ETI" }, { category: "ETI" }],
	[{ categorie: "XXL" }, { category: null }],
])("the size of a unit with %j is %j", (row, size) => {
	expect(parseUnit(row)).toMatchObject(size);
});

test("an open establishment has its NIC, trade name and address", () => {
	const expected = ["00011", "CACHETTE", "1 RUE CACHEE", "ETAGE 2", "75001", "PARIS", "75101"];
	expect(parseEstablishment({ ...place, siege: "false" })).toMatchObject({
		branch: { siren, entry: JSON.stringify(expected), tradeName: "CACHETTE" },
	});
	expect(parseEstablishment({ siege: "false" })).toMatchObject({ branch: { tradeName: null } });
	expect(parseEstablishment({ siege: "false", denominationUsuelle: "LE SECRET" })).toMatchObject({ branch: { tradeName: "LE SECRET" } });
	expect(parseHeadOffice(place)).toMatchObject({ tradeNames: "CACHETTE\nLE SECRET" });
	const given = { enseigne1: "NEANT", enseigne2: "LE COMPTOIR", denominationUsuelle: "SUPPRESSION DU NOM COMMERCIAL" };
	expect(parseEstablishment({ siege: "false", ...given })).toMatchObject({
		branch: { tradeName: "LE COMPTOIR", lexemes: expect.not.stringMatching(/neant|suppression|commercial/) },
	});
	expect(parseHeadOffice(given)).toMatchObject({ tradeNames: "LE COMPTOIR" });
});

test.each<[Row, object]>([
	[
		{ activitePrincipale: "56.10A", nomenclatureActivitePrincipale: "NAFRev2" },
		{ nafCode: "56.10A", nafNomenclature: null },
	],
	[
		{ activitePrincipale: "55.3A", nomenclatureActivitePrincipale: "NAFRev1" },
		{ nafCode: "55.3A", nafNomenclature: "NAFRev1" },
	],
	[{ activitePrincipaleNAF25: "56.11J" }, { nafCode: "56.11J", nafNomenclature: "NAF25" }],
	[{ activitePrincipale: "[ND]" }, { nafCode: null, nafNomenclature: null }],
	[{}, { nafCode: null, nafNomenclature: null }],
])("an establishment and a head office with %j have the activity %j", (row, activity) => {
	const header = [...establishmentColumns, "activitePrincipaleNAF25Etablissement"];
	const parse = (siege: string) => createEstablishmentParser(header)(cells(header, establishment(`${siren}00011`, { ...row, siege })));
	expect(parse("false")).toMatchObject({ branch: activity });
	expect(parse("true")).toMatchObject({ head: activity });
});

// INSEE and the RNE write 1900-01-01 for « unknown » (docs/rules.md, R47)
test.each([
	["1900-01-01", null],
	["1899-12-31", null],
	["1900-01-02", "1900-01-02"],
	["2026-11-20T19:30:12.123", "2026-11-20"],
	["2024-02-29", "2024-02-29"],
	["2023-02-29", null],
	["2000-02-29", "2000-02-29"],
	["2100-02-29", null],
	["2023-04-30", "2023-04-30"],
	["2023-04-31", null],
	["2023-12-31", "2023-12-31"],
	["2023-00-10", null],
	["2023-13-01", null],
	["2023-01-00", null],
	["2023-1-1", null],
	["x2023-01-01", null],
	["", null],
	[null, null],
])("the day of %s is %s", (text, day) => {
	expect(parseCalendarDay(text)).toBe(day);
});

test("copyLine escapes the special characters of PostgreSQL's text format and removes NUL", () => {
	const line = copyLine(stagedTables.branches);
	const branch = { siren, entry: null, tradeName: null, nafCode: null, nafNomenclature: null };
	for (const [raw, escaped] of [
		["a\tb", "a\\tb"],
		["a\nb", "a\\nb"],
		["a\rb", "a\\rb"],
		["a\\b", "a\\\\b"],
		["a\0b", "ab"],
	])
		expect(line({ ...branch, lexemes: raw })).toBe(`${siren}\t\\N\t\\N\t\\N\t\\N\t${escaped}\n`);
	expect(line({ ...branch, lexemes: null })).toBe(`${siren}\t\\N\t\\N\t\\N\t\\N\t\\N\n`);
	expect(line({ ...branch, siren: "a\tb", lexemes: "c\nd\re\\N\0f" })).toBe("a\\tb\t\\N\t\\N\t\\N\t\\N\tc\\nd\\re\\\\Nf\n");
});
