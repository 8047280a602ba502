import { readCompanyText } from "../../../companies/company-text.ts";
import { cleanLine } from "../../../ui/forms/text.ts";
import { maxCompanyLength, maxReferenceLength } from "./line-fields.ts";

/** A line as it was typed or read from a file. */
export interface TypedLine {
	company: string;
	reference: string;
}

/**
 * Truncates both texts. Of a long text, such as a letterhead, the number is kept. A reference keeps one character more than allowed, so that
 * the form refuses it.
 */
export function toTypedLine(company: string, reference: string): TypedLine {
	const text = cleanLine(company, maxReadLength);
	const read = text.length > maxCompanyLength ? readCompanyText(text) : null;
	return {
		company: read?.kind === "number" ? (read.siret ?? read.siren) : cleanLine(text, maxCompanyLength),
		reference: cleanLine(reference, maxReferenceLength + 1),
	};
}

/** Of a company, in characters. */
const maxReadLength = 2_000;

/** Writes lines as they may be typed, for the field of the page. */
export const formatTypedLines = (lines: readonly TypedLine[]): string =>
	lines.map(({ company, reference }) => (reference === "" ? company : `${company} ; ${reference}`)).join("\n");
