import { formatAddress } from "./addresses/address-lines.ts";
import type { CompanyNotice } from "./company-notices.ts";
import type { PostalAddress } from "./postal-address.ts";
import type { Siren } from "./siren.ts";

/** Whether we may have notices about a company: only those about legal persons are imported, and a masked unit shows none. */
export const canFollow = ({ masked, eligibility }: Pick<Company, "masked" | "eligibility">): boolean =>
	!masked && eligibility !== "extrait-k";

/**
 * The extract of a company: legal persons in the RCS have a Kbis, commercial sole traders may have an extract K, others have none.
 * Mutual insurers (6411) may have a Kbis, so they have a notice. Source: INSEE legal categories, level III (docs/rules.md, R3 and R4).
 */
export type Eligibility = "kbis" | "extrait-k" | "none";

/** A search result. Values are null when unknown, or withheld at the unit's request (statutDiffusion P). */
export interface CompanySummary {
	id: string;
	siren: Siren;
	name: string | null;
	/** The trade name or acronym that the words of the search match, if the name does not hold them all; null without a search. */
	matchedName: string | null;
	/** A label: « SA », « SAS / SASU ». */
	legalForm: string;
	/** As in the register, in capitals. */
	address: string | null;
	postalCode: string | null;
	city: string | null;
	/** As people write it. */
	headOffice: PostalAddress | null;
	activityDescription: string | null;
	eligibility: Eligibility;
	status: "active" | "ceased" | "removed";
	/** Shown before payment. */
	notices: CompanyNotice[];
}

/** The company in suggestions, the order form and the payment page. */
export interface CompanyPreview
	extends Pick<CompanySummary, "matchedName" | "address" | "postalCode" | "city" | "headOffice" | "status" | "eligibility" | "notices"> {
	siren: string;
	/** « Entreprise » when masked. */
	name: string;
	/** In the DGFiP's list, and the company's only one there; absent where the list was not read. */
	vatNumber?: string;
}

/** The company on its page. */
export interface Company extends CompanySummary {
	siret: string | null;
	nafCode: string | null;
	/** The day of creation according to INSEE, yyyy-mm-dd. */
	creationDate: string | null;
	/** The day of registration in the RCS according to the RNE, yyyy-mm-dd. */
	registrationDate: string | null;
	/** Formatted: « 50 000 € ». */
	capital: string | null;
	/** Partially diffused at the unit's request, or hidden by the shop. */
	masked: boolean;
	/** Masked by the shop at the request of the person concerned (GDPR art. 21). */
	hidden: boolean;
	/** Trade signs and usual name of the head office, without the company's name. */
	tradeNames: string[];
	acronym: string | null;
	/** INSEE's band with its year: « 50 à 99 salariés (2023) ». */
	staffBand: string | null;
	/** INSEE's size category: « Petite ou moyenne entreprise (PME) ». */
	category: string | null;
	/** The open establishments; at most 50 are listed, the head office first. */
	establishments: { open: number; list: Establishment[] };
	/** Its active VAT numbers in the DGFiP's list; empty when the list has none, or when they are withheld. */
	vatNumbers: string[];
	/** The day of the list that has these numbers, yyyy-mm-dd; null without any. */
	vatAsOf: string | null;
	/** INSEE's code of four digits: « 5599 ». */
	legalCategory: string;
	/** INSEE's label: « SA à conseil d’administration ». */
	legalFormInFull: string | null;
	addressComplement: string | null;
	/** The day of removal according to the RNE, yyyy-mm-dd. */
	removalDate: string | null;
	/** The planned duration: « 99 ans ». */
	duration: string | null;
	/** The year in which the planned duration ends, also after it was extended. */
	durationEnd: number | null;
	/** The last day of the financial year, mm-dd. */
	financialYearEnd: string | null;
	/** The purpose in the words of the statutes. */
	purpose: string | null;
	/** The day of the RNE's data, yyyy-mm-dd; null without any. */
	rneAsOf: string | null;
	/** The probable greffe, by commune; null without an extract or an address. */
	greffe: string | null;
	/** The day of INSEE's last change, yyyy-mm-dd. */
	updatedOn: string | null;
}

/** An open establishment. */
export interface Establishment {
	siret: string;
	tradeName: string | null;
	address: PostalAddress;
	headOffice: boolean;
	/** The activity, where it differs from the company's; otherwise null. */
	nafCode: string | null;
	activityDescription: string | null;
	/** Partially diffused at its own request: nothing but its SIRET is shown. */
	masked: boolean;
}

/** @param legalCategory INSEE's code of four digits. */
export function getEligibility(legalCategory: string): Eligibility {
	if (/^(3110|3120|41\d\d|5\d\d\d|6100|62\d\d|63\d\d|6411|65\d\d|6901)$/.test(legalCategory)) return "kbis";
	return legalCategory === "1000" ? "extrait-k" : "none";
}

/** @returns the company, or null when it has no extract. */
export const getOrderable = (company: CompanyPreview | null): CompanyPreview | null => (company?.eligibility === "none" ? null : company);

/** « 59 rue La Fayette, 75009 Paris »; empty when unknown or withheld. */
export function formatHeadOffice({ headOffice }: Pick<CompanySummary, "headOffice">): string {
	return formatAddress({ ...headOffice, complement: null });
}
