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
