import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { wrongPhone } from "./form-rules.ts";
import { agreedForm, compactPhone, formatFrenchPhone, trimPhone } from "./phone.ts";
import { readLine } from "./text.ts";

/**
 * Reads a field with a telephone number (docs/rules.md, R228).
 * @returns a number in the agreed form as it was typed, any other in one way of writing; a text that certainly is none, as it was typed.
 */
export function readPhone(value: unknown): string {
	const typed = trimPhone(readLine(value));
	if (agreedForm.test(typed)) return typed;
	return formatFrenchPhone(typed) ?? formatForeignPhone(typed) ?? typed;
}

/** @returns the sentence for a text that was read and is no number, or undefined; the field is optional. */
export const checkPhone = (read: string): string | undefined =>
	read === "" || (formatFrenchPhone(read) ?? formatForeignPhone(read)) !== null ? undefined : wrongPhone;

function formatForeignPhone(typed: string): string | null {
	const parsed = parsePhoneNumberFromString(compactPhone(typed).replace(/^00/, "+"));
	if (!parsed?.isValid()) return null;
	const { ext } = parsed;
	parsed.ext = undefined;
	return parsed.formatInternational() + (ext === undefined ? "" : ` poste ${ext}`);
}
