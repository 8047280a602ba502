import { readFileSync } from "node:fs";
import { type Download, expect, type Page } from "@playwright/test";
import { fillIn, newCustomer, open, readOrderNumber, stepsDone, tickConsentBoxes, waitForHydration } from "./customer.ts";
import { payBeforeDelivery } from "./flows.ts";
import { test } from "./test.ts";

const phone = { width: 360, height: 740 };
test.use({ viewport: phone });

/** Downloads a document through a link that opens a tab, which closes by itself. */
async function download(page: Page, name: string): Promise<string> {
	const arriving = new Promise<Download>((arrived) => {
		page.once("download", arrived);
		page.once("popup", (tab) => tab.once("download", arrived));
	});
	await page.getByRole("link", { name }).first().click();
	const download = await arriving;
	const content = readFileSync(await download.path(), "latin1");
	// this browser leaves the tab open, and Playwright would wait five seconds for a picture of the empty tab
	if (download.page() !== page) await download.page().close();
	return content;
}

test("a customer finds a company, orders an express extract, pays, downloads it, and finds it again the next day", async ({
	page,
	browser,
}) => {
	await open(page, "/");
	await page.getByLabel("SIREN, SIRET ou nom d'entreprise").fill("groupe");
	await page.getByRole("button", { name: "Rechercher" }).click();
	await page.waitForURL("**/recherche?q=groupe");
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Résultats pour « groupe »");
	await waitForHydration(page);

	await page.getByText("Filtres", { exact: true }).click();
	await page.getByLabel("Département").selectOption("62");
	await page.waitForURL("**/recherche?q=groupe&departement=62");
	const card = page.getByRole("article").filter({ hasText: "GROUPE CARRE" });
	await expect(card).toContainText("423435544");
	await card.getByRole("link", { name: "Commander KBIS" }).click();

	await page.waitForURL("**/entreprise/423435544");
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("GROUPE CARRE");
	await expect(page.getByText("Entreprise active")).toBeVisible();
	const next = page.getByRole("button", { name: "Continuer vers la commande" });
	await expect(next).toBeDisabled();
	await page.getByRole("radio", { name: /KBIS Express/ }).check();
	await next.click();

	await page.waitForURL("**/commande/423435544?service=express");
	await expect(page.getByText("Étape 1 sur 3 • Informations client")).toBeVisible();
	await expect(page.locator("[name=service][value=express]")).toBeChecked();
	const customer = newCustomer();
	await fillIn(page, customer);
	await tickConsentBoxes(page);
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();

	await page.waitForURL("**/paiement?**");
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Paiement");
	await expect(page.getByText("GROUPE CARRE")).toBeVisible();
	await expect(page.getByText("59,00 €").last()).toBeVisible();
	await page.getByRole("button", { name: "Finaliser ma commande - 59€" }).click();

	await payBeforeDelivery(page, async () => {
		await expect(stepsDone(page).first()).toContainText("Reçu");
		await expect(stepsDone(page).filter({ hasText: "Livré" })).toHaveCount(0);
		await expect(page.getByText("Vous pouvez fermer cette page")).toBeVisible();
		await page.evaluate(() => Object.assign(window, { notReloaded: true }));
	});
	await expect(stepsDone(page)).toHaveCount(4);
	await expect(page.getByText(/avant l’heure promise/)).toBeVisible();
	expect(await page.evaluate(() => "notReloaded" in window)).toBe(true);
	for (const text of ["GROUPE CARRE", "423435544", "KBIS Express", "59,00 €", "Ada Lovelace", customer.email])
		await expect(page.getByText(text).first()).toBeVisible();
	expect(await download(page, "Télécharger le KBIS")).toMatch(/^%PDF-1\.\d/);
	const number = await readOrderNumber(page);

	await test.step("the next day, from another browser", async () => {
		const context = await browser.newContext({ viewport: phone });
		const later = await context.newPage();
		await open(later, "/suivi-commande");
		await later.getByLabel("Adresse e-mail").fill(` ${customer.email.toUpperCase()} `);
		await later.getByLabel("Numéro de commande").fill(number.toLowerCase());
		await later.getByRole("button", { name: "Rechercher" }).click();
		await later.waitForURL(`**/suivi/${number}`);
		await expect(later.getByText("Terminé", { exact: true })).toBeVisible();
		await later.getByText("Historique").click();
		await expect(later.locator("section", { hasText: "Historique" }).getByRole("listitem")).toContainText([
			"Commande enregistrée",
			"Paiement reçu",
			"Demande transmise au greffe",
			"Extrait prêt",
			"Extrait envoyé par e-mail",
			"Commande terminée",
		]);
		expect(await download(later, "Télécharger")).toMatch(/^%PDF/);
		await context.close();
	});
});
