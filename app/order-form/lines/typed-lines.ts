import { cleanLine, readLines } from "../../forms/text.ts";
import { isCompanyNumber, maxCompanyLength } from "./company-entry.ts";

export { maxLines } from "../../shop-settings/capacity.ts";

/** In characters. */
export const maxReferenceLength = 100;

/** Of the whole field, in characters: more than three times two hundred lines of the greatest length. */
export const maxListLength = 200_000;

/** A line as it was typed or read from a file. */
export interface TypedLine {
	company: string;
	reference: string;
}

/** Truncates both texts. A reference keeps one character more than allowed, so that the form refuses it. */
export const toTypedLine = (company: string, reference: string): TypedLine => ({
	company: cleanLine(company, maxCompanyLength),
	reference: cleanLine(reference, maxReferenceLength + 1),
});

/**
 * Reads one company a line, each with the customer's reference after a semicolon or a tab: « 552032534 ; dossier 2026-114 ». After a
 * number a comma will do; in a name it belongs to the name. Blank lines do not count.
 */
export function readTypedLines(text: string): TypedLine[] {
	return readLines(text)
		.split("\n")
		.map(readTypedLine)
		.filter(({ company, reference }) => company !== "" || reference !== "");
}

function readTypedLine(line: string): TypedLine {
	const [, company = line, reference = ""] = /^([^;\t]*)[;\t](.*)$/.exec(line) ?? splitAfterNumber(line) ?? [];
	return toTypedLine(unquote(company), unquote(removeSeparatorsAtEnd(reference)));
}

/** A regular expression for the end would start again at each blank of a long line. */
function removeSeparatorsAtEnd(text: string): string {
	let end = text.length;
	while (/[;\s]/.test(text.charAt(end - 1))) end--;
	return text.slice(0, end);
}

function splitAfterNumber(line: string): RegExpExecArray | null {
	const split = /^([^,]*),(.*)$/.exec(line);
	return split && isCompanyNumber(split[1] ?? "") ? split : null;
}

/** A cell that was copied from a file may have its quotes. */
const unquote = (cell: string): string => /^\s*"(.*)"\s*$/.exec(cell)?.[1]?.replaceAll('""', '"') ?? cell;

/** Writes lines as they may be typed, for the field of the page. */
export const formatTypedLines = (lines: readonly TypedLine[]): string =>
	lines.map(({ company, reference }) => (reference === "" ? company : `${company} ; ${reference}`)).join("\n");
