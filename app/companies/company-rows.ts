import type { CompanyRow, SummaryRow } from "./companies.store.server.ts";
import { type Company, type CompanySummary, eligibilityOf } from "./company.ts";
import { activityLabel, legalCategoryLabel, legalFormLabel } from "./nomenclatures.ts";
import type { Siren } from "./siren.ts";

/** A row of the table as a search result. */
export function toSummary(row: SummaryRow): CompanySummary {
	return {
		id: row.siren,
		siren: row.siren as Siren,
		name: row.name,
		legalForm: legalFormLabel(row.legal_category, row.single_partner),
		address: row.address,
		postalCode: row.postal_code,
		city: row.city,
		activityDescription: row.naf_code && activityLabel(row.naf_code, row.naf_nomenclature ?? ""),
		eligibility: eligibilityOf(row.legal_category),
		status: row.status,
	};
}

/** A row of the table as a company's page. */
export function toCompany(row: CompanyRow): Company {
	return {
		...toSummary(row),
		siret: row.siret,
		nafCode: row.naf_code,
		registrationDate: frenchDate(row.registered_on ?? row.created_on),
		capital: row.capital && formatCapital(Number(row.capital), row.capital_currency ?? "EUR"),
		masked: row.masked,
		legalFormInFull: legalCategoryLabel(row.legal_category),
		addressComplement: row.address_complement,
		registeredInRne: row.registered_on !== null,
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
