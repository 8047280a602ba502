type Text = string | null | undefined;

export interface AddressParts {
	/** The recipient; none where it stands elsewhere. */
	name?: Text;
	/** Building, floor, post box. */
	complement?: Text;
	/** House number and street. */
	street?: Text;
	postalCode?: Text;
	city?: Text;
}

/** Returns the lines of an address, without the empty ones: name, complement, street, postal code with city. */
export function formatAddressLines({ name, complement, street, postalCode, city }: AddressParts): string[] {
	return [name, complement, street, [postalCode, city].filter(Boolean).join(" ")].flatMap((line) => line || []);
}

/** « Grace Hopper, Bâtiment B, 4 quai de l’Horloge, 75001 Paris »; empty when nothing is known. */
export const formatAddress = (parts: AddressParts): string => formatAddressLines(parts).join(", ");
