import { createHash } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { anyJson } from "../../../test/any-json.ts";
import { inOneBrowser } from "../../../test/browser.ts";
import { insertOrder, waitForLock } from "../../../test/orders.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { calculateVatNumber, type Siren } from "../../companies/siren.ts";
import { cancelOrder } from "../../customer/tracking/cancel-order.server.ts";
import { erasePerson } from "../../desk/retention/erase-person.server.ts";
import { exportPerson } from "../../desk/retention/export-person.server.ts";
import { purge } from "../../desk/retention/purge.server.ts";
import { failOrder } from "../../fulfilment/fail-order.server.ts";
import { createResumePath } from "../../orders/keys.server.ts";
import { findOrderByKey } from "../../orders/orders.store.server.ts";
import { readPaymentForm } from "../payment/payment-form.server.ts";
import { startFormCheckout } from "../payment/start-form-checkout.server.ts";
import { redirectToNextOrder } from "./next-order.server.ts";
import { findStoredForm, openStoredForm, renewOrderKey, storeForm } from "./order-forms.server.ts";
import { readOrderValues } from "./read-order-values.ts";

/** The order form on the server, between the form and the payment: its link, its changes, its end. */
let shop: TestShop;
let now = new Date("2026-11-23T09:00:00Z");
beforeAll(async () => {
	// an order stays in progress until its extract is uploaded
	shop = inOneBrowser(await createTestShop({ now: () => now, variables: { ISSUER: "manual" } }));
});
afterAll(() => shop?.close());

const person = { email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace" };
const place = { billTo: "other", address: "1 rue de la Paix", postalCode: "75002", city: "Paris" };
const filledIn = { siren: "552032534", service: "express", ...person, ...place, acceptTerms: "on" };
const letter = {
	...{ ...filledIn, service: "postal", billTo: "delivery" },
	...{ deliveryName: "Tribunal de commerce", deliveryComplement: "Greffe, bureau 12" },
	...{ deliveryAddress: "1 quai de la Corse", deliveryPostalCode: "75004", deliveryCity: "Paris" },
};

/** Sends the form. @returns the URL of the payment step. */
async function send(fields: Record<string, string>, path = "/commande"): Promise<string> {
	const answer = await shop.postForm(path, fields);
	expect([answer.status, await answer.text()]).toEqual([303, ""]);
	return answer.headers.get("location") ?? "";
}

const getText = async (path: string) => (await (await shop.ask(path)).text()).replace(/<!-- -->/g, "").replaceAll("&#x27;", "'");
const getKey = async (url: string) => /name="key" value="([\w-]+)"/.exec(await getText(url))?.[1] ?? "";
const toFormUrl = (url: string) => url.replace("/paiement", "/commande");

/** Presses the pay button of a page with this key. */
const pay = (url: string, key: string, amount = "5900") => shop.postForm(url, { key, amount });

/** The path of the confirmation of the payment that an answer leads to. */
const toConfirmation = (answer: Response | undefined) =>
	answer?.headers.get("location")?.slice(shop.url.length).replace("/bac-a-sable/", "/confirmation/");

/** Changes the name of the ordered company in the register. */
const rename = (name: string) => shop.shop.db.updateTable("companies").set({ name }).where("siren", "=", filledIn.siren).execute();

/** Sets the legal category of the ordered company in the register. */
const setLegalCategory = (legal_category: string) =>
	shop.shop.db.updateTable("companies").set({ legal_category }).where("siren", "=", filledIn.siren).execute();

/** Ends the order of a key for good: its customer cancels it before the payment, the operator fails it afterwards. */
async function fail(key: string): Promise<void> {
	const { id, paid_at } = (await findOrderByKey(shop.shop.db, key)) ?? expect.fail();
	if (paid_at === null) return expect(await cancelOrder(shop.shop, id, "purchase")).toEqual({ ok: true });
	await shop.untilOrderIs("processing", id);
	expect(await failOrder(shop.shop, id, "operator")).toBe(true);
}

/** The next session is not opened, because the provider is down. */
const failNextSession = () => vi.spyOn(shop.shop.provider, "createSession").mockResolvedValueOnce({ ok: false, code: "unavailable" });

async function placeOrder(fields: Record<string, string>, amount?: string) {
	const url = await send(fields);
	const answer = await pay(url, await getKey(url), amount);
	const session = answer.headers.get("location")?.split("/").at(-1) ?? "";
	return shop.shop.db
		.selectFrom("payment_sessions")
		.innerJoin("orders", "orders.id", "order_id")
		.selectAll("orders")
		.where("payment_sessions.id", "=", session)
		.executeTakeFirstOrThrow();
}

describe("the link of a form", () => {
	test("contains a token and no personal data; the database has its hash and the fields that count", async () => {
		const url = await send({ ...letter, company: "typed, then hidden", address: "x".repeat(500) });
		const { pathname, searchParams } = new URL(url, shop.url);
		expect([pathname, [...searchParams.keys()]]).toEqual(["/paiement", ["commande"]]);
		const token = searchParams.get("commande") ?? "";
		expect(token).toMatch(/^[\w-]{64}$/);
		const hash = createHash("sha256").update(token).digest();
		const { fields } = await shop.shop.db.selectFrom("order_forms").selectAll().where("token_hash", "=", hash).executeTakeFirstOrThrow();
		const { address: _, postalCode: __, city: ___, siren, ...used } = letter;
		expect(fields).toEqual({ ...used, lines: [{ company: siren, reference: "", service: "", siren }] });

		const page = await shop.ask(url);
		expect([page.headers.get("cache-control"), page.headers.get("referrer-policy")]).toEqual(["no-store", "strict-origin"]);
		const text = await page.text();
		for (const part of ["ada@example.fr", "Tribunal de commerce", "1 quai de la Corse", "75004 Paris"]) expect(text).toContain(part);
	});

	test("leads back to the form with everything but the boxes, and keeps its token after a change", async () => {
		const url = await send(letter);
		expect(await getText(url)).toContain(`href="${toFormUrl(url)}"`);
		const form = await getText(toFormUrl(url));
		for (const value of ["Ada", "Tribunal de commerce", "Greffe, bureau 12", "75004"]) expect(form).toContain(`value="${value}"`);
		expect(form).toMatch(/<input(?=[^>]*value="delivery")(?=[^>]*checked="")[^>]*>/);
		expect(form).not.toMatch(/<input(?=[^>]*name="acceptTerms")(?=[^>]*checked="")[^>]*>/);
		expect(await send({ ...letter, firstName: "Grace" }, toFormUrl(url))).toBe(url);
		expect(await getText(url)).toContain("Grace Lovelace");
	});

	test.each(["", "x", "../x", "é".repeat(64), "A".repeat(64)])("« %s » is nobody’s", async (token) => {
		const answer = await shop.ask(`/paiement?commande=${encodeURIComponent(token)}`);
		expect([answer.status, (await answer.text()).includes("Votre saisie a expiré")]).toEqual([410, true]);
		expect((await pay(`/paiement?commande=${encodeURIComponent(token)}`, "key")).status).toBe(303);
		const url = await send(filledIn, `/commande?commande=${encodeURIComponent(token)}`);
		expect(new URL(url, shop.url).searchParams.get("commande")).not.toBe(token);
	});
});

describe("the order of a form", () => {
	test("is placed once, by two tabs, a double submit or the back button", async () => {
		const url = await send(filledIn);
		const key = await getKey(url);
		expect(await getKey(url)).toBe(key);
		const before = await shop.countOrders();
		const answers = await Promise.all([pay(url, key), pay(url, key)]);
		answers.push(await pay(url, key));
		expect(new Set(answers.map(({ headers }) => headers.get("location"))).size).toBe(1);
		expect(await shop.countOrders()).toBe(before + 1);
		await shop.payByCard(answers[0]?.headers.get("location") ?? "");
		const again = await pay(url, key);
		expect([again.status, again.headers.get("location")]).toEqual([303, toConfirmation(answers[0])]);
		expect(await shop.countOrders()).toBe(before + 1);
	});

	test("stays the same when the register changes: unpaid it is resumed, paid it is shown", async () => {
		const url = await send(filledIn);
		const key = await getKey(url);
		const first = await pay(url, key);
		const before = await shop.countOrders();
		await rename("ANOTHER NAME");
		const answers = await Promise.all([pay(url, key), pay(url, key)]);
		for (const answer of answers) expect(answer.headers.get("location")).toBe(first.headers.get("location"));
		await shop.payByCard(first.headers.get("location") ?? "");
		await rename("A THIRD NAME");
		const late = await Promise.all([pay(url, key), pay(url, key)]);
		for (const answer of late) expect(answer.headers.get("location")).toBe(toConfirmation(first));
		expect([await shop.countOrders(), await getKey(url)]).toEqual([before, key]);
		await rename("DANONE");
	});

	test("is shown or resumed on a second press, also when it could not be placed any more", async () => {
		const url = await send(filledIn);
		const key = await getKey(url);
		const first = await pay(url, key);
		const before = await shop.countOrders();
		await setLegalCategory("9220"); // an association
		expect((await pay(url, key)).headers.get("location")).toBe(first.headers.get("location"));
		await shop.payByCard(first.headers.get("location") ?? "");
		for (const amount of ["5900", "6900"]) expect((await pay(url, key, amount)).headers.get("location")).toBe(toConfirmation(first));
		await setLegalCategory("5599");
		expect((await pay(url, key, "6900")).headers.get("location")).toBe(toConfirmation(first));
		expect(await shop.countOrders()).toBe(before);
	});

	test("is followed by another after a press that the provider's outage refused", async () => {
		const url = await send(filledIn);
		const key = await getKey(url);
		await pay(url, key);
		await fail(key);
		failNextSession();
		const refused = await pay(url, key);
		const [, newKey = ""] = /name="key" value="([\w-]+)"/.exec(await refused.text()) ?? [];
		expect([refused.status, newKey]).toEqual([502, await getKey(url)]);
		expect(newKey).not.toBe(key);
		expect((await pay(url, newKey)).headers.get("location")).toContain("/bac-a-sable/");
	});

	test("may be paid later by the browser that ordered, also when the provider was down", async () => {
		const url = await send(filledIn);
		const key = await getKey(url);
		failNextSession();
		const refused = await pay(url, key);
		const order = (await findOrderByKey(shop.shop.db, key)) ?? expect.fail();
		const link = createResumePath(shop.shop, order);
		const [cookie = "", ...others] = refused.headers.getSetCookie();
		expect([refused.status, cookie.includes(`Path=${link};`)]).toEqual([502, true]);
		// the page on which it quits
		expect(others.map((line) => /Path=([^;]+)/.exec(line)?.[1])).toEqual([`/suivi/${order.order_number}`]);
		const resumed = await shop.postForm(link, {}, { cookie: cookie.split(";")[0] ?? "" });
		expect(resumed.headers.getSetCookie().some((line) => line.includes(`Path=${toConfirmation(resumed)};`))).toBe(true);
	});

	test("is followed by one other order at most when it has failed, also after a change of the register", async () => {
		for (const name of ["DANONE", "ANOTHER NAME"]) {
			const url = await send(filledIn);
			const key = await getKey(url);
			const first = await pay(url, key);
			await shop.payByCard(first.headers.get("location") ?? "");
			await fail(key);
			await rename(name);
			const before = await shop.countOrders();
			const answers = await Promise.all([pay(url, key), pay(url, key)]);
			const opened = new Set(
				answers.map(({ headers }) => headers.get("location")).filter((location) => location?.includes("/bac-a-sable/")),
			);
			expect([opened.size, await shop.countOrders()]).toEqual([1, before + 1]);
			expect(opened).not.toContain(first.headers.get("location"));
			const newKey = await getKey(url);
			expect(newKey).not.toBe(key);
			// a page with the previous key shows the present one
			expect((await pay(url, key)).headers.get("location")).toBe(`${url}&modifiee=1`);
			expect(opened).toContain((await pay(url, newKey)).headers.get("location"));
			expect(await shop.countOrders()).toBe(before + 1);
		}
		await rename("DANONE");
	});

	test("waits for the operator when its payment does not match: no other is placed", async () => {
		const url = await send(filledIn);
		const key = await getKey(url);
		const first = await pay(url, key);
		await shop.shop.db.updateTable("orders").set({ set_aside_at: now }).where("idempotency_key", "=", key).execute();
		expect((await pay(url, key)).headers.get("location")).toBe(toConfirmation(first));
	});

	test("is none while another order of its purchase is served, though the first has failed", async () => {
		const url = await send(filledIn);
		const key = await getKey(url);
		const first = await pay(url, key);
		await fail(key);
		const { id } = (await findOrderByKey(shop.shop.db, key)) ?? expect.fail();
		const paid = { status: "processing", paid_at: now, created_at: now } as const;
		await insertOrder(shop.shop.db, { ...paid, purchase_id: id, purchase_line: 2 });
		const before = await shop.countOrders();
		expect((await pay(url, key)).headers.get("location")).toBe(toConfirmation(first));
		expect(await shop.countOrders()).toBe(before);
	});

	test("is none when the form has changed meanwhile", async () => {
		const url = await send(filledIn);
		const token = new URL(url, shop.url).searchParams.get("commande") ?? "";
		const form = (await findStoredForm(shop.shop, token)) ?? expect.fail();
		await pay(url, form.orderKey);
		await fail(form.orderKey);
		const before = await shop.countOrders();
		const posted = new FormData();
		posted.set("amount", "5900");
		const checkout = { ...readPaymentForm(readOrderValues(new URLSearchParams(form.fields)), posted), client: "one" };
		await send({ ...filledIn, firstName: "Grace" }, toFormUrl(url));
		expect(await startFormCheckout(shop.shop, checkout, { ...form, token })).toEqual({ ok: false, code: "form-changed" });
		expect(await shop.countOrders()).toBe(before);
	});

	test("is none, and the page starts again, when the form changes after the button is pressed", async () => {
		const url = await send(filledIn);
		const key = await getKey(url);
		await pay(url, key);
		await fail(key);
		const before = await shop.countOrders();
		let answer: Promise<Response> | undefined;
		await shop.shop.db.transaction().execute(async (trx) => {
			const changed = { fields: anyJson({ ...filledIn, service: "standard" }) };
			await trx.updateTable("order_forms").set(changed).where("order_key", "=", key).execute();
			answer = pay(url, key); // reads the form as it was, then waits for its new key
			await waitForLock(shop.shop.db, answer);
		});
		expect((await answer)?.headers.get("location")).toBe(`${url}&modifiee=1`);
		expect(await shop.countOrders()).toBe(before);
	});

	test("gets a new key for the same fields only, and one for calls at once", async () => {
		const url = await send(filledIn);
		const token = new URL(url, shop.url).searchParams.get("commande") ?? "";
		const form = (await findStoredForm(shop.shop, token)) ?? expect.fail();
		const keys = await Promise.all([1, 2].map(() => renewOrderKey(shop.shop, token, form)));
		expect(keys).toEqual([await getKey(url), await getKey(url)]);
		expect(keys).not.toContain(form.orderKey);
		await send({ ...filledIn, service: "standard" }, toFormUrl(url));
		expect(await renewOrderKey(shop.shop, token, form)).toBeNull();
		const changed = (await findStoredForm(shop.shop, token)) ?? expect.fail();
		const at = (lifetime: number) => ({ ...shop.shop, now: () => new Date(now.getTime() + lifetime) });
		expect(await renewOrderKey(at(24 * 3_600_000), token, changed)).toBeNull();
		expect(await renewOrderKey(at(24 * 3_600_000 - 1), token, changed)).not.toBeNull();
	});

	test("is not placed from a page that shows earlier fields", async () => {
		const url = await send(filledIn);
		const key = await getKey(url);
		await send({ ...filledIn, service: "standard" }, toFormUrl(url));
		const before = await shop.countOrders();
		const answer = await pay(url, key);
		expect([answer.status, answer.headers.get("location")]).toEqual([303, `${url}&modifiee=1`]);
		expect(await shop.countOrders()).toBe(before);
		expect(await getText(`${url}&modifiee=1`)).toContain("Votre commande a été modifiée dans un autre onglet.");
		expect((await pay(url, await getKey(url), "3900")).headers.get("location")).toContain("/bac-a-sable/");
		// the same fields again are the same order
		const newKey = await getKey(url);
		await send({ ...filledIn, service: "standard" }, toFormUrl(url));
		expect(await getKey(url)).toBe(newKey);
	});

	test("is billed to the company of the extract with one choice", async () => {
		expect(await placeOrder({ ...filledIn, billTo: "ordered", address: "", postalCode: "", city: "" })).toMatchObject({
			...{ billing_company: "DANONE", billing_siren: "552032534", billing_vat: null },
			...{ address: "59 rue La Fayette", postal_code: "75009", city: "Paris" },
		});
	});

	test("is billed to nobody by default: the form asks, and keeps what was typed", async () => {
		const { billTo: _, ...unchosen } = filledIn;
		for (const path of ["/commande", "/commande/552032534?service=express"]) {
			expect(await getText(path)).not.toMatch(/<input(?=[^>]*name="billTo")(?=[^>]*checked="")[^>]*>/);
			const answer = await shop.postForm(path, { ...unchosen, company: "ACME" });
			const page = await answer.text();
			expect([answer.status, page.includes('href="#billTo"')]).toEqual([400, true]);
			for (const part of ["Indiquez à qui adresser la facture", 'value="Lovelace"', 'value="ACME"', 'value="1 rue de la Paix"'])
				expect(page).toContain(part);
			expect(page).not.toMatch(/<input(?=[^>]*name="billTo")(?=[^>]*checked="")[^>]*>/);
		}
	});

	test("is billed as for the last order with one choice", async () => {
		const last = new URLSearchParams({ company: "CABINET LEROY", address: "9 rue A", postalCode: "69002", city: "Lyon" });
		expect(await placeOrder({ ...filledIn, billTo: "last", lastBilling: String(last) })).toMatchObject({
			...{ billing_company: "CABINET LEROY", billing_siren: null, address: "9 rue A", postal_code: "69002", city: "Lyon" },
		});
	});

	test("is billed to its company with the VAT number of the DGFiP's list, which the form shows", async () => {
		const { db } = shop.shop;
		await sql`insert into company_vat_numbers (siren, vat_keys) values (552032534, '27')`.execute(db);
		await sql`insert into company_sources (name, as_of, imported_at, companies) values ('vat', '2026-11-03', now(), 1)`.execute(db);
		expect(await getText("/commande/552032534?service=express")).toContain(", TVA");
		expect(await placeOrder({ ...filledIn, billTo: "ordered" })).toMatchObject({ billing_vat: "FR27552032534" });
		await sql`delete from company_vat_numbers`.execute(db);
		await sql`delete from company_sources where name = 'vat'`.execute(db);
		expect(await getText("/commande/552032534?service=express")).not.toContain(", TVA");
	});

	test("of a link is billed to the customer, whatever the link chooses", async () => {
		const link = new URLSearchParams({ ...person, siren: "552032534", service: "express", acceptTerms: "on", billTo: "ordered" });
		const url = `/paiement?${link}`;
		const page = await getText(url);
		expect(page).toMatch(/Facturé à <strong>Ada Lovelace<\/strong>/);
		const answer = await pay(url, crypto.randomUUID());
		const session = answer.headers.get("location")?.split("/").at(-1) ?? "";
		const { order_id } = await shop.shop.db
			.selectFrom("payment_sessions")
			.select("order_id")
			.where("id", "=", session)
			.executeTakeFirstOrThrow();
		expect(await shop.orderRow(order_id)).toMatchObject({ billing_company: null, billing_siren: null, address: null });
	});

	test("of a link for a letter opens in the form with the letter's address", async () => {
		const link = {
			...person,
			siren: "552032534",
			service: "postal",
			company: "ACME",
			address: "1 rue X",
			postalCode: "75002",
			city: "Paris",
		};
		const [, edit = ""] = /href="(\/commande\?[^"]*)"/.exec(await getText(`/paiement?${new URLSearchParams(link)}`)) ?? [];
		const form = await getText(edit.replaceAll("&amp;", "&"));
		for (const [name, value] of [
			...[
				["deliveryAddress", "1 rue X"],
				["deliveryPostalCode", "75002"],
				["deliveryCity", "Paris"],
			],
			...[
				["company", "ACME"],
				["address", "1 rue X"],
			],
		])
			expect(form).toMatch(new RegExp(`<input(?=[^>]*name="${name}")(?=[^>]*value="${value}")[^>]*>`));
		expect(form).toMatch(/<input(?=[^>]*name="billTo")(?=[^>]*value="other")(?=[^>]*checked="")[^>]*>/);
	});

	test("is billed to another company with its numbers", async () => {
		const vat = calculateVatNumber("423435544" as Siren);
		expect(
			await placeOrder({
				...filledIn,
				company: "Analytique SARL",
				billingSiren: "423 435 544",
				billingVat: ` ${vat.toLowerCase().replace("423", " 423 ")}`,
			}),
		).toMatchObject({
			...{ billing_company: "Analytique SARL", billing_siren: "423435544", billing_vat: vat, address: "1 rue de la Paix" },
		});
	});

	test("of a letter has its recipient and address; the invoice has them too, or another", async () => {
		const delivery = { delivery_name: "Tribunal de commerce", delivery_address: "1 quai de la Corse", delivery_postal_code: "75004" };
		expect(await placeOrder(letter, "4400")).toMatchObject({ ...delivery, address: "1 quai de la Corse", postal_code: "75004" });
		expect(await placeOrder({ ...letter, billTo: "other" }, "4400")).toMatchObject({ ...delivery, address: "1 rue de la Paix" });
		expect(await placeOrder({ ...letter, billTo: "ordered" }, "4400")).toMatchObject({ ...delivery, billing_company: "DANONE" });
	});
});

describe("errors of both addresses", () => {
	test.each<[string, Record<string, string>, string[]]>([
		["no billing address", { address: "", postalCode: "", city: "" }, ["L'adresse est requise", "Le code postal est requis"]],
		["no choice of an invoice", { billTo: "nobody" }, ["Indiquez à qui adresser la facture"]],
		["a letter's address for a PDF", { billTo: "delivery" }, ["Indiquez à qui adresser la facture"]],
		["a letter without an address", { service: "postal", billTo: "delivery" }, ["L'adresse est requise", "La ville est requise"]],
		["a wrong SIREN", { company: "A", billingSiren: "552032535" }, ["SIREN invalide"]],
		["a VAT number of another", { company: "A", billingSiren: "423435544", billingVat: "FR27552032534" }, ["ne correspond pas au SIREN"]],
	])("%s", async (_what, change, sentences) => {
		const answer = await shop.postForm("/commande", { ...filledIn, ...change });
		expect(answer.status).toBe(400);
		const text = (await answer.text()).replaceAll("&#x27;", "'");
		for (const sentence of sentences) expect(text).toContain(sentence);
	});

	test("a company without a public address cannot be billed unseen", async () => {
		await shop.shop.db.updateTable("companies").set({ address: null }).where("siren", "=", "423435544").execute();
		const form = await getText("/commande/423435544?service=express");
		expect(form).not.toContain('value="ordered"');
		const answer = await shop.postForm("/commande/423435544?service=express", { ...filledIn, billTo: "ordered" });
		expect([answer.status, (await answer.text()).includes("n’est pas publique")]).toEqual([400, true]);
	});
});

describe("a mistyped e-mail address", () => {
	const mistyped = { ...filledIn, email: "ada@gmial.com" };

	test("is questioned once, and passes with the second submit", async () => {
		const asked = await shop.postForm("/commande", mistyped);
		expect(asked.status).toBe(200);
		const text = await asked.text();
		for (const part of ["ada@gmail.com", "Vouliez-vous dire", 'name="checkedEmail" value="ada@gmial.com"', "Oui, corriger", "Non, garder"])
			expect(text).toContain(part);
		expect(await send({ ...mistyped, checkedEmail: "ada@gmial.com" })).toContain("/paiement?commande=");
		expect((await shop.postForm("/commande", { ...mistyped, email: "ada@gmal.com", checkedEmail: "ada@gmial.com" })).status).toBe(200);
	});

	test("is corrected on the way to the payment, one address after the other", async () => {
		const both = { ...mistyped, deliveryEmail: "grace@hotmial.fr" };
		const first = await shop.postForm("/commande", { ...both, correct: "email" });
		expect([first.status, (await first.text()).includes("grace@hotmail.fr")]).toEqual([200, true]);
		const url = await send({ ...both, email: "ada@gmail.com", correct: "deliveryEmail" });
		const page = await getText(url);
		for (const address of ["ada@gmail.com", "grace@hotmail.fr"]) expect(page).toContain(address);
		// a field that is no address, and an address that is right, stay
		expect(await getText(await send({ ...filledIn, correct: "lastName" }))).toContain("ada@example.fr");
		expect(await getText(await send({ ...filledIn, correct: "email" }))).toContain("ada@example.fr");
	});

	test("is questioned once more on the payment page, with a link to its field", async () => {
		for (const field of ["email", "deliveryEmail"]) {
			const url = await send({ ...filledIn, [field]: "ada@gmial.com", checkedEmail: "ada@gmial.com" });
			const page = await getText(url);
			expect(page).toMatch(/Vouliez-vous dire <strong[^>]*>gmail\.com<\/strong>/);
			expect(page).toContain(`href="${url.replace("/paiement", "/commande")}#${field}"`);
			expect(page).toContain("Finaliser ma commande");
		}
		expect(await getText(await send(filledIn))).not.toContain("Vouliez-vous dire");
	});

	test("is corrected by its button, also the second one", async () => {
		for (const field of ["email", "deliveryEmail"]) {
			const fields = { ...filledIn, [field]: "grace@hotmial.fr", intent: `correct-email:${field}` };
			const text = await (await shop.postForm("/commande", fields)).text();
			expect(text).toContain('value="grace@hotmail.fr"');
			expect(text).not.toContain("Vouliez-vous dire");
		}
	});

	test("is not questioned in a field that does not count", async () => {
		await send({ ...letter, deliveryEmail: "grace@gmial.com" });
	});
});

describe("without JavaScript", () => {
	test("a single result is chosen at once, for the extract and for the invoice", async () => {
		const found = await (await shop.postForm("/commande", { intent: "find-company", companyQuery: "552 032 534" })).text();
		expect(found).toContain('name="siren" value="552032534"');
		const billed = await (
			await shop.postForm("/commande/423435544?service=express", {
				...filledIn,
				intent: "find-billing-company",
				billingQuery: "danone 552032534",
			})
		).text();
		expect(billed).not.toContain("Choisissez l’entreprise");
		const one = await (
			await shop.postForm("/commande/423435544?service=express", { ...filledIn, intent: "find-billing-company", billingQuery: "552032534" })
		).text();
		for (const value of ["DANONE", "552032534", "59 rue La Fayette", "75009"]) expect(one).toContain(`value="${value}"`);
		expect(one).not.toContain("FR27552032534");
	});

	test.each([
		["552 032 534", "Vérifiez la société trouvée pour la facture", 'name="company" value="DANONE"'],
		["groupe", "Choisissez la société à facturer parmi", 'value="bill:'],
		["zzzzqqq", "Aucune société trouvée", "zzzzqqq"],
	])(
		"the company of the invoice, typed into its search alone, is searched before the payment: « %s »",
		async (billingQuery, sentence, shown) => {
			const answer = await shop.postForm("/commande/423435544?service=express", { ...filledIn, billingQuery });
			const page = (await answer.text()).replace(/<!-- -->/g, "");
			expect(answer.status).toBe(400);
			expect(page).toMatch(new RegExp(`href="#company"[^>]*>${sentence}`));
			expect(page).toContain(shown);
			const keepsAddress = billingQuery !== "552 032 534";
			expect(page.includes('value="1 rue de la Paix"')).toBe(keepsAddress);
		},
	);

	test("one of several results fills in the invoice", async () => {
		const fields = { ...filledIn, siren: "552032534" };
		const results = await (await shop.postForm("/commande", { ...fields, intent: "find-billing-company", billingQuery: "groupe" })).text();
		const [, siren = ""] = /value="bill:(\d{9})"/.exec(results) ?? [];
		const filled = await (await shop.postForm("/commande", { ...fields, intent: `bill:${siren}` })).text();
		expect(filled).toContain(`name="billingSiren" value="${siren}"`);
		expect(filled).toContain('name="siren" value="552032534"');
	});
});

test("« Commander pour une autre entreprise » fills in the next form, only for the browser that paid", async () => {
	const url = await send(letter);
	const started = await pay(url, await getKey(url), "4400");
	const payUrl = started.headers.get("location") ?? "";
	await shop.payByCard(payUrl);
	const confirmation = payUrl.replace("/bac-a-sable/", "/confirmation/");
	const body = new URLSearchParams({ intent: "next-order" });
	// without the cookies of this browser
	expect((await fetch(confirmation, { method: "POST", body, redirect: "manual" })).status).toBe(403);
	const answer = await shop.postForm(confirmation, { intent: "next-order" });
	expect(answer.status).toBe(303);
	const form = await getText(answer.headers.get("location") ?? "");
	for (const value of ["ada@example.fr", "Tribunal de commerce", "1 quai de la Corse"]) expect(form).toContain(`value="${value}"`);
	expect(form).not.toContain("552032534");
});

describe("the end of a form", () => {
	test("is 24 hours after its last change: the page says so, and the form goes on", async () => {
		const url = await send(filledIn);
		const key = await getKey(url);
		now = new Date(now.getTime() + 23 * 3_600_000);
		await send(filledIn, toFormUrl(url));
		now = new Date(now.getTime() + 24 * 3_600_000 - 1);
		expect((await shop.ask(url)).status).toBe(200);
		now = new Date(now.getTime() + 1);
		expect((await shop.ask(url)).status).toBe(410);
		const answer = await pay(url, key);
		expect([answer.status, answer.headers.get("location")]).toEqual([303, url]);
		for (const part of ["Votre saisie a expiré", "Nous la gardons 24\u00a0heures."]) expect(await getText(toFormUrl(url))).toContain(part);
		expect(await send(filledIn, toFormUrl(url))).not.toBe(url);
	});

	test("the purge deletes expired forms and no others", async () => {
		await send({ ...filledIn, email: "fresh@example.fr" });
		await purge(shop.shop);
		const rows = await shop.shop.db.selectFrom("order_forms").select("expires_at").execute();
		expect(rows.length).toBeGreaterThan(0);
		for (const { expires_at } of rows) expect(expires_at.getTime()).toBeGreaterThan(now.getTime());
	});

	test("a text that is too long is stored as such, and one typed field is hidden from another browser", async () => {
		const values = readOrderValues(new URLSearchParams({ service: "express", lastName: "a".repeat(150) }));
		const stored = await storeForm(shop.shop, { values, lines: [] }, { request: null, token: null, client: "one" });
		const token = stored.ok ? stored.token : "";
		expect((await findStoredForm(shop.shop, token))?.fields).toEqual({ service: "express", lastName: "a".repeat(101) });
		const opened = await openStoredForm(shop.shop, new Request(shop.url), token);
		expect(opened).toMatchObject({ isOwn: false, isMasked: true, shown: { service: "express" } });
	});

	test("a person receives their forms, of another’s only what concerns them, and has all deleted", async () => {
		await send({ ...filledIn, email: "lin@example.fr" });
		await send({ ...filledIn, email: "Grace@Example.fr", deliveryEmail: "client@example.fr" });
		expect((await exportPerson(shop.shop, "grace@example.fr")).order_forms).toMatchObject([
			{ email: "Grace@Example.fr", lastName: "Lovelace" },
		]);
		expect((await exportPerson(shop.shop, "client@example.fr")).order_forms).toEqual([
			{ service: "express", deliveryEmail: "client@example.fr", companies: ["552032534"] },
		]);
		// that of several orders is stored before it is filled in
		const earlier = { ...shop.shop, now: () => new Date(now.getTime() - 1) };
		const values = readOrderValues(new URLSearchParams({ service: "postal", deliveryEmail: "Client@example.fr", city: "Brest" }));
		const stored = await storeForm(earlier, { values, lines: [] }, { request: null, token: null, client: "one" });
		expect((await exportPerson(shop.shop, "client@example.fr")).order_forms).toEqual([
			{ service: "postal", deliveryEmail: "Client@example.fr", companies: [] },
			{ service: "express", deliveryEmail: "client@example.fr", companies: ["552032534"] },
		]);
		expect((await erasePerson(shop.shop, " client@EXAMPLE.fr")).orderForms).toBe(2);
		expect(await findStoredForm(shop.shop, stored.ok ? stored.token : "")).toBeNull();
		expect((await exportPerson(shop.shop, "grace@example.fr")).order_forms).toEqual([]);
		expect((await exportPerson(shop.shop, "lin@example.fr")).order_forms).toHaveLength(1);
	});
});

test("a client stores few forms an hour, and nothing typed is lost", async () => {
	const limited = await createTestShop({ variables: { ORDER_LIMITS: "client=1" } });
	try {
		const statuses = [];
		for (let i = 0; i < 5; i++) {
			const answer = await limited.postForm("/commande", filledIn);
			statuses.push(answer.status);
			if (answer.status !== 429) continue;
			expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
			const text = await answer.text();
			for (const part of ["Trop de formulaires", 'value="Lovelace"']) expect(text).toContain(part);
		}
		expect(statuses).toEqual([303, 303, 303, 303, 429]);
		await countChanges(limited);
		await countNextForms(limited);
	} finally {
		await limited.close();
	}
});

/** A form counts once, and its changes have a count of their own. */
async function countChanges({ shop: limited, url }: TestShop): Promise<void> {
	const form = { values: readOrderValues(new URLSearchParams(filledIn)), lines: [] };
	const start = async (client: string) => {
		const stored = await storeForm(limited, form, { request: null, token: null, client });
		if (!stored.ok) return expect.fail("it is limited at once");
		const { token, headers } = stored;
		const cookie = headers.getSetCookie()[0]?.split(";")[0] ?? "";
		const request = new Request(url, { headers: { cookie } });
		return async (times: number) => {
			const outcomes = [];
			for (let i = 0; i < times; i++) {
				const changed = await storeForm(limited, form, { request, token, client });
				outcomes.push(changed.ok ? changed.token === token : changed.code);
			}
			return outcomes;
		};
	};
	const change = await start("one");
	expect(await change(21)).toEqual([...Array(20).fill(true), "limited"]);
	// a form that has ended is none that could be changed
	await limited.db
		.updateTable("order_forms")
		.set({ expires_at: new Date(0) })
		.execute();
	expect(await change(4)).toEqual([false, false, false, "limited"]);
}

/** « Commander pour une autre entreprise » counts for its client alone; above the limit, the form is not filled in. */
async function countNextForms({ shop: limited }: TestShop): Promise<void> {
	const order = await insertOrder(limited.db, { created_at: now });
	const isFilledIn = async (client: string) =>
		(await redirectToNextOrder(limited, client, order)).headers.get("location")?.includes("?commande=");
	const answers = [];
	for (const client of ["two", "two", "two", "two", "two", "three"]) answers.push(await isFilledIn(client));
	expect(answers).toEqual([true, true, true, true, false, true]);
}

test("several orders once more have the address of their letter, whichever of them it is", async () => {
	const pdf = await insertOrder(shop.shop.db, { created_at: now, siren: "552032534" });
	const address = {
		delivery_name: "Greffe",
		delivery_address: "1 quai de la Corse",
		delivery_postal_code: "75004",
		delivery_city: "Paris",
	};
	const posted = await insertOrder(shop.shop.db, { created_at: now, siren: "356000000", product_code: "postal", ...address });
	const answer = await redirectToNextOrder(shop.shop, "letters", pdf, [pdf, posted]);
	const token = new URL(answer.headers.get("location") ?? "", shop.url).searchParams.get("commande") ?? "";
	expect((await findStoredForm(shop.shop, token))?.fields).toMatchObject({ deliveryName: "Greffe", deliveryCity: "Paris" });
});
