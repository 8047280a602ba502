import { expect } from "@playwright/test";
import { cards, fillIn, newCustomer, open, orderUpToPayment, payWith, readOrderNumber, stepsDone, tickConsentBoxes } from "./customer.ts";
import { listMails } from "./mailbox.ts";
import { test } from "./test.ts";

// The services that are not express. The page of the order follows each to its end.

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
	const recipient = page.getByRole("definition").filter({ hasText: "Arrivée prévue" }).getByRole("paragraph");
	await expect(recipient).toHaveText([
		...["Ada Lovelace", "12 rue de la Paix", "75002 Paris"],
		/^Arrivée prévue entre le .+\.$/,
		/^C’est l’impression du fichier du greffe/,
	]);
	await page.getByRole("button", { name: "Finaliser ma commande - 44€" }).click();
	await page.waitForURL("**/bac-a-sable/**");
	await payWith(page, cards.accepted);
	await page.waitForURL("**/confirmation/**");
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Votre courrier est posté");
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
	// an e-mail may still be on its way, and the page does not update itself
	await expect.poll(() => listMails(customer.email), { intervals: [50] }).toHaveLength(2);
	await page.goto("/test");
	const mails = page.locator("details").filter({ hasText: customer.email });
	await expect(mails).toHaveCount(2);
	await mails.first().locator("summary").click();
	await expect(mails.first()).toContainText(number);
});
