import { billingRules, checkVatOfSiren } from "../../../checkout/form/billing-rules.ts";
import { maxReferenceLength } from "../../../checkout/form/lines/line-fields.ts";
import { describeProblem } from "../../../checkout/form/lines/line-sentences.ts";
import { toTypedLine } from "../../../checkout/form/lines/typed-lines.ts";
import { readAddress } from "../../../companies/addresses/read-address.ts";
import { readSiren } from "../../../companies/company-numbers.ts";
import { compactVatNumber, getSirenOfVatNumber, parseVatNumber } from "../../../companies/vat-number.ts";
import type { Buyer } from "../../../fulfilment/invoice-correction/correct-invoice.server.ts";
import type { InvoiceLine } from "../../../orders/invoices/invoice.ts";
import type { IssuedInvoice } from "../../../orders/invoices/invoices.store.server.ts";
import { checkText, type FieldRule, personRules } from "../../../ui/forms/form-rules.ts";
import { readLine } from "../../../ui/forms/text.ts";

/** The form that corrects an invoice: its fields and their rules. */
const rules = {
	// first name and last name, with the space between them
	name: { ...personRules.lastName, maxLength: 201 },
	...billingRules,
} satisfies Record<string, FieldRule>;

type TextName = keyof typeof rules;
export const correctionFields = [
	"name",
	"company",
	"billingSiren",
	"billingVat",
	"address",
	"postalCode",
	"city",
] as const satisfies TextName[];
export type CorrectionField = (typeof correctionFields)[number];

/** The trimmed texts. */
export type CorrectionValues = Record<CorrectionField, string>;
export type CorrectionErrors = Partial<Record<CorrectionField | ReferenceField, string>>;

/** The customer's own reference of each line of the invoice, in the fields that a list has for them (docs/rules.md, R238). */
type ReferenceField = `reference-${number}`;
export const toReferenceField = (index: number): ReferenceField => `reference-${index + 1}`;

/** Reads the references. @param lines of the invoice: one without a field keeps its own. */
export const readReferences = (form: FormData, lines: readonly InvoiceLine[]): string[] =>
	lines.map(({ reference = "" }, index) => toTypedLine("", String(form.get(toReferenceField(index)) ?? reference)).reference);

/** @returns the errors of references that are too long. */
export const checkReferences = (references: readonly string[]): CorrectionErrors =>
	Object.fromEntries(
		references.flatMap((reference, index) =>
			reference.length > maxReferenceLength ? [[toReferenceField(index), describeProblem({ code: "long-reference" })]] : [],
		),
	);

/** Reads the form; blanks are removed from numbers. */
export function readCorrection(form: FormData): CorrectionValues {
	const text = (field: CorrectionField) => readLine(form.get(field));
	const { street, postalCode, city } = readAddress({
		street: form.get("address"),
		postalCode: form.get("postalCode"),
		city: form.get("city"),
	});
	return {
		name: text("name"),
		company: text("company"),
		billingSiren: text("billingSiren").replace(/\s/g, ""),
		billingVat: compactVatNumber(text("billingVat")),
		address: street,
		postalCode,
		city,
	};
}

/** @returns the errors of all invalid fields. A company's name is required with one of its numbers. */
export function checkCorrection(values: CorrectionValues): CorrectionErrors {
	const isPrivate = values.billingSiren === "" && values.billingVat === "";
	const errors: CorrectionErrors = {};
	for (const field of correctionFields) {
		if (field === "company" && values.company === "" && isPrivate) continue;
		const optional = field === "billingSiren" || field === "billingVat";
		if (optional && values[field] === "") continue;
		if (field === "company" && values.company === "") {
			errors.company = "Indiquez le nom de la société, ou effacez le SIREN et le numéro de TVA.";
			continue;
		}
		const sentence = checkText(rules[field], values[field]) ?? (field === "billingVat" ? checkVatOfSiren(values) : undefined);
		if (sentence) errors[field] = sentence;
	}
	return errors;
}

/** Turns checked values into the buyer. A SIREN follows from a VAT number; a VAT number is typed, never calculated (docs/rules.md, R107). */
export function toBuyer(values: CorrectionValues): Buyer {
	const vat = parseVatNumber(values.billingVat);
	const siren = readSiren(values.billingSiren) ?? (vat && getSirenOfVatNumber(vat));
	return {
		name: values.company || values.name,
		contact: values.company ? values.name : null,
		address: values.address,
		postalCode: values.postalCode,
		city: values.city,
		siren,
		...(vat && { vat }),
	};
}

/** The values of an issued invoice, with which the form starts. */
export function toCorrection({ data: { buyer } }: IssuedInvoice): CorrectionValues {
	return {
		name: buyer.contact ?? buyer.name,
		company: buyer.contact === null ? "" : buyer.name,
		billingSiren: buyer.siren ?? "",
		billingVat: buyer.vat ?? "",
		address: buyer.address ?? "",
		postalCode: buyer.postalCode ?? "",
		city: buyer.city ?? "",
	};
}

/** The field that says which name the customer was asked about beside a SIREN. */
export const checkedNameField = "checkedName";

/** What that field holds. */
export const nameChecked = ({ company, billingSiren }: CorrectionValues): string => `${billingSiren} ${company}`;
