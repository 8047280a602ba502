import { formatTown } from "../arrondissements.ts";
import type { Company } from "../company.ts";
import { isIndexable } from "./company-json-ld.ts";

/** Whether the page of a company has a preview picture with its name: search engines may show it, and it is no natural person. */
export const hasOwnPicture = (company: Company): boolean => isIndexable(company) && company.eligibility === "kbis" && company.name !== null;

/** What stands below the name on the picture. */
export function listPictureLines({ siren, headOffice }: Company): string[] {
	const town = headOffice?.city && formatTown(headOffice.city, headOffice.postalCode).replace("\u00a0", " ");
	return [
		[`SIREN ${siren.replace(/\d{3}(?=\d)/g, "$& ")}`, town].filter(Boolean).join(" · "),
		"Entreprise active",
		"Fiche d’un service privé et indépendant",
	];
}
