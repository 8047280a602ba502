import type { Company } from "./company.ts";
import { vatNumber } from "./siren.ts";

/** Whether search engines may know of a company: not of one that is gone, nor of one that asked not to be diffused. */
export function isIndexable({ status, masked }: Pick<Company, "status" | "masked">): boolean {
	return status === "active" && !masked;
}

/**
 * What search engines are told of a company (schema.org, Organization); null of those they are not to know of.
 * @param url of the company's page.
 */
export function companyJsonLd(company: Company, url: string): Record<string, unknown> | null {
	const { name, siren, eligibility, creationDate } = company;
	if (!isIndexable(company) || name === null) return null;
	return {
		"@type": "Organization",
		name,
		legalName: name,
		identifier: { "@type": "PropertyValue", propertyID: "SIREN", value: siren },
		...(eligibility === "kbis" && { vatID: vatNumber(siren) }),
		address: postalAddress(company),
		...(creationDate && { foundingDate: creationDate.split("/").reverse().join("-") }),
		url,
	};
}

function postalAddress({ address, addressComplement, postalCode, city }: Company): Record<string, string> | undefined {
	const street = [addressComplement, address].filter(Boolean).join(", ");
	if (!street && !postalCode && !city) return undefined;
	return {
		"@type": "PostalAddress",
		...(street && { streetAddress: street }),
		...(postalCode && { postalCode }),
		...(city && { addressLocality: city }),
		// a head office abroad has its country in the name of its city, and no French postal code; 98000 is Monaco
		...(/^\d{5}$/.test(postalCode ?? "") && !postalCode?.startsWith("980") && { addressCountry: "FR" }),
	};
}
