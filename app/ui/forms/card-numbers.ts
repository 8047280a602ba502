import { passesLuhn } from "../../../server/types/check-digits.ts";

/** An IBAN, which stays, or digits in one block or in blocks of three and more. One with more letters has too few digits for a card. */
const numbers = /\b[A-Z]{2}\d{2}(?: ?(?:\d|[A-Z](?![A-Z]{2}))){16,30}\b|(?<!\d)\d{3,19}(?:[ .\u00a0\u202f-]\d{3,19}){0,9}(?!\d)/g;

/** Digits of a Visa, Mastercard, CB, American Express or Maestro card (ISO/IEC 7812-1). Fourteen would be a SIRET too. */
const isCard = (digits: string): boolean => /^[2-6]\d{14}(?:\d|\d{4})?$/.test(digits) && passesLuhn(digits);

/** Hides the card numbers in what a person wrote but for their last four digits (PCI DSS 4.0.1, 3.4.1), so that none is stored or mailed. */
export const hideCardNumbers = (text: string): string => text.replace(numbers, hideIn);

function hideIn(run: string): string {
	if (/^[A-Z]/.test(run)) return run;
	const found = Array.from(run.matchAll(/\d+/g), ({ 0: block, index }) => ({ start: index, end: index + block.length }));
	for (const { start } of found) {
		for (const { end } of found) {
			const digits = run.slice(start, end).replace(/\D/g, "");
			if (isCard(digits)) return `${run.slice(0, start)}•••• ${digits.slice(-4)}${hideIn(run.slice(end))}`;
		}
	}
	return run;
}
