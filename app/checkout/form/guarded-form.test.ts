import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inOneBrowser } from "../../../test/browser.ts";
import { listLineFields } from "../../../test/purchases/send-purchase-form.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { findStoredForm, type StoredForm } from "./order-forms.server.ts";

/** What the form of several orders does with lines that nobody has seen, and with forms that no browser sends. */
let shop: TestShop;
beforeAll(async () => {
	shop = inOneBrowser(await createTestShop({ now: () => new Date("2026-11-23T09:00:00Z"), variables: { ISSUER: "manual" } }));
});
afterAll(() => shop?.close());

const path = "/commande/plusieurs";
const danone = "552032534";
const poste = "356000000";
const customer = {
	...{ service: "express", email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace", acceptTerms: "on" },
	...{ billTo: "other", address: "1 rue de la Paix", postalCode: "75002", city: "Paris" },
};

const letter = { deliveryAddress: "1 quai de la Corse", deliveryPostalCode: "75004", deliveryCity: "Paris" };

async function sendList(text: string): Promise<string> {
	const answer = await shop.postForm(path, { entreprises: text });
	expect([answer.status, await answer.text()]).toEqual([303, ""]);
	return answer.headers.get("location") ?? "";
}

const getText = async (url: string) => (await (await shop.ask(url)).text()).replace(/<!-- -->/g, "");

/** Presses « Continuer vers le paiement ». */
async function submit(url: string, fields: Record<string, string>) {
	const answer = await shop.postForm(url, { ...customer, ...fields });
	const html = (await answer.text()).replace(/<!-- -->/g, "");
	return { status: answer.status, location: answer.headers.get("location"), html };
}

/** What is stored of a form. */
async function getStored(url: string): Promise<StoredForm> {
	return (await findStoredForm(shop.shop, url.split("commande=")[1] ?? "")) ?? expect.fail("nothing is stored");
}

const notice = "Vérifiez les lignes que vous venez d’ajouter ou de modifier";

describe("nothing goes to the payment that the page has not shown", () => {
	test.each<[string, string, Record<string, string>, string, string]>([
		["an added name", danone, { entreprises: "poste" }, "#ligne-2", "ligne-2"],
		["an added line that is unknown", danone, { entreprises: "zzzzqqq ; a" }, "#ligne-2", "Aucune entreprise trouvée sous ce nom"],
		["an added SIREN", danone, { entreprises: poste }, "#ligne-2", 'name="entreprise-2" value="356000000"'],
		["a corrected line", `${danone}\nzzzzqqq`, { "entreprise-2": poste }, "#ligne-2", 'name="entreprise-2" value="356000000"'],
		["a chosen company", `${danone}\ngroupe`, { "choix-2": poste }, "#ligne-2", 'name="entreprise-2" value="356000000"'],
		["a reference that makes a line a repeated one", `${danone} ; a\n${danone} ; b`, { "reference-2": "a" }, "#ligne-2", "Déjà demandée"],
		["a reference that is too long", `${danone}\n${poste}`, { "reference-2": "x".repeat(101) }, "#ligne-2", "trop longue"],
	])("%s is shown first, and then goes on", async (_, list, change, link, shown) => {
		const url = await sendList(list);
		const fields = listLineFields(await getText(url));
		const stopped = await submit(url, { ...fields, ...change });
		expect([stopped.status, stopped.location]).toEqual([200, null]);
		for (const part of [notice, `href="${link}"`, shown, 'value="Ada"']) expect(stopped.html).toContain(part);
		expect(stopped.html).toMatch(/<div tabindex="-1" autofocus="">/i);
		expect(stopped.html).not.toMatch(/href="#ligne-1"/);
		// the second press of a double click has not seen it either
		expect((await submit(url, { ...fields, ...change })).location).toBeNull();
		expect((await submit(url, listLineFields(stopped.html))).location).toContain("/paiement?commande=");
	});

	test("it is said beside the errors of the other fields", async () => {
		const url = await sendList(danone);
		const answer = await submit(url, { ...listLineFields(await getText(url)), entreprises: poste, city: "" });
		expect([answer.status, answer.html]).toEqual([400, expect.stringContaining(notice)]);
		expect((await submit(url, listLineFields(answer.html))).location).toContain("/paiement?commande=");
	});

	test("a list that was shown goes on at once, with other services and references, and without its wrong lines", async () => {
		const url = await sendList(`${danone}\nzzzzqqq\n${poste}`);
		const change = { "service-1": "standard", "reference-3": "dossier 3", service: "standard" };
		expect((await submit(url, { ...listLineFields(await getText(url)), ...change, ...letter })).location).toContain("/paiement?commande=");
		// what goes to the payment has the companies that were shown, and no field that does not count
		expect(await getStored(url)).toMatchObject({
			fields: { ...customer, service: "standard" },
			lines: [
				{ company: danone, reference: "", service: "standard", siren: danone },
				{ company: "zzzzqqq", reference: "", service: "", siren: null },
				{ company: poste, reference: "dossier 3", service: "", siren: poste },
			],
		});
		expect((await getStored(url)).fields).not.toHaveProperty("deliveryCity");
		// until then, all that was typed is stored
		await submit(url, { ...listLineFields(await getText(url)), ...change, ...letter, email: "" });
		expect(await getStored(url)).toMatchObject({ fields: letter, lines: [{ siren: null }, { siren: null }, { siren: null }] });
	});
});

test("the error of a line describes the field that is to be corrected, and no other", async () => {
	const html = await getText(await sendList(`zzzzqqq\ngroupe\n${danone} ; ${"x".repeat(101)}\n${poste} ; a\n${poste} ; a\n775688732`));
	const errors = [...html.matchAll(/<p id="([^"]*-\d+)-error"[^>]*>(.*?)<\/p>/g)].map(([, id, text = ""]) => [
		id,
		text.replace(/<[^>]*>/g, ""),
	]);
	expect(errors).toEqual([
		["entreprise-1", expect.stringContaining("Ligne 1, non commandée")],
		["choix-2", expect.stringContaining("Aucune entreprise ne porte exactement ce nom")],
		["reference-3", expect.stringContaining("trop longue")],
		["reference-5", expect.stringContaining("Déjà demandée à la ligne 4")],
		["entreprise-6", expect.stringContaining("extrait Kbis")],
	]);
	const controls = [...html.matchAll(/<(?:input|select)[^>]*aria-describedby="([\w-]+-\d+)-error"[^>]*>/g)];
	expect(controls.map(([, id]) => id)).toEqual(errors.map(([id]) => id));
	for (const [control, id] of controls) {
		expect(control).toContain(`id="${id}"`);
		expect(control).toContain('aria-invalid="true"');
	}
});

describe("what is stored of a form", () => {
	test.each(["update", "remove:1", "", "find-billing-company"])("is cut to what a field accepts (« %s »)", async (intent) => {
		const url = await sendList(danone);
		const long = "é".repeat(60_000);
		const body = new URLSearchParams({ lignes: "1", "entreprise-1": danone, intent, email: long, address: long, phone: long });
		const answer = await shop.ask(url, { method: "POST", body });
		expect(answer.status).toBe(413);
		const multipart = new FormData();
		for (const [name, value] of body) multipart.set(name, value);
		expect((await shop.ask(url, { method: "POST", body: multipart })).status).toBeLessThan(500);
		const { fields } = await getStored(url);
		expect(JSON.stringify(fields).length).toBeLessThan(2_000);
		expect([fields.address?.length, fields.phone?.length]).toEqual([201, 51]);
	});

	test.each(["%00", "a%00b", "%ED%A0%80", "%1B", "%E2%80%A8"])("has no characters that cannot be stored (%s)", async (sign) => {
		const url = await sendList(danone);
		const fields = `lignes=1&entreprise-1=${danone}${sign}&reference-1=${sign}x&firstName=Ada${sign}&lastName=${sign}&billingQuery=${sign}`;
		for (const intent of ["update", "remove:9", "", "find-billing-company", "correct-email:email"]) {
			const headers = { "content-type": "application/x-www-form-urlencoded" };
			const answer = await shop.ask(url, { method: "POST", body: `${fields}&intent=${intent}`, headers });
			expect(answer.status, intent).toBeLessThan(500);
			expect((await getStored(url)).fields.firstName).toMatch(/^Ada/);
		}
	});

	test("has all that may be typed", async () => {
		const values = {
			...customer,
			address: "é".repeat(200),
			firstName: "👍".repeat(50),
			city: "L’Haÿ  les Roses",
			company: "🏢".repeat(100),
		};
		const url = await sendList(danone);
		await shop.postForm(url, { ...values, ...listLineFields(await getText(url)), intent: "update" });
		expect((await getStored(url)).fields).toMatchObject(values);
	});

	test("has two hundred lines of the greatest length", async () => {
		const body = new URLSearchParams({ ...customer, lignes: "200", intent: "update" });
		for (let place = 1; place <= 200; place++) {
			body.set(`entreprise-${place}`, "é".repeat(200));
			body.set(`reference-${place}`, `${place}${"é".repeat(97)}`);
		}
		const answer = await shop.ask(path, { method: "POST", body });
		const url = answer.headers.get("location") ?? "";
		expect([answer.status, Object.keys(listLineFields(await getText(url))).length]).toEqual([303, 402]);
	});
});

describe("crafted forms", () => {
	const ask = async (fields: [string, string][]) => {
		const body = new FormData();
		for (const [name, value] of fields) body.append(name, value);
		const answer = await shop.ask(path, { method: "POST", body });
		return { status: answer.status, html: (await answer.text()).replace(/<!-- -->/g, "") };
	};
	const customerFields = Object.entries(customer);

	test("a long list is refused with a sentence and not looked up, and what was typed stays", async () => {
		const added = "zzzzqqq\n".repeat(20_000);
		const { status, html } = await ask([...customerFields, ["lignes", "1"], ["entreprise-1", danone], ["entreprises", added]]);
		expect([status, html.replaceAll("\u202f", " ")]).toEqual([400, expect.stringContaining("Votre liste a 20 001 lignes")]);
		expect(html.match(/<tbody id="ligne-/g)).toHaveLength(1);
		expect(html.match(/zzzzqqq/g)).toHaveLength(20_000);
	});

	test("companies to add in more than 200,000 characters are refused with a sentence, and what was typed stays", async () => {
		const added = `zzzzqqq ; ${"x".repeat(200_000)}`;
		const { status, html } = await ask([...customerFields, ["lignes", "1"], ["entreprise-1", danone], ["entreprises", added]]);
		expect([status, html]).toEqual([400, expect.stringContaining("Votre liste est trop longue")]);
		expect(html.match(/<tbody id="ligne-/g)).toHaveLength(1);
		expect(html).toContain(added);
	});

	test("a list of more than 200,000 characters is refused, and what was typed stays", async () => {
		const { status, html } = await ask([["entreprises", `${danone} ; ${"x".repeat(200_000)}`]]);
		expect([status, html]).toEqual([413, expect.stringContaining("Votre liste est trop longue")]);
		expect(html).toContain(`${danone} ; xxx`);
	});

	test("a file of 150,000 rows is refused with a sentence", async () => {
		const body = new FormData();
		body.set("fichier", new File(["1\n".repeat(150_000)], "liste.csv"));
		const answer = await shop.ask(path, { method: "POST", body });
		expect([answer.status, (await answer.text()).replaceAll("\u202f", " ")]).toEqual([
			400,
			expect.stringContaining("Ce fichier a plus de 2 000 lignes"),
		]);
	});

	test.each<[string, [string, string][], number]>([
		["no lines at all", [["lignes", "-1"]], 400],
		["a number of lines that is no number", [["lignes", "1e9"]], 400],
		[
			"gaps between the lines",
			[["lignes", "3"], ...["7", "200", "201", "-1", "1e3"].map((n): [string, string] => [`entreprise-${n}`, danone])],
			400,
		],
		[
			"names that are given twice",
			[
				["lignes", "1"],
				["lignes", "2"],
				["entreprise-1", danone],
				["entreprise-1", poste],
				["intent", "update"],
				["intent", "remove:1"],
			],
			303,
		],
		[
			"ten thousand fields",
			Array.from({ length: 10_000 }, (_, index): [string, string] => [`entreprise-${index}`, ""]).concat([["lignes", "9"]]),
			413,
		],
		[
			"a million marks on a letter",
			[
				["lignes", "1"],
				["firstName", `a${"\u0301".repeat(250_000)}${"\u0316".repeat(250_000)}`],
				["intent", "update"],
			],
			303,
		],
		[
			"names of other things",
			[
				["lignes", "1"],
				["vues", ".".repeat(500_000)],
				["__proto__", "x"],
				["constructor", "x"],
				["intent", "__proto__:x"],
			],
			200,
		],
	])("%s causes no fault", async (_, fields, status) => {
		expect((await ask(fields)).status).toBe(status);
	});
});
