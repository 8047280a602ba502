import { type HeadOfficeAddress, headOfficeAddress, type ReadColumn } from "./head-office-address.ts";
import { legalFormsOf } from "./legal-forms.ts";
import { exactName, filterLexeme, lexemesOf } from "./lexemes.ts";
import type { Registration } from "./registrations.ts";
import { sectionOf } from "./sectors.ts";

/** Columns without which a file is not INSEE's StockUniteLegale. */
export const unitColumns = [
	"siren",
	"statutDiffusionUniteLegale",
	"dateCreationUniteLegale",
	"sigleUniteLegale",
	"prenom1UniteLegale",
	"prenomUsuelUniteLegale",
	"trancheEffectifsUniteLegale",
	"dateDernierTraitementUniteLegale",
	"categorieEntreprise",
	"etatAdministratifUniteLegale",
	"nomUniteLegale",
	"nomUsageUniteLegale",
	"denominationUniteLegale",
	"denominationUsuelle1UniteLegale",
	"denominationUsuelle2UniteLegale",
	"denominationUsuelle3UniteLegale",
	"categorieJuridiqueUniteLegale",
	"activitePrincipaleUniteLegale",
	"nomenclatureActivitePrincipaleUniteLegale",
	"nicSiegeUniteLegale",
] as const;

/** Columns without which a file is not INSEE's StockEtablissement. */
export const establishmentColumns = [
	"siren",
	"siret",
	"statutDiffusionEtablissement",
	"etablissementSiege",
	"etatAdministratifEtablissement",
	"numeroVoieEtablissement",
	"typeVoieEtablissement",
	"libelleVoieEtablissement",
	"codePostalEtablissement",
	"libelleCommuneEtablissement",
	"codeCommuneEtablissement",
	"enseigne1Etablissement",
	"denominationUsuelleEtablissement",
] as const;

/** A legal unit as the import stages it, in the order of its columns. Lexemes are apart by spaces. */
export interface StagedUnit {
	siren: string;
	importance: number;
	status: "active" | "ceased" | "removed";
	masked: boolean;
	name: string | null;
	exactName: string;
	legalCategory: string;
	singlePartner: boolean | null;
	nafCode: string | null;
	nafNomenclature: string | null;
	nic: string | null;
	createdOn: string | null;
	registeredOn: string | null;
	capital: string | null;
	capitalCurrency: string | null;
	updatedOn: string | null;
	lexemes: string;
}

/** An establishment as the import stages it. Address and place only where it may be the head office. */
export interface StagedEstablishment {
	siren: string;
	siret: string;
	head: boolean;
	open: boolean;
	updatedOn: string | null;
	address: string | null;
	complement: string | null;
	postalCode: string | null;
	city: string | null;
	/** Place and trade signs of a head office. */
	lexemes: string | null;
	/** Trade signs of any other. */
	signs: string | null;
}

const categories = ["PME", "ETI", "GE"];
const staffBands = ["00", "01", "02", "03", "11", "12", "21", "22", "31", "32", "41", "42", "51", "52", "53"];

/**
 * Reads a row of StockUniteLegale; null where it is none (no SIREN).
 * A unit that INSEE does not fully diffuse (statutDiffusion other than O) keeps its SIREN, form and state only.
 */
export function readUnit(column: ReadColumn, registration: Registration | undefined): StagedUnit | null {
	const read = (name: string) => known(column(`${name}UniteLegale`));
	const siren = column("siren");
	if (!/^\d{9}$/.test(siren)) return null;
	const masked = column("statutDiffusionUniteLegale") !== "O";
	const legalCategory = read("categorieJuridique") ?? "";
	const status = registration?.removedOn ? "removed" : read("etatAdministratif") === "C" ? "ceased" : "active";
	if (masked) {
		return {
			...{ siren, importance: 0, status, masked, legalCategory, exactName: "", lexemes: "", singlePartner: null },
			...{
				name: null,
				nafCode: null,
				nafNomenclature: null,
				nic: null,
				createdOn: null,
				registeredOn: null,
				capital: null,
				capitalCurrency: null,
				updatedOn: null,
			},
		};
	}
	const acronym = read("sigle");
	const firstName = read("prenomUsuel") ?? read("prenom1");
	const person = [firstName, read("nomUsage") ?? read("nom")].filter(Boolean).join(" ");
	const usualNames = [read("denominationUsuelle1"), read("denominationUsuelle2"), read("denominationUsuelle3")];
	const name = read("denomination") ?? (person || (usualNames.find(Boolean) ?? acronym));
	const singlePartner = registration?.singlePartner ?? null;
	const forms = legalFormsOf(legalCategory, singlePartner);
	// rév. 2 where a unit has both: its labels and sections are those in force until 2027
	const naf25 = known(column("activitePrincipaleNAF25UniteLegale"));
	const nafCode = read("activitePrincipale") ?? naf25;
	const nafNomenclature = nafCode && (read("activitePrincipale") ? read("nomenclatureActivitePrincipale") : "NAF25");
	const section = sectionOf(nafCode ?? "", nafNomenclature ?? "") ?? sectionOf(naf25 ?? "", "NAF25");
	return {
		siren,
		importance:
			(status === "active" ? 10_000 : 0) +
			100 * (categories.indexOf(column("categorieEntreprise")) + 1) +
			(staffBands.indexOf(read("trancheEffectifs") ?? "") + 1),
		status,
		masked,
		name,
		exactName: exactName(name ?? ""),
		legalCategory,
		singlePartner,
		nafCode,
		nafNomenclature,
		nic: read("nicSiege"),
		createdOn: plausibleDate(read("dateCreation")),
		registeredOn: plausibleDate(registration?.registeredOn),
		capital: registration?.capital == null ? null : String(registration.capital),
		capitalCurrency: registration?.currency ?? null,
		updatedOn: plausibleDate(read("dateDernierTraitement")),
		lexemes: [
			...lexemesOf([name, person, read("nom"), acronym, ...usualNames, forms.filter((form) => form !== "Auto-entrepreneur").join(" ")]),
			...forms.map((form) => filterLexeme("form", form)),
			...(section ? [filterLexeme("section", section)] : []),
		].join(" "),
	};
}

/** Reads a row of StockEtablissement; null where it is none (no SIRET). What is withheld ([ND], statutDiffusion) is not read. */
export function readEstablishment(column: ReadColumn): StagedEstablishment | null {
	const siret = column("siret");
	if (!/^\d{14}$/.test(siret)) return null;
	const shown = column("statutDiffusionEtablissement") === "O";
	const head = column("etablissementSiege") !== "false";
	const open = column("etatAdministratifEtablissement") === "A";
	const signs = shown
		? ["enseigne1", "enseigne2", "enseigne3", "denominationUsuelle"].map((name) => known(column(`${name}Etablissement`)))
		: [];
	const unknown = { address: null, complement: null, postalCode: null, city: null, lexemes: null, updatedOn: null };
	const staged = { siren: siret.slice(0, 9), siret, head, open };
	if (!head) return { ...staged, ...unknown, signs: (open && lexemesOf(signs).join(" ")) || null };
	if (!shown) return { ...staged, ...unknown, signs: null };
	const { alsoKnownAs, department, ...place }: HeadOfficeAddress = headOfficeAddress(column);
	const lexemes = lexemesOf([place.city, place.postalCode, ...alsoKnownAs, ...signs]);
	if (department) lexemes.push(filterLexeme("department", department));
	return {
		...staged,
		...place,
		updatedOn: plausibleDate(column("dateDernierTraitementEtablissement")),
		lexemes: lexemes.join(" "),
		signs: null,
	};
}

/** Null for nothing, and for [ND]: not diffused. */
function known(value: string): string | null {
	const trimmed = value.trim();
	return trimmed === "" || trimmed.includes("[ND]") ? null : trimmed;
}

/** yyyy-mm-dd, from a date or an instant; null where it is no date, or INSEE's 1900-01-01 for « unknown ». */
function plausibleDate(value: string | null | undefined): string | null {
	const day = value?.slice(0, 10) ?? "";
	if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || day <= "1900-01-01") return null;
	const time = Date.parse(`${day}T00:00:00Z`);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? day : null;
}
