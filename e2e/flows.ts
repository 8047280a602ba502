import { expect, type Page } from "@playwright/test";
import { scaledTimeout } from "../test/time-limits.ts";
import { cards, newCustomer, orderUpToPayment, payWith, readOrderNumber } from "./customer.ts";

// Steps to pages that have no URL of their own.

/** The order form of a company. */
export const orderFormUrl = "/commande/552032534?service=express";
/** The payment step, reached by its query. */
export const paymentUrl = `/paiement?${new URLSearchParams({ siren: "552032534", service: "postal", email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace" })}`;

/** Orders and pays. Ends on the confirmation. */
export async function orderAndPay(page: Page): Promise<void> {
	await orderUpToPayment(page, orderFormUrl);
	await payWith(page, cards.accepted);
	await page.waitForURL("**/confirmation/**");
}

/** Opens the confirmation from the payment page, without paying. */
export async function openUnpaidConfirmation(page: Page): Promise<void> {
	await page.goto(page.url().replace("/bac-a-sable/", "/confirmation/"));
	await expect(page.getByRole("button", { name: "Reprendre le paiement" })).toBeVisible();
}

/** Orders without paying, and opens the tracking page. */
export async function openUnpaidTracking(page: Page): Promise<void> {
	const { email } = await orderUpToPayment(page, orderFormUrl);
	await openUnpaidConfirmation(page);
	await page.goto(`/suivi/${await readOrderNumber(page)}`);
	await page.getByLabel("Adresse e-mail").fill(email);
	await page.getByRole("button", { name: "Rechercher" }).click();
	await expect(page.getByRole("button", { name: "Reprendre le paiement" })).toBeVisible();
}

/** Orders, pays, and opens the tracking page. */
export async function openTracking(page: Page, { delivered = true } = {}): Promise<void> {
	const customer = await orderUpToPayment(page, orderFormUrl);
	await payWith(page, cards.accepted);
	await page.waitForURL("**/confirmation/**");
	if (delivered) await expect(page.getByRole("link", { name: "Télécharger le KBIS" })).toBeVisible();
	await page.goto(`/suivi/${await readOrderNumber(page)}`);
	await page.getByLabel("Adresse e-mail").fill(customer.email);
	await page.getByRole("button", { name: "Rechercher" }).click();
	await expect(page.getByText("Historique")).toBeVisible();
}

/** Orders, pays and declares a withdrawal, up to its confirmation. */
export async function declareWithdrawal(page: Page): Promise<void> {
	const customer = await orderUpToPayment(page, orderFormUrl);
	await payWith(page, cards.accepted);
	await page.waitForURL("**/confirmation/**");
	const number = await readOrderNumber(page);
	await page.goto("/retractation");
	await page.getByLabel("Adresse e-mail").fill(customer.email);
	await page.getByLabel("Numéro de commande").fill(number);
	await page.getByRole("button", { name: "renoncer au contrat ici" }).click();
	await expect(page.getByRole("button", { name: "confirmer la rétractation" })).toBeVisible();
}

/** Subscribes to the newsletter and opens the confirmation link from the e-mail. */
export async function openNewsletterLink(page: Page): Promise<void> {
	const { email } = newCustomer();
	await page.goto("/lettre-information");
	await page.getByLabel(/e-mail/).fill(email);
	await page.getByRole("button", { name: "S’inscrire" }).click();
	await expect(page.getByText("Consultez votre messagerie")).toBeVisible();
	const mail = page.locator("details", { hasText: email });
	await expect(async () => {
		await page.goto("/test");
		await expect(mail).toBeVisible({ timeout: scaledTimeout(500) });
	}).toPass();
	await mail.locator("summary").click();
	await mail.getByRole("link", { name: /confirmer/ }).click();
	await expect(page.getByRole("button", { name: "Confirmer mon inscription" })).toBeVisible();
}
