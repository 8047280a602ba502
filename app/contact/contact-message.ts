import { isKeyOf, typedFromEntries, typedKeys } from "../../server/types/objects.ts";
import { checkText, type FieldRule, fieldRequired, personRules } from "../forms/form-rules.ts";
import { readLine, readLines } from "../forms/text.ts";
import { checkEmail, longestEmail } from "../mail/email-address.ts";

/** The forms by which one writes to the shop, each with its fields (docs/rules.md, R54). */
export const messageForms = {
	contact: ["nom", "email", "message"],
	support: ["firstName", "lastName", "email", "phone", "subject", "message"],
} as const;

export type MessageForm = keyof typeof messageForms;
export type MessageField = (typeof messageForms)[MessageForm][number];

/** Every value a text, trimmed; what a form does not ask is empty. */
export type MessageValues = Record<MessageField, string>;
export type MessageErrors = Partial<Record<MessageField, string>>;

/** What the support form may be about: a list, so that nothing typed stands in the subject of a mail. */
export const subjects: readonly string[] = ["Une commande en cours", "Une facture", "Un extrait reçu", "Mes données personnelles", "Autre"];

const rules: Record<MessageField, FieldRule> = {
	...personRules,
	nom: { required: "Le nom est requis", longest: 200 },
	email: { required: checkEmail(""), check: checkEmail, longest: longestEmail },
	subject: { required: fieldRequired, check: (text) => (subjects.includes(text) ? undefined : fieldRequired) },
	message: { required: fieldRequired, longest: 5000, lines: true },
};

/** Reads the fields of one of the forms. */
export function readMessage(form: MessageForm, source: FormData): MessageValues {
	const asked: readonly MessageField[] = messageForms[form];
	const read = (field: MessageField) => (rules[field].lines ? readLines : readLine)(source.get(field));
	return typedFromEntries(typedKeys(rules).map((field) => [field, asked.includes(field) ? read(field) : ""] as const));
}

/** @returns the sentence for each field of the form that does not hold, in its order. */
export function checkMessage(form: MessageForm, values: MessageValues): MessageErrors {
	const sentences = messageForms[form].map((field) => [field, checkText(rules[field], values[field])] as const);
	return Object.fromEntries(sentences.filter(([, sentence]) => sentence !== undefined));
}

/** What may be said about a company's page: the values of `objet` in the address of the contact form, and how they read. */
export const companyConcerns = {
	donnees: "Ces données me concernent",
	erreur: "Signaler une erreur",
} as const;

export type CompanyConcern = keyof typeof companyConcerns;

/** A message that began on a company's page. The address names nobody but the company. */
export interface AboutCompany {
	concern: CompanyConcern;
	siren: string;
}

/** Reads `objet` and `siren`, of an address or a form; null where they are not both there. */
export function readAboutCompany(source: { get(name: string): unknown }): AboutCompany | null {
	const concern = String(source.get("objet") ?? "");
	const siren = String(source.get("siren") ?? "");
	return isKeyOf(companyConcerns, concern) && /^\d{9}$/.test(siren) ? { concern, siren } : null;
}

/** A message as it is stored, from either form. */
export interface ContactMessage {
	name: string;
	email: string;
	/** Null where it was not asked, or not given. */
	phone: string | null;
	/** Null for the contact form, which does not ask, unless it was reached from a company's page. */
	subject: string | null;
	/** The company whose page it was reached from. */
	siren: string | null;
	message: string;
}

/** The message of a form that holds. */
export function messageOf(
	{ nom, firstName, lastName, email, phone, subject, message }: MessageValues,
	about: AboutCompany | null,
): ContactMessage {
	return {
		name: nom || `${firstName} ${lastName}`,
		email,
		phone: phone || null,
		subject: about ? companyConcerns[about.concern] : subject || null,
		siren: about?.siren ?? null,
		message,
	};
}
