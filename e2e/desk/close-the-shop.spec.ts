import { expect, type Page } from "@playwright/test";
import { findViolations } from "../accessibility.ts";
import { cards, fillIn, newCustomer, openOrderForm, payWith, tickConsentBoxes } from "../customer.ts";
import { startSeparateShop } from "../separate-shop.ts";
import { test } from "../test.ts";
import { openDesk } from "./morning.ts";

// The operator closes the shop while a customer fills in the form.

let shop: Awaited<ReturnType<typeof startSeparateShop>>;
test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
	shop = await startSeparateShop({});
});
test.afterAll(() => shop?.stop());

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

test("a customer whose form is open when the shop closes is told, keeps what they typed, and pays once it is open again", async ({
	browser,
}) => {
	const desk = await openDesk(browser, shop.url);
	await desk.goto("/bureau/reglages");
	const page = await (await browser.newContext({ baseURL: shop.url, locale: "fr-FR" })).newPage();
	const customer = newCustomer();
	await openOrderForm(page, "/commande/552032534?service=express");
	await fillIn(page, customer);
	await tickConsentBoxes(page);

	await desk.getByLabel("Phrase pour le public").fill("Le registre est en panne.");
	await press(desk, "Fermer la boutique");
	await expect(desk.getByRole("button", { name: "Rouvrir la boutique" })).toBeVisible();
	await expect(desk.getByRole("complementary", { name: "Le site dit maintenant" })).toContainText("Les commandes sont suspendues");

	await press(page, "Continuer vers le paiement");
	await expect(page.getByRole("alert")).toContainText("Les commandes sont suspendues pour le moment. Le registre est en panne.");
	await expect(page.getByLabel("Adresse e-mail", { exact: true })).toHaveValue(customer.email);
	const home = await (await browser.newContext({ baseURL: shop.url })).newPage();
	await home.goto("/");
	await expect(home.getByRole("region", { name: "Commandes" })).toContainText("Le registre est en panne.");
	expect(await findViolations(home)).toEqual([]);

	await press(desk, "Rouvrir la boutique");
	await expect(desk.getByRole("button", { name: "Fermer la boutique" })).toBeVisible();
	await press(page, "Continuer vers le paiement");
	await page.waitForURL("**/paiement?**");
	await page.getByRole("button", { name: /Finaliser ma commande/ }).click();
	await page.waitForURL("**/bac-a-sable/**");
	await payWith(page, cards.accepted);
	await page.waitForURL("**/confirmation/**");
});
