import { typedFromEntries } from "../../server/types/objects.ts";
import { parseServiceCode } from "../catalogue/services.ts";
import { checkText, type FieldRule, fieldRequired, personRules } from "../forms/form-rules.ts";
import { readLine } from "../forms/text.ts";
import { checkEmail, maxEmailLength } from "../mail/email-address.ts";

/**
 * The rules of the order form, for browser and server: the browser shows errors at once, the server decides.
 * Messages are agreed texts (docs/rules.md, R10 and R52).
 */
export const orderFields = [
	"service",
	"siren",
	"email",
	"firstName",
	"lastName",
	"phone",
	"company",
	"address",
	"postalCode",
	"city",
	"deliveryEmail",
	"newsletter",
	"acceptTerms",
	"waiveWithdrawal",
] as const;

export type OrderField = (typeof orderFields)[number];

/** The trimmed texts of a form or a query. A ticked box is « on », any other box is empty. */
export type OrderValues = Record<OrderField, string>;

export type OrderErrors = Partial<Record<OrderField, string>>;

export const termsRequired = "Vous devez accepter les conditions générales";

const rules: Record<OrderField, FieldRule> = {
	service: {
		required: fieldRequired,
		check: (text) => (parseServiceCode(text) ? undefined : fieldRequired),
	},
	siren: {
		required: "Vous devez sélectionner une entreprise",
		check: (text) => (/^\d{9}$/.test(text) ? undefined : "Vous devez sélectionner une entreprise"),
	},
	email: { required: checkEmail(""), check: checkEmail, maxLength: maxEmailLength },
	...personRules,
	company: { maxLength: 200 },
	address: { required: "L'adresse est requise", maxLength: 200 },
	postalCode: {
		required: "Le code postal est requis",
		check: (text) => (/^\d{5}$/.test(text) ? undefined : "Code postal invalide (5 chiffres)"),
	},
	city: { required: "La ville est requise" },
	deliveryEmail: { check: checkEmail, maxLength: maxEmailLength },
	newsletter: {},
	acceptTerms: { required: termsRequired },
	waiveWithdrawal: {},
};

/** @returns the error of a field, or undefined when it is valid. */
export function checkField(field: OrderField, text: string): string | undefined {
	return checkText(rules[field], text);
}

/** @returns the errors of all invalid fields. @param fields the fields of this step. */
export function checkOrder(values: OrderValues, fields: readonly OrderField[] = orderFields): OrderErrors {
	const errors: OrderErrors = {};
	for (const field of fields) {
		const sentence = checkField(field, values[field]);
		if (sentence) errors[field] = sentence;
	}
	return errors;
}

const boxes: readonly OrderField[] = ["newsletter", "acceptTerms", "waiveWithdrawal"];

/**
 * Reads the fields of a form or a query; an absent field is an empty text. Blanks are removed from SIREN and postal code.
 * Links of the earlier site have `billingCompany` for `company`, and `false` for an unticked box.
 */
export function readOrderValues(source: FormData | URLSearchParams): OrderValues {
	const text = (field: OrderField) => {
		const trimmed = readLine(source.get(field) ?? (field === "company" ? source.get("billingCompany") : null));
		if (boxes.includes(field)) return /^(on|true)$/.test(trimmed) ? "on" : "";
		return field === "siren" || field === "postalCode" ? trimmed.replace(/\s/g, "") : trimmed;
	};
	return typedFromEntries(orderFields.map((field) => [field, text(field)] as const));
}

/** Turns the values into the query of /paiement, without the empty ones. */
export function toOrderQuery(values: OrderValues): URLSearchParams {
	return new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
}
