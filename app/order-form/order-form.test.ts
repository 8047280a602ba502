import { describe, expect, test } from "vitest";
import { checkField, checkOrder, type OrderField, type OrderValues, orderFields, readOrderValues, toOrderQuery } from "./order-form.ts";

const filledIn: OrderValues = {
	service: "express",
	siren: "552032534",
	email: "ada@example.fr",
	firstName: "Ada",
	lastName: "Lovelace",
	phone: "06 12 34 56 78",
	company: "Analyse & Cie",
	address: "1 rue de la Paix",
	postalCode: "75002",
	city: "Paris",
	deliveryEmail: "",
	newsletter: "",
	acceptTerms: "on",
	waiveWithdrawal: "",
};
const texts: OrderField[] = ["email", "firstName", "lastName", "phone", "company", "address", "postalCode", "city", "deliveryEmail"];

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
		"été@exemple.fr",
		"hélène.müller@société.fr",
		"a@xn--socit-esab.xn--p1ai",
	])("%s is a valid e-mail address", (email) => {
		expect(checkField("email", email)).toBeUndefined();
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
	])("%s", (phone) => {
		expect(checkField("phone", phone)).toBeUndefined();
	});

	test.each([
		"0012345678",
		"06 12 34 56 7",
		"06 12 34 56 789",
		"6 12 34 56 78",
		"+330612345678",
		"+33 (0)6 12 34 56 78",
		"+32 6 12 34 56 78",
		"+1 555 123 4567",
		"06  12 34 56 78",
		"06/12/34/56/78",
		"061234567a",
		"06 12 34 56 78, 0712345678",
		"téléphone",
	])("%s is refused", (phone) => {
		expect(checkField("phone", phone)).toBe("Format de téléphone invalide");
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
		["phone", 30],
		["company", 200],
		["address", 200],
		["city", 100],
	])("%s: more than %i characters", (field, longest) => {
		expect(checkField(field, "a".repeat(longest + 1))).toBe(`Ce champ accepte ${longest} caractères au plus`);
		expect(checkField(field, "a".repeat(longest)) ?? "").not.toMatch(/caractères au plus/);
	});

	test.each(["Élodie", "Jean-Loup", "O'Hara", "N’Guyên", "D’Arc de La Tour", "李", "Müller & fils, n° 3"])(
		"« %s » is a name like any other",
		(name) => {
			for (const field of ["firstName", "lastName", "company", "address", "city"] as const) expect(checkField(field, name)).toBeUndefined();
		},
	);
});

describe("reading a form or a query", () => {
	test("removes blanks around a text, and inside a SIREN or a postal code", () => {
		const values = readOrderValues(
			new URLSearchParams({ siren: " 552 032\u00a0534 ", postalCode: "75 002", firstName: "  Ada  ", address: "1  rue de la Paix\n" }),
		);
		expect(values).toMatchObject({ siren: "552032534", postalCode: "75002", firstName: "Ada", address: "1  rue de la Paix" });
	});

	test("ticks a box only by the form's own values, and reads the billed company of old links", () => {
		const read = (query: Record<string, string>) => readOrderValues(new URLSearchParams(query));
		expect(read({ newsletter: "true", acceptTerms: "on", waiveWithdrawal: "false" })).toMatchObject({
			newsletter: "on",
			acceptTerms: "on",
			waiveWithdrawal: "",
		});
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
