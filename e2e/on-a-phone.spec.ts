import { expect, type Locator, type Page } from "@playwright/test";
import { renderEmail } from "../app/mail/render-email.tsx";
import { parseEnvironment } from "../server/environment/environment.ts";
import { scaledTimeout } from "../test/time-limits.ts";
import { cards, confirmedHeading, newCustomer, open, payWith } from "./customer.ts";
import { test } from "./test.ts";

test.use({ viewport: { width: 390, height: 844 } });

/** Taps and types as a customer with one finger, and counts both. The keyboard's own key ends a search. */
function createCounter(page: Page) {
	const count = { taps: 0, fields: 0 };
	return {
		count,
		async tap(target: Locator) {
			count.taps += 1;
			await target.click();
		},
		async type(field: Locator, text: string) {
			count.fields += 1;
			await field.fill(text);
		},
		search: () => page.keyboard.press("Enter"),
	};
}

/** The place of an element on the page in pixels, without scrolling to it. */
async function measure(target: Locator): Promise<{ top: number; bottom: number }> {
	const { y, height } = (await target.boundingBox()) ?? { y: Number.POSITIVE_INFINITY, height: 0 };
	return { top: y, bottom: y + height };
}

test("a customer who knows the company’s name is at most 8 taps and 4 fields away from the paid order", async ({ page }) => {
	test.setTimeout(scaledTimeout(90_000));
	const { count, tap, type, search } = createCounter(page);
	const { email, firstName, lastName } = newCustomer();

	await page.goto("/");
	await type(page.getByLabel("SIREN, SIRET ou nom d'entreprise"), "gte plomberie");
	await search();
	await page.waitForURL("**/recherche?**");
	await tap(page.getByRole("article").filter({ hasText: "GTE PLOMBERIE" }).getByRole("link", { name: "Commander KBIS" }));

	await page.waitForURL("**/entreprise/**");
	const order = page.getByRole("button", { name: "Continuer vers la commande" });
	expect((await measure(order)).bottom).toBeLessThanOrEqual(800);
	await tap(page.getByRole("radio", { name: /KBIS Express/ }));
	await tap(order);

	await page.waitForURL("**/commande/**");
	const pay = page.getByRole("button", { name: "Continuer vers le paiement" });
	expect((await measure(page.getByLabel("Adresse e-mail", { exact: true }))).top).toBeLessThanOrEqual(650);
	expect((await measure(pay)).bottom).toBeLessThanOrEqual(2100);
	await type(page.getByLabel("Adresse e-mail", { exact: true }), email);
	await type(page.getByLabel("Prénom"), firstName);
	await type(page.getByLabel("Nom", { exact: true }), lastName);
	await tap(page.getByRole("radio", { name: /C’est ma société/ }));
	await tap(page.getByRole("checkbox", { name: /J’accepte/ }));
	await tap(pay);

	await page.waitForURL("**/paiement?**");
	await tap(page.getByRole("button", { name: /^Finaliser ma commande/ }));
	await page.waitForURL("**/bac-a-sable/**");
	// the card is typed on the provider's page; its button is one more tap
	await payWith(page, cards.accepted);
	count.taps += 1;
	await page.waitForURL("**/confirmation/**");
	await expect(page.getByRole("heading", { level: 1, name: confirmedHeading })).toBeVisible();
	expect(count).toEqual({ taps: 8, fields: 4 });
});

for (const width of [320, 390])
	test(`the form of a letter asks who receives it, where, and for what file, at ${width} px`, async ({ page }) => {
		await page.setViewportSize({ width, height: 844 });
		await open(page, "/commande/552032534?service=postal");
		await page.getByText("Ajouter votre référence").click();
		const letter = page.locator("section").filter({ has: page.getByRole("heading", { name: "Adresse de livraison" }) });
		const fields = [
			...["À l’attention de", "Adresse", "Complément", "Code postal"].map((label) =>
				letter.getByLabel(label, { exact: label === "Adresse" }),
			),
			page.getByLabel("Votre référence", { exact: false }),
		];
		const places = await Promise.all(fields.map(measure));
		for (const [index, { top }] of places.entries()) if (index > 0) expect(top).toBeGreaterThan(places[index - 1]?.bottom ?? 0);
	});

test("the bar at the bottom of a company’s page leads to the services, then orders the chosen one", async ({ page }) => {
	await page.goto("/entreprise/797741931");
	await page.getByRole("heading", { name: "Informations officielles RCS" }).scrollIntoViewIfNeeded();
	await page.mouse.wheel(0, 400);
	const choose = page.getByRole("link", { name: /^Commander – dès 39,00\s€$/ });
	await expect(choose).toBeInViewport();
	await expect(page.getByRole("button", { name: "Commander ce service" })).toBeHidden();
	await choose.click();
	await page.getByRole("radio", { name: /KBIS Standard/ }).check();
	await page.getByRole("heading", { name: "Informations officielles RCS" }).scrollIntoViewIfNeeded();
	await page.mouse.wheel(0, 400);
	await expect(choose).toBeHidden();
	await page.getByRole("button", { name: "Commander ce service" }).click();
	await expect(page).toHaveURL("/commande/797741931?service=standard");
});

test.describe("the search", () => {
	test.use({ viewport: { width: 360, height: 740 } });

	const filters = (page: Page) => page.getByRole("region", { name: "Filtres" }).locator("summary");

	test("shows the first result at once; the filters open above it and stay open while a customer sets them", async ({ page }) => {
		await open(page, "/recherche?q=groupe");
		await expect(page.getByRole("article").first().getByRole("heading")).toBeInViewport();
		await expect(page.getByLabel("Département")).toBeHidden();
		await expect(filters(page)).toHaveText("Filtres");
		await filters(page).press("Enter");
		await page.getByLabel("Département").selectOption("75");
		await expect(page).toHaveURL("/recherche?q=groupe&departement=75");
		await page.getByRole("checkbox", { name: "SAS", exact: true }).check();
		await expect(page).toHaveURL("/recherche?q=groupe&departement=75&forme=SAS");
		await expect(filters(page)).toHaveText("Filtres · 2 actifs");
		await filters(page).click();
		await expect(page.getByLabel("Département")).toBeHidden();
	});

	test("shows open filters on a wider window", async ({ page }) => {
		await open(page, "/recherche?q=groupe");
		await page.setViewportSize({ width: 820, height: 600 });
		await expect(page.getByLabel("Département")).toBeVisible();
		await expect(filters(page)).toBeHidden();
	});

	test.describe("without JavaScript", () => {
		test.use({ javaScriptEnabled: false });

		test("the filters open, apply with their button, and show how many are active", async ({ page }) => {
			await page.goto("/recherche?q=groupe");
			await filters(page).click();
			await page.getByLabel("Département").selectOption("62");
			await page.getByRole("button", { name: "Filtrer" }).click();
			await page.waitForURL("**/recherche?*departement=62*");
			await expect(filters(page)).toHaveText("Filtres · 1 actif");
			await expect(page.getByRole("article").first().getByRole("heading")).toBeInViewport();
		});
	});
});

const parsed = parseEnvironment({});
if (!parsed.ok) throw new Error(parsed.problems.join("\n"));
const { shop } = parsed.environment;

for (const [name, company] of Object.entries({
	words: "SOCIÉTÉ COOPÉRATIVE D’INTÉRÊT COLLECTIF DES MARAÎCHERS ET APICULTEURS DE LA HAUTE VALLÉE DE L’AUDE",
	"one word": "ANTICONSTITUTIONNELLEMENT".repeat(4),
})) {
	for (const rules of ["its style sheet", "inline styles alone"]) {
		test(`an e-mail with a name of ${name} fits a screen of 320 px, with ${rules}`, async ({ page }) => {
			const rows = [
				["Entreprise", company],
				["Service", "KBIS Express"],
				[`Destination ${company}`, "ada@example.fr"],
			] as const;
			const blocks = [`L’extrait ${company}`, { heading: company }, { descriptionList: rows }, { list: [company], numbered: false }];
			const { html } = renderEmail({ subject: company, preheader: company, title: company, blocks }, shop);
			await page.setViewportSize({ width: 320, height: 700 });
			await page.setContent(rules === "inline styles alone" ? html.replace(/<style>.*?<\/style>/s, "") : html);
			expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
			const labels = page.locator(".label");
			const widths = new Set((await Promise.all((await labels.all()).map((label) => label.boundingBox()))).map((box) => box?.width));
			expect(widths.size).toBe(1);
		});
	}
}
