import { expect } from "@playwright/test";
import { delayScripts, fillIn, getBilling, newCustomer, openOrderForm, tickConsentBoxes } from "../customer.ts";
import { test } from "../test.ts";

test("details are remembered on this device only when asked, filled in next time, and forgotten", async ({ page }) => {
	await openOrderForm(page, "/commande/552032534?service=express");
	const box = page.getByRole("checkbox", { name: "Retenir mes coordonnées sur cet appareil" });
	await expect(box).not.toBeChecked();
	const customer = newCustomer();
	await fillIn(page, customer);
	await box.check();
	await tickConsentBoxes(page);
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
	await page.waitForURL("**/paiement?**");
	await page.evaluate(() => localStorage.removeItem("kbis-draft"));

	await openOrderForm(page, "/commande/423435544?service=express");
	await expect(page.getByLabel("Adresse e-mail", { exact: true })).toHaveValue(customer.email);
	await expect(page.getByLabel("Prénom")).toHaveValue("Ada");
	await expect(page.getByRole("radio", { name: "Facturer à une autre adresse" })).toBeChecked();
	await expect(getBilling(page).getByLabel("Adresse", { exact: true })).toHaveValue(customer.address);
	await expect(box).toBeChecked();
	await page.getByRole("button", { name: "Effacer mes coordonnées de cet appareil" }).click();
	await expect(box).not.toBeChecked();
	expect(await page.evaluate(() => localStorage.getItem("kbis-coordonnees"))).toBeNull();
});

test("remembered details leave a choice alone that was made before the page’s JavaScript arrives", async ({ ownPage: page }) => {
	await page.addInitScript(() => {
		const details = { email: "ada@example.fr", lastName: "Lovelace", address: "1 rue de la Paix", postalCode: "75002", city: "Paris" };
		localStorage.setItem("kbis-coordonnees", JSON.stringify(details));
	});
	const scriptsArrive = await delayScripts(page);
	await page.goto("/commande/552032534?service=postal", { waitUntil: "commit" });
	await expect(page.getByRole("radio", { name: "Facturer à l’adresse de livraison" })).toBeChecked();
	await page.getByRole("radio", { name: /^Facturer à DANONE/ }).check();
	await page.getByLabel("Nom", { exact: true }).fill("Byron");
	await scriptsArrive();
	await expect(page.getByLabel("Adresse e-mail", { exact: true })).toHaveValue("ada@example.fr");
	await expect(page.getByLabel("Nom", { exact: true })).toHaveValue("Byron");
	await expect(page.getByRole("radio", { name: /^Facturer à DANONE/ })).toBeChecked();
});
