/** Whether the check digit of a number is right (Luhn: ISO/IEC 7812-1, annex B). @param digits digits alone. */
export function passesLuhn(digits: string): boolean {
	let sum = 0;
	for (let i = 0; i < digits.length; i++) {
		const digit = Number(digits[digits.length - 1 - i]);
		const term = i % 2 === 0 ? digit : digit * 2;
		sum += term > 9 ? term - 9 : term;
	}
	return sum % 10 === 0;
}

/** The two digits between « FR » and the SIREN in a VAT number. Source: BOI-TVA-DECLA-20-10-20. @param siren nine digits. */
export const calculateVatKey = (siren: string): string => String((12 + 3 * (Number(siren) % 97)) % 97).padStart(2, "0");
