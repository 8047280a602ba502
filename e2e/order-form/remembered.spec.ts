import { expect, type Page } from "@playwright/test";
import { delayScripts, fillIn, getBilling, newCustomer, openOrderForm, tickConsentBoxes } from "../customer.ts";
import { sendList } from "../purchases/steps.ts";
import { test } from "../test.ts";

async function typeContact(page: Page): Promise<void> {
	await page.getByLabel("Adresse e-mail", { exact: true }).fill(newCustomer().email);
	await page.getByLabel("Prénom").fill("Ada");
	await page.getByLabel("Nom", { exact: true }).fill("Lovelace");
}

async function continueToPayment(page: Page): Promise<void> {
	await page.getByRole("checkbox", { name: /J’accepte/ }).check();
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
	await page.waitForURL("**/paiement?commande=*");
}

/** Waits until the script of the form of several orders has run, which spares the button. */
async function expectPurchaseScript(page: Page): Promise<void> {
	await page.waitForURL("**/commande/plusieurs?commande=*");
	await expect(page.getByRole("button", { name: "Recalculer le total" })).toHaveCount(0);
	await expect(page.getByRole("complementary", { name: "Résumé de commande" })).toBeVisible();
}

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
	// whom the last order was invoiced to comes first, chosen; nothing is typed for another
	const first = getBilling(page).getByRole("radio").first();
	await expect(first).toBeChecked();
	await expect(first).toHaveAccessibleName(/^À votre nom, 12 rue de la Paix, 75002 Paris/);
	await expect(getBilling(page).getByLabel("Adresse", { exact: true })).toBeHidden();
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
	await page.getByRole("radio", { name: /^C’est ma société/ }).check();
	await page.getByLabel("Nom", { exact: true }).fill("Byron");
	await scriptsArrive();
	await expect(page.getByLabel("Adresse e-mail", { exact: true })).toHaveValue("ada@example.fr");
	await expect(page.getByLabel("Nom", { exact: true })).toHaveValue("Byron");
	await expect(page.getByRole("radio", { name: /^À votre nom, 1 rue de la Paix/ })).toBeAttached();
	await expect(page.getByRole("radio", { name: /^C’est ma société/ })).toBeChecked();
});

test("the company that an order was invoiced to is invoiced for the next one too, of another company", async ({ page }) => {
	await openOrderForm(page, "/commande/423435544?service=express");
	await typeContact(page);
	await page.getByRole("radio", { name: /^C’est ma société/ }).check();
	await page.getByRole("checkbox", { name: "Retenir mes coordonnées sur cet appareil" }).check();
	await continueToPayment(page);
	await page.evaluate(() => localStorage.removeItem("kbis-draft"));

	await openOrderForm(page, "/commande/552032534?service=express");
	await expect(page.getByRole("radio", { name: /^GROUPE CARRE, / })).toBeChecked();
	await continueToPayment(page);
	await expect(page.getByRole("region", { name: "Règlement" })).toContainText("Facturé à GROUPE CARRE");
	await page.evaluate(() => localStorage.removeItem("kbis-draft"));

	// an extract of the same company offers it once
	await openOrderForm(page, "/commande/423435544?service=express");
	await expect(page.getByRole("radio", { name: /^GROUPE CARRE, / })).toBeChecked();
	await expect(page.getByRole("radio", { name: /^C’est ma société/ })).toHaveCount(0);

	// the form of several orders has it too, until another choice is made
	await sendList(page, "552032534\n423435544");
	const last = page.getByRole("radio", { name: /^GROUPE CARRE, .*Comme pour votre dernière commande/ });
	await expect(last).toBeChecked();
	await expect(page.locator("[name=lastBilling]")).toBeHidden();
	await expect(page.getByLabel("Prénom")).toHaveValue("Ada");
	await page.getByLabel("Nom", { exact: true }).fill("Byron");
	await page.getByRole("radio", { name: /KBIS Standard/ }).check();
	await continueToPayment(page);
	await expect(page.getByRole("region", { name: "Règlement" })).toContainText("Facturé à GROUPE CARRE");

	// what was typed for this purchase stays, and who is invoiced is not asked twice
	await page.getByRole("link", { name: "Modifier ma commande" }).click();
	await expectPurchaseScript(page);
	await expect(page.getByLabel("Nom", { exact: true })).toHaveValue("Byron");
	await expect(page.getByRole("radio", { name: "Je commande pour quelqu’un d’autre" })).toBeChecked();
	await expect(page.getByRole("radio", { name: /Comme pour votre dernière commande/ })).toHaveCount(0);
});

test("remembered details without an address fill in the contact of several orders, and suggest nobody to invoice", async ({ page }) => {
	await page.goto("/commande/plusieurs");
	await page.evaluate(() => {
		const details = { email: "ada@example.fr", firstName: "Ada", phone: "06 12 34 56 78" };
		localStorage.setItem("kbis-coordonnees", JSON.stringify(details));
	});
	const errors: Error[] = [];
	page.on("pageerror", (error) => errors.push(error));
	await sendList(page, "552032534");
	await expectPurchaseScript(page);
	await expect(page.getByLabel("Adresse e-mail", { exact: true })).toHaveValue("ada@example.fr");
	await expect(page.getByLabel("Prénom")).toHaveValue("Ada");
	await expect(page.getByLabel("Nom", { exact: true })).toHaveValue("");
	await expect(page.getByLabel("Téléphone")).toHaveValue("06 12 34 56 78");
	// its part of the page is opened
	await expect(page.getByLabel("Téléphone")).toBeVisible();
	await expect(page.getByRole("radio", { name: /Comme pour votre dernière commande/ })).toHaveCount(0);
	expect(errors).toEqual([]);
});
