/**
 * The characters that texts from outside may contain. Forms, queries, bodies and headers pass these functions, on both sides.
 * Unicode's category C are control, format (direction overrides among them), private and unassigned characters and lone surrogates;
 * U+FFFD replaces bytes that could not be decoded.
 */

/** Between two signs, U+200C and U+200D belong to the writing of names in several scripts and to emoji; elsewhere they are left over. */
const joiner = /(?<=[^\s\p{C}])[\u200c\u200d](?=[^\s\p{C}])/gu;
const strayJoiner = /(?<![^\s\p{C}])[\u200c\u200d]|[\u200c\u200d](?![^\s\p{C}])/gu;

/** Whether a text of one line can be stored, mailed and printed unchanged. */
export const isLine = (text: string): boolean => !/[\p{C}\p{Zl}\p{Zp}\ufffd]/u.test(text.replace(joiner, ""));

/** The same for a text of several lines, which also has line breaks and tabs. */
export const isLines = (text: string): boolean => isLine(text.replace(/[\n\t\u200d]/g, "a"));

/**
 * Reads a field of one line: normalised (NFC) and trimmed, without soft hyphens, zero-width spaces, direction marks and stray joiners, which
 * are invisible and frequent in pasted texts. A tab, which stands between two cells of a table, is a blank. A value that is not a text gives
 * an empty one.
 */
export const readLine = (value: unknown): string => (typeof value === "string" ? cleanText(value.replace(/\t+/g, " ")) : "");

/** Reads a field of several lines; any line break becomes \n. */
export const readLines = (value: unknown): string =>
	typeof value === "string" ? cleanText(value.replace(/\r\n?|[\u2028\u2029]/g, "\n")) : "";

/** Of the marks on one letter, thirty are read: sorting them takes quadratic time (UAX #15, « Stream-Safe Text Format »). */
const cleanText = (text: string): string =>
	text
		.replace(/(\p{M}{30})\p{M}+/gu, "$1")
		.normalize("NFC")
		.replace(/[\xad\u200b\u200e\u200f\u2060\ufeff]/g, "")
		.replace(strayJoiner, "")
		.trim();

/** Cleans a text where nothing is refused, as in a search: single spaces, and a maximum length. */
export function cleanLine(text: string, maxLength: number): string {
	const clean = text
		.slice(0, 4 * maxLength)
		.replace(/[\p{C}\ufffd\s]+/gu, " ")
		.trim();
	return [...clean].slice(0, maxLength).join("").trim();
}

/**
 * Removes from a line what `isLine` refuses, and cuts it: for a form that is stored before it is checked. A line that is valid stays the
 * same.
 */
export const toStorableLine = (text: string, maxLength: number): string =>
	[...text.slice(0, 4 * maxLength).replace(/[^\P{C}\u200c\u200d]|[\p{Zl}\p{Zp}\ufffd]/gu, "")]
		.slice(0, maxLength)
		.join("")
		.replace(strayJoiner, "")
		.trim();

/** Whether an idempotency key can be stored: up to 200 printable ASCII characters. */
export const isIdempotencyKey = (text: string): boolean => /^[\x20-\x7e]{1,200}$/.test(text);
