import type { CompanyRow, SummaryRow } from "./companies.store.server.ts";
import { type Company, type CompanyPreview, type CompanySummary, eligibilityOf } from "./company.ts";
import { listNotices } from "./company-notices.ts";
import { activityLabel, legalCategoryLabel, legalFormLabel } from "./nomenclatures.ts";

/** A row of the table as a search result. */
export function toSummary(row: SummaryRow): CompanySummary {
	const eligibility = eligibilityOf(row.legal_category);
	return {
		id: row.siren,
		siren: row.siren,
		name: row.name,
		legalForm: legalFormLabel(row.legal_category, row.single_partner),
		address: row.address,
		postalCode: row.postal_code,
		city: row.city,
		activityDescription: row.naf_code && activityLabel(row.naf_code, row.naf_nomenclature ?? ""),
		eligibility,
		status: row.status,
		notices: listNotices(eligibility, row.status, row.legal_category),
	};
}

/** What the way to an order shows of a company. */
export function toPreview({ siren, name, address, postalCode, city, status, eligibility, notices }: CompanySummary): CompanyPreview {
	return { siren, name: name ?? "Entreprise", address, postalCode, city, status, eligibility, notices };
}

/** A row of the table as a company's page. @param greffe that of its commune. */
export function toCompany(row: CompanyRow, greffe: string | null): Company {
	const summary = toSummary(row);
	const { registered_on, removed_on, capital, capital_currency, duration_years, registration_as_of } = row;
	const inRne = [registered_on, removed_on, capital, duration_years].some((fact) => fact !== null);
	return {
		...summary,
		siret: row.siret,
		nafCode: row.naf_code,
		creationDate: frenchDate(row.created_on),
		registrationDate: frenchDate(registered_on),
		capital: capital && formatCapital(Number(capital), capital_currency ?? "EUR"),
		masked: row.masked,
		hidden: row.hidden,
		legalFormInFull: legalCategoryLabel(row.legal_category),
		addressComplement: row.address_complement,
		removalDate: frenchDate(removed_on),
		duration: duration_years === null ? null : `${duration_years}\u00a0${duration_years > 1 ? "ans" : "an"}`,
		rneAsOf: inRne ? registration_as_of : null,
		greffe: summary.eligibility === "none" ? null : greffe,
		updatedOn: row.updated_on,
	};
}

/** 1955-03-01 → 01/03/1955. */
function frenchDate(day: string | null): string | null {
	return day?.split("-").reverse().join("/") ?? null;
}

/** 170348620.75 → « 170 348 620,75 € »; whole amounts without cents. */
export function formatCapital(amount: number, currency: string): string {
	const digits = Number.isInteger(amount) ? 0 : 2;
	const number = new Intl.NumberFormat("fr-FR", { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(amount);
	return `${number} ${currency === "EUR" ? "€" : currency}`.replace(/[\s\u202f]/g, "\u00a0");
}
