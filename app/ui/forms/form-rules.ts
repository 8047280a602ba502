import { mayBePhone } from "./phone.ts";
import { isLine, isLines } from "./text.ts";

/** The rule of a form field. Sentences are agreed texts (docs/rules.md, R10 and R52). */
export interface FieldRule {
	/** The sentence for an empty field. Undefined: the field is optional. */
	required?: string;
	/** @returns a sentence, or undefined when the text is valid. */
	check?: (text: string) => string | undefined;
	/** The maximum length in characters; `defaultMaxLength` by default. */
	maxLength?: number;
	/** The text may have several lines and any storable character, as a message has. */
	lines?: true;
}

/** In characters. */
export const defaultMaxLength = 100;

/** The general sentence for an empty field. */
export const fieldRequired = "Ce champ est obligatoire";

export const wrongPhone = "Format de téléphone invalide\u00a0: dix chiffres, par exemple 06 12 34 56 78";

/** The rules of a person's fields, shared by all forms. */
export const personRules = {
	firstName: { required: "Le prénom est requis", check: (text) => checkName(text, "Le prénom est requis") },
	lastName: { required: "Le nom est requis", check: (text) => checkName(text, "Le nom est requis") },
	phone: { maxLength: 50, check: (text) => (mayBePhone(text) ? undefined : wrongPhone) },
} satisfies Record<string, FieldRule>;

const unacceptable = "Ce champ contient des caractères qui ne sont pas acceptés";

/**
 * Refuses URLs in names, because mail programs turn them into links; « Dupont/Martin » is none. A dash in place of a name is no name: invoice
 * and letter need one.
 */
function checkName(text: string, required: string): string | undefined {
	if (/[:@]|\/\/|\.[\p{L}\p{N}-]+\/|\bwww\./iu.test(text)) return unacceptable;
	return /[\p{L}\p{N}]/u.test(text) ? undefined : required;
}

/** @param text trimmed. @returns the sentence for an invalid text, or undefined. */
export function checkText({ required, check, maxLength = defaultMaxLength, lines }: FieldRule, text: string): string | undefined {
	if (text === "") return required;
	// a line may be inserted into markup, and no name contains <
	if (!(lines ? isLines(text) : isLine(text) && !/[<>]/.test(text))) return unacceptable;
	if (text.length > maxLength) return `Ce champ accepte ${maxLength} caractères au plus`;
	return check?.(text);
}
