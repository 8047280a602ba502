/**
 * Splits « 1 rue de la Paix, 75002 Paris » at its postal code.
 * @returns the whole line as the street where it has another form: nothing is guessed, nothing is lost.
 */
export function splitAddress(line: string): { street: string; postalCode: string; city: string } {
	const [, street, postalCode, city] = /^(.+?),?\s+(\d{5})\s+(\D.*)$/u.exec(line.trim()) ?? [];
	return street && postalCode && city ? { street, postalCode, city } : { street: line.trim(), postalCode: "", city: "" };
}
