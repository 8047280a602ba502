import { describe, expect, test } from "vitest";
import { parseOpeningHours } from "../../catalogue/opening-hours.ts";
import type { ServiceCode } from "../../catalogue/services.ts";
import type { CompanyPreview } from "../../companies/company.ts";
import { checkFormValues, clearUnusedValues, completeValues, listCompanies, toOrderValues } from "./form-values.ts";
import type { CheckedLine } from "./lines/checked-line.ts";
import { maxListLength } from "./lines/line-fields.ts";
import { askForService, describeNothingOrdered, describeOtherService } from "./lines/line-sentences.ts";
import { describeWithoutService } from "./lines/purchase-summary.tsx";
import { describeShown, findUnseen } from "./lines/shown-lines.server.ts";
import { computeTotals, listPromises } from "./lines/totals.ts";
import type { OrderValues } from "./order-form.ts";
import { isListForm, readListForm } from "./read-form.server.ts";
import { readOrderValues } from "./read-order-values.ts";

// What the form of several orders reads and says, without a shop.

const contact = { email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace", phone: "06 12 34 56 78" };
const invoice = { company: "CABINET", billingSiren: "356000000", address: "1 rue de la Paix", postalCode: "75002", city: "Paris" };
const recipient = { deliveryName: "Grace Hopper", deliveryComplement: "Bâtiment B" };
const letter = { ...recipient, deliveryAddress: "4 quai de l’Horloge", deliveryPostalCode: "75001", deliveryCity: "Paris" };
const consents = { acceptTerms: "on", newsletter: "on" };
const second = { deliveryEmail: "client@example.fr" };

const company = (siren: string, city: string | null = "Paris") =>
	({ siren, name: `N${siren}`, headOffice: { complement: null, street: "3 rue B", postalCode: "75003", city } }) as CompanyPreview;
const danone = company("552032534");
/** Lines of one company. */
const lines = (...services: (ServiceCode | null)[]) => services.map((service) => ({ service, company: danone }));
const fill = (fields: Partial<OrderValues>): OrderValues => ({ ...readOrderValues(new URLSearchParams()), ...fields });
const typed = (change: Partial<OrderValues> = {}) =>
	fill({ service: "standard", siren: "552032534", billTo: "other", ...contact, ...invoice, ...letter, ...consents, ...second, ...change });

describe("fields that do not count are not stored", () => {
	const usual = { service: "standard", billTo: "other", ...contact, ...consents };
	test.each<[string, Partial<OrderValues>, ServiceCode[], Partial<OrderValues>]>([
		["a PDF has no address of a letter", {}, ["express"], { ...usual, ...invoice, ...second }],
		["a letter has no second e-mail address", {}, ["postal"], { ...usual, ...invoice, ...letter }],
		["a PDF and a letter have both", {}, ["express", "postal"], { ...usual, ...invoice, ...letter, ...second }],
		["the invoice goes to the letter's address", { billTo: "delivery" }, ["postal"], { ...usual, billTo: "delivery", ...letter }],
		[
			"the customer's company is one of the lines'",
			{ billTo: "ordered", ownCompany: "552032534" },
			["express"],
			{ ...usual, billTo: "ordered", ownCompany: "552032534", ...second },
		],
		["without any line, the chosen service counts", { service: "postal" }, [], { ...usual, service: "postal", ...invoice, ...letter }],
	])("%s", (_, change, ordered, expected) => {
		expect(clearUnusedValues(typed(change), lines(...ordered, null))).toEqual(fill(expected));
	});
});

describe("the fields of all services are checked", () => {
	const address = "L'adresse est requise";
	test.each<[string, Partial<OrderValues>, ServiceCode[], Partial<OrderValues>]>([
		["all is right", {}, ["express", "postal"], {}],
		["a letter needs its address", { deliveryAddress: "" }, ["express", "postal"], { deliveryAddress: address }],
		["a PDF does not", { deliveryAddress: "" }, ["express"], {}],
		["an invoice needs its address", { address: "" }, ["postal"], { address }],
		["not beside the letter's", { address: "", billTo: "delivery" }, ["postal", "express"], {}],
		["the chosen service counts without any line", { service: "postal", deliveryAddress: "" }, [], { deliveryAddress: address }],
		["without a letter there is no such address", { billTo: "delivery" }, ["express"], { billTo: "Indiquez à qui adresser la facture" }],
		["nobody is invoiced by default", { billTo: "" }, ["express"], { billTo: "Indiquez à qui adresser la facture" }],
		["a letter has no second e-mail address", { deliveryEmail: "x" }, ["postal"], {}],
		["a PDF beside it has one", { deliveryEmail: "x" }, ["postal", "express"], { deliveryEmail: "Format d'email invalide" }],
	])("%s", (_, change, ordered, errors) => {
		expect(checkFormValues(typed(change), lines(...ordered))).toEqual(errors);
	});

	const other = company("356000000");
	const masked = company("423435544", null);
	const choose = { ownCompany: "Choisissez votre société" };
	test.each<[string, CompanyPreview[], string, Partial<OrderValues>, string]>([
		["the only company", [danone, danone], "", {}, "N552032534"],
		["a company of two", [danone, other], "356000000", {}, "N356000000"],
		["none of two", [danone, other], "", choose, ""],
		["a company that is not ordered", [danone, other], "999999999", choose, ""],
		["the only one with a public address", [danone, masked], "423435544", {}, "N552032534"],
		[
			"a company without a public address",
			[masked],
			"",
			{ billTo: "L’adresse de cette entreprise n’est pas publique\u00a0: saisissez l’adresse de facturation." },
			"",
		],
	])("the customer's company: %s", (_, companies, ownCompany, errors, name) => {
		const ordered = companies.map((each) => ({ service: "express" as const, company: each }));
		const values = typed({ billTo: "ordered", ownCompany });
		expect(checkFormValues(values, ordered)).toEqual(errors);
		expect(completeValues(values, ordered).company).toBe(name);
		expect(completeValues(typed({ ownCompany }), ordered).company).toBe("CABINET");
		expect(listCompanies(ordered)).toEqual([...new Set(companies)]);
	});
});

test("each order of a purchase has the addresses that its service needs", () => {
	const completed = completeValues(typed({ billTo: "delivery" }), lines("express", "postal"));
	const billed = { address: letter.deliveryAddress, postalCode: letter.deliveryPostalCode, city: letter.deliveryCity };
	const common = { billTo: "delivery", ...contact, ...consents, ...billed };
	expect(completed).toEqual(fill({ ...common, ...letter, ...second, service: "standard" }));
	expect(toOrderValues(completed, { service: "express", siren: "356000000" })).toEqual(
		fill({ ...common, ...second, service: "express", siren: "356000000" }),
	);
	expect(toOrderValues(completed, { service: "postal", siren: "552032534" })).toEqual(
		fill({ ...common, ...letter, service: "postal", siren: "552032534" }),
	);
});

describe("the totals", () => {
	const calendar = { ...parseOpeningHours("Mo-Fr 08:00-18:00"), isHoliday: () => false };
	const now = new Date("2026-11-23T09:00:00Z"); // 10 h in Paris
	const count = (ordered: (ServiceCode | null)[], closed = {}) =>
		computeTotals(ordered, listPromises(now, { calendar, slots: [], closed }, 1));

	test("count each service in the order of the catalogue, and say by when it is there", () => {
		expect(count(["postal", "express", "standard", "express"])).toEqual({
			services: [
				{ code: "standard", count: 1, price: 3900, deadline: "livré lundi 23 novembre avant\u00a014\u00a0h" },
				{ code: "express", count: 2, price: 11800, deadline: "livrés lundi 23 novembre avant\u00a012\u00a0h" },
				{ code: "postal", count: 1, price: 4400, deadline: "posté mercredi 25 novembre avant\u00a018\u00a0h" },
			],
			...{
				count: 4,
				withoutService: 0,
				price: 20100,
				until: Date.parse("2026-11-25T17:00:00Z"),
				deadlineNote: "Si vous payez maintenant, à l’heure de Paris.",
			},
		});
	});

	test("leave out extracts whose service is not chosen yet, and say so", () => {
		const totals = count([null, "express", null]);
		expect(totals).toMatchObject({ count: 1, withoutService: 2, price: 5900 });
		expect(describeWithoutService(totals.withoutService)).toBe("2 extraits n’ont pas encore de service\u00a0: choisissez-en un.");
		expect(describeWithoutService(1)).toBe("Un extrait n’a pas encore de service\u00a0: choisissez-en un.");
	});

	test.each<[ServiceCode[], object, (string | null)[]]>([
		[["express"], {}, ["livré lundi 23 novembre avant\u00a012\u00a0h"]],
		[["postal", "postal"], {}, ["postés mercredi 25 novembre avant\u00a018\u00a0h"]],
		[["express"], { postal: null }, ["livré lundi 23 novembre avant\u00a012\u00a0h"]],
		[["express", "postal"], { postal: null }, ["livré lundi 23 novembre avant\u00a012\u00a0h", null]],
		[["postal"], { postal: null }, [null]],
		[[], {}, []],
	])("promise for %j, where %j is closed: %j", (ordered, closed, deadlines) => {
		const { services, deadlineNote } = count(ordered, closed);
		expect(services.map(({ deadline }) => deadline)).toEqual(deadlines);
		expect(deadlineNote !== null).toBe(deadlines.some((deadline) => deadline !== null));
	});
});

describe("the sentences about lines", () => {
	const line = (place: number, service: ServiceCode | "" = "express", change: Partial<CheckedLine> = {}) =>
		({ place, line: { company: "552032534", service, reference: "", siren: null }, problem: null, ...change }) as CheckedLine;

	test.each<[number, string]>([
		[0, "Ajoutez au moins une entreprise."],
		[1, "Cette ligne ne peut pas être commandée\u00a0: corrigez-la, ou ajoutez une autre entreprise."],
		[2, "Aucune ligne ne peut être commandée\u00a0: corrigez-les, ou ajoutez d’autres entreprises."],
	])("nothing is ordered by %d lines: %s", (count, sentence) => {
		expect(describeNothingOrdered(count)).toBe(sentence);
	});

	test.each<[number[], number, string]>([
		[[1, 2], 2, "Choisissez un service."],
		[[2], 2, "Choisissez un service commun, ou un service à la ligne 2."],
		[[1, 3], 3, "Choisissez un service commun, ou un service aux lignes 1, 3."],
		[
			Array.from({ length: 13 }, (_, index) => index + 1),
			14,
			"Choisissez un service commun, ou un service aux lignes 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12…",
		],
	])("lines %j of %d have no service: %s", (places, count, sentence) => {
		expect(askForService(places, count)).toBe(sentence);
	});

	test("a closed service is changed where it was chosen: for all lines, or at the lines of this service", () => {
		const tell = (...closed: CheckedLine[]) => describeOtherService(closed, closed[0] as CheckedLine);
		const upTo = (last: number) => Array.from({ length: last }, (_, index) => line(index + 1));
		expect(tell(line(1, ""), line(2))).toBe("Choisissez un autre service.");
		expect(tell(line(2), line(3, ""), line(5, "postal"))).toBe("Choisissez-en un autre à la ligne 2.");
		expect(tell(line(2), line(3, "postal"), line(7))).toBe("Choisissez-en un autre aux lignes 2, 7.");
		expect(tell(...upTo(12))).toBe("Choisissez-en un autre aux lignes 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12.");
		expect(tell(...upTo(13))).toBe("Choisissez-en un autre aux lignes 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12…");
	});

	test("a page has shown a line as long as what was typed, its company and its problem are the same", () => {
		const known = (change: Partial<CheckedLine> = {}) => line(1, "express", { siren: "552032534" as CheckedLine["siren"], ...change });
		const shown = describeShown([known(), known({ place: 2 })]);
		expect(shown).toMatch(/^([\w-]{8})\.\1$/);
		const typed = { company: "DANONE", service: "express", reference: "", siren: null } as const;
		expect(findUnseen([known({ line: { ...typed, company: "552032534", service: "postal", reference: "a" } })], shown)).toEqual([]);
		for (const change of [{ siren: "356000000" as CheckedLine["siren"] }, { problem: { code: "no-extract" } as const }, { line: typed }])
			expect(findUnseen([known(), known({ place: 2, ...change }), known({ place: 3 })], shown)).toEqual([2, 3]);
		expect(findUnseen([known({ place: 4 })], "")).toEqual([4]);
	});
});

test("the fields of a form are read line by line", () => {
	const form = new FormData();
	for (const [name, value] of Object.entries({
		...{ lignes: "3", email: " ada@example.fr ", service: "postal" },
		...{ "entreprise-1": " 552 032 534 ", "reference-1": " dossier 1 ", "service-1": "express" },
		...{ "entreprise-3": "groupe", "choix-3": "356000000", "reference-3": "", "service-3": "gold" },
		...{ "entreprise-200": "LA POSTE", "choix-200": "", "entreprise-201": "x", "entreprise-0": "x", "reference-4": "x" },
		entreprises: "552081317 ; dossier 9\n",
	}))
		form.append(name, value);
	expect(readListForm(form)).toEqual({
		values: fill({ email: "ada@example.fr", service: "postal" }),
		lines: [
			{ company: "552 032 534", reference: "dossier 1", service: "express", siren: null },
			{ company: "356000000", reference: "", service: "", siren: null },
			{ company: "LA POSTE", reference: "", service: "", siren: null },
		],
		added: [{ company: "552081317", reference: "dossier 9", service: "", siren: null }],
		leftOut: [],
	});
	expect([isListForm(form), isListForm(new FormData())]).toEqual([true, false]);
	const addLast = (text: string) => {
		const long = new FormData();
		long.set("entreprises", `${"a\n".repeat(maxListLength / 2 - 1)}${text}`);
		return readListForm(long).added?.at(-1)?.company;
	};
	expect([addLast("bc"), addLast("bcd")]).toEqual(["bc", undefined]);
});
