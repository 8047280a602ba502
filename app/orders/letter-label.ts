import type { LetterAddress } from "./letter-address.ts";

/** NF Z 10-011 (La Poste): at most six lines of 38 characters. */
const maxLines = 6;
export const lineLength = 38;

/**
 * The lines of the address in the window, as NF Z 10-011 wants them: at most six of 38 characters, street and city in capitals without
 * accents and punctuation. A longer text is broken between words; what does not fit then is cut.
 */
export function formatLabel({ name, complement, address, postalCode, city }: LetterAddress): string[] {
	const place = [toPostalCapitals(address), toPostalCapitals(`${postalCode} ${city}`)].flatMap((line) => foldLine(line));
	const people = [name, complement ?? ""].flatMap((line) => foldLine(line));
	return [...people.slice(0, Math.max(1, maxLines - place.length)), ...place].slice(0, maxLines);
}

const toPostalCapitals = (text: string) =>
	text
		.normalize("NFKD")
		.replace(/\p{M}/gu, "")
		.replace(/[œŒ]/g, "oe")
		.replace(/[^\p{L}\p{N}]+/gu, " ")
		.toUpperCase();

/** Breaks a text between words, and a longer word where it must be. */
export function foldLine(text: string): string[] {
	const lines: string[] = [];
	for (const word of text.split(/\s+/).filter(Boolean)) {
		const last = lines.at(-1);
		if (last !== undefined && last.length + 1 + word.length <= lineLength) lines[lines.length - 1] = `${last} ${word}`;
		else for (const letters = [...word]; letters.length > 0; ) lines.push(letters.splice(0, lineLength).join(""));
	}
	return lines;
}
