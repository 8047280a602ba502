import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page, test } from "@playwright/test";
import { scaledTimeout } from "../test/time-limits.ts";
import { agree, alive, fillIn, newCustomer, open } from "./customer.ts";
import { startOwnShop } from "./own-shop.ts";
import { states } from "./page-states.ts";
import { openDatabase } from "./shop-under-test.ts";
import { dropped, links, moved, quoted, routes } from "./specification.ts";
import { order, payment } from "./ways.ts";

/** As it is read: unbroken spaces are spaces, an apostrophe is an apostrophe, SIREN are grouped by style alone. */
const plain = (text: string) =>
	text
		.replaceAll("’", "'")
		.replace(/[\s\u00a0\u202f]+/g, " ")
		.trim();

async function textOf(page: Page): Promise<string> {
	return plain((await page.locator("body").textContent()) ?? "");
}

for (const [path, { heading, says = [] }] of Object.entries(routes)) {
	test(`${path} has its heading, its texts and its links`, async ({ page }) => {
		await page.goto(path);
		expect(plain((await page.locator("h1").textContent()) ?? "")).toBe(plain(heading));
		const text = await textOf(page);
		for (const said of says) expect(text, said).toContain(plain(said));
		for (const to of links[path] ?? []) await expect(page.locator(`a[href="${to}"]`).first(), to).toBeAttached();
	});
}

for (const [path, target] of Object.entries(moved)) {
	test(`${path} leads to ${target}, for good`, async ({ request }) => {
		const answer = await request.get(path, { maxRedirects: 0 });
		expect([answer.status(), answer.headers().location]).toEqual([301, target]);
	});
}

test("/faq has ten questions, the home page eight", async ({ page }) => {
	await page.goto("/faq");
	await expect(page.locator("main details")).toHaveCount(10);
	await page.goto("/");
	await expect(page.locator("#faq details")).toHaveCount(8);
});

/** Holds back what `address` is asked for, as a slow connection does, and acts meanwhile. */
async function meanwhile(page: Page, address: string, act: () => Promise<unknown>): Promise<void> {
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

/** States that only show themselves for a moment, or by what was typed. */
const passing: Record<string, (page: Page) => Promise<unknown>> = {
	async "search: awaited"(page) {
		await open(page, "/recherche");
		await meanwhile(page, "**/recherche.data?**", async () => {
			await page.getByLabel("SIREN, SIRET ou nom d'entreprise").fill("groupe");
			await page.keyboard.press("Enter");
		});
	},
	async "order: a company chosen"(page) {
		await open(page, "/commande");
		await page.getByRole("combobox", { name: /SIREN/ }).fill("danone");
		await page.getByRole("option").first().click();
	},
	async "order: with wrong values"(page) {
		await open(page, order);
		await page.getByLabel("Adresse e-mail", { exact: true }).fill("ada@");
		await page.getByLabel("Téléphone").fill("12");
		await page.getByLabel("Code postal", { exact: true }).fill("750");
		await submit(page);
	},
	async "order: a postal code without a commune"(page) {
		await open(page, order);
		await page.getByLabel("Code postal", { exact: true }).fill("00000");
	},
	async "order: a draft is kept"(page) {
		await open(page, order);
		await page.getByLabel("Prénom").fill("Ada");
	},
	async "order: being sent"(page) {
		await open(page, order);
		await fillIn(page, newCustomer());
		await agree(page);
		await meanwhile(page, "**/commande/**", () => submit(page));
	},
	async "payment: being sent"(page) {
		await open(page, `${payment}&address=1+rue&postalCode=75002&city=Paris&acceptTerms=on`);
		await meanwhile(page, "**/paiement**", () => page.getByRole("button", { name: /^Finaliser/ }).click());
	},
	async "payment: of a masked company"(page) {
		const client = await openDatabase(); // the sample has none: this one is made up
		await client.query(`insert into companies (id, siren, status, masked, name_key, legal_category, lexemes)
			values ((select max(id) + 1 from companies), '900000027', 'active', true, 0, '5710', '') on conflict do nothing`);
		await client.end();
		await page.goto(payment.replace("552032534", "900000027"));
		await expect(page.getByRole("definition").first()).toHaveText("Entreprise");
	},
	async "tracking: nothing typed"(page) {
		await track(page, "", "");
	},
	async "tracking: a wrong address"(page) {
		await track(page, "ada@", "KB-2222-2222");
	},
};

/** A payment provider that fails, or opens a page and does not say where; how often, the test says. */
let provider: Server;
let providerFails = true;
let own: Awaited<ReturnType<typeof startOwnShop>> | undefined;

/** The other shop, started when the first state needs it: its payment provider, and its database, can be made to fail. */
async function ownShop() {
	if (own) return own;
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
	own = await startOwnShop({
		ISSUER: "manual",
		STRIPE_SECRET_KEY: "sk_test_specification",
		STRIPE_WEBHOOK_SECRET: "whsec_specification",
		STRIPE_API_BASE: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
		LOG_LEVEL: "silent", // its faults are made on purpose
	});
	return own;
}

async function payAtOwnShop(page: Page, { fails }: { fails: boolean }): Promise<{ email: string }> {
	providerFails = fails;
	const { url } = await ownShop();
	const customer = newCustomer();
	await open(page, `${url}${order}`);
	await fillIn(page, customer);
	await agree(page);
	await submit(page);
	await page.waitForURL("**/paiement?**");
	await page.getByRole("button", { name: /^Finaliser/ }).click();
	await expect(page.getByRole("alert")).toBeVisible({ timeout: scaledTimeout(20_000) });
	return customer;
}

/** An order of the other shop, put into a state by hand and looked at. */
async function trackAtOwnShop(page: Page, status: string): Promise<void> {
	const { email } = await payAtOwnShop(page, { fails: true });
	const { url, folder } = await ownShop();
	const client = await openDatabase(folder);
	const { rows } = await client.query("update orders set status = $2 where customer_email = $1 returning order_number", [email, status]);
	await client.end();
	await open(page, `${url}/suivi/${rows[0].order_number}`);
	await page.getByLabel("Adresse e-mail").fill(email);
	await page.getByRole("button", { name: "Rechercher" }).click();
	await expect(page.getByText("Historique")).toBeVisible();
}

/** Without one of its tables the other shop has a fault; afterwards it has the table again. */
async function withoutTable(table: string, act: (url: string) => Promise<unknown>): Promise<void> {
	const { url, folder } = await ownShop();
	const client = await openDatabase(folder);
	await client.query(`alter table ${table} rename to gone`);
	try {
		await act(url);
	} finally {
		await client.query(`alter table gone rename to ${table}`);
		await client.end();
	}
}

/** States of a shop in trouble, and of orders that are not left in them for long. */
const troubled: Record<string, (page: Page) => Promise<unknown>> = {
	"order: at a shop with Stripe": async (page) => page.goto(`${(await ownShop()).url}${order}`),
	"payment: the provider fails": (page) => payAtOwnShop(page, { fails: true }),
	"payment: the provider gives no address": (page) => payAtOwnShop(page, { fails: false }),
	"tracking: pending": (page) => trackAtOwnShop(page, "pending"),
	"tracking: paid": (page) => trackAtOwnShop(page, "paid"),
	"tracking: processing": (page) => trackAtOwnShop(page, "processing"),
	"tracking: failed": (page) => trackAtOwnShop(page, "failed"),
	"tracking: our own fault": async (page) => {
		await open(page, `${(await ownShop()).url}/suivi-commande`);
		await page.getByLabel("Adresse e-mail").fill("ada@example.fr");
		await page.getByLabel("Numéro de commande").fill("KB-2222-2222");
		await withoutTable("orders", async () => {
			await page.getByRole("button", { name: "Rechercher" }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		});
	},
	"confirmation: the order is not readable": async (page) => {
		const { email } = await payAtOwnShop(page, { fails: false });
		const { folder } = await ownShop();
		const client = await openDatabase(folder);
		const { rows } = await client.query(
			"update payment_sessions set status = 'complete' from orders where orders.id = order_id and customer_email = $1 returning payment_sessions.id",
			[email],
		);
		await client.end();
		await withoutTable("documents", (url) => page.goto(`${url}/confirmation/${rows[0].id}`));
	},
	"a fault of ours": (page) => withoutTable("companies", (url) => page.goto(`${url}/recherche?q=danone`)),
};

test.describe("every French string that was agreed is found in its place", () => {
	test.describe.configure({ mode: "default", timeout: scaledTimeout(120_000) });
	test.afterAll(async () => {
		await own?.stop();
		provider?.close();
	});

	for (const [name, strings] of Object.entries(quoted)) {
		test(`${name}: ${strings.join(" · ")}`, async ({ page }) => {
			const state = states.find((known) => known.name === name);
			const reach = state?.reach ?? passing[name] ?? troubled[name];
			if (reach === undefined) throw new Error(`nobody knows how to reach « ${name} »`);
			if (typeof reach === "string") await page.goto(reach);
			else await reach(page);
			await alive(page);
			for (const string of strings) await expect.poll(() => textOf(page), { message: string }).toContain(plain(string));
		});
	}

	test("what is left out is nowhere", async ({ page }) => {
		for (const path of [order, "/commande", payment, "/"]) {
			await page.goto(path);
			for (const string of Object.keys(dropped)) expect(await textOf(page)).not.toContain(plain(string));
		}
	});
});
