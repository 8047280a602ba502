import { readFileSync } from "node:fs";
import { type Download, expect, type Page, test } from "@playwright/test";
import { scaledTimeout } from "../test/time-limits.ts";
import {
	cards,
	fillIn,
	newCustomer,
	open,
	orderUpToPayment,
	payWith,
	readOrderNumber,
	tickConsentBoxes,
	waitForHydration,
} from "./customer.ts";
import { blockExtracts } from "./shared-shop.ts";

const screens = [
	{ name: "phone", viewport: { width: 360, height: 740 } },
	{ name: "computer", viewport: { width: 1280, height: 800 } },
];

/** The completed steps of the order, as a screen reader announces them. */
const stepsDone = (page: Page) => page.getByRole("list", { name: "Avancement" }).getByRole("listitem").filter({ hasText: "(fait)" });

/** Downloads a document through a link that opens a tab, which closes by itself. */
async function download(page: Page, name: string): Promise<string> {
	const arriving = new Promise<Download>((arrived) => {
		page.once("download", arrived);
		page.once("popup", (tab) => tab.once("download", arrived));
	});
	await page.getByRole("link", { name }).first().click();
	return readFileSync(await (await arriving).path(), "latin1");
}

for (const { name, viewport } of screens) {
	test.describe(`on a ${name}`, () => {
		test.use({ viewport });

		test("a customer finds a company, orders an express extract, pays, downloads it, and finds it again the next day", async ({
			page,
			browser,
		}) => {
			await open(page, "/");
			await page.getByLabel("SIREN, SIRET ou nom d'entreprise").fill("groupe");
			await page.getByRole("button", { name: "Rechercher" }).click();
			await page.waitForURL("**/recherche?q=groupe");
			await expect(page.getByRole("heading", { level: 1 })).toHaveText('Résultats pour "groupe"');
			await waitForHydration(page);

			if (name === "phone") await page.getByText("Filtres", { exact: true }).click();
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

			await page.waitForURL("**/bac-a-sable/**");
			const deliver = await blockExtracts();
			try {
				await payWith(page, cards.accepted);
				await page.waitForURL("**/confirmation/**");
				await expect(page.getByRole("heading", { level: 1 })).toHaveText("Commande confirmée !");
				await expect(stepsDone(page).first()).toContainText("Reçu");
				await expect(stepsDone(page).filter({ hasText: "Livré" })).toHaveCount(0);
				await expect(page.getByText("Vous pouvez fermer cette page")).toBeVisible();
				await expect(page.getByRole("link", { name: "Télécharger le KBIS" })).toHaveCount(0);
				await page.evaluate(() => Object.assign(window, { notReloaded: true }));
			} finally {
				await deliver();
			}
			await expect(stepsDone(page)).toHaveCount(4);
			await expect(page.getByText(/avant l’heure promise/)).toBeVisible();
			expect(await page.evaluate(() => "notReloaded" in window)).toBe(true);
			for (const text of ["GROUPE CARRE", "423435544", "KBIS Express", "59,00 €", "Ada Lovelace", customer.email])
				await expect(page.getByText(text).first()).toBeVisible();
			expect(await download(page, "Télécharger le KBIS")).toMatch(/^%PDF-1\.\d/);
			const number = await readOrderNumber(page);

			await test.step("the next day, from another browser", async () => {
				const context = await browser.newContext({ viewport });
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
	});
}

test("a postal extract costs 44 €, shows the supplement, and gets a tracking number", async ({ page }) => {
	await open(page, "/commande/552032534?service=postal");
	await expect(page.getByText("Le courrier sera posté à cette adresse.")).toBeVisible();
	const summary = page.getByRole("complementary", { name: "Résumé de commande" });
	await expect(summary).toContainText("Supplément postal5,00 €");
	await expect(summary).toContainText("Total TTC44,00 €");
	await expect(page.getByText("Envoyer aussi l’extrait")).toBeHidden();
	await fillIn(page, newCustomer());
	await tickConsentBoxes(page);
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
	await page.waitForURL("**/paiement?**");
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Paiement");
	await expect(page.getByText("Supplément postal")).toBeVisible();
	await expect(page.getByText("5,00 €", { exact: true })).toBeVisible();
	await expect(page.getByText("Ada Lovelace, 12 rue de la Paix, 75002 Paris").first()).toBeVisible();
	await page.getByRole("button", { name: "Finaliser ma commande - 44€" }).click();
	await page.waitForURL("**/bac-a-sable/**");
	await payWith(page, cards.accepted);
	await page.waitForURL("**/confirmation/**");
	await expect(page.getByText("Votre courrier est posté.")).toBeVisible();
	await expect(page.getByText(/^Numéro de suivi\u00a0: DEMO\d{11}$/)).toBeVisible();
	await expect(page.getByText("Par courrier suivi")).toBeVisible();
	await expect(page.getByText("44,00 €")).toBeVisible();
	await expect(stepsDone(page)).toHaveCount(4);
	await expect(stepsDone(page).last()).toContainText("Posté");
	await expect(page.getByRole("link", { name: "Télécharger le KBIS" })).toHaveCount(0);
});

test("a standard extract costs 39 € and arrives by e-mail", async ({ page }) => {
	const customer = await orderUpToPayment(page, "/commande/552032534?service=standard");
	await expect(page.getByRole("heading", { level: 1 })).toContainText("39,00 €");
	await payWith(page, cards.accepted);
	await page.waitForURL("**/confirmation/**");
	await expect(page.getByText(`Par e-mail à ${customer.email}`)).toBeVisible();
	await expect(stepsDone(page)).toHaveCount(4);

	const number = await readOrderNumber(page);
	const mails = page.locator("details").filter({ hasText: customer.email });
	// the page does not update itself, and an e-mail may still be on its way
	await expect(async () => {
		await page.goto("/test");
		await expect(mails).toHaveCount(2, { timeout: scaledTimeout(500) });
	}).toPass();
	await mails.first().locator("summary").click();
	await expect(mails.first()).toContainText(number);
});
