import { typedFromEntries } from "../../../server/types/objects.ts";
import { isPosted, parseServiceCode, type ServiceCode } from "../../catalogue/services.ts";
import { checkEmail, maxEmailLength } from "../../mail/email-address.ts";
import { checkText, defaultMaxLength, type FieldRule, fieldRequired, personRules } from "../../ui/forms/form-rules.ts";
import { billingFields } from "./billing-identity.ts";
import { addressRules, billingRules, checkVatOfSiren } from "./billing-rules.ts";

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
	"deliveryName",
	"deliveryComplement",
	"deliveryAddress",
	"deliveryPostalCode",
	"deliveryCity",
	"billTo",
	"ownCompany",
	"company",
	"billingSiren",
	"billingVat",
	"address",
	"postalCode",
	"city",
	"deliveryEmail",
	"newsletter",
	"acceptTerms",
	"waiveWithdrawal",
] as const;

export type OrderField = (typeof orderFields)[number];

/** The trimmed texts of a form or a query. A ticked box is « on », or `termsTick` of the terms; any other box is empty. */
export type OrderValues = Record<OrderField, string>;

export type OrderErrors = Partial<Record<OrderField, string>>;

export const termsRequired = "Vous devez accepter les conditions générales";

/**
 * Who the invoice is for. `ordered`: the company of the extract, or the one of several that `ownCompany` names. `delivery`: the customer, at
 * the letter's address. `other`: the typed company and address. Links of other sites and the API have no such field: their billing fields
 * count as they are, and without any the customer is invoiced (docs/rules.md, R198).
 */
export const billToCodes = ["ordered", "delivery", "other"] as const;
export type BillTo = (typeof billToCodes)[number];
export const billToRequired = "Indiquez à qui adresser la facture";

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
	deliveryName: { maxLength: 200 },
	deliveryComplement: { maxLength: 200 },
	deliveryAddress: addressRules.address,
	deliveryPostalCode: addressRules.postalCode,
	deliveryCity: addressRules.city,
	billTo: { required: billToRequired, check: (text) => (billToCodes.some((code) => code === text) ? undefined : billToRequired) },
	ownCompany: { maxLength: 30 },
	...billingRules,
	deliveryEmail: { check: checkEmail, maxLength: maxEmailLength },
	newsletter: {},
	acceptTerms: { required: termsRequired },
	waiveWithdrawal: {},
};

export type Address = readonly [OrderField, OrderField, OrderField];
export const billingAddress: Address = ["address", "postalCode", "city"];
export const deliveryAddress: Address = ["deliveryAddress", "deliveryPostalCode", "deliveryCity"];
export const letterFields = ["deliveryName", "deliveryComplement", "deliveryAddress", "deliveryPostalCode", "deliveryCity"] as const;
export type LetterField = (typeof letterFields)[number];
const isLetterField = (field: OrderField): boolean => letterFields.some((name) => name === field);
export const isBillingField = (field: OrderField): boolean => billingFields.some((name) => name === field);

const isGiven = (values: OrderValues, fields: readonly OrderField[]) => fields.some((field) => values[field] !== "");

/** The services that are ordered: beside a letter its address counts, beside a PDF the second e-mail address. */
export type OrderedServices = readonly ServiceCode[];

/** The service of a form of one line; none while it is not chosen. */
export function getServices({ service }: Pick<OrderValues, "service">): OrderedServices {
	const code = parseServiceCode(service);
	return code === null ? [] : [code];
}

const sendsLetters = (services: OrderedServices): boolean => services.some(isPosted);
const sendsFiles = (services: OrderedServices): boolean => services.length === 0 || services.some((service) => !isPosted(service));

/** Whether a field counts beside the others: a letter has an address and, in our form, no PDF; an invoice is typed, or known. */
function isUsed(field: OrderField, values: OrderValues, services: OrderedServices): boolean {
	if (isLetterField(field)) return sendsLetters(services);
	if (field === "deliveryEmail") return sendsFiles(services) || values.billTo === "";
	if (field === "ownCompany") return values.billTo === "ordered";
	return !isBillingField(field) || values.billTo === "other" || values.billTo === "";
}

/** Whether a field may not be empty beside the others, where its rule has a sentence for it. */
function isRequired(field: OrderField, values: OrderValues, services: OrderedServices): boolean {
	// the invoice of a company names it (CGI ann. II art. 242 nonies A, I, 1°)
	if (field === "company") return isGiven(values, ["billingSiren", "billingVat"]);
	// the form asks for both addresses; a link without a choice may give one of them
	const asks = values.billTo !== "";
	if (field === "billTo") return asks;
	if (deliveryAddress.includes(field)) return asks || isGiven(values, deliveryAddress);
	// a letter's address is also the billing address, unless another is given
	if (billingAddress.includes(field))
		return asks || isGiven(values, billingAddress) || !(sendsLetters(services) && isGiven(values, deliveryAddress));
	return true;
}

/** @returns the longest text that a field accepts, in characters. */
export const getMaxLength = (field: OrderField): number => rules[field].maxLength ?? defaultMaxLength;

/** @returns the error of a filled field, or undefined when it is valid; of an empty one, the sentence that asks for it, if it has one. */
export function checkField(field: OrderField, text: string): string | undefined {
	return checkText(rules[field], text);
}

/** @returns the error of a field beside the others, or undefined when it is valid. */
export function checkValue(field: OrderField, values: OrderValues, services = getServices(values)): string | undefined {
	if (!isUsed(field, values, services)) return undefined;
	if (values[field] === "" && !isRequired(field, values, services)) return undefined;
	if (field === "billTo" && values.billTo === "delivery" && !sendsLetters(services)) return billToRequired;
	return checkField(field, values[field]) ?? (field === "billingVat" ? checkVatOfSiren(values) : undefined);
}

/** @returns the errors of all invalid fields. @param fields the fields to check. */
export function checkOrder(
	values: OrderValues,
	fields: readonly OrderField[] = orderFields,
	services: OrderedServices = getServices(values),
): OrderErrors {
	const errors: OrderErrors = {};
	for (const field of fields) {
		const sentence = checkValue(field, values, services);
		if (sentence) errors[field] = sentence;
	}
	return errors;
}

/** The fields of the whole purchase: all but those of its lines. */
export const purchaseFields: readonly OrderField[] = orderFields.filter((field) => field !== "siren" && field !== "service");

/** Checks a form of ours, which asks who is invoiced: nobody is by default (docs/rules.md, R198). @param fields of a list without those of its lines. */
export const checkOwnForm = (
	values: OrderValues,
	services = getServices(values),
	fields: readonly OrderField[] = orderFields,
): OrderErrors => checkOrder({ ...values, billTo: values.billTo || "nobody" }, fields, services);

/** @returns the values without the fields that do not count: what is typed in them is neither stored nor sent. */
export function clearUnusedFields(values: OrderValues, services = getServices(values)): OrderValues {
	return typedFromEntries(orderFields.map((field) => [field, isUsed(field, values, services) ? values[field] : ""] as const));
}

/**
 * Completes what one part of a checked form says of another: a letter's address is the billing address when that is empty, and a
 * delivery that says nothing else than the billing address, or no letter, has no delivery fields.
 */
export function completeOrder(values: OrderValues, services = getServices(values)): OrderValues {
	const completed = { ...values };
	const hasLetters = sendsLetters(services);
	const billingMissing = hasLetters && !isGiven(values, billingAddress);
	for (const [index, field] of billingAddress.entries()) {
		const delivery = deliveryAddress[index] ?? field;
		if (billingMissing) completed[field] = values[delivery];
	}
	const sameAddress = billingAddress.every((field, index) => completed[field] === completed[deliveryAddress[index] ?? field]);
	const needless = !hasLetters || (sameAddress && !isGiven(values, ["deliveryName", "deliveryComplement"]));
	if (needless) for (const field of letterFields) completed[field] = "";
	return completed;
}

/** @returns the values without consents: those of a link, or of a form that was sent, are not given again (docs/rules.md, R9). */
export const clearConsents = (values: OrderValues): OrderValues => ({ ...values, acceptTerms: "", waiveWithdrawal: "" });

/** Turns the values into the query of /paiement, without the empty ones. */
export function toOrderQuery(values: OrderValues): URLSearchParams {
	return new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
}
