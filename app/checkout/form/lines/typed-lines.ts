import { cleanLine } from "../../../ui/forms/text.ts";
import { maxCompanyLength } from "./company-entry.ts";

export { maxLines } from "../../../catalogue/settings/capacity.ts";

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

/** Writes lines as they may be typed, for the field of the page. */
export const formatTypedLines = (lines: readonly TypedLine[]): string =>
	lines.map(({ company, reference }) => (reference === "" ? company : `${company} ; ${reference}`)).join("\n");
