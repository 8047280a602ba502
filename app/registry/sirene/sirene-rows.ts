import { legalFormsOf } from "../../companies/legal-forms.ts";
import { formLexeme, lexemesOf, nameKey } from "../../companies/search/lexemes.ts";
import { words } from "../../companies/search/tokens.ts";
import { sectionOf } from "../../companies/sectors.ts";
import { parseCalendarDay } from "../calendar-day.ts";
import { addressReader } from "./head-office-address.ts";
import { columnsOf } from "./stock-file.server.ts";

const named = <Suffix extends string>(columns: string, suffix: Suffix) => columns.split(/\s+/).map((name) => name.replace("*", suffix));

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
	const suffix = "UniteLegale";
	const at = {
		...columnsOf(header, ["siren", "categorieEntreprise"]),
		...columnsOf(header, ["etatAdministratif", "unitePurgee", "statutDiffusion", "trancheEffectifs", "nicSiege"], suffix),
		...columnsOf(header, ["dateCreation", "dateDernierTraitement", "categorieJuridique"], suffix),
		...columnsOf(header, ["activitePrincipale", "nomenclatureActivitePrincipale", "activitePrincipaleNAF25"], suffix),
		...columnsOf(header, ["denomination", "denominationUsuelle1", "denominationUsuelle2", "denominationUsuelle3", "sigle"], suffix),
		...columnsOf(header, ["prenomUsuel", "prenom1", "nomUsage", "nom", "pseudonyme"], suffix),
	};
	return (cells) => {
		const read = (place: number) => known(cells[place] ?? "");
		const siren = cells[at.siren] ?? "";
		const state = cells[at.etatAdministratif];
		if (!/^\d{9}$/.test(siren)) return "no-number";
		if (state !== "A" && state !== "C") return "no-state";
		const purged = cells[at.unitePurgee] === "true";
		const status = state === "A" ? "active" : "ceased";
		const legalCategory = read(at.categorieJuridique) ?? "";
		if (cells[at.statutDiffusion] !== "O") return { unit: maskedUnit(siren, status, legalCategory), purged };
		const acronym = read(at.sigle);
		const birthName = read(at.nom);
		const person = [read(at.prenomUsuel) ?? read(at.prenom1), read(at.nomUsage) ?? birthName].filter(Boolean).join(" ");
		const usualNames = [read(at.denominationUsuelle1), read(at.denominationUsuelle2), read(at.denominationUsuelle3)];
		const usualName = usualNames.find(Boolean);
		const name = read(at.denomination) ?? (person || (usualName ?? acronym));
		const alias = acronym ?? usualName;
		const [form] = legalFormsOf(legalCategory, null);
		// rév. 2 where a unit has both: its labels and sections are those in force until 2027
		const naf25 = read(at.activitePrincipaleNAF25);
		const nafRev2 = read(at.activitePrincipale);
		const nafNomenclature = nafRev2 ? read(at.nomenclatureActivitePrincipale) : naf25 && "NAF25";
		const nafCode = nafRev2 ?? naf25;
		const section = sectionOf(nafCode ?? "", nafNomenclature ?? "") ?? sectionOf(naf25 ?? "", "NAF25");
		const names = [name, person || null, birthName, read(at.pseudonyme), acronym, ...usualNames];
		return {
			unit: {
				siren,
				importance:
					(status === "active" ? 10_000 : 0) +
					100 * (categories.indexOf(cells[at.categorieEntreprise] ?? "") + 1) +
					(staffBands.indexOf(read(at.trancheEffectifs) ?? "") + 1),
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
				nic: read(at.nicSiege),
				createdOn: parseCalendarDay(read(at.dateCreation)),
				updatedOn: parseCalendarDay(read(at.dateDernierTraitement)),
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
	const suffix = "Etablissement";
	const at = {
		...columnsOf(header, ["siret", "etablissementSiege"]),
		...columnsOf(header, ["etatAdministratif", "statutDiffusion", "dateDernierTraitement"], suffix),
	};
	const tradeSigns = Object.values(columnsOf(header, ["enseigne1", "enseigne2", "enseigne3", "denominationUsuelle"], suffix));
	const readAddress = addressReader(header);
	const placeLexemes = new Map<string, string>();
	return (cells) => {
		const siret = cells[at.siret] ?? "";
		const state = cells[at.etatAdministratif];
		if (!/^\d{14}$/.test(siret)) return "no-number";
		if (state !== "A" && state !== "F") return "no-state";
		const siren = siret.slice(0, 9);
		const open = state === "A";
		const isHead = cells[at.etablissementSiege] === "true";
		if (!isHead && !open) return "closed";
		const shown = cells[at.statutDiffusion] === "O";
		const signs = shown ? tradeSigns.map((place) => known(cells[place] ?? "")).filter((sign) => sign !== null) : [];
		const lexemes = signs.length > 0 ? lexemesOf(signs) : "";
		if (!isHead) return { branch: { siren, lexemes: lexemes || null } };
		const head = { siren, nic: siret.slice(9), open, updatedOn: parseCalendarDay(cells[at.dateDernierTraitement]) };
		if (!shown) {
			const unknown = { address: null, complement: null, postalCode: null, city: null, commune: null, department: null };
			return { head: { ...head, ...unknown, lexemes: "" } };
		}
		const { alsoKnownAs, ...place } = readAddress(cells);
		// millions of head offices share thousands of towns
		const names = [place.city, place.postalCode, ...alsoKnownAs];
		const key = names.join(" ");
		let ofTown = placeLexemes.get(key);
		if (ofTown === undefined) {
			ofTown = lexemesOf(names);
			if (placeLexemes.size < mostTowns) placeLexemes.set(key, ofTown);
		}
		return { head: { ...head, ...place, lexemes: lexemes ? `${ofTown} ${lexemes}` : ofTown } };
	};
}

/** France has 35 000 communes; some have several postal codes. */
const mostTowns = 60_000;

/** Null for nothing, and for [ND]: not diffused. */
function known(value: string): string | null {
	if (value === "") return null;
	const trimmed = value.trim();
	return trimmed === "" || trimmed.includes("[ND]") ? null : trimmed;
}
