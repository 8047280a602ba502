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

const wrongPhone = "Format de téléphone invalide\u00a0: dix chiffres, par exemple 06 12 34 56 78";
const frenchPhone = /^(\+33|0033|0)[\s.-]?[1-9]([\s.-]?\d{2}){4}$/;

/** The rules of a person's fields, shared by all forms. */
export const personRules = {
	firstName: { required: "Le prénom est requis", check: checkName },
	lastName: { required: "Le nom est requis", check: checkName },
	phone: { maxLength: 30, check: (text) => (frenchPhone.test(text) ? undefined : wrongPhone) },
} satisfies Record<string, FieldRule>;

const unacceptable = "Ce champ contient des caractères qui ne sont pas acceptés";

/** Refuses URLs in names, because mail programs turn them into links. */
function checkName(text: string): string | undefined {
	return /[:/@]|\bwww\./i.test(text) ? unacceptable : undefined;
}

/** @param text trimmed. @returns the sentence for an invalid text, or undefined. */
export function checkText({ required, check, maxLength = defaultMaxLength, lines }: FieldRule, text: string): string | undefined {
	if (text === "") return required;
	// a line may be inserted into markup, and no name contains <
	if (!(lines ? isLines(text) : isLine(text) && !/[<>]/.test(text))) return unacceptable;
	if (text.length > maxLength) return `Ce champ accepte ${maxLength} caractères au plus`;
	return check?.(text);
}
