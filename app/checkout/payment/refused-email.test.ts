import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createBrowser, type TestBrowser } from "../../../test/browser.ts";
import { listLineFields } from "../../../test/purchases/send-purchase-form.ts";
import { paymentRequest } from "../../../test/shop.ts";
import { createStripeShop, type StripeShop } from "../../../test/stripe-shop.ts";

/** The payment provider refuses an address that the shop accepts: its customer corrects it where it was typed, and loses nothing. */

let shop: StripeShop;
let browser: TestBrowser;
beforeAll(async () => {
	shop = await createStripeShop({ variables: { ORDER_LIMITS: "off", LOG_LEVEL: "warn" } });
});
beforeEach(() => {
	browser = createBrowser(shop);
});
afterAll(() => shop?.close());

const sentence = "Notre prestataire de paiement refuse cette adresse e-mail\u00a0: vérifiez-la, ou indiquez-en une autre";
const customer = {
	...{ service: "express", email: "refusee@example.fr", firstName: "Ada", lastName: "Lovelace", acceptTerms: "on" },
	...{ billTo: "other", address: "1 rue de la Paix", postalCode: "75002", city: "Paris" },
};

const refuse = () => shop.stripe.failNext({ path: "POST /v1/checkout/sessions", kind: "email_invalid" });
const getPage = async (path: string) => (await (await browser.ask(path)).text()).replace(/<!-- -->/g, "");
const getLocation = (answer: Response) => answer.headers.get("location") ?? "";
const getValue = (html: string, name: string) => new RegExp(`<input[^>]*name="${name}"[^>]* value="([^"]*)"`).exec(html)?.[1];

/** Presses « Payer » on the page of a form. */
async function pay(path: string) {
	const html = await getPage(path);
	return browser.postForm(path, { key: getValue(html, "key") ?? "", amount: getValue(html, "amount") ?? "", acceptTerms: "on" });
}

/** @returns the page to which a refused payment leads, and its URL. */
async function payRefused(path: string) {
	refuse();
	const answer = await pay(path);
	expect(answer.status).toBe(303);
	const url = getLocation(answer);
	const html = await getPage(url);
	expect(html).toContain(`>${sentence}</`);
	expect([getValue(html, "email"), getValue(html, "firstName"), getValue(html, "city")]).toEqual(["refusee@example.fr", "Ada", "Paris"]);
	expect(/<input[^>]*id="email"[^>]*>/.exec(html)?.[0]).toContain('aria-invalid="true"');
	return { url, html };
}

test("one extract: the form shows the error at its field with all that was typed, and the corrected order is paid", async () => {
	const sent = await browser.postForm("/commande", { ...customer, siren: "552032534" });
	const { url } = await payRefused(getLocation(sent));
	expect(url).toMatch(/^\/commande\?commande=[\w-]+&refus=email$/);
	const corrected = await browser.postForm(url, { ...customer, siren: "552032534", email: "ada@example.fr" });
	const paid = await pay(getLocation(corrected));
	expect([paid.status, getLocation(paid)]).toEqual([303, expect.stringContaining(`${shop.stripe.url}/c/pay/`)]);
	const orders = await shop.shop.db.selectFrom("orders").selectAll().orderBy("created_at").execute();
	expect(orders.map(({ customer_email, status }) => [customer_email, status])).toEqual([
		["refusee@example.fr", "pending"],
		["ada@example.fr", "pending"],
	]);
	expect(shop.lines.filter(({ msg }) => msg === "the payment provider refused the e-mail address of an order")).toHaveLength(1);
});

test("several extracts: their list stays", async () => {
	const list = getLocation(await browser.postForm("/commande/plusieurs", { entreprises: "552032534\n356000000" }));
	const lines = listLineFields(await getPage(list));
	const sent = await browser.postForm(list, { ...customer, ...lines });
	const { url, html } = await payRefused(getLocation(sent));
	expect(url).toMatch(/^\/commande\/plusieurs\?commande=[\w-]+&refus=email$/);
	expect(getValue(html, "entreprise-2")).toBe("356000000");
	const corrected = await browser.postForm(url, { ...customer, ...listLineFields(html), email: "ada@example.fr" });
	expect((await pay(getLocation(corrected))).status).toBe(303);
});

test("a link of another site leads to the form", async () => {
	const query = new URLSearchParams({ ...customer, siren: "552032534", billTo: "", acceptTerms: "" });
	const { url } = await payRefused(`/paiement?${query}`);
	expect(new URL(url, shop.url).pathname).toBe("/commande");
});

test.each([
	["jérôme@exemple.fr", "Écrivez cette adresse sans accents\u00a0: jerome@exemple.fr"],
	["ada@gmail,com", "Format d&#x27;email invalide"],
])("a link with %s leads to its field, with what was probably meant", async (email, error) => {
	const answer = await browser.ask(`/paiement?${new URLSearchParams({ ...customer, siren: "552032534", email })}`);
	const html = await getPage(getLocation(answer));
	expect([answer.status, getValue(html, "email")]).toEqual([302, email]);
	expect(html).toContain(`>${error}</`);
	expect(html).toMatch(/Vouliez-vous dire <strong[^>]*>(jerome@exemple\.fr|ada@gmail\.com)</);
});

test("a program reads the sentence, and no reminder leaves to such an address", async () => {
	refuse();
	const answer = await shop.postJson("/api/create-payment", paymentRequest({ customer: { email: "refusee@example.fr" } }));
	expect([answer.status, await answer.json()]).toEqual([400, { error: sentence }]);
	expect(await shop.shop.db.selectFrom("mails").select("kind").execute()).toEqual([]);
});

test("an order that is placed already says that another address needs another order", async () => {
	const placed = await shop.placeOrder();
	const resume = await shop.getResumePath(placed.payUrl);
	await shop.shop.db.updateTable("payment_sessions").set({ status: "expired" }).where("id", "=", placed.sessionId).execute();
	refuse();
	const answer = await browser.postForm(resume, {});
	expect(answer.status).toBe(400);
	const html = await answer.text();
	expect(html).toContain("Commandez de nouveau avec une autre adresse.");
	expect(html).not.toContain("plus tard");
});
