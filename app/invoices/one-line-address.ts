/**
 * Splits « 1 rue de la Paix, 75002 Paris » at its postal code.
 * @returns the whole line as the street where it has another form: nothing is guessed, nothing is lost.
 */
export function splitAddress(line: string): { street: string; postalCode: string; city: string } {
	const parts = /^(?<street>.+?),?\s+(?<postalCode>\d{5})\s+(?<city>\D.*)$/u.exec(line.trim())?.groups;
	return { street: line.trim(), postalCode: "", city: "", ...parts };
}
