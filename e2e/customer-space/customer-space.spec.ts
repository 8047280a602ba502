import { expect } from "@playwright/test";
import { test } from "../test.ts";
import { openCustomerLink, openCustomerSpace, showInvoices } from "./steps.ts";

for (const javaScriptEnabled of [true, false]) {
	test.describe(`${javaScriptEnabled ? "with" : "without"} JavaScript`, () => {
		test.use({ javaScriptEnabled });

		test("a customer opens all their orders by a link, downloads, orders again, and leaves", async ({ page, browser }) => {
			const email = await openCustomerSpace(page);
			await showInvoices(page, email);
			for (const name of [/^Facture F/, /^Extrait \(PDF\)/]) {
				const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).first().click()]);
				expect(download.suggestedFilename()).toMatch(/\.pdf$/);
			}

			await page.getByLabel("Entreprise, SIREN, numéro ou votre référence").fill("la poste");
			await page.getByRole("button", { name: "Chercher", exact: true }).click();
			await expect(page.getByText("1 commande", { exact: true })).toBeVisible();
			await page.getByRole("link", { name: /^Ouvrir/ }).click();
			await expect(page).toHaveURL(/\/suivi\/KB-/);
			await expect(page.getByText("Historique")).toBeVisible();
			await page.goBack();
			await page.getByRole("button", { name: /^Commander à nouveau/ }).click();
			await expect(page).toHaveURL(/\/commande\/356000000\?commande=/);
			await expect(page.getByLabel("Prénom")).toHaveValue("Ada");

			await page.goto("/mes-commandes/factures");
			for (const [name, file] of [
				[/\(CSV\)/, /^achats-\d{4}\.csv$/],
				[/format FEC/, /^achats-\d{4}-fec\.txt$/],
			] as const) {
				const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);
				expect(download.suggestedFilename()).toMatch(file);
			}
			await page.getByRole("link", { name: "Coordonnées de facturation" }).click();
			await page.getByRole("button", { name: /^Commander avec ces coordonnées.*Cabinet Leroy/ }).click();
			await expect(page).toHaveURL(/\/commande\?commande=/);

			const context = await browser.newContext({ javaScriptEnabled });
			const other = await context.newPage();
			await openCustomerLink(other, email);
			await other.getByRole("button", { name: "Ouvrir mes commandes" }).click();
			await page.goto("/mes-commandes/connexions");
			await page.getByRole("button", { name: "Fermer toutes les autres connexions" }).click();
			await expect(page.getByText("Toutes les autres connexions sont fermées.")).toBeVisible();
			await other.reload();
			await expect(other.getByRole("button", { name: "Recevoir le lien" })).toBeVisible();
			await context.close();

			expect((await page.context().cookies()).map(({ name }) => name)).toContain("mes-commandes.session_token");
			await page.getByRole("button", { name: "Quitter" }).click();
			await expect(page.getByRole("button", { name: "Recevoir le lien" })).toBeVisible();
			expect((await page.context().cookies()).map(({ name }) => name)).not.toContain("mes-commandes.session_token");
			await page.goto("/cookies");
			await expect(page.getByRole("rowheader", { name: "« mes-commandes.session_token »" })).toBeVisible();
		});
	});
}
