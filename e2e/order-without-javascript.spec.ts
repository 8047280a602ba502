import { expect } from "@playwright/test";
import { fillIn, getBilling, newCustomer, tickConsentBoxes } from "./customer.ts";
import { payAndFollow } from "./flows.ts";
import { test } from "./test.ts";

test.use({ javaScriptEnabled: false });

test("a customer orders from the search through the company’s page", async ({ page }) => {
	const customer = newCustomer();
	await page.goto("/");
	await page.getByLabel("SIREN, SIRET ou nom d'entreprise").fill("groupe");
	await page.getByRole("button", { name: "Rechercher" }).click();
	await page.getByLabel("Département").selectOption("62");
	await page.getByRole("button", { name: "Filtrer" }).click();
	await page.waitForURL("**/recherche?*departement=62*");
	await page.getByRole("article").filter({ hasText: "GROUPE CARRE" }).getByRole("link", { name: "Commander KBIS" }).click();

	await page.getByRole("button", { name: "Continuer vers la commande" }).click();
	await expect(page.getByText("Choisissez un service pour continuer.")).toBeVisible();
	await page.getByRole("radio", { name: /KBIS Standard/ }).check();
	await page.getByRole("button", { name: "Continuer vers la commande" }).click();
	await page.waitForURL("**/commande/423435544?service=standard");

	await fillIn(page, customer, { typesCity: true });
	await page.getByLabel("Prénom").fill("");
	await page.getByText("Ajouter un téléphone").click();
	await page.getByLabel("Téléphone").fill("12");
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
	const complaints = page.getByRole("alert");
	await expect(complaints).toContainText("Le prénom est requis");
	await expect(complaints).toContainText("Format de téléphone invalide");
	await expect(complaints).toContainText("Vous devez accepter les conditions générales");
	await expect(page.getByLabel("Nom", { exact: true })).toHaveValue(customer.lastName);
	await expect(getBilling(page).getByLabel("Ville", { exact: true })).toHaveValue("Paris");
	await expect(page.getByLabel("Téléphone")).toHaveValue("12");
	await expect(page.locator("[name=service][value=standard]")).toBeChecked();

	await page.getByLabel("Prénom").fill(customer.firstName);
	await page.getByLabel("Téléphone").fill("+33 6 12 34 56 78");
	await tickConsentBoxes(page);
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
	await payAndFollow(page);
});
