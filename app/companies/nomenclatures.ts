import legalCategories from "../../data/nomenclatures/categories-juridiques.json" with { type: "json" };
import naf2025 from "../../data/nomenclatures/naf-2025.json" with { type: "json" };
import nafRev2 from "../../data/nomenclatures/naf-rev2.json" with { type: "json" };
import { listLegalForms } from "./legal-forms.ts";

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
