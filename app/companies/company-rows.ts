import legalCategories from "../../data/nomenclatures/categories-juridiques.json" with { type: "json" };
import naf2025 from "../../data/nomenclatures/naf-2025.json" with { type: "json" };
import nafRev2 from "../../data/nomenclatures/naf-rev2.json" with { type: "json" };
import type { CompanyRow, SummaryRow } from "./companies.store.server.ts";
import { type Company, type CompanyPreview, type CompanySummary, type Establishment, getEligibility } from "./company.ts";
import { companyName } from "./company-name.ts";
import { listNotices } from "./company-notices.ts";
import { listLegalForms } from "./legal-forms.ts";
import { type PostalAddress, toPostalAddress } from "./postal-address.ts";
import type { QueryWord } from "./search/lexemes.ts";
import { findMatchedName } from "./search/matched-name.ts";
import { tokenize } from "./search/tokens.ts";
import { calculateVatNumber } from "./siren.ts";

/** Returns the label of INSEE's legal category without « sans autre indication »; null for an obsolete code. */
export function findLegalCategoryLabel(category: string): string | null {
	return findLabel(legalCategories, category)?.replace(/ \((s\.a\.i\.|sans autre indication)\)/, "") ?? null;
}

/** Returns a short legal form for a badge: « SA », « SAS / SASU », or else INSEE's label. */
export function formatLegalForm(category: string, singlePartner: boolean | null): string {
	const forms = listLegalForms(category, singlePartner).filter((form) => form !== "Auto-entrepreneur"); // most sole traders are no « auto-entrepreneurs »
	return forms.join(" / ") || (findLegalCategoryLabel(category) ?? "Forme juridique non précisée");
}

/** Returns the label of a NAF code; null for the nomenclatures before rév. 2. */
export function findActivityLabel(code: string, nomenclature: string): string | null {
	if (nomenclature === "NAFRev2") return findLabel(nafRev2, code);
	return /^NAF(20)?25$/.test(nomenclature) ? findLabel(naf2025, code) : null;
}

/** INSEE's label with the curly apostrophes of the site's texts. */
function findLabel(labels: Record<string, string>, code: string): string | null {
	if (!Object.hasOwn(labels, code)) return null;
	return labels[code]?.replaceAll("&nbsp;", " ").replace(/\s+/g, " ").replaceAll("'", "’").trim() ?? null;
}

/** INSEE's bands of employees (trancheEffectifsUniteLegale); « 00 », which had some during the year, and « NN » are not shown. */
const staffBands: Record<string, string> = {
	"01": "1 ou 2 salariés",
	"02": "3 à 5 salariés",
	"03": "6 à 9 salariés",
	11: "10 à 19 salariés",
	12: "20 à 49 salariés",
	21: "50 à 99 salariés",
	22: "100 à 199 salariés",
	31: "200 à 249 salariés",
	32: "250 à 499 salariés",
	41: "500 à 999 salariés",
	42: "1\u00a0000 à 1\u00a0999 salariés",
	51: "2\u00a0000 à 4\u00a0999 salariés",
	52: "5\u00a0000 à 9\u00a0999 salariés",
	53: "10\u00a0000 salariés ou plus",
};

/** INSEE's categories of enterprises (décret n° 2008-1354). */
const categories: Record<string, string> = {
	PME: "Petite ou moyenne entreprise (PME)",
	ETI: "Entreprise de taille intermédiaire (ETI)",
	GE: "Grande entreprise (GE)",
};

/** Returns the label of a band: « 50 à 99 salariés (2023) »; null for no employees and for an unknown code. */
function formatStaffBand(code: string | null, year: number | null): string | null {
	const label = code === null ? undefined : staffBands[code];
	return label === undefined ? null : year === null ? label : `${label} (${year})`;
}

/** Returns the label of a category; null when unknown. */
function formatCategory(code: string | null): string | null {
	return code === null ? null : (categories[code] ?? null);
}

/** The number of establishments on a company's page. */
const maxListed = 50;

/** Returns the official name of a commune by INSEE's code, or without one by postal code and label; null when unknown. */
export type FindCommuneName = (code: string | null, postalCode: string | null, label: string | null) => string | null;

/**
 * Converts a row to a search result.
 * @param words of the search; none for a search by number.
 */
export function toSummary(
	row: SummaryRow,
	findCommuneName: FindCommuneName = () => null,
	words: readonly QueryWord[] = [],
): CompanySummary {
	const eligibility = getEligibility(row.legal_category);
	const tradeNames = [...splitLines(row.trade_names), ...(row.acronym ? [row.acronym] : []), ...splitLines(row.branch_trade_names)];
	return {
		id: row.siren,
		siren: row.siren,
		name: row.name,
		matchedName: findMatchedName(words, row.name, tradeNames),
		legalForm: formatLegalForm(row.legal_category, row.single_partner),
		address: row.address,
		postalCode: row.postal_code,
		city: row.city,
		headOffice: toPostalAddress(row, findCommuneName(row.commune, row.postal_code, row.city)),
		activityDescription: row.naf_code && findActivityLabel(row.naf_code, row.naf_nomenclature ?? ""),
		eligibility,
		status: row.status,
		notices: listNotices(eligibility, row.status, row.legal_category),
	};
}

/** Converts a search result to the preview that the order form and payment page show. */
export function toPreview(company: CompanySummary & Partial<Pick<Company, "vatNumbers">>): CompanyPreview {
	const { siren, name, matchedName, address, postalCode, city, headOffice, status, eligibility, notices } = company;
	const [vatNumber, ...others] = company.vatNumbers ?? [];
	return {
		siren,
		name: companyName(name),
		matchedName,
		address,
		postalCode,
		city,
		headOffice,
		status,
		eligibility,
		notices,
		...(vatNumber && others.length === 0 && { vatNumber }),
	};
}

/** Converts a row to the data of a company's page. @param greffe of the company's commune. */
export function toCompany(row: CompanyRow, greffe: string | null, findCommuneName: FindCommuneName = () => null): Company {
	const summary = toSummary(row, findCommuneName);
	const { registered_on, removed_on, capital, capital_currency, duration_years, registration_as_of } = row;
	const { purpose, year_end, ends_in } = row;
	const inRne = [registered_on, removed_on, capital, duration_years, purpose, year_end, ends_in].some((value) => value !== null);
	return {
		...summary,
		siret: row.siret,
		nafCode: row.naf_code,
		creationDate: row.created_on,
		registrationDate: registered_on,
		capital: capital && formatCapital(Number(capital), capital_currency),
		masked: row.masked,
		hidden: row.hidden,
		tradeNames: listTradeNames(row),
		acronym: toKey(row.acronym) === toKey(row.name) ? null : row.acronym,
		staffBand: formatStaffBand(row.staff_band, row.staff_year),
		category: formatCategory(row.category),
		establishments: listEstablishments(row, summary, findCommuneName),
		...describeVatNumbers(row),
		legalCategory: row.legal_category,
		legalFormInFull: findLegalCategoryLabel(row.legal_category),
		addressComplement: row.address_complement,
		removalDate: removed_on,
		duration: duration_years === null ? null : `${duration_years}\u00a0${duration_years > 1 ? "ans" : "an"}`,
		durationEnd: ends_in,
		financialYearEnd: year_end === null ? null : String(year_end).padStart(4, "0").replace(/^../, "$&-"),
		purpose,
		rneAsOf: inRne ? registration_as_of : null,
		greffe: summary.eligibility === "none" ? null : greffe,
		updatedOn: row.updated_on,
	};
}

const splitLines = (text: string | null) => text?.split("\n") ?? [];

/** The trade names of a company and its head office, each once and without its name. */
function listTradeNames({ name, trade_names }: SummaryRow): string[] {
	const known = new Set([toKey(name)]);
	return splitLines(trade_names).filter((tradeName) => known.size < known.add(toKey(tradeName)).size);
}

/** Names are equal if they have the same words. */
const toKey = (text: string | null) => tokenize(text ?? "").join(" ");

/** The VAT numbers in the DGFiP's list, the calculated one first. None is said of a company that is not alive, and none is calculated that the list does not have (docs/rules.md, R107). */
function describeVatNumbers({ siren, masked, status, vat_keys, vat_as_of: vatAsOf }: CompanyRow): Pick<Company, "vatNumbers" | "vatAsOf"> {
	if (masked || status !== "active" || vat_keys === null || vatAsOf === null) return { vatNumbers: [], vatAsOf: null };
	const calculated = calculateVatNumber(siren);
	const numbers = (vat_keys.match(/../g) ?? []).map((key) => `FR${key}${siren}`);
	return {
		vatNumbers: [...numbers.filter((number) => number === calculated), ...numbers.filter((number) => number !== calculated)],
		vatAsOf,
	};
}

/**
 * The columns of an open establishment in `company_branches.list`. A masked one has its number only, and one with the company's
 * activity has no NAF code.
 */
type BranchEntry = [
	nic: string,
	tradeName?: string | null,
	address?: string | null,
	complement?: string | null,
	postalCode?: string | null,
	city?: string | null,
	commune?: string | null,
	nafCode?: string,
];

const noAddress: PostalAddress = { complement: null, street: null, postalCode: null, city: null };

/** The head office of an active company, and its other open establishments. */
function listEstablishments(row: CompanyRow, { headOffice }: CompanySummary, findCommuneName: FindCommuneName): Company["establishments"] {
	if (row.masked) return { open: 0, list: [] };
	const list: Establishment[] = [];
	const hasHeadOffice = row.status === "active" && row.siret !== null;
	if (hasHeadOffice) {
		const [tradeName = null] = listTradeNames(row);
		const activity = describeActivity(row, row.head_office_naf_code);
		list.push({ siret: row.siret ?? "", tradeName, address: headOffice ?? noAddress, headOffice: true, ...activity, masked: false });
	}
	const entries: BranchEntry[] = row.branch_list ? JSON.parse(row.branch_list) : [];
	for (const entry of entries) {
		const [nic, tradeName = null, address = null, address_complement = null, postal_code = null, city = null, commune = null, naf = null] =
			entry;
		const postalAddress = toPostalAddress({ address, address_complement, postal_code, city }, findCommuneName(commune, postal_code, city));
		const activity = describeActivity(row, naf);
		const masked = entry.length === 1;
		list.push({ siret: row.siren + nic, tradeName, address: postalAddress ?? noAddress, headOffice: false, ...activity, masked });
	}
	return { open: (row.branches ?? 0) + (hasHeadOffice ? 1 : 0), list: list.slice(0, maxListed) };
}

/** The activity of an establishment. @param nafCode of the company's nomenclature; null for the company's own activity. */
function describeActivity(
	{ naf_nomenclature }: CompanyRow,
	nafCode: string | null,
): Pick<Establishment, "nafCode" | "activityDescription"> {
	return { nafCode, activityDescription: nafCode && findActivityLabel(nafCode, naf_nomenclature ?? "") };
}

/** Currencies that people know by another name than their code. */
const currencyNames: Record<string, string> = { EUR: "€", FRF: "francs" };

/** 170348620.75 → « 170 348 620,75 € »; whole amounts without cents. @param currency null when the register does not say it. */
export function formatCapital(amount: number, currency: string | null): string {
	const digits = Number.isInteger(amount) ? 0 : 2;
	const number = new Intl.NumberFormat("fr-FR", { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(amount);
	const name = currency === null ? "(devise non précisée)" : (currencyNames[currency] ?? currency);
	return `${number} ${name}`.replace(/[\s\u202f]/g, "\u00a0");
}
