// Made-up SIRENE rows for tests: sole traders, masked units, addresses abroad, which the embedded sample does not have.
import { establishmentColumns, unitColumns } from "./sirene-rows.ts";

export type Row = Record<string, string>;
/** A file as INSEE writes it. */
export const csv = (columns: readonly string[], rows: Row[]) =>
	`${[columns, ...rows.map((row) => columns.map((column) => row[column] ?? ""))].map((cells) => cells.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")).join("\n")}\n`;

/** Keys as in the file, without their ending. */
export const unit = (siren: string, row: Row): Row => ({
	siren,
	categorieEntreprise: row.categorie ?? "",
	activitePrincipaleNAF25UniteLegale: row.naf25 ?? "",
	...suffixed({ statutDiffusion: "O", etatAdministratif: "A", nicSiege: "00011", ...row }, "UniteLegale"),
});
export const establishment = (siret: string, row: Row): Row => ({
	siren: siret.slice(0, 9),
	siret,
	...suffixed({ statutDiffusion: "O", etatAdministratif: "A", ...row }, "Etablissement"),
	etablissementSiege: row.siege ?? "true",
});
const suffixed = (row: Row, suffix: string) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name + suffix, value]));

export const madeUpUnits = [
	unit("100000001", {
		nom: "LEFÈVRE",
		nomUsage: "DUPONT-MOREAU",
		prenomUsuel: "ÉLODIE",
		categorieJuridique: "1000",
		activitePrincipale: "62.01Z",
		nomenclatureActivitePrincipale: "NAFRev2",
		dateCreation: "1900-01-01",
	}),
	unit("100000002", {
		statutDiffusion: "P",
		nom: "[ND]",
		prenomUsuel: "[ND]",
		denomination: "SECRET DE FAMILLE",
		categorieJuridique: "5710",
		activitePrincipale: "47.11F",
		nomenclatureActivitePrincipale: "NAFRev2",
		dateCreation: "2015-06-01",
	}),
	unit("100000003", {
		denomination: 'ÆTHER & FILS, "MAÎTRES" D\'ŒUVRE',
		categorieJuridique: "5499",
		dateCreation: "2001-02-03",
		categorie: "PME",
	}),
	unit("100000004", {
		denomination: "AETHER CESSÉE",
		etatAdministratif: "C",
		categorie: "GE",
		categorieJuridique: "5599",
		dateCreation: "2023-02-30",
	}),
	unit("100000005", {
		denomination: "AETHER GROUPE",
		categorie: "GE",
		trancheEffectifs: "53",
		categorieJuridique: "5710",
		naf25: "62.10Y",
		activitePrincipale: "72.2Z",
		nomenclatureActivitePrincipale: "NAFRev1",
	}),
	unit("100000006", { denomination: "AETHER ÉTRANGER", categorie: "ETI", categorieJuridique: "3120" }),
	unit("100000007", { sigle: "S.N.C.F.", categorieJuridique: "7389", denomination: "SOCIETE NATIONALE\tET\\COMPAGNIE" }),
	{ siren: "not a siren" },
];

export const madeUpEstablishments = [
	establishment("10000000100011", {
		numeroVoie: "3",
		indiceRepetition: "B",
		typeVoie: "CHE",
		libelleVoie: "DES VIGNES",
		codePostal: "20090",
		libelleCommune: "AJACCIO",
		codeCommune: "2A004",
		enseigne1: "L'ATELIER D'ÉLODIE",
	}),
	establishment("10000000200011", {
		numeroVoie: "1",
		typeVoie: "RUE",
		libelleVoie: "CACHEE",
		codePostal: "75001",
		libelleCommune: "PARIS 1",
		codeCommune: "75101",
		enseigne1: "CACHETTE",
	}),
	establishment("10000000300011", {
		siege: "true",
		etatAdministratif: "F",
		libelleVoie: "ANCIEN SIEGE",
		codePostal: "69003",
		libelleCommune: "LYON 3EME",
		codeCommune: "69383",
	}),
	establishment("10000000300029", { siege: "false", enseigne1: "LE COMPTOIR" }),
	establishment("10000000300037", { siege: "false", etatAdministratif: "F", enseigne1: "LA BOUTIQUE FERMEE" }),
	establishment("10000000500011", {
		statutDiffusion: "P",
		numeroVoie: "[ND]",
		typeVoie: "[ND]",
		libelleVoie: "[ND]",
		codePostal: "[ND]",
		libelleCommune: "BORDEAUX",
		codeCommune: "33063",
	}),
	establishment("10000000600011", {
		numeroVoie: "10",
		libelleVoie: "DOWNING STREET",
		libelleCommuneEtranger: "LONDRES",
		libellePaysEtranger: "ROYAUME-UNI",
		codeCommune: "99132",
	}),
	establishment("10000000700011", {
		complementAdresse: "TOUR A",
		typeVoie: "LD",
		libelleVoie: "LIEU DIT LE MARCHE",
		distributionSpeciale: "BP 12",
		codePostal: "97400",
		libelleCommune: "SAINT-DENIS",
		codeCommune: "97411",
		codeCedex: "97715",
		libelleCedex: "ST DENIS MESSAG CEDEX 9",
	}),
];

export const unitFile = csv([...unitColumns, "activitePrincipaleNAF25UniteLegale"], madeUpUnits);
export const establishmentFile = csv(establishmentColumns, madeUpEstablishments);
