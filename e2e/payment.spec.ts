import { expect } from "@playwright/test";
import { cards, confirmedHeading, orderUpToPayment, payWith } from "./customer.ts";
import { test } from "./test.ts";

const danone = "/commande/552032534?service=express";

test("a customer pays with another card after one was declined", async ({ page }) => {
	await orderUpToPayment(page, danone);
	await payWith(page, cards.declined);
	await expect(page.getByText("Votre carte a été refusée. Aucun montant n’a été débité. Essayez une autre carte.")).toBeVisible();
	await payWith(page, "4111 1111 1111 1111");
	await expect(page.getByText("Ce numéro n’est pas celui d’une carte de test.")).toBeVisible();
	await payWith(page, cards.accepted);
	await page.waitForURL("**/confirmation/**");
	await expect(page.getByRole("heading", { level: 1 })).toHaveText(confirmedHeading);
});

test("a customer resumes a cancelled payment in the same session", async ({ page }) => {
	await orderUpToPayment(page, danone);
	const sandbox = page.url();
	await page.getByRole("link", { name: "Annuler et revenir à la boutique" }).click();
	await page.waitForURL("**/paiement/reprendre/**");
	const resume = page.url();
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("Votre paiement n’est pas terminé");
	await expect(page.getByText("DANONE")).toBeVisible();
	await expect(page.getByText("59,00 €")).toBeVisible();
	await page.getByRole("button", { name: "Reprendre le paiement" }).click();
	await page.waitForURL(sandbox);
	await payWith(page, cards.accepted);
	await page.waitForURL("**/confirmation/**");

	await page.goto(resume); // the resume link of a paid order leads to the order
	await page.waitForURL("**/suivi/KB-*");
	await page.goto(sandbox); // its payment page leads to the confirmation
	await page.waitForURL("**/confirmation/**");
});
