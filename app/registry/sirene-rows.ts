import { legalFormsOf } from "../companies/legal-forms.ts";
import { formLexeme, lexemesOf, nameKey, wordsOf } from "../companies/lexemes.ts";
import { sectionOf } from "../companies/sectors.ts";
import { words } from "../companies/words.ts";
import { headOfficeAddress } from "./head-office-address.ts";
import { knownDay } from "./known-day.ts";
import { columnsOf } from "./stock-file.server.ts";

const named = <Suffix extends string>(columns: string, suffix: Suffix) =>
	columns
		.trim()
		.split(/\s+/)
		.map((name) => name.replace("*", suffix));

/** The columns of INSEE's StockUniteLegale, in its order; * stands for UniteLegale. The newest, NAF 2025, may be missing. */
export const unitColumns = named(
	`siren statutDiffusion* unitePurgee* dateCreation* sigle* sexe* prenom1* prenom2* prenom3* prenom4* prenomUsuel* pseudonyme*
	identifiantAssociation* trancheEffectifs* anneeEffectifs* dateDernierTraitement* nombrePeriodes* categorieEntreprise
	anneeCategorieEntreprise dateDebut etatAdministratif* nom* nomUsage* denomination* denominationUsuelle1* denominationUsuelle2*
	denominationUsuelle3* categorieJuridique* activitePrincipale* nomenclatureActivitePrincipale* nicSiege* economieSocialeSolidaire*
	societeMission* caractereEmployeur*`,
	"UniteLegale",
);

/** The columns of INSEE's StockEtablissement, in its order; * stands for Etablissement. The newest, NAF 2025, may be missing. */
export const establishmentColumns = named(
	`siren nic siret statutDiffusion* dateCreation* trancheEffectifs* anneeEffectifs* activitePrincipaleRegistreMetiers*
	dateDernierTraitement* etablissementSiege nombrePeriodes* complementAdresse* numeroVoie* indiceRepetition* dernierNumeroVoie*
	indiceRepetitionDernierNumeroVoie* typeVoie* libelleVoie* codePostal* libelleCommune* libelleCommuneEtranger* distributionSpeciale*
	codeCommune* codeCedex* libelleCedex* codePaysEtranger* libellePaysEtranger* identifiantAdresse* coordonneeLambertAbscisse*
	coordonneeLambertOrdonnee* complementAdresse2* numeroVoie2* indiceRepetition2* typeVoie2* libelleVoie2* codePostal2* libelleCommune2*
	libelleCommuneEtranger2* distributionSpeciale2* codeCommune2* codeCedex2* libelleCedex2* codePaysEtranger2* libellePaysEtranger2*
	dateDebut etatAdministratif* enseigne1* enseigne2* enseigne3* denominationUsuelle* activitePrincipale*
	nomenclatureActivitePrincipale* caractereEmployeur*`,
	"Etablissement",
);

/** A legal unit as the import stages it. Days are yyyy-mm-dd; lexemes are apart by spaces. */
export interface StagedUnit {
	siren: string;
	importance: number;
	status: "active" | "ceased";
	masked: boolean;
	name: string | null;
	nameKey: number;
	/** Of its acronym or usual name. */
	aliasKey: number | null;
	legalCategory: string;
	nafCode: string | null;
	/** Null for NAF rév. 2. */
	nafNomenclature: string | null;
	section: string | null;
	/** Lexeme of the legal form. */
	form: string | null;
	nic: string | null;
	createdOn: string | null;
	updatedOn: string | null;
	lexemes: string;
}

/** The head office of a unit. Address and place are null where they are withheld. */
export interface StagedHeadOffice {
	siren: string;
	nic: string;
	open: boolean;
	updatedOn: string | null;
	address: string | null;
	complement: string | null;
	postalCode: string | null;
	city: string | null;
	commune: string | null;
	department: string | null;
	/** Of place and trade signs. */
	lexemes: string;
}

/** Any other establishment that is open: it counts, and is found by its trade signs. */
export interface StagedBranch {
	siren: string;
	lexemes: string | null;
}

export interface ReadUnit {
	unit: StagedUnit;
	/** INSEE keeps little of units that ceased before 2003. */
	purged: boolean;
}

/** Why a row is not taken: no SIREN or SIRET of digits, no known state, or a closed establishment that is no head office. */
export type SetAside = "no-number" | "no-state" | "closed";

const categories = ["PME", "ETI", "GE"];
const staffBands = ["00", "01", "02", "03", "11", "12", "21", "22", "31", "32", "41", "42", "51", "52", "53"];

/**
 * Makes a reader of the rows of StockUniteLegale.
 * A unit that INSEE does not fully diffuse (statutDiffusion other than O) keeps its SIREN, form and state only.
 * @param header the file's own columns. @returns per row a unit, or why it is set aside.
 */
export function unitReader(header: readonly string[]): (cells: readonly string[]) => ReadUnit | SetAside {
	const at = columnsOf(header, [...unitColumns, "activitePrincipaleNAF25UniteLegale"]);
	return (cells) => {
		const raw = (name: string) => cells[at[name] as number] ?? "";
		const read = (name: string) => known(raw(`${name}UniteLegale`));
		const siren = raw("siren");
		const state = raw("etatAdministratifUniteLegale");
		if (!/^\d{9}$/.test(siren)) return "no-number";
		if (state !== "A" && state !== "C") return "no-state";
		const purged = raw("unitePurgeeUniteLegale") === "true";
		const status = state === "A" ? "active" : "ceased";
		const legalCategory = read("categorieJuridique") ?? "";
		if (raw("statutDiffusionUniteLegale") !== "O") return { unit: maskedUnit(siren, status, legalCategory), purged };
		const acronym = read("sigle");
		const person = [read("prenomUsuel") ?? read("prenom1"), read("nomUsage") ?? read("nom")].filter(Boolean).join(" ");
		const usualNames = [read("denominationUsuelle1"), read("denominationUsuelle2"), read("denominationUsuelle3")];
		const name = read("denomination") ?? (person || (usualNames.find(Boolean) ?? acronym));
		const alias = acronym ?? usualNames.find(Boolean);
		const [form] = legalFormsOf(legalCategory, null);
		// rév. 2 where a unit has both: its labels and sections are those in force until 2027
		const naf25 = known(raw("activitePrincipaleNAF25UniteLegale"));
		const nafCode = read("activitePrincipale") ?? naf25;
		const nafNomenclature = read("activitePrincipale") ? read("nomenclatureActivitePrincipale") : naf25 && "NAF25";
		const section = sectionOf(nafCode ?? "", nafNomenclature ?? "") ?? sectionOf(naf25 ?? "", "NAF25");
		const names = wordsOf([name, person || null, read("nom"), read("pseudonyme"), acronym, ...usualNames]);
		return {
			unit: {
				siren,
				importance:
					(status === "active" ? 10_000 : 0) +
					100 * (categories.indexOf(raw("categorieEntreprise")) + 1) +
					(staffBands.indexOf(read("trancheEffectifs") ?? "") + 1),
				status,
				masked: false,
				name,
				nameKey: nameKey(words(name ?? "")),
				aliasKey: alias && alias !== name ? nameKey(words(alias)) : null,
				legalCategory,
				nafCode,
				nafNomenclature: nafNomenclature === "NAFRev2" ? null : nafNomenclature,
				section,
				form: form ? formLexeme(form) : null,
				nic: read("nicSiege"),
				createdOn: knownDay(read("dateCreation")),
				updatedOn: knownDay(read("dateDernierTraitement")),
				lexemes: lexemesOf(names),
			},
			purged,
		};
	};
}

function maskedUnit(siren: string, status: StagedUnit["status"], legalCategory: string): StagedUnit {
	const unknown = {
		name: null,
		nafCode: null,
		nafNomenclature: null,
		section: null,
		form: null,
		nic: null,
		createdOn: null,
		updatedOn: null,
	};
	return { siren, importance: 0, status, masked: true, nameKey: 0, aliasKey: null, legalCategory, lexemes: "", ...unknown };
}

/**
 * Makes a reader of the rows of StockEtablissement. What is withheld ([ND], statutDiffusion) is not read.
 * @param header the file's own columns. @returns per row a head office, an open branch, or why it is set aside.
 */
export function establishmentReader(
	header: readonly string[],
): (cells: readonly string[]) => { head: StagedHeadOffice } | { branch: StagedBranch } | SetAside {
	const at = columnsOf(header, establishmentColumns);
	return (cells) => {
		const raw = (name: string) => cells[at[name] as number] ?? "";
		const siret = raw("siret");
		const state = raw("etatAdministratifEtablissement");
		if (!/^\d{14}$/.test(siret)) return "no-number";
		if (state !== "A" && state !== "F") return "no-state";
		const siren = siret.slice(0, 9);
		const open = state === "A";
		const isHead = raw("etablissementSiege") === "true";
		if (!isHead && !open) return "closed";
		const shown = raw("statutDiffusionEtablissement") === "O";
		const signs = shown ? tradeSigns.map((name) => known(raw(name))) : [];
		if (!isHead) return { branch: { siren, lexemes: lexemesOf(wordsOf(signs)) || null } };
		const head = { siren, nic: siret.slice(9), open, updatedOn: knownDay(raw("dateDernierTraitementEtablissement")) };
		if (!shown) {
			const unknown = { address: null, complement: null, postalCode: null, city: null, commune: null, department: null };
			return { head: { ...head, ...unknown, lexemes: "" } };
		}
		const { alsoKnownAs, ...place } = headOfficeAddress(raw);
		const words = wordsOf([place.city, place.postalCode, ...alsoKnownAs, ...signs]);
		return { head: { ...head, ...place, lexemes: lexemesOf(words) } };
	};
}

const tradeSigns = ["enseigne1", "enseigne2", "enseigne3", "denominationUsuelle"].map((name) => `${name}Etablissement`);

/** Null for nothing, and for [ND]: not diffused. */
function known(value: string): string | null {
	if (value === "") return null;
	const trimmed = value.trim();
	return trimmed === "" || trimmed.includes("[ND]") ? null : trimmed;
}
