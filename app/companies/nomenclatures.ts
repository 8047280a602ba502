import legalCategories from "../../data/nomenclatures/categories-juridiques.json" with { type: "json" };
import naf2025 from "../../data/nomenclatures/naf-2025.json" with { type: "json" };
import nafRev2 from "../../data/nomenclatures/naf-rev2.json" with { type: "json" };
import { legalFormsOf } from "./legal-forms.ts";

/** The label of an INSEE legal category; null for a code that INSEE no longer lists. « Sans autre indication » is left out. */
export function legalCategoryLabel(category: string): string | null {
	return label(legalCategories, category)?.replace(/ \((s\.a\.i\.|sans autre indication)\)/, "") ?? null;
}

/** A short legal form for a badge: « SA », « SAS / SASU », else INSEE's own label. */
export function legalFormLabel(category: string, singlePartner: boolean | null): string {
	const forms = legalFormsOf(category, singlePartner).filter((form) => form !== "Auto-entrepreneur"); // most are not
	return forms.join(" / ") || (legalCategoryLabel(category) ?? "Forme juridique non précisée");
}

/** What a NAF code means; null for the nomenclatures before rév. 2, which nobody reads any more. */
export function activityLabel(code: string, nomenclature: string): string | null {
	if (nomenclature === "NAFRev2") return label(nafRev2, code);
	return /^NAF(20)?25$/.test(nomenclature) ? label(naf2025, code) : null;
}

function label(labels: Record<string, string>, code: string): string | null {
	return Object.hasOwn(labels, code) ? (labels[code]?.replaceAll("&nbsp;", " ").replace(/\s+/g, " ").trim() ?? null) : null;
}
