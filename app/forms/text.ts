/**
 * Which characters texts from outside may hold: forms, queries, bodies and headers go through here, on both sides.
 * Unicode's category C are control, format (direction overrides among them), private and unassigned characters and lone surrogates;
 * U+FFFD stands for what could not be decoded.
 */

const unacceptable = /[\p{C}\p{Zl}\p{Zp}\ufffd]/u;
/** U+200D holds an emoji together. */
const unacceptableInLines = /(?![\n\t\u200d])[\p{C}\p{Zl}\p{Zp}\ufffd]/u;

/** Soft hyphens, spaces without width and marks of direction: nobody sees them, and pasted texts are full of them. */
const invisible = /[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g;

/** Whether a text of one line can be stored, mailed and printed as it is. */
export const isLine = (text: string): boolean => !unacceptable.test(text);

/** The same for a text of several lines, which also has line breaks and tabs. */
export const isLines = (text: string): boolean => !unacceptableInLines.test(text);

/** Reads a field of one line: composed, without blanks around it. What is no text is empty. */
export function readLine(value: unknown): string {
	return typeof value === "string" ? value.normalize("NFC").replace(invisible, "").trim() : "";
}

/** Reads a field of several lines; however they were broken, they end with \n. */
export const readLines = (value: unknown): string =>
	readLine(typeof value === "string" ? value.replace(/\r\n?|[\u2028\u2029]/g, "\n") : "");

/** What remains of a text where nothing is refused, as in a search: single spaces, and at most so many characters. */
export function cleanLine(text: string, longest: number): string {
	const clean = text
		.slice(0, 4 * longest)
		.replace(/[\p{C}\ufffd\s]+/gu, " ")
		.trim();
	return [...clean].slice(0, longest).join("").trim();
}

/** Whether a caller's idempotency key can be kept: up to 200 printable ASCII characters. */
export const isIdempotencyKey = (text: string): boolean => /^[\x20-\x7e]{1,200}$/.test(text);
