import { describe, expect, test } from "vitest";
import { parseServiceCode } from "../../catalogue/services.ts";
import { termsTick } from "../../catalogue/text-versions.ts";
import type { CompanyPreview } from "../../companies/company.ts";
import { getBillTo, isBillable, toBilling } from "./billing.ts";
import { encodeIdentity, formatIdentity, toIdentity } from "./billing-identity.ts";
import { fillInLink } from "./fill-in-link.ts";
import { completeValues } from "./form-values.ts";
import {
	checkField,
	checkOrder,
	checkOwnForm,
	clearUnusedFields,
	completeOrder,
	getMaxLength,
	type OrderField,
	type OrderValues,
	orderFields,
	toOrderQuery,
} from "./order-form.ts";
import { readOrderValues } from "./read-order-values.ts";
import { checkRead } from "./read-values.server.ts";

const filledIn: OrderValues = {
	service: "express",
	siren: "552032534",
	email: "ada@example.fr",
	firstName: "Ada",
	lastName: "Lovelace",
	phone: "06 12 34 56 78",
	deliveryName: "",
	deliveryComplement: "",
	deliveryAddress: "",
	deliveryPostalCode: "",
	deliveryCity: "",
	billTo: "",
	ownCompany: "",
	company: "Analyse & Cie",
	billingSiren: "",
	billingVat: "",
	address: "1 rue de la Paix",
	postalCode: "75002",
	city: "Paris",
	deliveryEmail: "",
	newsletter: "",
	acceptTerms: "on",
	waiveWithdrawal: "",
};
const delivery: OrderField[] = ["deliveryName", "deliveryComplement", "deliveryAddress", "deliveryPostalCode", "deliveryCity"];
const texts: OrderField[] = [
	...(["email", "firstName", "lastName", "phone", "company", "billingSiren", "billingVat", "address", "postalCode", "city"] as const),
	...delivery,
	"deliveryEmail",
];

test("a filled form has no errors, with or without its optional fields", () => {
	expect(checkOrder(filledIn)).toEqual({});
	expect(checkOrder({ ...filledIn, phone: "", company: "" })).toEqual({});
	expect(checkOrder({ ...filledIn, deliveryEmail: "grace@example.fr", newsletter: "on", waiveWithdrawal: "on" })).toEqual({});
});

test("an empty form has an error for each required field", () => {
	expect(checkOrder(readOrderValues(new FormData()))).toEqual({
		service: "Ce champ est obligatoire",
		siren: "Vous devez sélectionner une entreprise",
		email: "L'adresse email est requise",
		firstName: "Le prénom est requis",
		lastName: "Le nom est requis",
		address: "L'adresse est requise",
		postalCode: "Le code postal est requis",
		city: "La ville est requise",
		acceptTerms: "Vous devez accepter les conditions générales",
	});
});

test("a step checks only its own fields", () => {
	expect(checkOrder(readOrderValues(new FormData()), ["email", "phone"])).toEqual({ email: "L'adresse email est requise" });
});

describe("the error of each invalid value", () => {
	test.each<[OrderField, string, string[]]>([
		["service", "Ce champ est obligatoire", ["premium", "Express", "toString"]],
		["siren", "Vous devez sélectionner une entreprise", ["55203253", "5520325340", "DANONE", "55203253A"]],
		[
			"email",
			"Format d'email invalide",
			["ada", "ada@", "ada@example", "@example.fr", "ada lovelace@example.fr", "ada@exa mple.fr", "a@b@c.fr", "a@b..fr", "a@b.1"],
		],
		[
			"email",
			"Format d'email invalide",
			["a,b@c.fr", "a;b@c.fr", '"a"@c.fr', "a(b)@c.fr", "a\\b@c.fr", "a:b@c.fr", "[a]@c.fr", "a@[127.0.0.1]", "a@b_c.fr"],
		],
		["deliveryEmail", "Format d'email invalide", ["ada", "ada@example"]],
		["postalCode", "Code postal invalide (5 chiffres)", ["7500", "750022", "7500A", "2A004", "F-75002"]],
	])("%s: %s", (field, sentence, wrong) => {
		for (const text of wrong) expect(checkField(field, text), text).toBe(sentence);
	});

	test.each([
		"ada@example.fr",
		"ADA@EXAMPLE.FR",
		"ada+kbis@sous.domaine.example.fr",
		"o'hara@example.fr",
		"helene.muller@société.fr",
		"a@xn--socit-esab.xn--p1ai",
	])("%s is a valid e-mail address", (email) => {
		expect(checkField("email", email)).toBeUndefined();
	});
});

describe("a company's invoice", () => {
	const sirenOf = (text: string) => checkField("billingSiren", text);
	const vatOf = (text: string) => checkField("billingVat", text);

	test("has a SIREN with a valid key, with or without spaces", () => {
		for (const text of ["552032534", "552 032 534", "356000000"]) expect(sirenOf(text), text).toBeUndefined();
		for (const text of ["552032535", "55203253", "55203253400015", "DANONE"])
			expect(sirenOf(text), text).toBe("SIREN invalide (9 chiffres)");
	});

	test("has a French VAT number, whose key fits the SIREN", () => {
		for (const text of ["FR27552032534", "fr 27 552 032 534"]) expect(vatOf(text), text).toBeUndefined();
		for (const text of ["FR28552032534", "27552032534", "GB123456789"]) expect(vatOf(text), text).toMatch(/^Numéro de TVA invalide/);
		const check = (billingSiren: string, billingVat: string) => checkOrder({ ...filledIn, billingSiren, billingVat });
		expect(check("552032534", "FR27552032534")).toEqual({});
		expect(check("356000000", "FR27552032534")).toEqual({ billingVat: "Ce numéro de TVA ne correspond pas au SIREN" });
		expect(check("356000001", "FR27552032534")).toMatchObject({ billingSiren: "SIREN invalide (9 chiffres)" });
	});

	test("names the company; a private customer need not", () => {
		expect(checkOrder({ ...filledIn, company: "" })).toEqual({});
		for (const number of [{ billingSiren: "552032534" }, { billingVat: "FR27552032534" }])
			expect(checkOrder({ ...filledIn, ...number, company: "" })).toEqual({ company: "Le nom de la société est requis" });
	});
});

describe("who is invoiced (docs/rules.md, R198)", () => {
	const nobody = "Indiquez à qui adresser la facture";
	const danone = {
		...{ siren: "552032534", name: "DANONE", vatNumber: "FR27552032534" },
		headOffice: { street: "17 boulevard Haussmann", complement: "Bâtiment A", postalCode: "75009", city: "Paris" },
	} as CompanyPreview;
	const ofDanone = {
		...{ company: "DANONE", billingSiren: "552032534", billingVat: "FR27552032534" },
		...{ address: "17 boulevard Haussmann, Bâtiment A", postalCode: "75009", city: "Paris" },
	};
	const ofPerson = { company: "", billingSiren: "", billingVat: "", address: "1 rue de la Paix", postalCode: "75002", city: "Paris" };

	test("our form asks, and a link without a choice need not", () => {
		expect(checkOwnForm(filledIn)).toEqual({ billTo: nobody });
		expect(checkOwnForm({ ...filledIn, billTo: "everybody" })).toEqual({ billTo: nobody });
		for (const billTo of ["ordered", "other"]) expect(checkOwnForm({ ...filledIn, billTo })).toEqual({});
		expect(checkOwnForm({ ...filledIn, billTo: "other", address: "" })).toEqual({ address: "L'adresse est requise" });
		expect(checkOwnForm({ ...filledIn, billTo: "ordered", address: "", billingSiren: "x" })).toEqual({});
		expect(checkOrder(filledIn)).toEqual({});
		expect(checkOwnForm({ ...filledIn, billTo: "delivery" })).toEqual({ billTo: nobody });
	});

	test("a choice stands as long as its form has it", () => {
		const choose = (posted: boolean) => ["", "last", "ordered", "other", "delivery"].map((billTo) => getBillTo({ billTo }, posted));
		expect(choose(false)).toEqual([null, null, "ordered", "other", null]);
		expect(choose(true)).toEqual([null, null, "ordered", "other", "delivery"]);
	});

	/** With the addresses of an order of one company. */
	const fillIn = (values: OrderValues, company: CompanyPreview) =>
		completeValues(values, [{ service: parseServiceCode(values.service), company }]);

	test("the company ordered is invoiced only if it is the customer's, with the VAT number of the list alone", () => {
		expect(fillIn({ ...filledIn, billTo: "ordered" }, danone)).toMatchObject(ofDanone);
		const { vatNumber: _, ...unlisted } = danone;
		expect(fillIn({ ...filledIn, billTo: "ordered" }, unlisted)).toMatchObject({ ...ofDanone, billingVat: "" });
		for (const billTo of ["", "other"]) expect(fillIn({ ...filledIn, billTo }, danone)).toMatchObject({ company: "Analyse & Cie" });
	});

	test("a company is invoiced with what the register says of it, unseen only at a whole address", () => {
		const { headOffice } = danone;
		const change = (part: object) => ({ ...danone, headOffice: { ...headOffice, ...part } }) as CompanyPreview;
		expect(toBilling(change({ complement: null })).address).toBe("17 boulevard Haussmann");
		expect(toBilling(change({ street: null })).address).toBe("Bâtiment A");
		const nowhere = { ...danone, headOffice: null } as CompanyPreview;
		expect(toBilling(nowhere)).toEqual({ ...ofDanone, address: "", postalCode: "", city: "" });
		expect([danone, change({ complement: null })].map(isBillable)).toEqual([true, true]);
		const parts = ["street", "postalCode", "city"].map((part) => change({ [part]: "" }));
		expect([...parts, nowhere].map(isBillable)).toEqual([false, false, false, false]);
	});

	test("an identity is named on one line", () => {
		expect(formatIdentity(ofDanone)).toBe("DANONE, 17 boulevard Haussmann, Bâtiment A, 75009 Paris");
		expect(formatIdentity(ofPerson)).toBe("À votre nom, 1 rue de la Paix, 75002 Paris");
	});

	test("the company of the customer among several counts with that choice alone", () => {
		const own = (billTo: string) => clearUnusedFields({ ...filledIn, billTo, ownCompany: "552032534" }).ownCompany;
		expect(["", "ordered", "other"].map(own)).toEqual(["", "552032534", ""]);
	});

	test("the identity of the last invoice comes with its choice, and what was typed for another does not count", () => {
		const read = (fields: Record<string, string>) => readOrderValues(new URLSearchParams({ company: "typed", city: "Lyon", ...fields }));
		for (const identity of [ofDanone, ofPerson])
			expect(read({ billTo: "last", lastBilling: encodeIdentity(identity) })).toMatchObject({ ...identity, billTo: "other" });
		expect(read({ billTo: "other", lastBilling: encodeIdentity(ofDanone) })).toMatchObject({ company: "typed", billingSiren: "" });
		expect(read({ billTo: "last" })).toMatchObject({ billTo: "other", company: "", city: "" });
	});

	test("an identity has a whole address", () => {
		expect(toIdentity({ ...filledIn, ...ofPerson })).toEqual(ofPerson);
		expect(toIdentity({ address: "1 rue", postalCode: "75002", city: "Paris" })).toEqual({ ...ofPerson, address: "1 rue" });
		for (const field of ["address", "postalCode", "city"]) expect(toIdentity({ ...ofPerson, [field]: "" })).toBeNull();
	});

	const billed = { address: "1 rue X", postalCode: "75002", city: "Paris" };
	const posted = { deliveryAddress: "1 rue X", deliveryPostalCode: "75002", deliveryCity: "Paris" };
	test.each<[string, Record<string, string>, Partial<OrderValues>]>([
		["nothing: the form asks", { service: "express" }, { billTo: "", deliveryAddress: "" }],
		["the company ordered, which only the form can choose", { service: "express", billTo: "ordered" }, { billTo: "" }],
		["an address", { service: "express", ...billed }, { billTo: "other", ...billed, deliveryAddress: "" }],
		["a company", { service: "express", company: "ACME" }, { billTo: "other", company: "ACME" }],
		["an address for a letter", { service: "postal", ...billed }, { billTo: "other", ...billed, ...posted }],
		["a company for a letter", { service: "postal", company: "ACME", ...billed }, { billTo: "other", company: "ACME", ...posted }],
		["a letter's own address", { service: "postal", ...posted }, { billTo: "delivery", ...posted, address: "" }],
		["a letter's address for a PDF", { service: "express", ...posted }, { billTo: "", ...posted }],
		["both addresses", { service: "postal", ...billed, ...posted, deliveryCity: "Lyon" }, { billTo: "other", deliveryCity: "Lyon" }],
		[
			"a letter's address and a company",
			{ service: "postal", company: "ACME", ...posted },
			{ billTo: "other", company: "ACME", ...posted },
		],
	])("a link that gives %s", (_, query, values) => {
		expect(fillInLink(readOrderValues(new URLSearchParams(query)))).toMatchObject(values);
	});
});

describe("a letter's address", () => {
	const letter = { ...filledIn, service: "postal" };
	const elsewhere = { deliveryAddress: "4 quai de l’Horloge", deliveryPostalCode: "75001", deliveryCity: "Paris 1er" };

	test("is the billing address when no other is given, or has all its parts", () => {
		expect(checkOrder(letter)).toEqual({});
		expect(checkOrder({ ...letter, deliveryName: "Grace Hopper", deliveryComplement: "Bâtiment B" })).toEqual({});
		expect(checkOrder({ ...letter, ...elsewhere })).toEqual({});
		expect(checkOrder({ ...letter, deliveryCity: "Paris" })).toEqual({
			deliveryAddress: "L'adresse est requise",
			deliveryPostalCode: "Le code postal est requis",
		});
		expect(checkOrder({ ...letter, ...elsewhere, deliveryPostalCode: "7500" })).toEqual({
			deliveryPostalCode: "Code postal invalide (5 chiffres)",
		});
	});

	test("is also the billing address when no other is given", () => {
		const notBilled = { ...letter, ...elsewhere, address: "", postalCode: "", city: "" };
		expect(checkOrder(notBilled)).toEqual({});
		expect(checkOrder({ ...notBilled, city: "Lyon" })).toEqual({
			address: "L'adresse est requise",
			postalCode: "Le code postal est requis",
		});
		const { deliveryAddress, deliveryPostalCode, deliveryCity } = elsewhere;
		const billed = { address: deliveryAddress, postalCode: deliveryPostalCode, city: deliveryCity };
		expect(completeOrder(notBilled)).toEqual({ ...letter, ...billed });
		expect(completeOrder({ ...notBilled, deliveryName: "Grace" })).toEqual({ ...letter, ...billed, ...elsewhere, deliveryName: "Grace" });
	});

	test("stays beside another billing address, and goes where it says the same", () => {
		expect(completeOrder({ ...letter, ...elsewhere })).toEqual({ ...letter, ...elsewhere });
		const { address, postalCode, city } = letter;
		expect(completeOrder({ ...letter, deliveryAddress: address, deliveryPostalCode: postalCode, deliveryCity: city })).toEqual(letter);
		expect(completeOrder(letter)).toEqual(letter);
		const near = { ...letter, deliveryAddress: address, deliveryPostalCode: postalCode, deliveryCity: "Lyon" };
		expect(completeOrder(near)).toEqual(near);
		const floor = { ...letter, deliveryAddress: address, deliveryPostalCode: postalCode, deliveryCity: city, deliveryComplement: "B" };
		expect(completeOrder(floor)).toEqual(floor);
	});

	test("leaves the address of a PDF to the link of an order without a choice alone", () => {
		const count = (service: string, billTo: string) =>
			clearUnusedFields({ ...filledIn, service, billTo, deliveryEmail: "grace@example.fr" }).deliveryEmail !== "";
		expect([count("express", "other"), count("postal", "other"), count("postal", "")]).toEqual([true, false, true]);
	});

	test("is neither read nor checked for a PDF", () => {
		const mixed = { ...filledIn, deliveryCity: "<", deliveryPostalCode: "1" };
		expect(checkOrder(mixed)).toEqual({});
		expect(completeOrder(mixed)).toEqual(filledIn);
		const unbilled = { ...filledIn, address: "", postalCode: "", city: "" };
		expect(completeOrder({ ...unbilled, ...elsewhere })).toEqual(unbilled);
	});
});

describe("telephone numbers", () => {
	test.each([
		"0612345678",
		"06 12 34 56 78",
		"06.12.34.56.78",
		"06-12-34-56-78",
		"06 12.34-56 78",
		"+33612345678",
		"+33 6 12 34 56 78",
		"+33.6.12.34.56.78",
		"0033612345678",
		"0033 6 12 34 56 78",
		"0033-6-12-34-56-78",
		"0123456789",
		"09 87 65 43 21",
		"+330612345678",
		"+33 (0)6 12 34 56 78",
		"06  12 34 56 78",
		"06/12/34/56/78",
	])("%s", (phone) => {
		expect(checkField("phone", phone)).toBeUndefined();
	});

	test.each([
		"0012345678",
		"06 12 34 56 7",
		"06 12 34 56 789",
		"6 12 34 56 78",
		"+32 6 12 34 56 78",
		"+1 555 123 4567",
		"061234567a",
		"06 12 34 56 78, 0712345678",
		"téléphone",
	])("%s is refused", (phone) => {
		const sentence = checkField("phone", phone) ?? checkRead({ ...filledIn, phone }).phone;
		expect(sentence).toBe("Format de téléphone invalide\u00a0: dix chiffres, par exemple 06 12 34 56 78");
	});
});

describe("values that no field accepts", () => {
	const unwritable = "Ce champ contient des caractères qui ne sont pas acceptés";

	test.each(texts)("%s: control characters and markup", (field) => {
		for (const sign of [
			"\u0000",
			"\u0007",
			"\u001b",
			"\u007f",
			"\u009f",
			"\r\n",
			"\u2028",
			"\u202e",
			"\u2066",
			"\ue000",
			"\ud800",
			"\ufffd",
			"<",
			">",
		])
			expect(checkField(field, `a${sign}b`), JSON.stringify(sign)).toBe(unwritable);
		expect(checkField(field, "<script>alert(1)</script>")).toBe(unwritable);
	});

	test.each<[OrderField, number]>([
		["email", 254],
		["deliveryEmail", 254],
		["firstName", 100],
		["lastName", 100],
		["phone", 50],
		["company", 200],
		["deliveryName", 200],
		["deliveryComplement", 200],
		["deliveryAddress", 200],
		["deliveryCity", 100],
		["billingSiren", 60],
		["billingVat", 60],
		["address", 200],
		["city", 100],
	])("%s: more than %i characters", (field, longest) => {
		expect(checkField(field, "a".repeat(longest + 1))).toBe(`Ce champ accepte ${longest} caractères au plus`);
		expect(checkField(field, "a".repeat(longest)) ?? "").not.toMatch(/caractères au plus/);
		expect(getMaxLength(field)).toBe(longest);
	});

	test.each(["Élodie", "Jean-Loup", "O'Hara", "N’Guyên", "D’Arc de La Tour", "李", "Müller & fils, n° 3"])(
		"« %s » is a name like any other",
		(name) => {
			for (const field of ["firstName", "lastName", "company", "address", "city"] as const) expect(checkField(field, name)).toBeUndefined();
		},
	);
});

describe("reading a form or a query", () => {
	test("removes blanks around a text, and inside a number", () => {
		const values = readOrderValues(
			new URLSearchParams({
				...{
					siren: " 552 032\u00a0534 ",
					billingSiren: "356 000 000",
					ownCompany: "552 032 534",
					billingVat: " fr 39 356 000 000 ",
					deliveryPostalCode: "69 003",
				},
				...{ postalCode: "75 002", firstName: "  Ada  ", address: "1  rue de la Paix\n" },
			}),
		);
		expect(values).toMatchObject({
			...{ billingSiren: "356000000", ownCompany: "552032534", billingVat: "FR39356000000", deliveryPostalCode: "69003" },
			...{ siren: "552032534", postalCode: "75002", firstName: "Ada", address: "1  rue de la Paix" },
		});
	});

	test("ticks a box only by the form's own values, and reads the billed company of old links", () => {
		const read = (query: Record<string, string>) => readOrderValues(new URLSearchParams(query));
		expect(read({ newsletter: "true", acceptTerms: "on", waiveWithdrawal: "false" })).toMatchObject({
			newsletter: "on",
			acceptTerms: "on",
			waiveWithdrawal: "",
		});
		expect(read({ newsletter: termsTick, acceptTerms: termsTick })).toMatchObject({ newsletter: "", acceptTerms: termsTick });
		expect(read({ acceptTerms: "false" }).acceptTerms).toBe("");
		expect(read({ billingCompany: "Analytique SARL" }).company).toBe("Analytique SARL");
		expect(read({ company: "Analyse & Cie", billingCompany: "Analytique SARL" }).company).toBe("Analyse & Cie");
	});

	test("composes a letter and its accent into one character", () => {
		expect(readOrderValues(new URLSearchParams({ firstName: "E\u0301lodie" })).firstName).toBe("Élodie");
	});

	test("reads only the form's own fields, each once, and no file", () => {
		const form = new FormData();
		form.set("email", new Blob(["ada@example.fr"]), "email.txt");
		form.set("price_cents", "1");
		form.append("city", "Paris");
		form.append("city", "Lyon");
		const values = readOrderValues(form);
		expect(Object.keys(values)).toEqual([...orderFields]);
		expect(values).toMatchObject({ email: "", city: "Paris" });
	});

	test("gives the same values from the query of the payment page, which has no empty fields", () => {
		const query = toOrderQuery({ ...filledIn, company: "Analyse & Cie = 100 %" });
		expect(query.has("deliveryEmail")).toBe(false);
		expect(readOrderValues(new URLSearchParams(query.toString()))).toEqual({ ...filledIn, company: "Analyse & Cie = 100 %" });
	});
});
