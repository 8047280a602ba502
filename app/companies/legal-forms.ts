/** The legal forms that the search can filter by. */
export const legalForms = ["SAS", "SARL", "SASU", "SA", "SNC", "EURL", "Auto-entrepreneur"] as const;
export type LegalForm = (typeof legalForms)[number];

/**
 * Returns the forms of a company; several when the registers do not distinguish them.
 * @param category INSEE's legal category of four digits. @param singlePartner according to the RNE, null when unknown:
 * INSEE has one code for SAS and SASU (5710), and one family for SARL and EURL (54xx).
 */
export function listLegalForms(category: string, singlePartner: boolean | null): LegalForm[] {
	if (category === "5710") return singlePartner === null ? ["SAS", "SASU"] : [singlePartner ? "SASU" : "SAS"];
	if (/^54\d\d$/.test(category)) return singlePartner === null ? ["SARL", "EURL"] : [singlePartner ? "EURL" : "SARL"];
	if (/^5[56]\d\d$/.test(category)) return ["SA"];
	if (category === "5202") return ["SNC"];
	return category === "1000" ? ["Auto-entrepreneur"] : [];
}
