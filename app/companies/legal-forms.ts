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

/** The legal categories of forms that the search does not filter by (INSEE, « catégories juridiques »). */
const otherForms: ReadonlyMap<string, RegExp> = new Map([
	["eirl", /^1000$/],
	["scs", /^530[67]$/],
	["sca", /^530[89]$/],
	["scop", /^5(458|558|658)$/],
	["selarl", /^5485$/],
	["selafa", /^5[56]85$/],
	["selas", /^5785$/],
	["selasu", /^5785$/],
	["se", /^5800$/],
	["gie", /^6220$/],
	["gaec", /^6533$/],
	["sci", /^654\d$/],
	["scp", /^65([67]\d|85)$/],
	["scm", /^6589$/],
	["scea", /^6597$/],
	["earl", /^6598$/],
]);

/** Whether a word of a query abbreviates the legal form of a company. @param singlePartner as for `listLegalForms`. */
export const isOfForm = (word: string, category: string, singlePartner: boolean | null): boolean =>
	listLegalForms(category, singlePartner).some((form) => form.toLowerCase() === word) || (otherForms.get(word)?.test(category) ?? false);

const managerTitles: readonly (readonly [categories: RegExp, title: string])[] = [
	[/^(5[234]|65)/, "Gérant"],
	[/^55/, "Président du conseil d’administration"],
	[/^56/, "Président du directoire"],
	[/^57/, "Président"],
	[/^6220$/, "Administrateur"],
];

/** The title of the person who manages a company, as its extract names it; « Dirigeant » where the form leaves it open. */
export const getManagerTitle = (category: string): string =>
	managerTitles.find(([categories]) => categories.test(category))?.[1] ?? "Dirigeant";
