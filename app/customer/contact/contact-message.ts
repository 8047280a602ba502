import { isKeyOf, typedFromEntries, typedKeys } from "../../../server/types/objects.ts";
import { maxEmailLength } from "../../mail/email-address.ts";
import { explainEmail } from "../../mail/suggest-email.ts";
import { hideCardNumbers } from "../../ui/forms/card-numbers.ts";
import { checkText, type FieldRule, personRules } from "../../ui/forms/form-rules.ts";
import { readLine, readLines } from "../../ui/forms/text.ts";

/** The contact forms of the shop with their fields (docs/rules.md, R54). */
export const messageForms = {
	contact: ["nom", "email", "message"],
	support: ["firstName", "lastName", "email", "phone", "subject", "message"],
} as const;

export type MessageForm = keyof typeof messageForms;
export type MessageField = (typeof messageForms)[MessageForm][number];

/** Trimmed texts. A field that the form does not have is empty. */
export type MessageValues = Record<MessageField, string>;
export type MessageErrors = Partial<Record<MessageField, string>>;

/** The subjects of the support form: a closed list, because the subject of an e-mail must not be free text. */
export const subjects: readonly string[] = ["Une commande en cours", "Une facture", "Un extrait reçu", "Mes données personnelles", "Autre"];

const chooseSubject = "Choisissez un sujet";

const rules: Record<MessageField, FieldRule> = {
	...personRules,
	nom: { required: "Le nom est requis", maxLength: 200 },
	email: { required: explainEmail(""), check: explainEmail, maxLength: maxEmailLength },
	subject: { required: chooseSubject, check: (text) => (subjects.includes(text) ? undefined : chooseSubject) },
	message: { required: "Écrivez votre message", maxLength: 5000, lines: true },
};

/** Reads the fields of a form. */
export function readMessage(form: MessageForm, source: FormData): MessageValues {
	const fields: readonly MessageField[] = messageForms[form];
	const read = (field: MessageField) => (rules[field].lines ? readLines : readLine)(source.get(field));
	return typedFromEntries(typedKeys(rules).map((field) => [field, fields.includes(field) ? read(field) : ""] as const));
}

/** @returns a sentence for each invalid field, in the order of the form. */
export function checkMessage(form: MessageForm, values: MessageValues): MessageErrors {
	const sentences = messageForms[form].map((field) => [field, checkText(rules[field], values[field])] as const);
	return Object.fromEntries(sentences.filter(([, sentence]) => sentence !== undefined));
}

/** The concerns about a company's page: values of the parameter `objet` of the contact form, and their labels. */
export const companyConcerns = {
	donnees: "Ces données me concernent",
	erreur: "Signaler une erreur",
} as const;

export type CompanyConcern = keyof typeof companyConcerns;

/** The reason for a message from a company's page. The URL names only the company, no person. */
export interface AboutCompany {
	concern: CompanyConcern;
	siren: string;
}

/** Reads `objet` and `siren` from a URL or a form; null unless both are valid. */
export function readAboutCompany(source: { get(name: string): unknown }): AboutCompany | null {
	const [concern, siren] = [String(source.get("objet")), String(source.get("siren"))];
	return isKeyOf(companyConcerns, concern) && /^\d{9}$/.test(siren) ? { concern, siren } : null;
}

/** A message as stored, from either form. */
export interface ContactMessage {
	name: string;
	email: string;
	/** Null when the form has no such field, or it was left empty. */
	phone: string | null;
	/** Null for the contact form, unless it was opened from the page of a company or an order. */
	subject: string | null;
	/** The company from whose page the form was opened. */
	siren: string | null;
	message: string;
}

/** The subject of a message that was written from the page of an order. */
export const nameSubjectOfOrder = (number: string): string => `Commande ${number}`;

/** Whether a message was written from the page of an order: the forms offer no such subject. */
export const isAboutOrder = ({ subject }: Pick<ContactMessage, "subject">): boolean => subject?.startsWith(nameSubjectOfOrder("")) ?? false;

/** What a message is about, when the form was opened from a page that says so. */
export interface MessageAbout {
	subject: string;
	/** The company of its page. */
	company: AboutCompany | null;
	/** The number of the order of its page. */
	order: string | null;
}

/** Converts the values of a valid form to a message, without the numbers of cards. */
export function toContactMessage(
	{ nom, firstName, lastName, email, phone, subject, message }: MessageValues,
	about: MessageAbout | null,
): ContactMessage {
	return {
		name: nom || `${firstName} ${lastName}`,
		email,
		phone: phone || null,
		subject: about?.subject ?? (subject || null),
		siren: about?.company?.siren ?? null,
		message: hideCardNumbers(message),
	};
}
