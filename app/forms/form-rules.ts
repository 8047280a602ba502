import { isLine, isLines } from "./text.ts";

/** What a field of a form wants of its text. Sentences are agreed texts (docs/rules.md, R10 and R52). */
export interface FieldRule {
	/** The sentence for an empty field; without one, it may stay empty. */
	required?: string;
	/** @returns a sentence, or undefined when the text will do. */
	check?: (text: string) => string | undefined;
	/** Longest text, in characters; 100 unless told. */
	longest?: number;
	/** Several lines, with any sign that can be kept: a message. */
	lines?: true;
}

/** Where no more specific sentence exists. */
export const fieldRequired = "Ce champ est obligatoire";

const frenchPhone = /^(\+33|0033|0)[\s.-]?[1-9]([\s.-]?\d{2}){4}$/;

/** What every form that asks for a person asks in the same way. */
export const personRules = {
	firstName: { required: "Le prénom est requis", check: checkName },
	lastName: { required: "Le nom est requis", check: checkName },
	phone: { longest: 30, check: (text) => (frenchPhone.test(text) ? undefined : "Format de téléphone invalide") },
} satisfies Record<string, FieldRule>;

const unacceptable = "Ce champ contient des caractères qui ne sont pas acceptés";

/** Names stand in mails, whose programs make links of what looks like one. */
function checkName(text: string): string | undefined {
	return /[:/@]|\bwww\./i.test(text) ? unacceptable : undefined;
}

/** The sentence for a field with this text, trimmed, or undefined when it holds. */
export function checkText({ required, check, longest = 100, lines }: FieldRule, text: string): string | undefined {
	if (text === "") return required;
	// a line may stand where markup is read; nobody writes < in a name
	if (!(lines ? isLines(text) : isLine(text) && !/[<>]/.test(text))) return unacceptable;
	if (text.length > longest) return `Ce champ accepte ${longest} caractères au plus`;
	return check?.(text);
}
