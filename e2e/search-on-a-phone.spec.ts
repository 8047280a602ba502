import { expect, type Page, test } from "@playwright/test";
import { open } from "./customer.ts";

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
