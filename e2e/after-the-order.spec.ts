import { expect, type Page } from "@playwright/test";
import { scaledTimeout } from "../test/time-limits.ts";
import { waitForHydration } from "./customer.ts";
import { openInvoiceCorrection, openTracking, orderAndPay, trackOrder } from "./flows.ts";
import { startSeparateShop } from "./separate-shop.ts";
import { updateOrder, waitForInvoices } from "./shared-shop.ts";
import { test } from "./test.ts";

const history = (page: Page) => page.locator("section", { hasText: "Historique" });

test("a customer cancels before the delivery and sees the refund", async ({ page }) => {
	const shop = await startSeparateShop({ ISSUER: "manual" }); // the operator has not obtained the extract yet
	try {
		const placed = await orderAndPay(page, shop.url);
		await trackOrder(page, placed, shop.url);
		await page.getByText("Annuler la commande").click();
		await page.getByRole("button", { name: "Confirmer l’annulation" }).click();
		await expect(page.getByText("Annulée", { exact: true })).toBeVisible();
		await expect(page.getByText("Annuler la commande")).toHaveCount(0);
		await expect(history(page)).toContainText("Commande annulée à votre demande");
		await expect(page.getByText(/59,00.€ vous ont été remboursés/)).toBeVisible({ timeout: scaledTimeout(40_000) }); // without a reload
		await waitForInvoices(placed.email, 2, shop);
		await page.reload();
		for (const document of [/Avoir A\d+-\d+ du/, /Facture F\d+-\d+ du/]) await expect(page.getByText(document)).toBeVisible();
		await expect(page.getByText(/Extrait Kbis du/)).toHaveCount(0);
	} finally {
		await shop.stop();
	}
});

test("a refused correction stays, with what was typed, while the order goes on", async ({ page }) => {
	const placed = await openTracking(page, { delivered: false });
	await page.getByText("Mauvaise adresse e-mail").click();
	await page.getByLabel("Votre adresse e-mail").fill("ada");
	await page.getByRole("button", { name: "Corriger", exact: true }).click();
	await expect(page.getByRole("alert")).toBeVisible();
	await waitForHydration(page);
	await updateOrder(placed.number, "status = 'processing'");
	const other = await page.context().newPage();
	await other.goto(page.url());
	await waitForHydration(other);
	await expect(other.getByText("En traitement", { exact: true }).first()).toBeVisible();
	await expect(page.getByRole("alert")).toBeVisible();
	await expect(page.getByLabel("Votre adresse e-mail")).toHaveValue("ada");
});

test("the city of a corrected invoice follows its postal code", async ({ page }) => {
	await openInvoiceCorrection(page);
	await waitForHydration(page);
	await page.getByLabel("Code postal").fill("69002");
	await expect(page.getByLabel("Ville", { exact: true })).toHaveValue("Lyon");
});

test("a customer requests a refund for an unusable extract, after an empty reason was refused", async ({ page }) => {
	const placed = await orderAndPay(page);
	await expect(page.getByRole("link", { name: "Télécharger le KBIS" })).toBeVisible({ timeout: scaledTimeout(20_000) });
	await trackOrder(page, placed);
	await page.getByText("Un problème avec votre extrait ?").click();
	// what is refused before it is read stays on the page before
	const long = "La deuxième page manque. ".repeat(3000);
	await page.getByLabel("Ce qui ne va pas").fill(long);
	await page.getByRole("button", { name: "Demander le remboursement" }).click();
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Votre envoi n’a pas été lu");
	await page.goBack();
	await expect(page.getByLabel("Ce qui ne va pas")).toHaveValue(long);
	await trackOrder(page, placed);
	await page.getByText("Un problème avec votre extrait ?").click();
	await page.getByRole("button", { name: "Demander le remboursement" }).click();
	await expect(page.getByRole("alert")).toContainText("Dites-nous ce qui ne va pas avec votre extrait.");
	await page.getByLabel("Ce qui ne va pas").fill("La deuxième page manque.");
	await page.getByRole("button", { name: "Demander le remboursement" }).click();
	await expect(page.getByText(/Votre demande de remboursement est reçue/)).toBeVisible();
	await expect(history(page)).toContainText("Remboursement demandé");
});

test.describe("without JavaScript", () => {
	test.use({ javaScriptEnabled: false });

	test("a customer withdraws in two steps and gets a dated receipt", async ({ page, browser }) => {
		// a browser with JavaScript places the order
		const other = await browser.newContext({ javaScriptEnabled: true });
		const placed = await orderAndPay(await other.newPage());
		await other.close();

		await page.goto("/");
		await page.getByRole("contentinfo").getByRole("link", { name: "Renoncer au contrat ici" }).click();
		await page.getByLabel("Adresse e-mail").fill(placed.email);
		await page.getByLabel("Numéro de commande").fill("KB-2222-2222");
		await page.getByRole("button", { name: "renoncer au contrat ici" }).click();
		await expect(page.getByRole("alert")).toContainText("Commande non trouvée. Vérifiez vos informations.");
		await expect(page.getByLabel("Adresse e-mail")).toHaveValue(placed.email);

		await page.getByLabel("Numéro de commande").fill(placed.number);
		await page.getByRole("button", { name: "renoncer au contrat ici" }).click();
		const declared = `Je vous notifie ma rétractation du contrat portant sur la commande ${placed.number}.`;
		await expect(page.getByRole("blockquote")).toHaveText(declared);
		await page.getByRole("button", { name: "confirmer la rétractation" }).click();
		await expect(page.getByRole("heading", { name: "Déclaration reçue" })).toBeVisible();
		await expect(page.getByText(`Rétractation du contrat portant sur la commande ${placed.number}`)).toBeVisible();
		// the outcome depends on whether the order is already delivered
		await expect(page.getByText(/La commande est annulée|Nous ne pouvons pas donner suite/)).toBeVisible();
		expect(new URL(page.url()).search).not.toContain("example.fr");
	});
});
