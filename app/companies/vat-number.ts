import type { Branded } from "../../server/types/branded.ts";
import { calculateVatNumber, parseSiren, type Siren } from "./siren.ts";

/** A VAT number of a member state of the European Union, or of Northern Ireland, in capitals without spaces. */
export type VatNumber = Branded<string, "VatNumber">;

/**
 * What follows the country's code. Source: European Commission, VIES, structure of VAT identification numbers. France also has keys with
 * letters, which are not calculated from the SIREN.
 */
const patterns: Record<string, RegExp> = {
	AT: /^U\d{8}$/,
	BE: /^[01]\d{9}$/,
	BG: /^\d{9,10}$/,
	CY: /^\d{8}[A-Z]$/,
	CZ: /^\d{8,10}$/,
	DE: /^\d{9}$/,
	DK: /^\d{8}$/,
	EE: /^\d{9}$/,
	EL: /^\d{9}$/,
	ES: /^[A-Z\d]\d{7}[A-Z\d]$/,
	FI: /^\d{8}$/,
	FR: /^[A-HJ-NP-Z\d]{2}\d{9}$/,
	HR: /^\d{11}$/,
	HU: /^\d{8}$/,
	IE: /^(?:\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/,
	IT: /^\d{11}$/,
	LT: /^(?:\d{9}|\d{12})$/,
	LU: /^\d{8}$/,
	LV: /^\d{11}$/,
	MT: /^\d{8}$/,
	NL: /^[A-Z\d+*]{10}\d{2}$/,
	PL: /^\d{10}$/,
	PT: /^\d{9}$/,
	RO: /^\d{2,10}$/,
	SE: /^\d{12}$/,
	SI: /^\d{8}$/,
	SK: /^\d{10}$/,
	XI: /^(?:\d{9}|\d{12}|(?:GD|HA)\d{3})$/,
};

/** Removes what people type between the characters of a VAT number, and writes capitals. */
export const compactVatNumber = (text: string): string => text.replace(/[\s.\u00a0\u202f-]/g, "").toUpperCase();

/** Parses a VAT number with any spacing; null for a wrong format, and for a French number whose key does not fit its SIREN. */
export function parseVatNumber(text: string): VatNumber | null {
	const number = compactVatNumber(text);
	const [country, rest] = [number.slice(0, 2), number.slice(2)];
	if (!Object.hasOwn(patterns, country) || !patterns[country]?.test(rest)) return null;
	const siren = getSirenOfVatNumber(number as VatNumber);
	const keyFits = siren === null || /^\D|^\d\D/.test(rest) || calculateVatNumber(siren) === number;
	return keyFits ? (number as VatNumber) : null;
}

/** Returns the SIREN in a French VAT number; null for another country's. */
export function getSirenOfVatNumber(number: VatNumber): Siren | null {
	return number.startsWith("FR") ? parseSiren(number.slice(4)) : null;
}
