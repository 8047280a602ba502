import type { Branded } from "../../server/types/branded.ts";
import { calculateVatNumber, parseSiren, type Siren } from "./siren.ts";

/** A French VAT number, in capitals without spaces. */
export type VatNumber = Branded<string, "VatNumber">;

/**
 * France’s code, the key and the SIREN. Some keys have letters and are not calculated from the SIREN. Source: European Commission,
 * VIES. Numbers of other states are refused: the form bills to addresses in France, with French VAT.
 */
const pattern = /^FR([A-HJ-NP-Z\d]{2})\d{9}$/;

/** Removes what people type between the characters of a VAT number, and writes capitals. */
export const compactVatNumber = (text: string): string => text.replace(/[\s.\u00a0\u202f-]/g, "").toUpperCase();

/** Parses a French VAT number with any spacing; null for a wrong format, and for a key that does not fit the SIREN. */
export function parseVatNumber(text: string): VatNumber | null {
	const number = compactVatNumber(text);
	const key = pattern.exec(number)?.[1];
	if (key === undefined) return null;
	const siren = getSirenOfVatNumber(number as VatNumber);
	const keyFits = siren === null || /\D/.test(key) || calculateVatNumber(siren) === number;
	return keyFits ? (number as VatNumber) : null;
}

/** Returns the SIREN in a VAT number. */
export function getSirenOfVatNumber(number: VatNumber): Siren | null {
	return parseSiren(number.slice(4));
}
