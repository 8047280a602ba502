import { expect } from "@playwright/test";
import { newCustomer, open } from "../customer.ts";
import { test } from "../test.ts";
import { fillInPurchase, listSirens, mixedList, sendList } from "./steps.ts";

test("wrong lines are corrected in place, with the keyboard too", async ({ page }) => {
	await sendList(page, mixedList);
	await expect(page.getByText("6 lignes sur 10 ne seront pas commandées.")).toBeVisible();
	await page.getByRole("link", { name: "ligne 9" }).click();
	await page.getByLabel("SIREN, SIRET ou nom de la ligne 9").fill("423435544");
	await page.getByLabel("Entreprise de la ligne 8").selectOption({ index: 1 });
	await page.getByRole("button", { name: "Retirer la ligne 4" }).click();
	await expect(page.getByText("3 lignes sur 9 ne seront pas commandées.")).toBeVisible();
	await expect(page.getByText("GROUPE CARRE")).toBeVisible();
	// Enter in a field goes on to the payment, and never removes a line
	await page.getByLabel("Votre référence de la ligne 1").press("Enter");
	await expect(page.getByRole("alert")).toBeFocused();
	await expect(page.getByRole("heading", { name: "9 entreprises" })).toBeVisible();
});

test("what was added last is shown before the payment", async ({ page }) => {
	await sendList(page, "552032534");
	await fillInPurchase(page, newCustomer());
	await page.getByText("Ajouter des entreprises").click();
	await page.getByLabel("Une entreprise par ligne").fill("groupe carre ; dossier 2\nzzzzqqq");
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
	const reason = page.getByRole("status").filter({ hasText: "Vérifiez les lignes que vous venez d’ajouter ou de modifier" });
	await expect(reason.locator("..")).toBeFocused();
	await reason.getByRole("link", { name: "ligne 3" }).click();
	await expect(page.getByLabel("SIREN, SIRET ou nom de la ligne 3")).toHaveAccessibleDescription(/Ligne 3, non commandée/);
	await expect(page.getByRole("checkbox", { name: /J’accepte/ })).toBeChecked();
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
	await page.waitForURL("**/paiement?**");
	await expect(page.getByText("dossier 2")).toBeVisible();
});

test("a file is read, and the back button of the payment leads to the same form", async ({ page }) => {
	await page.goto("/commande/plusieurs");
	const [first, second] = await listSirens(2);
	await page.getByLabel("Ou un fichier CSV").setInputFiles({
		name: "liste.csv",
		mimeType: "text/csv",
		buffer: Buffer.from(`SIREN;R\xe9f\xe9rence\r\n${first};dossier \xe9\r\n${second};\r\n`, "latin1"),
	});
	await page.getByRole("button", { name: "Vérifier la liste" }).click();
	await expect(page.getByLabel("Votre référence de la ligne 1")).toHaveValue("dossier é");
	await fillInPurchase(page, newCustomer());
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
	await page.waitForURL("**/paiement?**");
	await page.getByRole("link", { name: "Modifier ma commande" }).click();
	await expect(page.getByLabel("Votre référence de la ligne 1")).toHaveValue("dossier é");
	await expect(page.getByLabel("Prénom")).toHaveValue("Ada");
	await expect(page.getByRole("checkbox", { name: /J’accepte/ })).not.toBeChecked();
});

test("« Ajouter une autre entreprise » takes along what was typed for one", async ({ page }) => {
	await open(page, "/commande/552032534?service=postal");
	await page.getByLabel("Prénom").fill("Grace");
	await page.getByRole("button", { name: "Ajouter une autre entreprise" }).click();
	await page.waitForURL("**/commande/plusieurs?commande=*");
	await expect(page.getByRole("listitem").filter({ hasText: "DANONE" })).toBeVisible();
	await expect(page.getByLabel("Prénom")).toHaveValue("Grace");
	await expect(page.getByRole("radio", { name: /KBIS Postal/ })).toBeChecked();
	await expect(page.getByRole("heading", { name: "Adresse de livraison des courriers" })).toBeVisible();
});
