import type { Branded } from "../../server/types/branded.ts";

/** Nine digits that identify a legal unit. */
export type Siren = Branded<string, "Siren">;
/** Fourteen digits that identify an establishment: its unit's SIREN and five more. */
export type Siret = Branded<string, "Siret">;

const separators = /[\s.\u00a0\u202f-]/g;

/** Nine digits, however they were spaced; null otherwise. The Luhn key is a hint (`hasValidKey`), not a condition. */
export function parseSiren(value: string): Siren | null {
	const digits = value.replace(separators, "");
	return /^\d{9}$/.test(digits) ? (digits as Siren) : null;
}

/** Fourteen digits, however they were spaced; null otherwise. */
export function parseSiret(value: string): Siret | null {
	const digits = value.replace(separators, "");
	return /^\d{14}$/.test(digits) ? (digits as Siret) : null;
}

/**
 * Whether the check digit fits (Luhn, INSEE). SIRETs of La Poste (SIREN 356000000) follow another rule:
 * their digits sum to a multiple of five.
 */
export function hasValidKey(number: Siren | Siret): boolean {
	if (number.length === 14 && number.startsWith("356000000"))
		return [...number].reduce((sum, digit) => sum + Number(digit), 0) % 5 === 0 || luhn(number);
	return luhn(number);
}

function luhn(digits: string): boolean {
	let sum = 0;
	for (let i = 0; i < digits.length; i++) {
		const digit = Number(digits[digits.length - 1 - i]);
		const term = i % 2 === 0 ? digit : digit * 2;
		sum += term > 9 ? term - 9 : term;
	}
	return sum % 10 === 0;
}

/** What stands before a number on a letterhead: « SIRET : », « RCS Paris », « TVA ». */
const label = /^\s*(?:siren|siret|tva|rcs(?:\s+\p{L}[\p{L}'’ -]*)?)\s*:?\s*(?=\d|FR)/iu;

/**
 * The digits of a SIREN that a text stands for: three to nine, spaced anyhow, with or without the words of a letterhead. A SIRET, even one half typed, stands for its SIREN,
 * and so does a VAT number (FR and two characters before the SIREN). Null for anything else.
 */
export function leadingDigits(text: string): string | null {
	const number = text.replace(label, "").replace(/\s*\brcs\b.*$/i, "");
	const compact = number.replace(separators, "").replace(/^FR[0-9A-Z]{2}(?=\d{9}$)/i, "");
	return /^\d{3,14}$/.test(compact) ? compact.slice(0, 9) : null;
}

/** The VAT number that goes with a SIREN: calculated, whether the company has one or not. Source: BOI-TVA-DECLA-20-10-20. */
export function vatNumber(siren: Siren): string {
	return `FR${String((12 + 3 * (Number(siren) % 97)) % 97).padStart(2, "0")}${siren}`;
}
