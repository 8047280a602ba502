import { expect } from "@playwright/test";
import { test } from "./test.ts";

const screens = [
	{ width: 390, height: 844 },
	{ width: 1366, height: 900 },
];

for (const viewport of screens) {
	test(`the home page shows search, price and hour in the first screen, ${viewport.width} px wide`, async ({ page }) => {
		await page.setViewportSize(viewport);
		await page.goto("/");
		await expect(page.getByRole("main").getByRole("button", { name: "Rechercher" })).toBeInViewport({ ratio: 1 });
		await expect(page.getByText("À partir de 39,00 € TTC, sans abonnement.")).toBeInViewport({ ratio: 1 });
		await expect(page.getByText(/Commandé maintenant.*avant \d/)).toBeInViewport({ ratio: 1 });
	});

	test(`the prices compare the greffe and the shop in the first screen, ${viewport.width} px wide`, async ({ page }) => {
		await page.setViewportSize(viewport);
		await page.goto("/tarifs");
		await expect(page.getByText("39,00 € ou 59,00 €")).toBeInViewport({ ratio: 1 });
		await expect(page.getByRole("cell", { name: "3,20 € TTC l’extrait électronique" })).toBeInViewport({ ratio: 1 });
	});
}

test("the home page is at most 5,200 px high on a phone", async ({ page }) => {
	await page.setViewportSize({ width: 390, height: 844 });
	await page.goto("/");
	await page.evaluate(() => document.fonts.ready);
	expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(5200);
});

for (const width of [1024, 1200, 1366]) {
	test(`each label of the header stands on one line, ${width} px wide`, async ({ page }) => {
		await page.setViewportSize({ width, height: 900 });
		await page.goto("/tarifs");
		for (const link of await page.getByRole("navigation", { name: "Principale" }).getByRole("link").all())
			expect((await link.boundingBox())?.height).toBeLessThanOrEqual(46);
		expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
	});
}

test("a rubric of the drawn extract leads to its explanation, and is marked", async ({ page }) => {
	await page.setViewportSize({ width: 1366, height: 900 });
	await page.goto("/guide-kbis");
	const rubric = page.locator("rect.rubrique-direction");
	const readFill = () => rubric.evaluate((shape) => getComputedStyle(shape).fill);
	const fill = await readFill();
	await page.getByRole("link", { name: /^3\. Gestion, direction/ }).click();
	await expect(page).toHaveURL("/guide-kbis#rubrique-direction");
	await expect(page.locator("#rubrique-direction")).toBeInViewport();
	await page.mouse.move(0, 0);
	expect(await readFill()).not.toBe(fill);
});

test("a long text has its table of contents in view while it is read", async ({ page }) => {
	await page.setViewportSize({ width: 1366, height: 900 });
	await page.goto("/cgv");
	await page
		.getByRole("navigation", { name: "Sur cette page" })
		.getByRole("link", { name: /^\d+\. Modèle/ })
		.click();
	await expect(page.getByRole("heading", { name: /^\d+\. Modèle/ })).toBeInViewport();
	await expect(page.getByRole("link", { name: "1. Le vendeur" }).first()).toBeInViewport();
});

for (const height of [720, 768, 900]) {
	test(`an order button is in view beside all facts of a company, ${height} px high`, async ({ page }) => {
		await page.setViewportSize({ width: 1366, height });
		await page.goto("/entreprise/552032534");
		await page.getByRole("heading", { name: "Chronologie" }).evaluate((heading) => heading.scrollIntoView());
		const orders = page.getByText(/^(Commander – dès .*|Continuer vers la commande)$/);
		await expect(orders.filter({ visible: true }).last()).toBeInViewport({ ratio: 1 });
	});
}

for (const width of [320, 390]) {
	test(`the guide begins with its contents and shows each rubric alone, in line with the text, ${width} px wide`, async ({ page }) => {
		await page.setViewportSize({ width, height: 844 });
		await page.goto("/guide-kbis");
		await expect(page.getByText("Sommaire", { exact: true })).toBeInViewport({ ratio: 1 });
		await expect(page.getByLabel("Dessin d’un extrait Kbis")).toBeHidden();
		const strips = await page.locator(".annotated-kbis li > svg").all();
		expect(strips).toHaveLength(6);
		const left = (await page.getByRole("heading", { level: 1 }).boundingBox())?.x;
		for (const strip of strips) expect((await strip.boundingBox())?.x).toBe(left);
	});

	test(`the price of each service stands beside its name, ${width} px wide`, async ({ page }) => {
		await page.setViewportSize({ width, height: 844 });
		await page.goto("/entreprise/552032534");
		for (const name of ["KBIS Standard", "KBIS Express", "KBIS Postal"]) {
			const service = page.locator("label").filter({ hasText: name });
			const [label, price] = [await service.getByText(name).boundingBox(), await service.getByText(/€$/).boundingBox()];
			expect(price?.y, name).toBeLessThan((label?.y ?? 0) + (label?.height ?? 0));
		}
	});
}

test("the same questions about recipients stand on one line", async ({ page }) => {
	await page.setViewportSize({ width: 1366, height: 900 });
	await page.goto("/destinataires");
	const tops = await page
		.getByRole("article")
		.evaluateAll((cards) =>
			cards.map((card) => [...card.querySelectorAll("h2, p, dt")].map((part) => Math.round(part.getBoundingClientRect().top))),
		);
	expect(tops).toHaveLength(6);
	for (const row of [tops.slice(0, 3), tops.slice(3)]) expect(row).toEqual(row.map(() => row[0]));
});

test("the prices name that of a letter, and stand below each other", async ({ page }) => {
	await page.setViewportSize({ width: 1366, height: 900 });
	await page.goto("/tarifs");
	await expect(page.getByRole("cell", { name: /^39,00.€ ou 59,00.€ TTC, une seule fois.; par courrier, 44,00.€$/ })).toBeVisible();
	for (const name of ["Prix TTC", "Prix HT", "TVA"])
		await expect(page.getByRole("columnheader", { name })).toHaveCSS("text-align", "right");
	for (const name of [/^39,00.€$/, /^6,50.€$/]) await expect(page.getByRole("cell", { name })).toHaveCSS("text-align", "right");
});
