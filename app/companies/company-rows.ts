import type { CompanyRow, SummaryRow } from "./companies.store.server.ts";
import { type Company, type CompanyPreview, type CompanySummary, getEligibility } from "./company.ts";
import { listNotices } from "./company-notices.ts";
import { findActivityLabel, findLegalCategoryLabel, formatLegalForm } from "./nomenclatures.ts";
import { formatPostalAddress } from "./postal-address.ts";

/** Returns the official name of a commune by INSEE's code; null when unknown. */
export type FindCommuneName = (code: string) => string | null;

/** Converts a row to a search result. */
export function toSummary(row: SummaryRow, findCommuneName: FindCommuneName = () => null): CompanySummary {
	const eligibility = getEligibility(row.legal_category);
	return {
		id: row.siren,
		siren: row.siren,
		name: row.name,
		matchedName: null,
		legalForm: formatLegalForm(row.legal_category, row.single_partner),
		address: row.address,
		postalCode: row.postal_code,
		city: row.city,
		headOffice: formatPostalAddress(row, row.commune && findCommuneName(row.commune)),
		activityDescription: row.naf_code && findActivityLabel(row.naf_code, row.naf_nomenclature ?? ""),
		eligibility,
		status: row.status,
		notices: listNotices(eligibility, row.status, row.legal_category),
	};
}

/** Converts a search result to the preview that the order form and payment page show. */
export function toPreview(company: CompanySummary): CompanyPreview {
	const { siren, name, matchedName, address, postalCode, city, headOffice, status, eligibility, notices } = company;
	return { siren, name: name ?? "Entreprise", matchedName, address, postalCode, city, headOffice, status, eligibility, notices };
}

/** Converts a row to the data of a company's page. @param greffe of the company's commune. */
export function toCompany(row: CompanyRow, greffe: string | null, findCommuneName?: FindCommuneName): Company {
	const summary = toSummary(row, findCommuneName);
	const { registered_on, removed_on, capital, capital_currency, duration_years, registration_as_of } = row;
	const inRne = [registered_on, removed_on, capital, duration_years].some((value) => value !== null);
	return {
		...summary,
		siret: row.siret,
		nafCode: row.naf_code,
		creationDate: formatFrenchDate(row.created_on),
		registrationDate: formatFrenchDate(registered_on),
		capital: capital && formatCapital(Number(capital), capital_currency ?? "EUR"),
		masked: row.masked,
		hidden: row.hidden,
		tradeNames: [],
		acronym: null,
		staffBand: null,
		category: null,
		establishments: { open: 0, list: [] },
		legalFormInFull: findLegalCategoryLabel(row.legal_category),
		addressComplement: row.address_complement,
		removalDate: formatFrenchDate(removed_on),
		duration: duration_years === null ? null : `${duration_years}\u00a0${duration_years > 1 ? "ans" : "an"}`,
		rneAsOf: inRne ? registration_as_of : null,
		greffe: summary.eligibility === "none" ? null : greffe,
		updatedOn: row.updated_on,
	};
}

/** 1955-03-01 → 01/03/1955. */
function formatFrenchDate(day: string | null): string | null {
	return day?.split("-").reverse().join("/") ?? null;
}

/** 170348620.75 → « 170 348 620,75 € »; whole amounts without cents. */
export function formatCapital(amount: number, currency: string): string {
	const digits = Number.isInteger(amount) ? 0 : 2;
	const number = new Intl.NumberFormat("fr-FR", { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(amount);
	return `${number} ${currency === "EUR" ? "€" : currency}`.replace(/[\s\u202f]/g, "\u00a0");
}
