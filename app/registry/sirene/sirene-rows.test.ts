import { describe, expect, test } from "vitest";
import { establishment, type Row, unit } from "../../../test/fixtures/sirene.ts";
import { parseCalendarDay } from "../calendar-day.ts";
import { copyLine } from "./import.store.server.ts";
import { createEstablishmentParser, createUnitParser, establishmentColumns, type ParsedUnit, unitColumns } from "./sirene-rows.ts";

const unitHeader = [...unitColumns, "activitePrincipaleNAF25UniteLegale"];
const cells = (header: readonly string[], row: Row) => header.map((column) => row[column] ?? "");
const readUnit = createUnitParser(unitHeader);
const readEstablishment = createEstablishmentParser(establishmentColumns);

const siren = "100000001";
const unitOf = (row: Row) => readUnit(cells(unitHeader, unit(siren, row))) as ParsedUnit;
const named = (row: Row) => unitOf(row).unit;
const establishmentOf = (row: Row, siret = `${siren}00011`) => readEstablishment(cells(establishmentColumns, establishment(siret, row)));
const headOf = (row: Row) => {
	const read = establishmentOf(row);
	return typeof read === "object" && "head" in read ? read.head : expect.fail(JSON.stringify(read));
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

describe("only a status of diffusion O shows more than number, form and state", () => {
	test.each(["P", "N", "", "o", "[ND]"])("of a unit of status « %s » nothing else is read", (statutDiffusion) => {
		expect(named({ ...person, statutDiffusion })).toEqual({
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
		});
	});

	test.each(["P", "N", "", "o", "[ND]"])("of a head office of status « %s » no place and no trade sign is", (statutDiffusion) => {
		expect(headOf({ ...place, statutDiffusion })).toEqual({
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
		});
	});

	test.each(["P", "N", ""])("nor is a trade sign of another establishment of status « %s »", (statutDiffusion) => {
		expect(establishmentOf({ ...place, siege: "false", statutDiffusion })).toEqual({ branch: { siren, lexemes: null } });
		expect(establishmentOf({ ...place, siege: "false" })).toEqual({ branch: { siren, lexemes: expect.stringMatching(/\bcachette\b/) } });
	});

	test("blanks around a value are not of it", () => {
		expect(headOf({ ...place, libelleCommune: " PARIS 1 " })).toEqual(headOf(place));
		expect(named({ denomination: " LA NEUVE  " })).toEqual(named({ denomination: "LA NEUVE" }));
		expect(named({ ...person, nomUsage: " DUPONT " })).toEqual(named(person));
	});

	test("a withheld value of a unit that is diffused is no value", () => {
		const withheld = Object.fromEntries(Object.keys(person).map((name) => [name, "[ND]"]));
		const read = named({ ...withheld, denomination: " [ND] ", nicSiege: "[ND]" });
		expect(read).toMatchObject({
			name: null,
			legalCategory: "",
			nafCode: null,
			nic: null,
			createdOn: null,
			updatedOn: null,
			aliasKey: null,
		});
		expect(read.lexemes).toBe("");
	});

	test("nor is one of an address", () => {
		const withheld = Object.fromEntries(Object.keys(place).map((name) => [name, "[ND]"]));
		expect(headOf(withheld)).toMatchObject({ address: null, complement: null, postalCode: null, city: null, commune: null, lexemes: "" });
		expect(headOf({ ...place, numeroVoie: "[ND]", typeVoie: "[ND]", libelleVoie: "[ND]", complementAdresse: "[ND]" })).toMatchObject({
			address: null,
			complement: null,
			postalCode: "75001",
			city: "PARIS",
		});
		expect(headOf({ ...place, enseigne1: "[ND]", denominationUsuelle: "[ND]" }).lexemes).not.toMatch(/\bnd\b/);
	});
});

describe("a row that is not taken", () => {
	test.each([
		["12345678", {}, "no-number"],
		["1234567890", {}, "no-number"],
		["x100000001", {}, "no-number"],
		[siren, { etatAdministratif: "" }, "no-state"],
		[siren, { etatAdministratif: "F" }, "no-state"],
	])("unit %s %j", (number, row, why) => {
		expect(readUnit(cells(unitHeader, unit(number, row as Row)))).toBe(why);
	});

	test.each([
		["1000000010001", {}, "no-number"],
		["100000001000111", {}, "no-number"],
		[`${siren}00011`, { etatAdministratif: "" }, "no-state"],
		[`${siren}00011`, { etatAdministratif: "C" }, "no-state"],
		[`${siren}00011`, { etatAdministratif: "F", siege: "false" }, "closed"],
	])("establishment %s %j", (siret, row, why) => {
		expect(establishmentOf(row as Row, siret)).toBe(why);
	});

	test("a closed head office is one still", () => {
		expect(headOf({ etatAdministratif: "F" })).toMatchObject({ siren, open: false });
		expect(headOf({})).toMatchObject({ open: true });
	});
});

describe("what a unit is called", () => {
	test.each<[Row, string | null]>([
		[{ ...person, denomination: "ATELIER" }, "ATELIER"],
		[person, "ÉLODIE DUPONT"],
		[{ nom: "LEFÈVRE", prenom1: "ÉLODIE", prenomUsuel: "LODI" }, "LODI LEFÈVRE"],
		[{ nom: "LEFÈVRE", prenom1: "ÉLODIE" }, "ÉLODIE LEFÈVRE"],
		[{ sigle: "EDL", denominationUsuelle2: "CHEZ ÉLODIE" }, "CHEZ ÉLODIE"],
		[{ sigle: "EDL" }, "EDL"],
		[{}, null],
	])("%j", (row, name) => {
		expect(named(row).name).toBe(name);
	});

	test("it is found by every name that it has, those before a marriage and behind a pseudonym too", () => {
		const { lexemes } = named({ ...person, denominationUsuelle2: "DEUX", denominationUsuelle3: "TROIS" });
		for (const word of ["elodie", "dupont", "lefevre", "fee", "edl", "chez", "deux", "trois"]) expect(lexemes.split(" ")).toContain(word);
	});

	test("its acronym or usual name counts as a whole name too, unless it is the name", () => {
		const sncf = named({ denomination: "SNCF" }).nameKey;
		expect(named({ denomination: "SOCIETE NATIONALE", sigle: "S.N.C.F.", denominationUsuelle1: "RAIL" }).aliasKey).toBe(sncf);
		expect(named({ denomination: "SOCIETE NATIONALE", denominationUsuelle1: "SNCF" }).aliasKey).toBe(sncf);
		expect(named({ sigle: "SNCF" })).toMatchObject({ nameKey: sncf, aliasKey: null });
	});

	test("INSEE purges what ceased before 2003", () => {
		expect(unitOf({ unitePurgee: "true", etatAdministratif: "C" }).purged).toBe(true);
		expect(unitOf({ unitePurgee: "true", statutDiffusion: "P" }).purged).toBe(true);
		expect(unitOf({}).purged).toBe(false);
	});
});

test("its days are days, and those that stand for unknown are none", () => {
	expect(named(person)).toMatchObject({ createdOn: "2015-06-01", updatedOn: "2026-01-01" });
	expect(headOf({ dateDernierTraitement: "2026-01-01T08:00:00" })).toMatchObject({ updatedOn: "2026-01-01" });
	const unknown = { dateCreation: "1900-01-01", dateDernierTraitement: "1900-01-01T00:00:00" };
	expect(named(unknown)).toMatchObject({ createdOn: null, updatedOn: null });
	expect(headOf(unknown)).toMatchObject({ updatedOn: null });
});

test("the more important comes first: an active one, then by category, then by staff", () => {
	const rising = [
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
	].map((row) => named(row as Row).importance);
	expect(rising).toEqual([...rising].sort((a, b) => a - b));
	expect(rising[1]).toBe(rising[2]); // « NN » is no staff that is known
	expect(new Set(rising).size).toBe(rising.length - 1);
});

describe("activity", () => {
	test.each<[string, Row, { nafCode: string | null; nafNomenclature: string | null; section: string | null }]>([
		[
			"of rév. 2 where a unit has both",
			{ activitePrincipale: "62.01Z", nomenclatureActivitePrincipale: "NAFRev2", naf25: "62.10Y" },
			{ nafCode: "62.01Z", nafNomenclature: null, section: "J" },
		],
		["of 2025 alone", { naf25: "47.11Y" }, { nafCode: "47.11Y", nafNomenclature: "NAF25", section: "G" }],
		[
			"of an old nomenclature, with the section of 2025",
			{ activitePrincipale: "72.2Z", nomenclatureActivitePrincipale: "NAFRev1", naf25: "62.10Y" },
			{ nafCode: "72.2Z", nafNomenclature: "NAFRev1", section: "J" },
		],
		["none", {}, { nafCode: null, nafNomenclature: null, section: null }],
	])("%s", (_, row, expected) => {
		const { nafCode, nafNomenclature, section } = named(row);
		expect({ nafCode, nafNomenclature: nafNomenclature || null, section }).toEqual(expected);
	});
});

describe("the address of a head office", () => {
	test.each<[string, Row, object]>([
		["number and type", { numeroVoie: "59", typeVoie: "RUE", libelleVoie: "LA FAYETTE" }, { address: "59 RUE LA FAYETTE" }],
		["a type in short", { numeroVoie: "3", indiceRepetition: "B", typeVoie: "AV", libelleVoie: "FOCH" }, { address: "3 BIS AVENUE FOCH" }],
		[
			"a letter that stands for itself",
			{ numeroVoie: "3", indiceRepetition: "C", typeVoie: "R", libelleVoie: "X" },
			{ address: "3 C RUE X" },
		],
		["a type that is in the name", { typeVoie: "PL", libelleVoie: "PLACE DU MARCHE" }, { address: "PLACE DU MARCHE" }],
		["a complement alone", { complementAdresse: "TOUR A", distributionSpeciale: "BP 12" }, { address: "TOUR A, BP 12", complement: null }],
		["a complement beside", { complementAdresse: "TOUR A", libelleVoie: "QUAI" }, { address: "QUAI", complement: "TOUR A" }],
		["a CEDEX beside its commune", place, { postalCode: "75001", city: "PARIS", commune: "75101", department: "75" }],
		[
			"a CEDEX alone",
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
		["abroad, of a country alone", { libellePaysEtranger: "ROYAUME-UNI" }, { city: "(ROYAUME-UNI)" }],
		// some communes are served by the post office of the department beside
		["a postal code of the department beside", { codePostal: "01410", codeCommune: "39321" }, { postalCode: "01410", department: "39" }],
		["Corsica", { codePostal: "20090", codeCommune: "2A004" }, { department: "2A" }],
		["Corsica, by its postal code", { codePostal: "20200" }, { department: "2B" }],
		["overseas", { codePostal: "97400" }, { department: "974" }],
		["nothing", {}, { address: null, complement: null, postalCode: null, city: null, commune: null, department: null }],
	])("%s", (_, row, expected) => {
		expect(headOf(row)).toMatchObject(expected);
	});

	test("it is found by its town, its postal code, its CEDEX and its trade signs, and by no other town's", () => {
		const first = headOf(place).lexemes.split(" ");
		for (const word of ["paris", "75001", "75045", "cedex", "cachette", "secret"]) expect(first).toContain(word);
		const second = headOf({ ...place, codePostal: "75002" }).lexemes.split(" ");
		expect(second).toContain("75002");
		expect(second).not.toContain("75001");
	});
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

test("a line for PostgreSQL keeps what its text format gives a meaning, and leaves out the NUL that it refuses", () => {
	const line = copyLine("branches");
	for (const [raw, written] of [
		["a\tb", "a\\tb"],
		["a\nb", "a\\nb"],
		["a\rb", "a\\rb"],
		["a\\b", "a\\\\b"],
		["a\0b", "ab"],
	])
		expect(line({ siren, lexemes: raw })).toBe(`${siren}\t${written}\n`);
	expect(line({ siren, lexemes: null })).toBe(`${siren}\t\\N\n`);
	expect(line({ siren: "a\tb", lexemes: "c\nd\re\\N\0f" })).toBe("a\\tb\tc\\nd\\re\\\\Nf\n");
});
