import { expect, test } from "vitest";
import { establishmentHeader, establishmentRow, unitHeader, unitRow } from "./insee-rows.ts";

const toObject = (header: readonly string[], cells: string[]) => Object.fromEntries(header.map((column, index) => [column, cells[index]]));

test("converts an establishment of INSEE's documentation to a row of the stock file", () => {
	const cells = establishmentRow.parse({
		siren: "265700296",
		nic: "00148",
		siret: "26570029600148",
		statutDiffusionEtablissement: "O",
		dateCreationEtablissement: null,
		dateDernierTraitementEtablissement: "2021-10-27T08:13:02.153",
		etablissementSiege: true,
		nombrePeriodesEtablissement: 2,
		uniteLegale: { etatAdministratifUniteLegale: "A", statutDiffusionUniteLegale: "O", denominationUniteLegale: "CCAS" },
		adresseEtablissement: {
			numeroVoieEtablissement: "22",
			typeVoieEtablissement: "RUE",
			codePostalEtablissement: "57000",
			codeCedexEtablissement: null,
		},
		adresse2Etablissement: { codePostal2Etablissement: "99999" },
		// the current period has no end, or null
		periodesEtablissement: [
			{ dateFin: "2007-12-31", dateDebut: "2004-12-25", etatAdministratifEtablissement: "F", enseigne1Etablissement: "AVANT" },
			{
				dateDebut: "2008-01-01",
				etatAdministratifEtablissement: "A",
				changementEtatAdministratifEtablissement: false,
				enseigne1Etablissement: null,
			},
		],
	});
	const row = toObject(establishmentHeader, cells);
	expect(Object.entries(row).filter(([, value]) => value !== "")).toEqual([
		["siren", "265700296"],
		["nic", "00148"],
		["siret", "26570029600148"],
		["statutDiffusionEtablissement", "O"],
		["dateDernierTraitementEtablissement", "2021-10-27T08:13:02.153"],
		["etablissementSiege", "true"],
		["nombrePeriodesEtablissement", "2"],
		["numeroVoieEtablissement", "22"],
		["typeVoieEtablissement", "RUE"],
		["codePostalEtablissement", "57000"],
		["dateDebut", "2008-01-01"],
		["etatAdministratifEtablissement", "A"],
	]);
});

test("converts a unit with both activities", () => {
	const cells = unitRow.parse({
		siren: "552032534",
		statutDiffusionUniteLegale: "O",
		unitePurgeeUniteLegale: true,
		activitePrincipaleNAF25UniteLegale: "70.10Y",
		periodesUniteLegale: [
			{ dateFin: null, dateDebut: "2010-01-01", denominationUniteLegale: "DANONE\0", activitePrincipaleUniteLegale: "70.10Z" },
			{ dateFin: "2009-12-31", denominationUniteLegale: "GROUPE DANONE", sigleUniteLegale: "BSN" },
		],
	});
	expect(toObject(unitHeader, cells)).toMatchObject({
		siren: "552032534",
		unitePurgeeUniteLegale: "true",
		denominationUniteLegale: "DANONE",
		sigleUniteLegale: "",
		activitePrincipaleUniteLegale: "70.10Z",
		activitePrincipaleNAF25UniteLegale: "70.10Y",
	});
});

test.each([
	["numbers of another length", { siret: "2657002960014" }],
	["no current period", { periodesEtablissement: [{ dateFin: "2007-12-31" }] }],
])("refuses an establishment with %s", (_, wrong) => {
	const right = { siret: "26570029600148", etablissementSiege: true, adresseEtablissement: {}, periodesEtablissement: [{}] };
	expect(establishmentRow.safeParse(right).success).toBe(true);
	expect(establishmentRow.safeParse({ ...right, ...wrong }).success).toBe(false);
});
