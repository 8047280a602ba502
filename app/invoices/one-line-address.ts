/**
 * Splits « 1 rue de la Paix, 75002 Paris » at its postal code.
 * @returns the complete line as the street when it has another form.
 */
export function splitAddress(line: string): { street: string; postalCode: string; city: string } {
	const parts = /^(?<street>.+?),?\s+(?<postalCode>\d{5})\s+(?<city>\D.*)$/u.exec(line.trim())?.groups;
	return { street: line.trim(), postalCode: "", city: "", ...parts };
}
