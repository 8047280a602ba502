import { describe, expect, test } from "vitest";
import { parseRegistration } from "./registrations.ts";

const read = (entry: unknown) => parseRegistration(entry, "2026-06-01");

/** Answers of INPI's API of August 2025, as far as they are read. */
const answer = (siren: string, identite: object, more: { formality?: object; person?: object } = {}) => ({
	updatedAt: "2025-08-07T13:10:29+02:00",
	formality: { siren, diffusionINSEE: "O", ...more.formality, content: { personneMorale: { identite, ...more.person } } },
});
const danone = answer("552032534", {
	entreprise: { denomination: "DANONE", dateImmat: "1955-03-01" },
	description: { duree: 99, capitalVariable: false, montantCapital: 170348620.75, deviseCapital: "EUR", indicateurAssocieUnique: false },
});
const biocoopSeve = answer("421251067", {
	entreprise: { dateImmat: "1998-12-24" },
	description: { duree: 99, capitalVariable: true, capitalMinimum: 4160, deviseCapital: "EUR", indicateurAssocieUnique: false },
});

/** An answer of the State's company search. */
const searched = {
	siren: "302474648",
	capital_social: 240000,
	date_immatriculation: "2003-09-01",
	date_radiation: null,
	duree_personne_morale: 30,
	indicateur_associe_unique: false,
	devise_capital: "EUR",
	capital_variable: false,
};

describe("an answer of the RNE", () => {
	test("bare, it is of the day on which it last changed", () => {
		expect(read(danone)).toEqual({
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

	test("recorded, it is of the day of the recording", () => {
		expect(read({ siren: "552032534", recorded: "2025-08-12T07:52:43.402Z", response: danone })).toMatchObject({
			siren: "552032534",
			asOf: "2025-08-12",
			capital: 170348620.75,
		});
	});

	test("a variable capital is none", () => {
		expect(read(biocoopSeve)).toMatchObject({ capital: null, durationYears: 99 });
		expect(read(answer("421251067", { description: { capitalVariable: true, montantCapital: 4160 } }))).toMatchObject({ capital: null });
	});

	test("the day of removal is that of the register, not the end of the activity", () => {
		const ceased = (detailCessationEntreprise: object) => read(answer("552032534", {}, { person: { detailCessationEntreprise } }));
		expect(ceased({ dateRadiation: "2021-10-15", dateEffet: "2021-09-30" })).toMatchObject({ removedOn: "2021-10-15" });
		expect(ceased({ dateEffet: "2021-09-30", dateCessationTotaleActivite: "2021-09-30" })).toMatchObject({ removedOn: null });
	});

	test("the single partner is read wherever INPI writes it; its absence is no answer", () => {
		expect(read(answer("552032534", { entreprise: { indicateurAssocieUnique: true } }))).toMatchObject({ singlePartner: true });
		expect(read(answer("552032534", { description: { indicateurAssocieUnique: true } }))).toMatchObject({ singlePartner: true });
		expect(read(answer("552032534", { description: {} }))).toMatchObject({ singlePartner: null });
		const both = { entreprise: { indicateurAssocieUnique: false }, description: { indicateurAssocieUnique: true } };
		expect(read(answer("552032534", both))).toMatchObject({ singlePartner: false });
	});

	test("of a unit that is not diffused nothing is taken; an opposition to canvassing hides nothing", () => {
		expect(read({ ...danone, formality: { ...danone.formality, diffusionINSEE: "N" } })).toEqual({
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
		expect(read({ ...danone, formality: { ...danone.formality, diffusionCommerciale: false } })).toMatchObject({ withheld: false });
	});

	test.each([
		["P", true],
		["", true],
		[null, false],
		[undefined, false],
	])("diffusionINSEE %j withholds: %s", (diffusionINSEE, withheld) => {
		expect(read({ ...danone, formality: { ...danone.formality, diffusionINSEE } })).toMatchObject({
			withheld,
			capital: withheld ? null : 170348620.75,
		});
	});

	test("without its day it is of the day of its file", () => {
		for (const updatedAt of [undefined, null, "1900-01-01T00:00:00"])
			expect(read({ ...danone, updatedAt })).toMatchObject({ asOf: "2026-06-01" });
	});

	test("natural persons are set aside", () => {
		expect(read({ updatedAt: "2025-08-07", formality: { siren: "100000009", content: { personnePhysique: { identite: {} } } } })).toBe(
			"no-legal-person",
		);
	});
});

describe("an answer of the State's company search", () => {
	test("is of the day of its file", () => {
		expect(read(searched)).toEqual({
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

	test("a variable capital is none, here too", () => {
		expect(read({ ...searched, capital_variable: true })).toMatchObject({ capital: null, durationYears: 30 });
	});

	test("says nothing of what it leaves out", () => {
		expect(read({ siren: "389600982", date_immatriculation: "1992-12-09" })).toMatchObject({
			capital: null,
			currency: null,
			durationYears: null,
			singlePartner: null,
		});
	});
});

test.each(["1900-01-01", "2021-02-30", "0001-01-01", "", "?"])("%j is no day", (day) => {
	expect(read({ ...searched, date_immatriculation: day, date_radiation: day })).toMatchObject({ registeredOn: null, removedOn: null });
});

test("digits in quotes are a number", () => {
	expect(read({ ...searched, capital_social: "457.35", duree_personne_morale: "99" })).toMatchObject({
		capital: 457.35,
		durationYears: 99,
	});
});

test.each([0, -1, 1e15, 1e300])("a capital of %s is unknown", (capital_social) => {
	expect(read({ ...searched, capital_social })).toMatchObject({ capital: null, registeredOn: "2003-09-01" });
	expect(read({ ...searched, capital_social: 0.01 })).toMatchObject({ capital: 0.01 });
});

test.each([0, -99, 1.5, 1000])("a duration of %s years is unknown", (duree_personne_morale) => {
	expect(read({ ...searched, duree_personne_morale })).toMatchObject({ durationYears: null, registeredOn: "2003-09-01" });
	for (const years of [1, 999]) expect(read({ ...searched, duree_personne_morale: years })).toMatchObject({ durationYears: years });
});

test.each(["", "euro", "eur", "EURO", "€"])("%j is no currency", (devise_capital) => {
	expect(read({ ...searched, devise_capital })).toMatchObject({ currency: null, capital: 240000 });
});

test.each([
	["a text", "552032534"],
	["nothing that is known", { nom: "DANONE" }],
	["another file of numbers", { siren: "552032534", nom: "DANONE" }],
	["a SIREN that is none", { ...searched, siren: "5520325" }],
	["a capital in words", { ...searched, capital_social: "cent euros" }],
	["an answer without content", { updatedAt: "2025-08-07", formality: { siren: "552032534" } }],
	["a recording without its day", { response: danone }],
])("%s is refused", (_, entry) => {
	expect(() => read(entry)).toThrow();
});
