import { describe, expect, test } from "vitest";
import type { Siren } from "../../companies/siren.ts";
import { containsSiren, findCompanySiren, findIssueDate, listSirens } from "./extract-text.ts";

const siren = "552032534" as Siren;

describe("listing every SIREN", () => {
	test.each([
		["SIREN 552032534, TVA FR 83 404 833 048, 552 032 534 R.C.S. Paris", ["552032534", "404833048"]],
		["capital 75 009 552 032 534 €, téléphone 06 12 34 56 78, 123 456 789", []],
		["", []],
	])("« %s »", (text, sirens) => expect(listSirens(text)).toEqual(sirens));

	test("stops after a hundred", () => {
		const numbers = Array.from({ length: 30_000 }, (_, index) => String(100_000_000 + index));
		expect(listSirens(numbers.join("\n"))).toHaveLength(100);
	});
});

describe("finding the SIREN", () => {
	test.each([
		"numéro 552 032 534 R.C.S. Paris",
		"552032534",
		"552.032.534",
		"552\u00a0032\u00a0534",
		"n°552 032 534.",
		"SIRET 552 032 534 00703",
		"SIRET 55203253400703",
		"552032534 00703",
		"TVA FR12552032534",
		"TVA FR 12 552 032 534",
		"à jour au 21/11/2026 552 032 534",
		"75009\n552 032 534",
		"552 032 534 75009 PARIS",
		"01/03/1955 552032534 12/03/1955",
	])("finds it in « %s »", (text) => expect(containsSiren(text, siren)).toBe(true));

	test.each([
		"",
		"552 032 535",
		"9552032534",
		"5520325341",
		"55203253412",
		"552032534007031",
		"1 552 032 534",
		"21 552 032 534 12",
		"552 032 534 123",
		"552 032 534,10",
		"552 032 534 €",
		"552 032 534 EUR",
		"552 032\n534",
		"55 203 25 34",
	])("does not find it in « %s »", (text) => expect(containsSiren(text, siren)).toBe(false));
});

test("the SIREN of the company is the registered one, or else the first before RCS", () => {
	expect(findCompanySiren("Immatriculation au RCS, numéro 732 829 320 R.C.S. Paris")).toBe("732829320");
	expect(findCompanySiren("Président 552 032 534 RCS Lyon. IMMATRICULATION AU R.C.S., NUMÉRO 732829320")).toBe("732829320");
	expect(findCompanySiren("552 032 534 R.C.S. Paris, 732 829 320 R.C.S. Paris")).toBe("552032534");
	expect(findCompanySiren("SIREN 552 032 534")).toBeNull();
});

describe("the date of issue", () => {
	test.each([
		["Extrait à jour au 21 novembre 2026", "2026-11-20T23:00:00Z"],
		["A JOUR AU 21 NOVEMBRE 2026", "2026-11-20T23:00:00Z"],
		["EXTRAIT D’IMMATRICULATION PRINCIPALE AU REGISTRE\nà jour au 1er décembre 2026", "2026-11-30T23:00:00Z"],
		["à jour au 3 aout 2026", "2026-08-02T22:00:00Z"],
		["à jour au 3 août 2026", "2026-08-02T22:00:00Z"],
		["à jour du 28 févr. 2026", "2026-02-27T23:00:00Z"],
		["EXTRAIT KBIS de la société ESSAI du 21/11/2026", "2026-11-20T23:00:00Z"],
		["Extrait en date du 21.11.2026", "2026-11-20T23:00:00Z"],
		["Délivré le 21-11-2026", "2026-11-20T23:00:00Z"],
		["Délivrée à Paris, le 21 nov. 2026 à 10h05", "2026-11-21T09:05:00Z"],
		["Édité le : 21/11/2026 10:05:30", "2026-11-21T09:05:00Z"],
		["Date d’édition : 2026-11-21T10:05", "2026-11-21T09:05:00Z"],
		["Date de délivrance 21/11/2026 à 10 h", "2026-11-21T09:00:00Z"],
		["Fait à Aix-en-Provence, le 21 novembre 2026", "2026-11-20T23:00:00Z"],
		["à jour au 21 novembre 2026. Délivré le 3 mars 2026", "2026-03-02T23:00:00Z"],
		["Délivré le 3 mars 2026. à jour au 21 novembre 2026", "2026-03-02T23:00:00Z"],
		["Emise à Lyon le 21/11/2026 à 9:05", "2026-11-21T08:05:00Z"],
		["Situation au 21/11/2026, 00:30", "2026-11-20T23:30:00Z"],
		["Extrait en date du 21/11/2026. Immatriculée le 01/03/1955", "2026-11-20T23:00:00Z"],
		["à jour au 21 novembre 2026. Statuts mis à jour au 3 mars 2020", "2026-11-20T23:00:00Z"],
		["à jour au 21 novembre 2026. Extrait du 3 mars 2020", "2026-11-20T23:00:00Z"],
	])("« %s » gives %s", (text, instant) => expect(findIssueDate(text)?.at).toEqual(new Date(instant)));

	test.each([
		["janvier", 1],
		["janv.", 1],
		["février", 2],
		["fév.", 2],
		["mars", 3],
		["avril", 4],
		["avr.", 4],
		["mai", 5],
		["juin", 6],
		["juillet", 7],
		["juil.", 7],
		["août", 8],
		["septembre", 9],
		["sept.", 9],
		["octobre", 10],
		["oct.", 10],
		["novembre", 11],
		["décembre", 12],
		["déc.", 12],
	] as [string, number][])("reads %s as month %i", (month, number) => {
		expect(findIssueDate(`à jour au 15 ${month} 2026 à 12 h`)?.at.getUTCMonth()).toBe(number - 1);
	});

	test.each([
		"",
		"21 novembre 2026",
		"à jour au 21/13/2026",
		"à jour au 21/11/2026 à 25:00",
		"à jour au 21/11/20261",
		"Extrait du registre du commerce, immatriculée le 01/03/1955",
		"Date d’immatriculation 01/03/1955. Extrait sans date",
		"à jour au 31/02/2026",
		"à jour au 21 brumaire 2026",
		"Statuts à jour au 3 mars 2020",
	])("finds no date in « %s »", (text) => expect(findIssueDate(text)).toBeNull());

	test("tells whether the hour is known", () => {
		expect(findIssueDate("à jour au 21/11/2026 à 00:00")?.hasHour).toBe(true);
		expect(findIssueDate("à jour au 21/11/2026 au registre")?.hasHour).toBe(false);
		// of the same instant twice, the first
		expect(findIssueDate("à jour au 21/11/2026 à 00:00. Délivré le 21/11/2026")?.hasHour).toBe(true);
		expect(findIssueDate("à jour au 21/11/2026. Délivré le 21/11/2026 à 00:00")?.hasHour).toBe(false);
	});
});
