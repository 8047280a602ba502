import { describe, expect, test } from "vitest";
import { parseRegistration } from "./registrations.ts";

const parse = (entry: unknown) => parseRegistration(entry, "2026-06-01");

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
	test("has the day of its last change", () => {
		expect(parse(danone)).toEqual({
			siren: "552032534",
			asOf: "2025-08-07",
			withheld: false,
			registeredOn: "1955-03-01",
			removedOn: null,
			capital: 170348620.75,
			currency: "EUR",
			durationYears: 99,
			singlePartner: false,
		});
	});

	test("has the day of its recording if there is one", () => {
		expect(parse({ siren: "552032534", recorded: "2025-08-12T07:52:43.402Z", response: danone })).toMatchObject({
			siren: "552032534",
			asOf: "2025-08-12",
			capital: 170348620.75,
		});
	});

	test("has no capital if it is variable", () => {
		expect(parse(biocoopSeve)).toMatchObject({ capital: null, durationYears: 99 });
		expect(parse(createResponse("421251067", { description: { capitalVariable: true, montantCapital: 4160 } }))).toMatchObject({
			capital: null,
		});
	});

	test("has the day of removal from the register, not the end of activity", () => {
		const ceased = (detailCessationEntreprise: object) => parse(createResponse("552032534", {}, { person: { detailCessationEntreprise } }));
		expect(ceased({ dateRadiation: "2021-10-15", dateEffet: "2021-09-30" })).toMatchObject({ removedOn: "2021-10-15" });
		expect(ceased({ dateEffet: "2021-09-30", dateCessationTotaleActivite: "2021-09-30" })).toMatchObject({ removedOn: null });
	});

	test("has the single partner from both places where INPI writes it; null without", () => {
		expect(parse(createResponse("552032534", { entreprise: { indicateurAssocieUnique: true } }))).toMatchObject({ singlePartner: true });
		expect(parse(createResponse("552032534", { description: { indicateurAssocieUnique: true } }))).toMatchObject({ singlePartner: true });
		expect(parse(createResponse("552032534", { description: {} }))).toMatchObject({ singlePartner: null });
		const both = { entreprise: { indicateurAssocieUnique: false }, description: { indicateurAssocieUnique: true } };
		expect(parse(createResponse("552032534", both))).toMatchObject({ singlePartner: false });
	});

	test("has no data of a unit that is not diffused; an objection to canvassing changes nothing", () => {
		expect(parse({ ...danone, formality: { ...danone.formality, diffusionINSEE: "N" } })).toEqual({
			siren: "552032534",
			asOf: "2025-08-07",
			withheld: true,
			registeredOn: null,
			removedOn: null,
			capital: null,
			currency: null,
			durationYears: null,
			singlePartner: null,
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
		for (const updatedAt of [undefined, null, "1900-01-01T00:00:00"])
			expect(parse({ ...danone, updatedAt })).toMatchObject({ asOf: "2026-06-01" });
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
			asOf: "2026-06-01",
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

	test("has null for missing values", () => {
		expect(parse({ siren: "389600982", date_immatriculation: "1992-12-09" })).toMatchObject({
			capital: null,
			currency: null,
			durationYears: null,
			singlePartner: null,
		});
	});
});

test.each(["1900-01-01", "2021-02-30", "0001-01-01", "", "?"])("%j is an unknown day", (day) => {
	expect(parse({ ...searchEntry, date_immatriculation: day, date_radiation: day })).toMatchObject({ registeredOn: null, removedOn: null });
});

test("parses quoted digits as numbers", () => {
	expect(parse({ ...searchEntry, capital_social: "457.35", duree_personne_morale: "99" })).toMatchObject({
		capital: 457.35,
		durationYears: 99,
	});
});

test.each([0, -1, 1e15, 1e300])("a capital of %s is unknown", (capital_social) => {
	expect(parse({ ...searchEntry, capital_social })).toMatchObject({ capital: null, registeredOn: "2003-09-01" });
	expect(parse({ ...searchEntry, capital_social: 0.01 })).toMatchObject({ capital: 0.01 });
});

test.each([0, -99, 1.5, 1000])("a duration of %s years is unknown", (duree_personne_morale) => {
	expect(parse({ ...searchEntry, duree_personne_morale })).toMatchObject({ durationYears: null, registeredOn: "2003-09-01" });
	for (const years of [1, 999]) expect(parse({ ...searchEntry, duree_personne_morale: years })).toMatchObject({ durationYears: years });
});

test.each(["", "euro", "eur", "EURO", "€"])("%j is an unknown currency", (devise_capital) => {
	expect(parse({ ...searchEntry, devise_capital })).toMatchObject({ currency: null, capital: 240000 });
});

test.each([
	["a string", "552032534"],
	["an object without a SIREN", { nom: "DANONE" }],
	["an object with a SIREN only", { siren: "552032534", nom: "DANONE" }],
	["an invalid SIREN", { ...searchEntry, siren: "5520325" }],
	["a capital in words", { ...searchEntry, capital_social: "cent euros" }],
	["a response without content", { updatedAt: "2025-08-07", formality: { siren: "552032534" } }],
	["a recording without a day", { response: danone }],
])("refuses %s", (_, entry) => {
	expect(() => parse(entry)).toThrow();
});
