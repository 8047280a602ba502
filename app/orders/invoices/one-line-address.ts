/**
 * Splits « 1 rue de la Paix, 75002 Paris » at its postal code.
 * @returns the complete line as the street when it has another form.
 */
export function splitAddress(line: string): { street: string; postalCode: string; city: string } {
	const street = line.trim();
	const found = /\s(\d{5})(?=\s+[^\d\s])/.exec(street);
	if (found === null) return { street, postalCode: "", city: "" };
	const [matched, postalCode = ""] = found;
	return {
		street: street.slice(0, found.index).trimEnd().replace(/,$/, ""),
		postalCode,
		city: street.slice(found.index + matched.length).trimStart(),
	};
}
