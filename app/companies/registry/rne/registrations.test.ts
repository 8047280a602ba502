import { describe, expect, test } from "vitest";
import { parseRegistration } from "./registrations.ts";

const parse = (entry: unknown) => parseRegistration(entry, "2026-06-01");

/** A field of an entry; undefined where the entry does not say it. */
const get = (field: string, entry: ReturnType<typeof parse>) => (entry as unknown as Record<string, unknown>)[field];

/** Creates a response of INPI's API as of August 2025, with the fields that are read. */
const createResponse = (siren: string, identite: object, more: { formality?: object; person?: object } = {}) => ({
	updatedAt: "2025-08-07T13:10:29+02:00",
	formality: { siren, diffusionINSEE: "O", ...more.formality, content: { personneMorale: { identite, ...more.person } } },
});
const danone = createResponse("552032534", {
	entreprise: { denomination: "DANONE", dateImmat: "1955-03-01" },
	description: { duree: 99, capitalVariable: false, montantCapital: 170348620.75, deviseCapital: "EUR", indicateurAssocieUnique: false },
});
const biocoopSeve = createResponse("421251067", {
	entreprise: { dateImmat: "1998-12-24" },
	description: { duree: 99, capitalVariable: true, capitalMinimum: 4160, deviseCapital: "EUR", indicateurAssocieUnique: false },
});

/** An entry of the State's company search. */
const searchEntry = {
	siren: "302474648",
	capital_social: 240000,
	date_immatriculation: "2003-09-01",
	date_radiation: null,
	duree_personne_morale: 30,
	indicateur_associe_unique: false,
	devise_capital: "EUR",
	capital_variable: false,
};

describe("a response of the RNE", () => {
	test("has the instant of its last change", () => {
		expect(parse(danone)).toEqual({
			siren: "552032534",
			at: "2025-08-07T11:10:29.000Z",
			withheld: false,
			registeredOn: "1955-03-01",
			removedOn: null,
			capital: 170348620.75,
			currency: "EUR",
			durationYears: 99,
			singlePartner: false,
		});
	});

	test("has the instant of its recording if there is one", () => {
		expect(parse({ siren: "552032534", recorded: "2025-08-12T07:52:43.402Z", response: danone })).toMatchObject({
			siren: "552032534",
			at: "2025-08-12T07:52:43.402Z",
			capital: 170348620.75,
		});
	});

	test("has no capital if it is variable", () => {
		expect(parse(biocoopSeve)).toMatchObject({ capital: null, durationYears: 99 });
		expect(parse(createResponse("421251067", { description: { capitalVariable: true, montantCapital: 4160 } }))).toMatchObject({
			capital: null,
		});
	});

	test("has the day of removal from the register, not the end of activity, which a company that rests has too", () => {
		const ceased = (detailCessationEntreprise: object) => parse(createResponse("552032534", {}, { person: { detailCessationEntreprise } }));
		expect(ceased({ dateRadiation: "2021-10-15", dateEffet: "2021-09-30" })).toMatchObject({ removedOn: "2021-10-15" });
		expect(ceased({ dateEffet: "2021-09-30", dateCessationTotaleActivite: "2021-09-30" })).not.toHaveProperty("removedOn");
	});

	test("has the single partner from both places where INPI writes it", () => {
		expect(parse(createResponse("552032534", { entreprise: { indicateurAssocieUnique: true } }))).toMatchObject({ singlePartner: true });
		expect(parse(createResponse("552032534", { description: { indicateurAssocieUnique: true } }))).toMatchObject({ singlePartner: true });
		expect(parse(createResponse("552032534", { description: {} }))).not.toHaveProperty("singlePartner");
		const both = { entreprise: { indicateurAssocieUnique: false }, description: { indicateurAssocieUnique: true } };
		expect(parse(createResponse("552032534", both))).toMatchObject({ singlePartner: false });
	});

	test("has no data of a unit that is not diffused; an objection to canvassing changes nothing", () => {
		expect(parse({ ...danone, formality: { ...danone.formality, diffusionINSEE: "N" } })).toEqual({
			siren: "552032534",
			at: "2025-08-07T11:10:29.000Z",
			withheld: true,
			registeredOn: null,
			removedOn: null,
			capital: null,
			currency: null,
			durationYears: null,
			singlePartner: null,
			purpose: null,
			yearEnd: null,
			endsIn: null,
		});
		expect(parse({ ...danone, formality: { ...danone.formality, diffusionCommerciale: false } })).toMatchObject({ withheld: false });
	});

	test.each([
		["P", true],
		["", true],
		[null, false],
		[undefined, false],
	])("with diffusionINSEE %j is withheld: %s", (diffusionINSEE, withheld) => {
		expect(parse({ ...danone, formality: { ...danone.formality, diffusionINSEE } })).toMatchObject({
			withheld,
			capital: withheld ? null : 170348620.75,
		});
	});

	test("has the day of its file without a date", () => {
		for (const updatedAt of [
			undefined,
			null,
			"",
			"?",
			"1900-01-01T00:00:00",
			"9999-12-31T00:00:00Z",
			"2026-02-30T00:00:00Z",
			"2026-01-01T99:00:00Z",
		])
			expect(parse({ ...danone, updatedAt })).toMatchObject({ at: "2026-06-01T00:00:00.000Z" });
	});

	test("is skipped for natural persons", () => {
		expect(parse({ updatedAt: "2025-08-07", formality: { siren: "100000009", content: { personnePhysique: { identite: {} } } } })).toBe(
			"no-legal-person",
		);
	});
});

describe("an entry of the State's company search", () => {
	test("has the day of its file", () => {
		expect(parse(searchEntry)).toEqual({
			siren: "302474648",
			at: "2026-06-01T00:00:00.000Z",
			withheld: false,
			registeredOn: "2003-09-01",
			removedOn: null,
			capital: 240000,
			currency: "EUR",
			durationYears: 30,
			singlePartner: false,
		});
	});

	test("has no capital if it is variable", () => {
		expect(parse({ ...searchEntry, capital_variable: true })).toMatchObject({ capital: null, durationYears: 30 });
	});

	test("says nothing of missing values", () => {
		expect(parse({ siren: "389600982", date_immatriculation: "1992-12-09" })).toStrictEqual({
			siren: "389600982",
			at: "2026-06-01T00:00:00.000Z",
			withheld: false,
			registeredOn: "1992-12-09",
		});
	});
});

describe("what an entry does not say", () => {
	const whole = { entreprise: { dateImmat: "2010-01-15" }, description: { montantCapital: 10_000, deviseCapital: "EUR", duree: 99 } };
	const identity = { siren: "900000019", at: "2025-08-07T11:10:29.000Z", withheld: false };

	test.each<[what: string, identite: object | null, person?: object]>([
		["an entry with its SIREN only", { entreprise: { siren: "900000019" } }],
		[
			"null in place of values",
			{ entreprise: { dateImmat: null, indicateurAssocieUnique: null }, description: { montantCapital: null, duree: null } },
		],
		["empty texts", { entreprise: { dateImmat: "" }, description: { montantCapital: "", deviseCapital: "", duree: "" } }],
		["unknown values", { entreprise: { dateImmat: "0001-01-01" }, description: { montantCapital: 0, duree: 0 } }],
		["no identity", null],
		["the end of activity", {}, { detailCessationEntreprise: { dateEffet: "2024-05-01" } }],
	])("is left out: %s", (_, identite, person) => {
		expect(parse(createResponse("900000019", identite as object, { person: person ?? {} }))).toEqual(identity);
	});

	test.each<[what: string, removedOn: null | string | undefined, identite: object, person: object]>([
		["a whole entry without one has none", null, whole, {}],
		["a whole entry of a company that rests has none", undefined, whole, { detailCessationEntreprise: { dateEffet: "2024-05-01" } }],
		["an entry without the day of registration says nothing", undefined, { ...whole, entreprise: {} }, {}],
		["an entry without a description says nothing", undefined, { entreprise: whole.entreprise }, {}],
		["null says that there is none", null, {}, { detailCessationEntreprise: null }],
		["a day of null says that there is none", null, {}, { detailCessationEntreprise: { dateRadiation: null } }],
		["a day is one", "2024-05-02", {}, { detailCessationEntreprise: { dateRadiation: "2024-05-02" } }],
	])("of a removal: %s", (_, removedOn, identite, person) => {
		const registration = parse(createResponse("900000019", identite, { person })) as { removedOn?: string | null };
		expect(registration.removedOn).toBe(removedOn);
	});
});

test.each([
	"1900-01-01",
	"2021-02-30",
	"0001-01-01",
	"9999-12-31",
	"2999-12-31",
	"31/02/2021",
	"15/13/2010",
	"",
	"?",
	"2021-02-30T00:00:00Z",
])("%j is an unknown day", (day) => {
	expect(parse({ ...searchEntry, date_immatriculation: day })).not.toHaveProperty("registeredOn");
	expect(parse({ ...searchEntry, date_radiation: day })).toMatchObject({ removedOn: null });
});

test.each([
	["2010-01-15", "2010-01-15"],
	["15/01/2010", "2010-01-15"],
	[" 15/01/2010 ", "2010-01-15"],
	["2017-02-02T23:00:00.000Z", "2017-02-03"],
	["2017-07-02T22:00:00.000Z", "2017-07-03"],
	["2017-07-02T21:59:59Z", "2017-07-02"],
	["2017-02-03T00:00:00+01:00", "2017-02-03"],
	["2017-02-03T00:00:00", "2017-02-03"],
	["2017-02-02T23:00:00", "2017-02-02"],
])("%s is the day %s, in Paris", (text, day) => {
	expect(parse({ ...searchEntry, date_immatriculation: text, date_radiation: text })).toMatchObject({ registeredOn: day, removedOn: day });
});

test.each([
	["3112", 1231],
	["3103", 331],
	["0101", 101],
	["2902", 229],
	[" 3006 ", 630],
	["3102", undefined],
	["0013", undefined],
	["1231", undefined],
	["--12-31", undefined],
	["31/12", undefined],
	["2027-12-31", undefined],
	["", undefined],
	[null, undefined],
])("%j is the end of the financial year %s", (text, yearEnd) => {
	expect(get("yearEnd", parse({ ...searchEntry, date_cloture_exercice: text }))).toBe(yearEnd);
	const description = { dateClotureExerciceSocial: text };
	expect(get("yearEnd", parse(createResponse("552032534", { description })))).toBe(yearEnd);
});

test.each([
	["2112-04-25", 2112],
	["2019-12-31", 2019],
	["2199-12-31", 2199],
	["2200-01-01", undefined],
	["9999-12-31", undefined],
	["1900-01-01", undefined],
	["0001-01-01", undefined],
	["2112", undefined],
	["", undefined],
	[null, undefined],
])("%j is the end of existence %s", (text, endsIn) => {
	expect(get("endsIn", parse(createResponse("552032534", { description: { dateFinExistence: text } })))).toBe(endsIn);
});

test.each([
	["Le commerce de détail.", "Le commerce de détail."],
	["  Le commerce\r\n\tde  détail ", "Le commerce de détail"],
	["Cafe\u0301, bar\u0000\u202e", "Café, bar"],
	["NEANT", undefined],
	["Non renseigné", undefined],
	["[ND]", undefined],
	["-", undefined],
	[" ", undefined],
	[null, undefined],
	["a".repeat(2000), "a".repeat(2000)],
	["a".repeat(3000), `${"a".repeat(1999)}…`],
])("%j is the purpose %j", (text, purpose) => {
	expect(get("purpose", parse(createResponse("552032534", { description: { objet: text } })))).toBe(purpose);
});

test("parses quoted digits as numbers", () => {
	expect(parse({ ...searchEntry, capital_social: "457.35", duree_personne_morale: "99" })).toMatchObject({
		capital: 457.35,
		durationYears: 99,
	});
});

test("has a capital without a currency that it does not name", () => {
	const { devise_capital: _, ...entry } = searchEntry;
	expect(parse(entry)).toMatchObject({ capital: 240000, currency: null });
});

test.each([0, -1, "-1", 1e15, 1e300])("a capital of %s is unknown", (capital_social) => {
	expect(parse({ ...searchEntry, capital_social })).not.toHaveProperty("capital");
	expect(parse({ ...searchEntry, capital_social: 0.01 })).toMatchObject({ capital: 0.01 });
});

test.each([0, -99, 1.5, 1000])("a duration of %s years is unknown", (duree_personne_morale) => {
	expect(parse({ ...searchEntry, duree_personne_morale })).not.toHaveProperty("durationYears");
	for (const years of [1, 99.0, 999])
		expect(parse({ ...searchEntry, duree_personne_morale: years })).toMatchObject({ durationYears: years });
});

test.each<[written: string | null, code: string | null]>([
	["EUR", "EUR"],
	["eur ", "EUR"],
	["€", "EUR"],
	["euro", "EUR"],
	["Euros", "EUR"],
	["FRF", "FRF"],
	["F", "FRF"],
	["Francs français", "FRF"],
	["XPF", "XPF"],
	["Francs CFP", "XPF"],
	["FRS", "FRF"],
	["DEM", "DEM"],
	["USD", "USD"],
	["", null],
	[null, null],
])("a capital in %j is in %s", (devise_capital, currency) => {
	expect(parse({ ...searchEntry, devise_capital })).toMatchObject({ currency, capital: 240000 });
});

test.each(["EURO.S", "dollars", "?", "12", "ZZZ", "XXX"])("a capital in %j is unknown, not one in euros", (devise_capital) => {
	const registration = parse({ ...searchEntry, devise_capital });
	for (const field of ["capital", "currency"]) expect(registration).not.toHaveProperty(field);
});

test.each([
	["a string", "552032534"],
	["an object without a SIREN", { nom: "DANONE" }],
	["an object with a SIREN only", { siren: "552032534", nom: "DANONE" }],
	["an invalid SIREN", { ...searchEntry, siren: "5520325" }],
	["a SIREN of zeros", { ...searchEntry, siren: "000000000" }],
	["a SIREN that is a number", { ...searchEntry, siren: 302474648 }],
	["a capital with blanks", { ...searchEntry, capital_social: " 10000 " }],
	["a capital with a comma", { ...searchEntry, capital_social: "10 000,00" }],
	["a capital that is a list", { ...searchEntry, capital_social: [] }],
	["a capital that is true", { ...searchEntry, capital_social: true }],
	["a duration in words", { ...searchEntry, duree_personne_morale: "99 ans" }],
	["a capital in words", { ...searchEntry, capital_social: "cent euros" }],
	["a response without content", { updatedAt: "2025-08-07", formality: { siren: "552032534" } }],
	["a recording without a day", { response: danone }],
])("refuses %s", (_, entry) => {
	expect(() => parse(entry)).toThrow();
});

test.each([
	["2026-05-01T10:00:00+02:00", "2026-05-01T08:00:00.000Z"],
	["2026-05-01T10:00:00.5Z", "2026-05-01T10:00:00.500Z"],
	// by the clock of Paris, wherever the program runs
	["2026-05-01T10:00:00", "2026-05-01T08:00:00.000Z"],
	["2026-01-01 10:00", "2026-01-01T09:00:00.000Z"],
	["2026-05-01T99:00:00", "2026-06-01T00:00:00.000Z"],
	["2026-05-01", "2026-05-01T00:00:00.000Z"],
	["01/05/2026", "2026-05-01T00:00:00.000Z"],
	["31/12/2025", "2025-12-31T00:00:00.000Z"],
])("an entry of « %s » is of %s", (updatedAt, at) => {
	expect(parse({ ...danone, updatedAt })).toMatchObject({ at });
});
