import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { alive, cards, newCustomer, orderNumber, orderUpToPayment, payWith } from "./customer.ts";
import { holdExtracts } from "./shop-under-test.ts";

interface State {
	name: string;
	/** Its address, or how it is reached. */
	reach: string | ((page: Page) => Promise<unknown>);
	status?: number;
	/** Ships no JavaScript at all. */
	plain?: boolean;
	/** For everyone and for search engines: says what it is about. */
	described?: boolean;
}

const order = "/commande/552032534?service=express";
const payment = `/paiement?${new URLSearchParams({ siren: "552032534", service: "postal", email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace" })}`;

async function pay(page: Page): Promise<void> {
	await orderUpToPayment(page, order);
	await payWith(page, cards.accepted);
	await page.waitForURL("**/confirmation/**");
}

async function track(page: Page): Promise<void> {
	const customer = await orderUpToPayment(page, order);
	await payWith(page, cards.accepted);
	await page.waitForURL("**/confirmation/**");
	await expect(page.getByRole("link", { name: "Télécharger le KBIS" })).toBeVisible();
	await page.goto(`/suivi/${await orderNumber(page)}`);
	await page.getByLabel("Adresse e-mail").fill(customer.email);
	await page.getByRole("button", { name: "Rechercher" }).click();
	await expect(page.getByText("Historique")).toBeVisible();
}

const states: State[] = [
	{ name: "home", reach: "/", plain: true, described: true },
	{ name: "search: results", reach: "/recherche?q=groupe", described: true },
	{ name: "search: a correction", reach: "/recherche?q=dannone", described: true },
	{ name: "search: nothing found", reach: "/recherche?q=zzzzqqq", described: true },
	{ name: "search: nothing asked", reach: "/recherche", described: true },
	{ name: "company", reach: "/entreprise/552032534", described: true },
	{ name: "company without an extract", reach: "/entreprise/775688732", described: true },
	{ name: "company that ceased", reach: "/entreprise/005420039", described: true },
	{ name: "company nobody knows", reach: "/entreprise/900000001", status: 404 },
	{ name: "order: empty", reach: "/commande" },
	{ name: "order: of a company", reach: order },
	{
		name: "order: with errors",
		async reach(page) {
			await page.goto("/commande");
			await alive(page);
			await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
	},
	{
		name: "order: filled in, with suggestions and cities",
		async reach(page) {
			await page.goto("/commande");
			await alive(page);
			await page.getByLabel("Prénom").fill(newCustomer().firstName);
			await page.getByLabel("Code postal", { exact: true }).fill("01090");
			await expect(page.getByRole("group", { name: "Villes de ce code postal" })).toBeVisible();
			await page.getByRole("combobox", { name: /SIREN/ }).fill("groupe");
			await expect(page.getByRole("option").first()).toBeVisible();
			await page.getByRole("combobox", { name: /SIREN/ }).press("ArrowDown");
			await expect(page.getByRole("option", { selected: true })).toBeVisible();
		},
	},
	{
		name: "order: with a draft",
		async reach(page) {
			await page.goto("/commande");
			await page.evaluate(() => localStorage.setItem("kbis-draft", JSON.stringify({ values: { firstName: "Ada" }, companyName: "" })));
			await page.goto("/commande");
			await expect(page.getByText("Reprendre votre brouillon ?")).toBeVisible();
		},
	},
	{ name: "payment", reach: `${payment}&acceptTerms=on` },
	{
		name: "payment: with errors",
		async reach(page) {
			await page.goto(payment);
			await alive(page);
			await page.getByRole("button", { name: /^Finaliser/ }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
	},
	{ name: "payment of what has no extract", reach: payment.replace("552032534", "775688732") },
	{ name: "payment of a company nobody knows", reach: payment.replace("552032534", "900000001"), status: 404 },
	{ name: "sandbox", reach: (page) => orderUpToPayment(page, order), plain: true },
	{
		name: "sandbox: declined",
		async reach(page) {
			await orderUpToPayment(page, order);
			await payWith(page, cards.declined);
			await expect(page.getByText("Votre carte a été refusée.")).toBeVisible();
		},
		status: 402,
		plain: true,
	},
	{
		name: "sandbox: second step",
		async reach(page) {
			await orderUpToPayment(page, order);
			await payWith(page, cards.secondStep);
			await expect(page.getByText("Votre banque demande une confirmation.")).toBeVisible();
		},
		plain: true,
	},
	{
		name: "payment to take up again",
		async reach(page) {
			await orderUpToPayment(page, order);
			await page.getByRole("link", { name: "Annuler et revenir à la boutique" }).click();
			await page.waitForURL("**/paiement/reprendre/**");
		},
		plain: true,
	},
	{ name: "payment to take up again: a wrong link", reach: "/paiement/reprendre/abc", status: 403 },
	{ name: "confirmation: in progress", reach: pay },
	{
		name: "confirmation: done",
		async reach(page) {
			await pay(page);
			await expect(page.getByRole("link", { name: "Télécharger le KBIS" })).toBeVisible();
		},
	},
	{ name: "confirmation: without a number", reach: "/confirmation", status: 400 },
	{ name: "confirmation: unknown", reach: "/confirmation/cs_test_nobody", status: 404 },
	{ name: "tracking", reach: "/suivi-commande", described: true },
	{
		name: "tracking: not found",
		async reach(page) {
			await page.goto("/suivi-commande");
			await alive(page);
			await page.getByLabel("Adresse e-mail").fill(newCustomer().email);
			await page.getByLabel("Numéro de commande").fill("KB-2222-2222");
			await page.getByRole("button", { name: "Rechercher" }).click();
			await expect(page.getByText("Commande non trouvée. Vérifiez vos informations.")).toBeVisible();
		},
		status: 404,
	},
	{ name: "tracking: found", reach: track },
	{ name: "terms of sale", reach: "/cgv", plain: true, described: true },
	{ name: "privacy policy", reach: "/politique-confidentialite", plain: true, described: true },
	{ name: "data protection", reach: "/politique-rgpd", plain: true, described: true },
	{ name: "subscription", reach: "/abonnement", plain: true, described: true },
	{
		name: "subscription: with an error",
		async reach(page) {
			await page.goto("/abonnement");
			await page.getByLabel(/e-mail/).fill("ada@");
			await page.getByRole("main").getByRole("button").click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
		status: 400,
		plain: true,
	},
	{ name: "contact", reach: "/contact", plain: true, described: true },
	{
		name: "contact: with errors",
		async reach(page) {
			await page.goto("/contact");
			await page.getByRole("button", { name: "Envoyer le message" }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
		status: 400,
		plain: true,
	},
	{ name: "contact: sent", reach: "/contact?envoye=1", plain: true },
	{ name: "an address that does not exist", reach: "/nulle-part", status: 404 },
	{ name: "a document behind a wrong link", reach: "/documents/abc", status: 403, plain: true },
	{ name: "the demo’s backstage", reach: "/test", plain: true },
];

const screens = [
	{ width: 1280, height: 800 },
	{ width: 360, height: 740 },
];
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];

for (const { name, reach, status = 200, plain = false, described = false } of states) {
	test(name, async ({ page }) => {
		const complaints: string[] = [];
		let answered = 0;
		page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
		page.on("pageerror", (error) => complaints.push(error.message));
		page.on("response", (response) => {
			if (response.request().resourceType() === "document") answered = response.status();
		});
		// an order that is under way stays so while it is looked at
		const deliver = name === "confirmation: in progress" ? await holdExtracts() : undefined;
		try {
			if (typeof reach === "string") await page.goto(reach);
			else await reach(page);
			await alive(page);
			if (typeof reach === "string" || plain) expect(answered).toBe(status);

			await expect(page.locator("html")).toHaveAttribute("lang", "fr");
			await expect(page.locator("h1")).toHaveCount(1);
			await expect(page).toHaveTitle(/\S/);
			if (described) await expect(page.locator("meta[name=description]")).toHaveAttribute("content", /.{50}/);
			else if (typeof reach === "string") await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", "noindex");
			if (plain) await expect(page.locator("script[src], script[type=module], link[rel=modulepreload]")).toHaveCount(0);

			for (const viewport of screens) {
				await page.setViewportSize(viewport);
				for (const colorScheme of ["light", "dark"] as const) {
					await page.emulateMedia({ colorScheme });
					const { violations } = await new AxeBuilder({ page }).withTags(rules).setLegacyMode().analyze();
					const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
					expect(found, `${viewport.width} px, ${colorScheme}`).toEqual([]);
				}
			}
			await page.setViewportSize({ width: 320, height: 640 });
			expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
		} finally {
			await deliver?.();
		}
		// the browser itself notes an answer that is no success
		expect(complaints.filter((text) => !/^Failed to load resource: .* status of 4\d\d/.test(text))).toEqual([]);
	});
}

test("every page that is described has a title and a description of its own", async ({ request }) => {
	const said = new Map<string, string>();
	for (const { reach, described } of states) {
		if (!described || typeof reach !== "string" || reach.includes("q=")) continue;
		const html = await (await request.get(reach)).text();
		for (const part of [/<title>(.*?)<\/title>/, /<meta name="description" content="(.*?)"/]) {
			const text = part.exec(html)?.[1] ?? "";
			expect(text, reach).not.toBe("");
			expect(said.get(text), `${reach}: ${text}`).toBeUndefined();
			said.set(text, reach);
		}
	}
});

test("no link of the site leads nowhere", async ({ request, baseURL }) => {
	const site = new URL(baseURL ?? "");
	const pages = new Map<string, Set<string>>(); // path → the ids that stand on it
	const waiting = [
		"/",
		"/test",
		"/recherche?q=groupe",
		"/recherche?q=zzzzqqq",
		"/entreprise/775688732",
		payment,
		order,
		"/confirmation",
		"/nulle-part",
	];
	const unknown = new Set(["/confirmation", "/nulle-part"]);
	const anchors: { from: string; path: string; id: string }[] = [];
	for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
		if (pages.has(from)) continue;
		const answer = await request.get(from);
		if (!unknown.has(from)) expect(answer.status(), from).toBeLessThan(400);
		const html = await answer.text();
		pages.set(from, new Set([...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1] ?? "")));
		for (const [, address = ""] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
			const url = new URL(address.replaceAll("&amp;", "&"), new URL(from, site));
			if (url.origin !== site.origin || /^\/(paiement|documents|bac-a-sable)\//.test(url.pathname)) continue;
			const path = url.pathname + url.search;
			if (url.hash) anchors.push({ from, path, id: decodeURIComponent(url.hash.slice(1)) });
			// a search leads to hundreds of companies and pages: one of each kind is enough
			const isOneOfMany = /^\/(entreprise|commande)\/|[?&]page=/.test(path);
			if (!isOneOfMany || waiting.length + pages.size < 40) waiting.push(path);
		}
	}
	expect(pages.size).toBeGreaterThan(12);
	for (const { from, path, id } of anchors) expect(pages.get(path)?.has(id), `${from} → ${path}#${id}`).toBe(true);
});

test.describe("without JavaScript", () => {
	test.use({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });

	test("the menu of a phone opens, leads on, and closes", async ({ page }) => {
		for (const path of ["/", "/commande"]) {
			await page.goto(path);
			const menu = page.getByRole("navigation", { name: "Menu" });
			await expect(menu).toBeHidden();
			await page.getByRole("button", { name: "Menu" }).click();
			await expect(menu).toBeVisible();
			for (const legal of ["Conditions générales de vente", "Politique de confidentialité"])
				await expect(menu.getByRole("link", { name: legal })).toBeVisible();
			await page.getByRole("button", { name: "Fermer" }).click();
			await expect(menu).toBeHidden();
			await page.getByRole("button", { name: "Menu" }).click();
			await page.keyboard.press("Escape");
			await expect(menu).toBeHidden();
			await page.getByRole("button", { name: "Menu" }).click();
			await menu.getByRole("link", { name: "Suivre ma commande" }).click();
			await expect(page).toHaveURL("/suivi-commande");
		}
	});

	test("of the eight questions, one is open at a time, and can be closed again", async ({ page }) => {
		await page.goto("/");
		const questions = page.locator("#faq details");
		await expect(questions).toHaveCount(8);
		const open = page.locator("#faq details[open]");
		await expect(open).toHaveCount(0);
		await questions.nth(0).locator("summary").click();
		await expect(questions.nth(0).locator("p")).toBeVisible();
		await questions.nth(3).locator("summary").click();
		await expect(open).toHaveCount(1);
		await expect(questions.nth(3).locator("p")).toBeVisible();
		await expect(questions.nth(0).locator("p")).toBeHidden();
		await questions.nth(3).locator("summary").click();
		await expect(open).toHaveCount(0);
	});
});
