import type { Branded } from "../../server/types/branded.ts";
import { calculateVatKey } from "../../server/types/check-digits.ts";
import { parseSiren, type Siren } from "./siren.ts";

/** A French VAT number, in capitals without spaces. */
export type VatNumber = Branded<string, "VatNumber">;

/**
 * France’s code, the key and the SIREN. Some keys have letters and are not calculated from the SIREN. Source: European Commission,
 * VIES. Numbers of other states are refused: the form bills to addresses in France, with French VAT.
 */
const pattern = /^FR([A-HJ-NP-Z\d]{2})(\d{9})$/;

/** The same anywhere in a text: « TVA intracommunautaire : FR27552032534 ». */
const anywhere = /FR[A-HJ-NP-Z\d]{2}\d{9}(?!\d)/;

/** Removes what people type between the characters of a VAT number, and writes capitals. */
export const compactVatNumber = (text: string): string =>
	text
		.normalize("NFKC")
		// U+202E stays: with it, the customer sees another number
		.replace(/(?!\u202e)[\s.,'’_·\u2212\p{Pd}\p{Cf}]/gu, "")
		.toUpperCase();

/** Parses a French VAT number with any spacing and label; null for a wrong format, and for a key that does not fit the SIREN. */
export function parseVatNumber(text: string): VatNumber | null {
	const [number = ""] = anywhere.exec(compactVatNumber(text)) ?? [];
	return isVatNumber(number) ? number : null;
}

function isVatNumber(text: string): text is VatNumber {
	const [, key, siren = ""] = pattern.exec(text) ?? [];
	return key !== undefined && (/\D/.test(key) || key === calculateVatKey(siren));
}

/** Returns the SIREN in a VAT number. */
export function getSirenOfVatNumber(number: VatNumber): Siren | null {
	return parseSiren(number.slice(4));
}
