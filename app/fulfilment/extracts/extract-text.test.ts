import { describe, expect, test } from "vitest";
import type { Siren } from "../../companies/siren.ts";
import { containsSiren, findCompany, findIssueDate, isExtractText, listSirens } from "./extract-text.ts";

const siren = "552032534" as Siren;

describe("listing every SIREN", () => {
	test.each([
		["SIREN 552032534, TVA FR 83 404 833 048, 552 032 534 R.C.S. Paris", ["552032534", "404833048"]],
		["capital 75 009 552 032 534 €, téléphone 06 12 34 56 78, 123 456 789", []],
		["552\u2011032\u2011534, 404·833·048, 732\u2013829\u2013320", ["552032534", "404833048", "732829320"]],
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
		"552  032  534",
		"552\u2011032\u2011534",
		"552 032 534, et 100 €",
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

describe("the company of an extract", () => {
	const [own, other] = ["552032534", "732829320"];
	test.each<[string, string[]]>([
		["Immatriculation au RCS, numéro 732 829 320 R.C.S. Paris", [other]],
		["IMMATRICULATION AU R.C.S., NUMÉRO 732829320", [other]],
		["Immatriculation principale au Registre du commerce et des sociétés n° 552 032 534", [own]],
		["Immatriculée au RCS de Paris sous le numéro 552.032.534", [own]],
		["Immatriculation au RCS, numéro 552 032\n534 R.C.S. Paris", [own]],
		["Immatriculation au RCS, numéro 5 5 2 0 3 2 5 3 4 R.C.S. Paris", [own]],
		["Immatriculation au RCS, numéro 552\u2007032\u2007534", [own]],
		["Immatriculation au RCS, numéro 552\u00ad032\u200b534", [own]],
		["Immatriculation au RCS, numéro ５５２ ０３２ ５３４", [own]],
		["Immatriculation au RCS, numéro 55203253400703", [own]],
		["Immatriculation au RCS, numéro 552 032 534 00703", [own]],
		["Numéro d’identification : 552-032-534", [own]],
		["N° d’immatriculation 552 032 534", [own]],
		["SIREN 552 032 534", []], // of whom, it does not say
		["R.C.S. PARIS 552 032 534", [own]],
		["RCS Saint-Denis de la Réunion B 552 032 534", [own]],
		["552 032 534 (RCS Paris)", [own]],
		["EUID : FR7501.552032534", [own]],
		["Identifiant unique européen FR-7501-552032534", [own]],
		["EUID FR 7501.552 032 534", [own]],
		["R.C.S. PARIS 552 032 534 Président : HOLDING, 732 829 320 R.C.S. NANTERRE", [own]],
		["552 032 534 R.C.S. Paris, 732 829 320 R.C.S. Paris", [own]],
		["Immatriculation au RCS, numéro 552 032 534 R.C.S. Paris EUID FR7501.552032534 Président 732 829 320 RCS Lyon", [own]],
		["Président 552 032 534 RCS Lyon. Immatriculation au RCS, numéro 732829320", [other, own]],
		["EUID FR7501.552032534, société du R.C.S. Lyon, 732 829 320", [other, own]],
		[
			"IDENTIFICATION DE LA PERSONNE MORALE Immatriculation au RCS, numéro 552 032 534 IDENTIFICATION DE LA PERSONNE MORALE Immatriculation au RCS, numéro 732 829 320",
			[own, other],
		],
		["numéro 552 032 535 R.C.S. Paris", []], // no valid key
		["Capital de 552 032 534 euros, immatriculée depuis 1955", []],
		["PARCS 552 032 534", []],
		["TVA FR83404833048", []],
		["", []],
	])("in « %s »: %j", (text, sirens) => {
		expect(findCompany(text)).toEqual({ siren: sirens.length === 1 ? sirens[0] : null, registered: sirens });
	});

	test.each([
		"Immatriculation au RCS, numéro 552 O32 534 R.C.S. Paris. Président : 732 829 320 R.C.S. Lyon",
		"Immatriculation au RCS, numéro Date d’immatriculation Dénomination Adresse 1 rue X, Président 732 829 320 R.C.S. Lyon",
		"Immatriculation au RCS, numéro 552 032. Immatriculation au RCS, numéro 732 829 320",
		"N° d’identification 55Z O32 534 R.C.S. Paris. Président : 732 829 320 R.C.S. Lyon",
		"Numéro RCS : 5S2 032 534. Président : 732 829 320 R.C.S. Lyon",
		"Numéro unique d’identification 552 032 535. Président : 732 829 320 R.C.S. Lyon",
		"N° SIREN 552 O32 534. Président : 732 829 320 R.C.S. Lyon",
	])("is not certain where its label has another number, or none: « %s »", (text) => {
		expect(findCompany(text)).toEqual({ siren: null, registered: [other] });
	});
});

test.each([
	["Extrait Kbis", true],
	["EXTRAIT D’IMMATRICULATION PRINCIPALE AU REGISTRE DU COMMERCE ET DES SOCIÉTÉS", true],
	["Greffe du tribunal des activités économiques. Extrait K. Registre national des entreprises", true],
	["Extrait du registre", true],
	["Avis de situation au répertoire Sirene", false],
	["Extrait d’immatriculation au Registre national des entreprises", false],
	["Facture n° 12 : un extrait Kbis", false],
	["Bon de commande no 12 : un extrait Kbis", false],
	["Devis numéro 12 : un extrait Kbis", false],
	["Extrait Kbis, total TTC 3 €", false],
	["Extrait Kbis. Activité : facture numérique, commande normalisée, reçu noté", true],
	["Statuts. R.C.S. Paris", false],
	["Extrait de naissance", false],
])("« %s » calls itself an extract: %s", (text, expected) => expect(isExtractText(text)).toBe(expected));

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
		["à jour au 21 novembre 2026. Observations : objet social mis à jour le 12 janvier 2020", "2026-11-20T23:00:00Z"],
		["à jour au 21 novembre 2026. Activités mises à jour au 12 janvier 2020", "2026-11-20T23:00:00Z"],
		["Extrait mis à jour au 21 novembre 2026", "2026-11-20T23:00:00Z"],
		["à jour au 21 novembre 2026. Carte professionnelle délivrée le 3 mars 2020", "2026-11-20T23:00:00Z"],
		["à jour au 21 novembre 2026. Titre de séjour, délivré à Lyon, le 3 mars 2020", "2026-11-20T23:00:00Z"],
		["à jour au 21 novembre 2026. Acte sous seing privé fait à Paris, le 3 mars 2020", "2026-11-20T23:00:00Z"],
		...[
			"Carte professionnelle n° CPI 7501 2016 000 012 345 : délivrée",
			...["Certificat de capacité délivré", "Habilitation délivrée", "Passeport délivré à Paris", "Brevet délivré", "Bail fait à Paris"],
			...[
				"Procès-verbal fait à Paris,",
				"Contrat fait",
				"Mandat fait",
				"Inventaire fait",
				"Testament fait",
				"Emprunt émis",
				"Obligations émises",
			],
			...["Comptes à jour au", "Liste des sièges antérieurs à jour au", "Sur la base d’une situation au", "La situation au"],
		].map((paper) => [`à jour au 21 novembre 2026. ${paper} le 12/03/2016`, "2026-11-20T23:00:00Z"]),
		["à jour en date du samedi 21 novembre 2026", "2026-11-20T23:00:00Z"],
		["à jour au 21/11/26", "2026-11-20T23:00:00Z"],
		["à jour au 2026/11/21", "2026-11-20T23:00:00Z"],
		["Délivré au greffe de Paris le dimanche 22 novembre 2026", "2026-11-21T23:00:00Z"],
		["Délivré par le greffe de Paris, le mercredi 18/11/2026", "2026-11-17T23:00:00Z"],
		["Caractères lisibles. Délivré le 21 novembre 2026", "2026-11-20T23:00:00Z"],
		["à jour au\n21\u00a0novembre\u202f2026", "2026-11-20T23:00:00Z"],
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
		"à jour au 21/11/261",
		"à jour au bail 21/11/2026",
		"Extrait du registre du commerce, immatriculée le 01/03/1955",
		"Date d’immatriculation 01/03/1955. Extrait sans date",
		"à jour au 31/02/2026",
		"à jour au 21 brumaire 2026",
		"Statuts à jour au 3 mars 2020",
		"Objet mis à jour le 3 mars 2020",
		"Licence de transport délivrée par la préfecture, délivrée le 3 mars 2020",
	])("finds no date in « %s »", (text) => expect(findIssueDate(text)).toBeNull());

	test.each([
		["Greffe du tribunal mixte de commerce de Nouméa. à jour au 21 novembre 2026 à 8 h", "2026-11-20T21:00:00Z"],
		["Greffe du tribunal mixte de commerce de Papeete. à jour au 21 novembre 2026", "2026-11-21T10:00:00Z"],
		["Greffe de Mata-Utu. à jour au 21 novembre 2026", "2026-11-20T12:00:00Z"],
		["552 032 534 R.C.S. Saint-Denis de la Réunion à jour au 21 novembre 2026", "2026-11-20T20:00:00Z"],
		["R.C.S. Saint-Pierre-de-la-Réunion à jour au 21 novembre 2026", "2026-11-20T20:00:00Z"],
		["Greffe de Mamoudzou. à jour au 21 novembre 2026", "2026-11-20T21:00:00Z"],
		["Greffe de Fort-de-France. à jour au 21 novembre 2026", "2026-11-21T04:00:00Z"],
		["Greffe de Pointe-à-Pitre. à jour au 21 novembre 2026", "2026-11-21T04:00:00Z"],
		["RCS Basse-Terre. à jour au 21 novembre 2026", "2026-11-21T04:00:00Z"],
		["Greffe de Cayenne. à jour au 21 novembre 2026", "2026-11-21T03:00:00Z"],
		["Greffe de Saint-Pierre-et-Miquelon. à jour au 21 novembre 2026", "2026-11-21T03:00:00Z"],
		["Greffe de Paris. à jour au 21 novembre 2026. Établissement à Cayenne", "2026-11-20T23:00:00Z"],
		["Greffe de Bobigny. Saint-Denis. à jour au 21 novembre 2026", "2026-11-20T23:00:00Z"],
	])("« %s » was printed at %s", (text, instant) => {
		const { at, ahead = 0 } = findIssueDate(text) ?? { at: new Date(0) };
		expect(new Date(at.getTime() - ahead)).toEqual(new Date(instant));
		// pages show the day that the extract shows
		expect(at.toLocaleDateString("fr-FR", { timeZone: "Europe/Paris" })).toBe("21/11/2026");
	});

	test("tells whether the hour is known", () => {
		expect(findIssueDate("à jour au 21/11/2026 à 00:00")?.hasHour).toBe(true);
		expect(findIssueDate("à jour au 21/11/2026 au registre")?.hasHour).toBe(false);
		// of the same instant twice, the first
		expect(findIssueDate("à jour au 21/11/2026 à 00:00. Délivré le 21/11/2026")?.hasHour).toBe(true);
		expect(findIssueDate("à jour au 21/11/2026. Délivré le 21/11/2026 à 00:00")?.hasHour).toBe(false);
	});
});
