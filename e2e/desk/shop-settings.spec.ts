import { expect, type Page } from "@playwright/test";
import { findViolations } from "../accessibility.ts";
import { fillIn, newCustomer, openOrderForm, tickConsentBoxes } from "../customer.ts";
import { startSeparateShop } from "../separate-shop.ts";
import { test } from "../test.ts";
import { openDesk } from "./morning.ts";

// The operator stops express while a customer pays, and sets days off, limits and the brake.

let shop: Awaited<ReturnType<typeof startSeparateShop>>;
test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
	shop = await startSeparateShop({});
});
test.afterAll(() => shop?.stop());

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const isChanged = (page: Page) => expect(page.getByText("C’est enregistré. Le site l’affiche dès maintenant.").first()).toBeVisible();

test("a customer on the payment page of an express order chooses another service when express stops", async ({ browser }) => {
	const desk = await openDesk(browser, shop.url);
	await desk.goto("/bureau/reglages");
	const page = await (await browser.newContext({ baseURL: shop.url, locale: "fr-FR" })).newPage();
	await openOrderForm(page, "/commande/552032534?service=express");
	await fillIn(page, newCustomer());
	await tickConsentBoxes(page);
	await press(page, "Continuer vers le paiement");
	await page.waitForURL("**/paiement?**");

	await press(desk, "Arrêter l’express pour aujourd’hui");
	await expect(desk.getByRole("button", { name: "Reprendre l’express" })).toBeVisible();
	await page.getByRole("button", { name: /Finaliser ma commande/ }).click();
	await expect(page.getByText("Rien n’a été débité, et votre saisie est conservée.")).toBeVisible();
	await page.getByRole("link", { name: "Choisir un autre service" }).click();
	await expect(page.getByText("Nous vous proposons le KBIS Standard à la place du KBIS Express.")).toBeVisible();
	await tickConsentBoxes(page);
	await press(page, "Continuer vers le paiement");
	await page.waitForURL("**/paiement?**");
	await expect(page.getByRole("button", { name: /Finaliser ma commande - 39€/ })).toBeVisible();
	await press(desk, "Reprendre l’express");
	await expect(desk.getByRole("button", { name: "Arrêter l’express pour aujourd’hui" })).toBeVisible();
});

test("days off, limits and the brake are set by keyboard, and the history has each change", async ({ browser }) => {
	const desk = await openDesk(browser, shop.url, { viewport: { width: 360, height: 800 } });
	await desk.goto("/bureau/reglages");
	const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
	await desk.getByLabel("Du", { exact: true }).fill(day);
	await desk.getByLabel("Du", { exact: true }).press("Enter");
	await isChanged(desk);
	// on a slow network, what follows an answer must not be lost while the page is read again
	await desk.route("**/*.data*", async (route) => {
		if (route.request().method() === "GET") await new Promise((resolve) => setTimeout(resolve, 700));
		await route.continue();
	});
	await desk.getByLabel("Tous services").fill("40");
	await desk.getByLabel("Tous services").press("Enter");
	await expect(desk.getByText("Au plus 40 en tout.")).toBeVisible();
	await desk.getByLabel("Nombre par heure").fill("vingt");
	await desk.getByLabel("Nombre par heure").press("Enter");
	await expect(desk.getByText("Cette limite ne se lit pas").first()).toBeVisible();
	await desk.getByLabel("Nombre par heure").fill("20");
	await desk.getByLabel("Nombre par heure").press("Enter");
	await expect(desk.getByText("Au-delà de 20 remboursements de retard par heure, une personne décide.")).toBeVisible();
	const history = desk.getByRole("region", { name: "Changements" }).getByRole("listitem");
	await expect(history.first()).toContainText("Remboursements automatiques");
	expect(await findViolations(desk)).toEqual([]);
	expect(await desk.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});
