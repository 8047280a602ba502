import { describe, expect, test } from "vitest";
import { mayBeNameOf } from "./name-agreement.ts";
import { tokenize } from "./search/tokens.ts";

const company = (name: string | null, change: { acronym?: string; tradeNames?: string[]; branch?: string } = {}) => ({
	name,
	acronym: change.acronym ?? null,
	tradeNames: change.tradeNames ?? [],
	establishments: { open: 1, list: change.branch ? [{ ...establishment, tradeName: change.branch }] : [] },
	address: "17 BOULEVARD HAUSSMANN",
	city: "PARIS",
	greffe: "Nanterre",
	legalFormInFull: "SA à conseil d’administration",
});
const establishment = {
	siret: "55203253400646",
	address: { street: "1 rue A", complement: null, postalCode: "75009", city: "Paris" },
	headOffice: false,
	nafCode: null,
	activityDescription: null,
	masked: false,
};

describe("words beside a number", () => {
	test.each<[string, ReturnType<typeof company>]>([
		["DANONE", company("DANONE")],
		["Danone SA", company("DANONE")],
		["société DANONE (France)", company("DANONE")],
		["danonne", company("DANONE")],
		["DANON", company("DANONE")],
		["Groupe Danone", company("DANONE")],
		["S.N.C.F.", company("SOCIETE NATIONALE SNCF", { acronym: "SNCF" })],
		["Société nationale des chemins de fer", company("SNCF")],
		["SG", company("SOCIETE GENERALE")],
		["EDF", company("ELECTRICITE DE FRANCE")],
		["La Sirène", company("LORELEI 1984", { tradeNames: ["LA SIRENE"] })],
		["Monoprix Haussmann", company("SOCIETE ABC", { branch: "MONOPRIX" })],
		["l’oreal", company("L'OREAL")],
		["loreal", company("L'OREAL")],
		["credit agricole", company("CREDITAGRICOLE")],
		["Creditagricole", company("CREDIT AGRICOLE")],
		["Total Energies", company("TOTALENERGIES SE")],
		["17 boulevard Haussmann Paris", company("DANONE")],
		["Nanterre B", company("DANONE")],
		["APE, tribunal", company("DANONE")],
		["SAS", company("DANONE")],
		["France", company("DANONE")],
		["Kbis de moins de trois mois, pour un locataire", company("TROIS")],
		["représentée par son président", company("DANONE")],
		["N/A", company("DANONE")],
		["Bonjour, je voudrais svp", company("DANONE")],
		["France", company("FRANCE HOLDING")],
		["holding", company("FRANCE HOLDING")],
		["dossier", company("DANONE")],
		["", company("DANONE")],
		["LORELEI", company(null)],
	])("« %s » may be its name", (text, known) => {
		expect(mayBeNameOf(tokenize(text), known)).toBe(true);
	});

	test.each<[string, ReturnType<typeof company>]>([
		["LORELEI", company("TOTALENERGIES SE")],
		["ELEGANCE", company("DANONE")],
		["Elegance Paris", company("DANONE")],
		["EDF France", company("AIR FRANCE")],
		["groupe", company("DANONE")],
		["Dano", company("DAN")],
		["SNC Dupont", company("SNC MARTIN")],
		["AB", company("ABC")],
		["DUPONT ET FILS", company("MARTIN ET FILS")],
		["Plomberie Durand", company("PLOMBERIE MARTIN", { acronym: "PM" })],
		["Banque populaire", company("BANQUE DE FRANCE", { tradeNames: ["BDF"] })],
		["Monoprix", company("CARREFOUR", { branch: "CARREFOUR CITY" })],
	])("« %s » is another name", (text, known) => {
		expect(mayBeNameOf(tokenize(text), known)).toBe(false);
	});
});
