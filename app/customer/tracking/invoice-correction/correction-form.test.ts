import { expect, test } from "vitest";
import type { IssuedInvoice } from "../../../orders/invoices/invoices.store.server.ts";
import { type CorrectionValues, checkCorrection, readCorrection, toBuyer, toCorrection } from "./correction-form.ts";

const usual: CorrectionValues = {
	...{ name: "Ada Lovelace", company: "", billingSiren: "", billingVat: "", address: "1 rue de la Paix" },
	...{ postalCode: "75002", city: "Paris" },
};
const siren = "552032534";
const vat = "FR27552032534";

test("the form is read without blanks in its numbers", () => {
	const form = new FormData();
	const typed = {
		name: " Ada ",
		company: "DANONE",
		billingSiren: "552 032 534",
		billingVat: "fr 27 552 032 534",
		address: "1 rue",
		city: "Paris",
	};
	for (const [name, value] of Object.entries({ ...typed, postalCode: "75 002" })) form.append(name, value);
	expect(readCorrection(form)).toEqual({
		...{ name: "Ada", company: "DANONE", billingSiren: siren, billingVat: vat, address: "1 rue", postalCode: "75002", city: "Paris" },
	});
	expect(readCorrection(new FormData())).toEqual({ ...usual, name: "", address: "", postalCode: "", city: "" });
});

const noCompany = "Indiquez le nom de la société, ou effacez le SIREN et le numéro de TVA.";

test.each<[string, Partial<CorrectionValues>, Record<string, unknown>]>([
	["a person", {}, {}],
	["a company", { company: "DANONE", billingSiren: siren, billingVat: vat }, {}],
	["a company without its numbers", { company: "DANONE" }, {}],
	["a SIREN without a company", { billingSiren: siren }, { company: noCompany }],
	["a VAT number without a company", { billingVat: vat }, { company: noCompany }],
	["a wrong SIREN", { company: "DANONE", billingSiren: "552032535" }, { billingSiren: expect.any(String) }],
	["a wrong VAT number", { company: "DANONE", billingVat: "FR00" }, { billingVat: expect.any(String) }],
	["another company's VAT number", { company: "DANONE", billingSiren: "123456782", billingVat: vat }, { billingVat: expect.any(String) }],
	["nobody", { name: "" }, { name: expect.any(String) }],
	["a name of 201 characters", { name: `${"a".repeat(100)} ${"b".repeat(100)}` }, {}],
	["a name of 202 characters", { name: `${"a".repeat(101)} ${"b".repeat(100)}` }, { name: expect.any(String) }],
	[
		"no address",
		{ address: "", postalCode: "", city: "" },
		{ address: expect.any(String), postalCode: expect.any(String), city: expect.any(String) },
	],
])("the invoice of %s", (_, values, errors) => {
	expect(checkCorrection({ ...usual, ...values })).toEqual(errors);
});

const address = { address: "1 rue de la Paix", postalCode: "75002", city: "Paris" };

test.each<[string, Partial<CorrectionValues>, object]>([
	["a person", {}, { name: "Ada Lovelace", contact: null, siren: null }],
	[
		"a company, whose VAT number is not calculated",
		{ company: "DANONE", billingSiren: siren },
		{ name: "DANONE", contact: "Ada Lovelace", siren },
	],
	[
		"a company with both numbers",
		{ company: "DANONE", billingSiren: siren, billingVat: vat },
		{ name: "DANONE", contact: "Ada Lovelace", siren, vat },
	],
	["a company by its VAT number", { company: "DANONE", billingVat: vat }, { name: "DANONE", contact: "Ada Lovelace", siren, vat }],
	[
		"a company with an unreadable VAT number",
		{ company: "ACME", billingVat: "FR1" },
		{ name: "ACME", contact: "Ada Lovelace", siren: null },
	],
	["a company without its numbers", { company: "DANONE" }, { name: "DANONE", contact: "Ada Lovelace", siren: null }],
])("the buyer of %s", (_, values, buyer) => {
	expect(toBuyer({ ...usual, ...values })).toEqual({ ...address, ...buyer });
});

test("the form starts with what the invoice says", () => {
	const start = (buyer: object) => toCorrection({ data: { buyer } } as unknown as IssuedInvoice);
	const person = { name: "Ada Lovelace", contact: null, siren: null, ...address };
	expect(start(person)).toEqual(usual);
	const company = { name: "DANONE", contact: "Ada Lovelace", siren, ...address };
	const shown = { ...usual, company: "DANONE", billingSiren: siren };
	expect(start({ ...company, vat })).toEqual({ ...shown, billingVat: vat });
	expect(start(company)).toEqual(shown);
	expect(start({ name: "Ada", contact: null, siren: null })).toEqual({ ...usual, name: "Ada", address: "", postalCode: "", city: "" });
});
