import type { Branded } from "../../server/types/branded.ts";
import { calculateVatKey, passesLuhn } from "../../server/types/check-digits.ts";

/** Nine digits that identify a legal unit. */
export type Siren = Branded<string, "Siren">;
/** Fourteen digits that identify an establishment: the SIREN of its unit and five more. */
export type Siret = Branded<string, "Siret">;

/** Nine digits; INSEE's files hold a unit of nine zeros, which is none. */
export const isSiren = (text: string): text is Siren => /^(?!0{9})\d{9}$/.test(text);
export const isSiret = (text: string): text is Siret => /^(?!0{9})\d{14}$/.test(text);

const separators = /[\s.\u00a0\u202f-]/g;

/** Parses nine digits with any spacing; null otherwise. The Luhn key is not checked here (see `hasValidKey`). */
export function parseSiren(value: string): Siren | null {
	const digits = value.replace(separators, "");
	return isSiren(digits) ? digits : null;
}

/** Parses fourteen digits with any spacing; null otherwise. */
export function parseSiret(value: string): Siret | null {
	const digits = value.replace(separators, "");
	return isSiret(digits) ? digits : null;
}

/** « 552 032 534 », with no-break spaces: for texts. On pages, `Siren` groups by style. */
export const formatSiren = (siren: string): string => siren.replace(/(\d{3})(?=\d)/g, "$1\u00a0");

/**
 * Whether the check digit of a SIREN or SIRET is right (Luhn, INSEE). SIRETs of La Poste (SIREN 356000000) follow another rule:
 * their digits sum to a multiple of five.
 */
export function hasValidKey(number: string): boolean {
	if (number.length === 14 && number.startsWith("356000000"))
		return [...number].reduce((sum, digit) => sum + Number(digit), 0) % 5 === 0 || passesLuhn(number);
	return passesLuhn(number);
}

/** Calculates the VAT number of a SIREN; not every company has one. */
export function calculateVatNumber(siren: Siren): string {
	return `FR${calculateVatKey(siren)}${siren}`;
}
