import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page } from "@playwright/test";
import { scaledTimeout } from "../test/time-limits.ts";
import { agreedLinks, agreedPages, agreedRedirects, agreedTexts, omittedTexts } from "./agreed-texts.ts";
import { fillIn, getBilling, newCustomer, open, openOrderForm, openSearch, tickConsentBoxes, waitForHydration } from "./customer.ts";
import { orderFormUrl, paymentUrl } from "./flows.ts";
import { expectAgreedTexts, getPageText, normalizeText } from "./page-text.ts";
import { startSeparateShop } from "./separate-shop.ts";
import { openDatabase } from "./shared-shop.ts";
import { states } from "./states/page-states.ts";
import { test } from "./test.ts";

for (const [path, { heading, texts = [] }] of Object.entries(agreedPages)) {
	test(`${path} has its heading, texts and links`, async ({ page }) => {
		await page.goto(path);
		expect(normalizeText((await page.locator("h1").textContent()) ?? "")).toBe(normalizeText(heading));
		const text = await getPageText(page);
		for (const agreed of texts) expect(text, agreed).toContain(normalizeText(agreed));
		for (const to of agreedLinks[path] ?? []) await expect(page.locator(`a[href="${to}"]`).first(), to).toBeAttached();
	});
}

for (const [path, target] of Object.entries(agreedRedirects)) {
	test(`${path} redirects permanently to ${target}`, async ({ request }) => {
		const answer = await request.get(path, { maxRedirects: 0 });
		expect([answer.status(), answer.headers().location]).toEqual([301, target]);
	});
}

test("/faq has ten questions, the home page five of them and a link to all", async ({ page }) => {
	await page.goto("/faq");
	await expect(page.locator("main details")).toHaveCount(10);
	await page.goto("/");
	await expect(page.locator("#faq details")).toHaveCount(5);
	await expect(page.locator('#faq a[href="/faq"]')).toBeVisible();
});

/** Acts while requests to `address` get no answer, as on a slow connection. */
async function actWhileWaiting(page: Page, address: string, act: () => Promise<unknown>): Promise<void> {
	await page.route(address, () => {}); // no answer comes
	await act();
}

const submit = (page: Page) => page.getByRole("button", { name: "Continuer vers le paiement" }).click();

async function track(page: Page, email: string, number: string): Promise<void> {
	await open(page, "/suivi-commande");
	await page.getByLabel("Adresse e-mail").fill(email);
	await page.getByLabel("Numéro de commande").fill(number);
	await page.getByRole("button", { name: "Rechercher" }).click();
}

/** States that last a moment, or depend on what was typed. */
const transientStates: Record<string, (page: Page) => Promise<unknown>> = {
	async "search: loading"(page) {
		await openSearch(page);
		await actWhileWaiting(page, "**/recherche?*", async () => {
			await page.getByLabel("SIREN, SIRET ou nom d'entreprise").fill("groupe");
			await page.keyboard.press("Enter");
		});
	},
	async "order: a company chosen"(page) {
		await openOrderForm(page, "/commande");
		await page.getByRole("combobox", { name: /SIREN/ }).fill("danone");
		await page.getByRole("option").first().click();
	},
	async "order: with wrong values"(page) {
		await openOrderForm(page, orderFormUrl);
		await page.getByLabel("Adresse e-mail", { exact: true }).fill("ada@");
		await page.getByText("Ajouter un téléphone").click();
		await page.getByLabel("Téléphone").fill("12");
		await page.getByRole("radio", { name: "Je commande pour quelqu’un d’autre" }).check();
		await getBilling(page).getByLabel("Code postal", { exact: true }).fill("750");
		await submit(page);
	},
	async "order: a postal code without a commune"(page) {
		await openOrderForm(page, orderFormUrl);
		await page.getByRole("radio", { name: "Je commande pour quelqu’un d’autre" }).check();
		await getBilling(page).getByLabel("Code postal", { exact: true }).fill("00000");
	},
	async "order: a draft is saved"(page) {
		await openOrderForm(page, orderFormUrl);
		await page.getByLabel("Prénom").fill("Ada");
	},
	async "order: submitting"(page) {
		await openOrderForm(page, orderFormUrl);
		await fillIn(page, newCustomer());
		await tickConsentBoxes(page);
		await actWhileWaiting(page, "**/commande/**", () => submit(page));
	},
	async "payment: submitting"(page) {
		await open(page, `${paymentUrl}&address=1+rue&postalCode=75002&city=Paris&acceptTerms=on`);
		await actWhileWaiting(page, "**/paiement**", () => page.getByRole("button", { name: /^Finaliser/ }).click());
	},
	async "payment: of a masked company"(page) {
		const client = await openDatabase(); // generated: the sample has none
		await client.query(`insert into companies (id, siren, status, masked, name_key, legal_category, lexemes)
			values ((select max(id) + 1 from companies), '900000027', 'active', true, 0, '5710', '') on conflict do nothing`);
		await client.end();
		await page.goto(paymentUrl.replace("552032534", "900000027"));
		await expect(page.getByRole("definition").first().getByText("Entreprise", { exact: true })).toBeVisible();
	},
	async "tracking: nothing typed"(page) {
		await track(page, "", "");
	},
	async "tracking: a wrong address"(page) {
		await track(page, "ada@", "KB-2222-2222");
	},
};

/** A payment provider that fails, or opens a session without a URL. */
let provider: Server;
let providerFails = true;
let separateShop: Awaited<ReturnType<typeof startSeparateShop>> | undefined;

/** A separate shop whose payment provider and database can fail; the first state that needs it starts it. */
async function getSeparateShop() {
	if (separateShop) return separateShop;
	provider = createServer((request, response) => {
		request.resume().on("end", () => {
			response.setHeader("content-type", "application/json");
			response.statusCode = providerFails ? 400 : 200;
			const expires_at = Math.floor(Date.now() / 1000) + 3600;
			const session = {
				object: "checkout.session",
				id: `cs_test_${Date.now()}`,
				url: null,
				status: "open",
				payment_status: "unpaid",
				expires_at,
			};
			response.end(JSON.stringify(providerFails ? { error: { type: "invalid_request_error", message: "out of order" } } : session));
		});
	});
	await new Promise<void>((ready) => provider.listen(0, "127.0.0.1", ready));
	separateShop = await startSeparateShop({
		ISSUER: "manual",
		STRIPE_SECRET_KEY: "sk_test_specification",
		STRIPE_WEBHOOK_SECRET: "whsec_specification",
		STRIPE_API_BASE: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
		LOG_LEVEL: "silent", // its errors are intended
	});
	return separateShop;
}

async function payAtSeparateShop(page: Page, { fails }: { fails: boolean }): Promise<{ email: string }> {
	providerFails = fails;
	const { url } = await getSeparateShop();
	const customer = newCustomer();
	await open(page, `${url}${orderFormUrl}`);
	await fillIn(page, customer);
	await tickConsentBoxes(page);
	await submit(page);
	await page.waitForURL("**/paiement?**");
	await page.getByRole("button", { name: /^Finaliser/ }).click();
	await expect(page.getByRole("alert")).toBeVisible({ timeout: scaledTimeout(20_000) });
	return customer;
}

/** Places an order at the separate shop, sets its state in the database, and opens its tracking page. */
async function trackAtSeparateShop(page: Page, status: string): Promise<void> {
	const { email } = await payAtSeparateShop(page, { fails: true });
	const shop = await getSeparateShop();
	const client = await openDatabase(shop);
	const { rows } = await client.query("update orders set status = $2 where customer_email = $1 returning order_number", [email, status]);
	await client.end();
	await open(page, `${shop.url}/suivi-commande`);
	await page.getByLabel("Adresse e-mail").fill(email);
	await page.getByLabel("Numéro de commande").fill(rows[0].order_number);
	await page.getByRole("button", { name: "Rechercher" }).click();
	await expect(page.getByText("Historique")).toBeVisible();
}

/** Renames a table of the separate shop while `act` runs, so that its requests fail. */
async function withoutTable(table: string, act: (url: string) => Promise<unknown>): Promise<void> {
	const shop = await getSeparateShop();
	const client = await openDatabase(shop);
	await client.query(`alter table ${table} rename to gone`);
	try {
		await act(shop.url);
	} finally {
		await client.query(`alter table gone rename to ${table}`);
		await client.end();
	}
}

/** States of a failing shop, and states that orders leave quickly. */
const failureStates: Record<string, (page: Page) => Promise<unknown>> = {
	"order: at a shop with Stripe": async (page) => page.goto(`${(await getSeparateShop()).url}${orderFormUrl}`),
	"payment: the provider fails": (page) => payAtSeparateShop(page, { fails: true }),
	"payment: the provider gives no URL": (page) => payAtSeparateShop(page, { fails: false }),
	"tracking: pending": (page) => trackAtSeparateShop(page, "pending"),
	"tracking: paid": (page) => trackAtSeparateShop(page, "paid"),
	"tracking: processing": (page) => trackAtSeparateShop(page, "processing"),
	"tracking: failed": (page) => trackAtSeparateShop(page, "failed"),
	"tracking: unexpected error": async (page) => {
		await open(page, `${(await getSeparateShop()).url}/suivi-commande`);
		await page.getByLabel("Adresse e-mail").fill("ada@example.fr");
		await page.getByLabel("Numéro de commande").fill("KB-2222-2222");
		await withoutTable("orders", async () => {
			await page.getByRole("button", { name: "Rechercher" }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		});
	},
	"confirmation: the order cannot be read": async (page) => {
		const { email } = await payAtSeparateShop(page, { fails: false });
		const client = await openDatabase(await getSeparateShop());
		const { rows } = await client.query(
			"update payment_sessions set status = 'complete' from orders where orders.id = order_id and customer_email = $1 returning payment_sessions.id",
			[email],
		);
		await client.end();
		await withoutTable("documents", (url) => page.goto(`${url}/confirmation/${rows[0].id}`));
	},
	"unexpected error": (page) => withoutTable("companies", (url) => page.goto(`${url}/recherche?q=danone`)),
};

test.describe("each agreed text is on its page", () => {
	test.describe.configure({ mode: "default", timeout: scaledTimeout(120_000) });
	test.afterAll(async () => {
		await separateShop?.stop();
		provider?.close();
	});

	// every-page.spec.ts looks for those of the other states
	for (const name of Object.keys(agreedTexts).filter((name) => !states.some((known) => known.name === name))) {
		test(`${name}: ${agreedTexts[name]?.join(" · ")}`, async ({ page }) => {
			const visit = transientStates[name] ?? failureStates[name];
			if (visit === undefined) throw new Error(`« ${name} » is no known state`);
			await visit(page);
			await waitForHydration(page);
			await expectAgreedTexts(page, name);
		});
	}

	test("no page shows an omitted text", async ({ page }) => {
		for (const path of [orderFormUrl, "/commande", paymentUrl, "/"]) {
			await page.goto(path);
			for (const string of Object.keys(omittedTexts)) expect(await getPageText(page)).not.toContain(normalizeText(string));
		}
	});
});
