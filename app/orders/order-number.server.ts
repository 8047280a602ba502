import { randomInt } from "node:crypto";
import type { Branded } from "../../server/types/branded.ts";

/** « KB-7F3K-92QD »: random, without look-alikes (no 0 O, 1 I L, U V). */
export type OrderNumber = Branded<string, "OrderNumber">;

/** Characters of numbers that people read out and type. */
export const alphabet = "23456789ABCDEFGHJKMNPQRSTWXYZ";

export const toOrderNumber = (letters: string) => `KB-${letters.slice(0, 4)}-${letters.slice(4)}` as OrderNumber;

/** Generates one of 29⁸ numbers, about 5 × 10¹¹; the database refuses a duplicate. */
export function generateOrderNumber(): OrderNumber {
	const letters = Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join("");
	return toOrderNumber(letters);
}

/** Parses a typed number, whatever its case, blanks and dashes. @returns null when it is no order number. */
export function parseOrderNumber(text: string): OrderNumber | null {
	const compact = text
		.toUpperCase()
		.replace(/[^A-Z0-9]/g, "")
		.replace(/^KB(?=.{8}$)/, ""); // the eight characters may begin with KB too
	if (compact.length !== 8 || [...compact].some((letter) => !alphabet.includes(letter))) return null;
	return toOrderNumber(compact);
}
