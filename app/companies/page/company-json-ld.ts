import type { Company } from "../company.ts";

/** Search engines index active companies that are not masked. */
export function isIndexable({ status, masked }: Pick<Company, "status" | "masked">): boolean {
	return status === "active" && !masked;
}

/**
 * Returns the structured data of a company (schema.org, Organization); null when it must not be indexed.
 * @param url of the company's page.
 */
export function createCompanyJsonLd(company: Company, url: string): Record<string, unknown> | null {
	const { name, siren, vatNumbers, creationDate } = company;
	if (!isIndexable(company) || name === null) return null;
	return {
		"@type": "Organization",
		name,
		legalName: name,
		identifier: { "@type": "PropertyValue", propertyID: "SIREN", value: siren },
		...(vatNumbers.length > 0 && { vatID: vatNumbers[0] }),
		address: createAddressJsonLd(company),
		...(creationDate && { foundingDate: creationDate }),
		url,
	};
}

function createAddressJsonLd({ address, addressComplement, postalCode, city }: Company): Record<string, string> | undefined {
	const street = [addressComplement, address].filter(Boolean).join(", ");
	if (!street && !postalCode && !city) return undefined;
	return {
		"@type": "PostalAddress",
		...(street && { streetAddress: street }),
		...(postalCode && { postalCode }),
		...(city && { addressLocality: city }),
		// the city of a head office abroad includes the country; 980xx is Monaco
		...(/^\d{5}$/.test(postalCode ?? "") && !postalCode?.startsWith("980") && { addressCountry: "FR" }),
	};
}
