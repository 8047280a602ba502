import { type Cents, cents } from "../../catalogue/money.ts";

/** Parses « 12,50 », « 12.5 » or « 12 € » into cents; null for zero and for any other text. */
export function parseEuros(text: string): Cents | null {
	const [, euros, decimals = ""] = /^(\d{1,6})(?:[.,](\d{1,2}))?\s*€?$/.exec(text.trim()) ?? [];
	if (euros === undefined) return null;
	const amount = cents(Number(euros) * 100 + Number(decimals.padEnd(2, "0")));
	return amount > 0 ? amount : null;
}
