/** What a field of a form wants of its text. Sentences are the specification's (section 5). */
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

/** Names stand in mails, whose programs make links of what looks like one. */
function checkName(text: string): string | undefined {
	return /[:/@]|\bwww\./i.test(text) ? "Ce champ contient des caractères qui ne sont pas acceptés" : undefined;
}

const unwritable = /[\p{Cc}\p{Cs}\u2028\u2029\ufffd<>]/u; // U+FFFD stands for what could not be read
const unkeepable = /(?![\n\t])\p{Cc}|\p{Cs}/u;

/** The sentence for a field with this text, trimmed, or undefined when it holds. */
export function checkText({ required, check, longest = 100, lines }: FieldRule, text: string): string | undefined {
	if (text === "") return required;
	if ((lines ? unkeepable : unwritable).test(text)) return "Ce champ contient des caractères qui ne sont pas acceptés";
	if (text.length > longest) return `Ce champ accepte ${longest} caractères au plus`;
	return check?.(text);
}
