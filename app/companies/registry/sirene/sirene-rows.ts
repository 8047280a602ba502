import { parseCalendarDay } from "../../calendar-day.ts";
import { listLegalForms } from "../../legal-forms.ts";
import { createLexemes, formLexeme, hashName } from "../../search/lexemes.ts";
import { findSection } from "../../sectors.ts";
import { isSiren, isSiret } from "../../siren.ts";
import { cleanName, cleanValue } from "./clean-value.ts";
import { createAddressParser } from "./head-office-address.ts";
import { findColumns } from "./stock-file.server.ts";

/** The main activity of a unit or an establishment. */
interface Activity {
	nafCode: string | null;
	/** Null for NAF rév. 2. */
	nafNomenclature: string | null;
}

const noActivity: Activity = { nafCode: null, nafNomenclature: null };

/**
 * Creates a parser of the activity in the rows of a stock file. It prefers rév. 2, which is in force until 2027.
 * @param suffix of the columns: UniteLegale or Etablissement.
 */
function createActivityParser(header: readonly string[], suffix: string): (cells: readonly string[]) => Activity {
	const columns = findColumns(header, ["activitePrincipale", "nomenclatureActivitePrincipale", "activitePrincipaleNAF25"], suffix);
	return (cells) => {
		const nafCode = cleanValue(cells[columns.activitePrincipale] ?? "");
		if (!nafCode) {
			const naf25 = cleanValue(cells[columns.activitePrincipaleNAF25] ?? "");
			return naf25 ? { nafCode: naf25, nafNomenclature: "NAF25" } : noActivity;
		}
		const nomenclature = cleanValue(cells[columns.nomenclatureActivitePrincipale] ?? "");
		return { nafCode, nafNomenclature: nomenclature === "NAFRev2" ? null : nomenclature };
	};
}

const parseColumnNames = <Suffix extends string>(columns: string, suffix: Suffix) =>
	columns.split(/\s+/).map((name) => name.replace("*", suffix));

/** The columns of INSEE's StockUniteLegale in order; * means UniteLegale. The newest one, for NAF 2025, may be missing. */
export const unitColumns = parseColumnNames(
	`siren statutDiffusion* unitePurgee* dateCreation* sigle* sexe* prenom1* prenom2* prenom3* prenom4* prenomUsuel* pseudonyme*
	identifiantAssociation* trancheEffectifs* anneeEffectifs* dateDernierTraitement* nombrePeriodes* categorieEntreprise
	anneeCategorieEntreprise dateDebut etatAdministratif* nom* nomUsage* denomination* denominationUsuelle1* denominationUsuelle2*
	denominationUsuelle3* categorieJuridique* activitePrincipale* nomenclatureActivitePrincipale* nicSiege* economieSocialeSolidaire*
	societeMission* caractereEmployeur*`,
	"UniteLegale",
);

/**
 * The columns that are read, whatever their order. The usual names of units (denominationUsuelle1 to 3) are not: INSEE stopped keeping them with the
 * declarations of 2008, since when establishments have them (denominationUsuelleEtablissement). Source: INSEE, descriptions of the variables.
 */
export const neededUnitColumns = unitColumns.filter((name) =>
	/^(siren|categorieEntreprise|(statutDiffusion|unitePurgee|dateCreation|sigle|prenom1|prenomUsuel|pseudonyme|trancheEffectifs|anneeEffectifs|dateDernierTraitement|etatAdministratif|nom|nomUsage|denomination|categorieJuridique|activitePrincipale|nomenclatureActivitePrincipale|nicSiege)UniteLegale)$/.test(
		name,
	),
);

/** The columns of INSEE's StockEtablissement in order; * means Etablissement. The newest one, for NAF 2025, may be missing. */
export const establishmentColumns = parseColumnNames(
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

/** The columns that are read, whatever their order. */
export const neededEstablishmentColumns = establishmentColumns.filter((name) =>
	/^(siret|etablissementSiege|(statutDiffusion|dateDernierTraitement|complementAdresse|numeroVoie|indiceRepetition|typeVoie|libelleVoie|codePostal|libelleCommune|libelleCommuneEtranger|distributionSpeciale|codeCommune|codeCedex|libelleCedex|libellePaysEtranger|etatAdministratif|enseigne1|enseigne2|enseigne3|denominationUsuelle|activitePrincipale|nomenclatureActivitePrincipale)Etablissement)$/.test(
		name,
	),
);

/** A staged legal unit. Days are yyyy-mm-dd; lexemes are separated by spaces. */
export interface StagedUnit extends Activity {
	siren: string;
	importance: number;
	status: "active" | "ceased";
	masked: boolean;
	name: string | null;
	nameKey: number;
	/** The key of its acronym, or of a sole trader's name with the surname first. */
	aliasKey: number | null;
	legalCategory: string;
	section: string | null;
	/** The lexeme of the legal form. */
	form: string | null;
	nic: string | null;
	createdOn: string | null;
	updatedOn: string | null;
	acronym: string | null;
	/** INSEE's code of the number of employees; null when there are none. */
	staffBand: string | null;
	staffYear: number | null;
	/** PME, ETI or GE. */
	category: string | null;
	lexemes: string;
}

/** The head office of a unit. A withheld address is null. */
export interface StagedHeadOffice extends Activity {
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
	/** Trade signs, one a line. */
	tradeNames: string | null;
	/** The lexemes of place and trade signs. */
	lexemes: string;
}

/** Another open establishment. It counts towards importance, and its trade signs are searched. */
export interface StagedBranch extends Activity {
	siren: string;
	/** JSON: [NIC, trade name, street, complement, postal code, city, commune]; [NIC] when it is partially diffused, null when it is not. */
	entry: string | null;
	/** The trade name of the entry. */
	tradeName: string | null;
	lexemes: string | null;
}

export interface ParsedUnit {
	unit: StagedUnit;
	/** INSEE purged most data of units that ceased before 2003. */
	purged: boolean;
}

/** Why a row is skipped: no valid SIREN or SIRET, no known state, or a closed establishment that is no head office. */
export type SkipReason = "no-number" | "no-state" | "closed";

const categories = ["PME", "ETI", "GE"];
const staffBands = ["00", "01", "02", "03", "11", "12", "21", "22", "31", "32", "41", "42", "51", "52", "53"];

/**
 * Creates a parser of the rows of StockUniteLegale.
 * A unit that INSEE does not fully diffuse (statutDiffusion other than O) keeps only its SIREN, form and state.
 * @param header the file's columns. @returns a function from a row to a unit, or to the reason to skip it.
 */
export function createUnitParser(header: readonly string[]): (cells: readonly string[]) => ParsedUnit | SkipReason {
	const suffix = "UniteLegale";
	const columns = {
		...findColumns(header, ["siren", "categorieEntreprise"]),
		...findColumns(
			header,
			["etatAdministratif", "unitePurgee", "statutDiffusion", "trancheEffectifs", "anneeEffectifs", "nicSiege"],
			suffix,
		),
		...findColumns(header, ["dateCreation", "dateDernierTraitement", "categorieJuridique"], suffix),
		...findColumns(header, ["activitePrincipaleNAF25"], suffix),
		...findColumns(header, ["denomination", "sigle"], suffix),
		...findColumns(header, ["prenomUsuel", "prenom1", "nomUsage", "nom", "pseudonyme"], suffix),
	};
	const readActivity = createActivityParser(header, suffix);
	return (cells) => {
		const readCell = (column: number) => cleanValue(cells[column] ?? "");
		const siren = cells[columns.siren] ?? "";
		const state = cells[columns.etatAdministratif];
		if (!isSiren(siren)) return "no-number";
		if (state !== "A" && state !== "C") return "no-state";
		const purged = cells[columns.unitePurgee] === "true";
		const status = state === "A" ? "active" : "ceased";
		const legalCategory = readCell(columns.categorieJuridique) ?? "";
		if (cells[columns.statutDiffusion] !== "O") return { unit: createMaskedUnit(siren, status, legalCategory), purged };
		const acronym = cleanName(cells[columns.sigle] ?? "");
		const birthName = readCell(columns.nom);
		const firstName = readCell(columns.prenomUsuel) ?? readCell(columns.prenom1);
		const surname = readCell(columns.nomUsage) ?? birthName;
		const person = [firstName, surname].filter(Boolean).join(" ");
		const name = readCell(columns.denomination) ?? (person || acronym);
		// letters often have the surname first
		const alias = acronym ?? (name === person && firstName && surname ? `${surname} ${firstName}` : null);
		const [form] = listLegalForms(legalCategory, null);
		const { nafCode, nafNomenclature } = readActivity(cells);
		const naf25 = readCell(columns.activitePrincipaleNAF25) ?? "";
		const section = findSection(nafCode ?? "", nafNomenclature ?? "NAFRev2") ?? findSection(naf25, "NAF25");
		const names = [name, person || null, birthName, cleanName(cells[columns.pseudonyme] ?? "")];
		const category = cells[columns.categorieEntreprise] ?? "";
		const staffBand = readCell(columns.trancheEffectifs) ?? "";
		const staffYear = Number(readCell(columns.anneeEffectifs));
		return {
			unit: {
				siren,
				importance: (status === "active" ? 10_000 : 0) + 100 * (categories.indexOf(category) + 1) + (staffBands.indexOf(staffBand) + 1),
				status,
				masked: false,
				name,
				nameKey: hashName(name ?? ""),
				aliasKey: alias && alias !== name ? hashName(alias) : null,
				legalCategory,
				nafCode,
				nafNomenclature,
				section,
				form: form ? formLexeme(form) : null,
				nic: readCell(columns.nicSiege),
				createdOn: parseCalendarDay(readCell(columns.dateCreation)),
				updatedOn: parseCalendarDay(readCell(columns.dateDernierTraitement)),
				acronym,
				staffBand: staffBands.indexOf(staffBand) > 0 ? staffBand : null,
				staffYear: staffBands.indexOf(staffBand) > 0 && staffYear >= 1970 && staffYear < 2100 ? staffYear : null,
				category: categories.includes(category) ? category : null,
				lexemes: joinLexemes(createLexemes(names, "name"), createLexemes([acronym], "trade")),
			},
			purged,
		};
	};
}

function createMaskedUnit(siren: string, status: StagedUnit["status"], legalCategory: string): StagedUnit {
	const unknown = {
		name: null,
		...noActivity,
		section: null,
		form: null,
		nic: null,
		createdOn: null,
		updatedOn: null,
		acronym: null,
		staffBand: null,
		staffYear: null,
		category: null,
	};
	return { siren, importance: 0, status, masked: true, nameKey: 0, aliasKey: null, legalCategory, lexemes: "", ...unknown };
}

/**
 * Creates a parser of the rows of StockEtablissement. Withheld values ([ND], statutDiffusion) are not read.
 * @param header the file's columns. @returns a function from a row to a head office, an open branch, or the reason to skip it.
 */
export function createEstablishmentParser(
	header: readonly string[],
): (cells: readonly string[]) => { head: StagedHeadOffice } | { branch: StagedBranch } | SkipReason {
	const suffix = "Etablissement";
	const columns = {
		...findColumns(header, ["siret", "etablissementSiege"]),
		...findColumns(header, ["etatAdministratif", "statutDiffusion", "dateDernierTraitement"], suffix),
	};
	const tradeSigns = Object.values(findColumns(header, ["enseigne1", "enseigne2", "enseigne3", "denominationUsuelle"], suffix));
	const readAddress = createAddressParser(header);
	const readActivity = createActivityParser(header, suffix);
	const placeLexemes = new Map<string, string>();
	return (cells) => {
		const siret = cells[columns.siret] ?? "";
		const state = cells[columns.etatAdministratif];
		if (!isSiret(siret)) return "no-number";
		if (state !== "A" && state !== "F") return "no-state";
		const siren = siret.slice(0, 9);
		const open = state === "A";
		const isHeadOffice = cells[columns.etablissementSiege] === "true";
		if (!isHeadOffice && !open) return "closed";
		const isDiffused = cells[columns.statutDiffusion] === "O";
		const signs = isDiffused ? tradeSigns.map((column) => cleanName(cells[column] ?? "")).filter((sign) => sign !== null) : [];
		const lexemes = signs.length > 0 ? createLexemes(signs, "trade") : "";
		if (!isHeadOffice) {
			if (!isDiffused) {
				// INSEE shows the number of a partially diffused establishment, and nothing of others
				const entry = cells[columns.statutDiffusion] === "P" ? JSON.stringify([siret.slice(9)]) : null;
				return { branch: { siren, entry, tradeName: null, ...noActivity, lexemes: null } };
			}
			const { address, complement, postalCode, city, commune } = readAddress(cells);
			const tradeName = signs[0] ?? null;
			const entry = JSON.stringify([siret.slice(9), tradeName, address, complement, postalCode, city, commune]);
			return { branch: { siren, entry, tradeName, ...readActivity(cells), lexemes: lexemes || null } };
		}
		const head = { siren, nic: siret.slice(9), open, updatedOn: parseCalendarDay(cells[columns.dateDernierTraitement]) };
		if (!isDiffused) {
			const unknown = { address: null, complement: null, postalCode: null, city: null, commune: null, department: null };
			return { head: { ...head, ...unknown, ...noActivity, tradeNames: null, lexemes: "" } };
		}
		const { alsoKnownAs, ...column } = readAddress(cells);
		// cached, because millions of head offices share thousands of places
		const names = [column.city, column.postalCode, ...alsoKnownAs];
		const key = names.join(" ");
		let cachedLexemes = placeLexemes.get(key);
		if (cachedLexemes === undefined) {
			cachedLexemes = createLexemes(names, "place");
			if (placeLexemes.size < maxCachedPlaces) placeLexemes.set(key, cachedLexemes);
		}
		return {
			head: { ...head, ...column, ...readActivity(cells), tradeNames: joinLines(signs), lexemes: joinLexemes(cachedLexemes, lexemes) },
		};
	};
}

/** France has 35,000 communes, some with several postal codes. */
const maxCachedPlaces = 60_000;

function joinLexemes(first: string, second: string): string {
	return first && second ? `${first} ${second}` : first || second;
}

/** Joins different texts, one a line; null without any. No cell of the files has a line break. */
function joinLines(texts: readonly (string | null)[]): string | null {
	return texts.some(Boolean) ? [...new Set(texts.filter(Boolean))].join("\n") : null;
}
