import type { CompanyNotice } from "./company-notices.ts";
import type { Siren } from "./siren.ts";

/**
 * Who has an extract: legal persons of the RCS a Kbis, commercial sole traders perhaps an extract K, all others none.
 * Mutual insurers (6411) may have a Kbis: they can be ordered, with a notice. Source: INSEE legal categories, level III (docs/rules.md, R3 and R4).
 */
export type Eligibility = "kbis" | "extrait-k" | "none";

/** As the search shows it. Null where unknown, or withheld at the unit's own request (statutDiffusion P). */
export interface CompanySummary {
	id: string;
	siren: Siren;
	name: string | null;
	/** A label: « SA », « SAS / SASU ». */
	legalForm: string;
	address: string | null;
	postalCode: string | null;
	city: string | null;
	activityDescription: string | null;
	eligibility: Eligibility;
	status: "active" | "ceased" | "removed";
	/** What is said before its extract is paid for. */
	notices: CompanyNotice[];
}

/** As suggestions, the order form and the payment page show it. */
export interface CompanyPreview extends Pick<CompanySummary, "address" | "postalCode" | "city" | "status" | "eligibility" | "notices"> {
	siren: string;
	/** « Entreprise » where it is masked. */
	name: string;
}

/** As its own page shows it. */
export interface Company extends CompanySummary {
	siret: string | null;
	nafCode: string | null;
	/** When it was created, says INSEE: dd/mm/yyyy. */
	creationDate: string | null;
	/** When it was entered in the RCS, says the RNE: dd/mm/yyyy. */
	registrationDate: string | null;
	/** A text: « 50 000 € ». */
	capital: string | null;
	/** Partially diffused at the unit's own request, or hidden. */
	masked: boolean;
	/** Masked by this shop, at the request of the person concerned (GDPR art. 21), whatever INSEE diffuses. */
	hidden: boolean;
	/** INSEE's own label: « SA à conseil d'administration ». */
	legalFormInFull: string | null;
	addressComplement: string | null;
	/** dd/mm/yyyy, where the RNE says that it was removed. */
	removalDate: string | null;
	/** For how long it was founded: « 99 ans ». */
	duration: string | null;
	/** The day on which the RNE said so, yyyy-mm-dd; null where it said nothing. */
	rneAsOf: string | null;
	/** The competent greffe, after the commune: a hint. Null where there is no extract, or no address. */
	greffe: string | null;
	/** When INSEE last changed its record, yyyy-mm-dd. */
	updatedOn: string | null;
}

/** @param legalCategory INSEE code of four digits. */
export function eligibilityOf(legalCategory: string): Eligibility {
	if (/^(3110|3120|41\d\d|5\d\d\d|6100|62\d\d|63\d\d|6411|65\d\d|6901)$/.test(legalCategory)) return "kbis";
	return legalCategory === "1000" ? "extrait-k" : "none";
}

/** « 59 RUE LA FAYETTE, 75009 PARIS », which tells namesakes apart; empty where it is unknown or withheld. */
export function formatHeadOffice({ address, postalCode, city }: Pick<CompanySummary, "address" | "postalCode" | "city">): string {
	return [address, [postalCode, city].filter(Boolean).join(" ")].filter(Boolean).join(", ");
}
