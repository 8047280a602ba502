import { expect, type Locator, type Page } from "@playwright/test";
import { scaledTimeout } from "../test/time-limits.ts";
import { cards, newCustomer, payWith, readOrderNumber } from "./customer.ts";
import { openMail } from "./mailbox.ts";
import { type PlacedOrder, pay, placeOrder, post, toConfirmation } from "./place-order.ts";
import { blockExtracts, delayExtract, waitForDelivery, waitForInvoices } from "./shared-shop.ts";

// URLs and steps that several browser tests share.

/** The order form of a company. */
export const orderFormUrl = "/commande/552032534?service=express";
/** The payment step, reached by its query. */
export const paymentUrl = `/paiement?${new URLSearchParams({ siren: "552032534", service: "postal", email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace" })}`;

/**
 * Orders and pays. Ends on the confirmation.
 * @param shop the URL of a separate shop.
 */
export async function orderAndPay(page: Page, shop = ""): Promise<PlacedOrder> {
	const placed = await placeOrder(page, shop);
	await page.goto(await pay(page, placed));
	return placed;
}

/** Opens the tracking page of an order. */
export async function trackOrder(page: Page, { email, number }: Pick<PlacedOrder, "email" | "number">, shop = ""): Promise<void> {
	await page.goto(`${shop}/suivi-commande`);
	await page.getByLabel("Adresse e-mail").fill(email);
	await page.getByLabel("Numéro de commande").fill(number);
	await page.getByRole("button", { name: "Rechercher" }).click();
	await expect(page.getByText("Historique")).toBeVisible();
}

/** Orders without paying, and opens the confirmation. */
export async function openUnpaidConfirmation(page: Page): Promise<PlacedOrder> {
	const placed = await placeOrder(page);
	await page.goto(toConfirmation(placed.payUrl));
	await expect(page.getByRole("button", { name: "Reprendre le paiement" })).toBeVisible();
	return placed;
}

/** Opens the tracking page of an order, without the form. */
async function openFoundOrder(page: Page, { email, number }: PlacedOrder): Promise<void> {
	await page.goto(await post(page, "/suivi-commande", { email, orderId: number }));
	await expect(page.getByText("Historique")).toBeVisible();
}

/** Orders without paying, and opens the tracking page. */
export async function openUnpaidTracking(page: Page): Promise<void> {
	await openFoundOrder(page, await placeOrder(page));
	await expect(page.getByRole("button", { name: "Reprendre le paiement" })).toBeVisible();
}

/** Orders and pays, and opens the tracking page: after the delivery, or some minutes before it. */
export async function openTracking(page: Page, { delivered = true } = {}): Promise<PlacedOrder> {
	const placed = await placeOrder(page);
	if (!delivered) await delayExtract(placed.number);
	await pay(page, placed);
	if (delivered) await waitForDelivery(placed.email);
	await openFoundOrder(page, placed);
	return placed;
}

/** Orders, pays, and opens « Corriger la facture » from the tracking page. */
export async function openInvoiceCorrection(page: Page): Promise<void> {
	const { email } = await openTracking(page);
	await waitForInvoices(email, 1);
	await page.reload();
	await page.getByRole("link", { name: "Corriger la facture" }).click();
	await expect(page.getByRole("button", { name: "Corriger la facture" })).toBeVisible();
}

/** Orders, pays and declares a withdrawal, up to its confirmation. */
export async function declareWithdrawal(page: Page): Promise<void> {
	const placed = await placeOrder(page);
	await pay(page, placed);
	const { email, number } = placed;
	await page.goto("/retractation");
	await page.getByLabel("Adresse e-mail").fill(email);
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
	const mail = await openMail(page, email, "Confirmez votre inscription");
	await mail.getByRole("link", { name: "Confirmer mon inscription" }).click();
	await expect(page.getByRole("button", { name: "Confirmer mon inscription" })).toBeVisible();
}

/** Follows a company and opens the confirmation link from the e-mail. @returns the address. */
export async function openAlertLink(page: Page, siren = "552032534"): Promise<string> {
	const { email } = newCustomer();
	await page.goto(`/entreprise/${siren}/alerte`);
	await page.getByLabel("Votre adresse e-mail").fill(email);
	await page.getByRole("button", { name: "Recevoir ces alertes" }).click();
	await expect(page.getByText("Consultez votre messagerie")).toBeVisible();
	const mail = await openMail(page, email, "Confirmez votre alerte");
	await mail.getByRole("link", { name: "Confirmer mon alerte" }).click();
	await expect(page.getByRole("button", { name: "Confirmer mon alerte" })).toBeVisible();
	return email;
}

/** Follows a company and confirms. Ends on the list of the mailbox's alerts. @returns the address. */
export async function openAlerts(page: Page): Promise<string> {
	const email = await openAlertLink(page);
	await page.getByRole("button", { name: "Confirmer mon alerte" }).click();
	await page.getByRole("link", { name: "Voir mes alertes" }).click();
	await expect(page.getByRole("heading", { level: 1, name: "Mes alertes" })).toBeVisible();
	return email;
}

/** Pays while no extract can be stored, as if the issuer were slow. @param look at the confirmation before the delivery. */
export async function payBeforeDelivery(page: Page, look: () => Promise<void> = async () => {}): Promise<void> {
	await page.waitForURL("**/bac-a-sable/**");
	const deliver = await blockExtracts();
	try {
		await payWith(page, cards.accepted);
		await page.waitForURL("**/confirmation/**");
		await expect(page.getByRole("heading", { level: 1 })).toHaveText("Commande confirmée !");
		await expect(page.getByRole("link", { name: "Télécharger le KBIS" })).toHaveCount(0);
		await look();
	} finally {
		await deliver();
	}
}

/** Waits for a part of an order's page, which a browser without JavaScript reloads by its link. */
export const showLater = (page: Page, part: Locator): Promise<void> =>
	expect(async () => {
		const reload = page.getByRole("link", { name: "Actualiser" });
		if (!(await part.isVisible()) && (await reload.count()) > 0) await reload.click();
		await expect(part).toBeVisible({ timeout: 500 });
	}).toPass({ timeout: scaledTimeout(60_000) });

/** Waits for the delivery on the confirmation, which a browser without JavaScript reloads by its link. @returns the link to the extract. */
export async function reloadUntilDelivered(page: Page): Promise<Locator> {
	const link = page.getByRole("link", { name: "Télécharger le KBIS" });
	const reload = page.getByRole("link", { name: "Actualiser" });
	await expect(async () => {
		if ((await reload.count()) > 0) await reload.click();
		await expect(link).toBeVisible({ timeout: 500 });
		await expect(reload).toHaveCount(0, { timeout: 500 });
	}).toPass({ timeout: scaledTimeout(20_000) });
	return link;
}

/** Pays without JavaScript, waits for the delivery, and opens the tracking page. */
export async function payAndFollow(page: Page): Promise<void> {
	await page.waitForURL("**/paiement?**");
	await page.getByRole("button", { name: "Finaliser ma commande" }).click();
	await payBeforeDelivery(page);
	const link = await reloadUntilDelivered(page);
	const answer = await page.request.get((await link.getAttribute("href")) ?? "");
	expect((await answer.body()).toString("latin1")).toMatch(/^%PDF/);

	const number = await readOrderNumber(page);
	await page.getByRole("main").getByRole("link", { name: "Suivre ma commande" }).click();
	// the browser that paid gives neither e-mail nor number
	await page.waitForURL(`**/suivi/${number}`);
	await expect(page.getByText("Terminé", { exact: true })).toBeVisible();
	await page.getByText("Historique", { exact: true }).click();
	await expect(page.getByText("Commande terminée")).toBeVisible();
	await page.getByRole("button", { name: "Quitter" }).click();
	await page.waitForURL("**/suivi-commande");
	await page.goto(`/suivi/${number}`);
	await expect(page.getByLabel("Numéro de commande")).toHaveValue(number);
}
