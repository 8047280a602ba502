/** The legal forms that the search can filter by, as the page writes them. */
export const legalForms = ["SAS", "SARL", "SASU", "SA", "SNC", "EURL", "Auto-entrepreneur"] as const;
export type LegalForm = (typeof legalForms)[number];

/**
 * The forms of a company: several where the registers do not tell them apart.
 * @param category INSEE legal category, four digits. @param singlePartner what the RNE says, null where it is silent:
 * INSEE has one code for SAS and SASU (5710), and one family for SARL and EURL (54xx).
 */
export function legalFormsOf(category: string, singlePartner: boolean | null): LegalForm[] {
	if (category === "5710") return singlePartner === null ? ["SAS", "SASU"] : [singlePartner ? "SASU" : "SAS"];
	if (/^54\d\d$/.test(category)) return singlePartner === null ? ["SARL", "EURL"] : [singlePartner ? "EURL" : "SARL"];
	if (/^5[56]\d\d$/.test(category)) return ["SA"];
	if (category === "5202") return ["SNC"];
	return category === "1000" ? ["Auto-entrepreneur"] : [];
}
