import type { Branded } from "../../server/types/branded.ts";

/** Money is integer cents. */
export type Cents = Branded<number, "Cents">;

/** @throws RangeError for anything but a whole number of cents, which is a bug and never input of a customer. */
export function cents(value: number): Cents {
	if (!Number.isSafeInteger(value)) throw new RangeError(`not a whole number of cents: ${value}`);
	return value as Cents;
}

const euros = new Intl.NumberFormat("fr-FR", { style: "currency", currency: "EUR" });

/** 3900 → « 39,00 € », -320 → « −3,20 € » with the minus sign, not a hyphen. */
export function formatEuros(amount: Cents): string {
	return euros
		.format(amount / 100)
		.replaceAll("\u202f", "\u00a0")
		.replace("-", "\u2212"); // the fonts of PDFs have no narrow space
}

/** 5900 → « 59 », 123950 → « 1 239,50 »: without the sign, for the order button. */
export const formatEurosShort = (amount: Cents): string => formatEuros(amount).replace(/(,00)?.€$/, "");

/** Standard rate of VAT, in percent (CGI art. 278). */
export const vatRate = 20;

/**
 * Splits a price that includes VAT, at `rate` percent.
 * @returns HT rounded to the cent, and VAT as the rest, so that both always add up to the price.
 */
export function splitVat(ttc: Cents, rate = vatRate): { ht: Cents; vat: Cents } {
	const ht = cents(Math.round((ttc * 100) / (100 + rate)));
	return { ht, vat: cents(ttc - ht) };
}
