import { expect, type Page } from "@playwright/test";
import { createResumePath } from "../../app/orders/keys.server.ts";
import { createSigner } from "../../server/signing.ts";
import { readOrderNumber } from "../customer.ts";
import { secret } from "../databases.ts";
import { openTracking, openUnpaidConfirmation, openUnpaidTracking, orderAndPay } from "../flows.ts";
import { replaceExtract, updateOrder } from "../shared-shop.ts";
import type { State } from "./state.ts";

/** Updates the order on the page in the database, and reloads the page. */
async function showAs(page: Page, set: string): Promise<void> {
	await updateOrder(await readOrderNumber(page), set);
	await page.reload();
}

/** Reloads the page without cookies, as in a browser that did not start the payment. */
async function showElsewhere(page: Page): Promise<void> {
	await page.context().clearCookies();
	await page.reload();
}

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

/** States of the pages of one order that not every order reaches. */
export const orderStates: State[] = [
	{
		name: "resume payment: an expired link",
		async visit(page) {
			const signer = createSigner([secret]);
			const created_at = new Date("2026-01-01T00:00:00Z");
			await page.goto(createResumePath({ signer, now: () => created_at }, { id: crypto.randomUUID(), created_at }));
			await expect(heading(page)).toHaveText("Ce lien a expiré");
		},
		status: 410,
		scriptless: true,
	},
	{
		name: "confirmation: not paid",
		visit: openUnpaidConfirmation,
	},
	{
		name: "confirmation: not paid in time",
		async visit(page) {
			await openUnpaidConfirmation(page);
			await showAs(page, "status = 'failed', failure_reason = 'expired'");
			await expect(page.getByText("Le délai de paiement est dépassé.")).toBeVisible();
		},
	},
	{
		name: "confirmation: in another browser",
		async visit(page) {
			await orderAndPay(page);
			await showElsewhere(page);
			await expect(page.getByText("a…@example.fr").first()).toBeVisible();
		},
	},
	{
		name: "confirmation: in another browser, after a day",
		async visit(page) {
			await orderAndPay(page);
			await updateOrder(await readOrderNumber(page), "paid_at = paid_at - interval '25 hours'");
			await showElsewhere(page);
			await expect(heading(page)).toHaveText("Votre commande est enregistrée");
		},
	},
	{
		name: "confirmation: paid",
		async visit(page) {
			await orderAndPay(page);
			await expect(page.getByRole("link", { name: "Télécharger le KBIS" })).toBeVisible();
			await showAs(page, "status = 'paid'");
			await expect(page.getByText("Livré au plus tard")).toBeVisible();
		},
	},
	{ name: "tracking: not paid", visit: openUnpaidTracking },
	{
		name: "tracking: an address was corrected",
		async visit(page) {
			await openTracking(page);
			await showAs(page, "status = 'processing', completed_at = null");
			await page.getByText("Mauvaise adresse e-mail").click();
			await page.getByLabel("Votre adresse e-mail").fill("ada.lovelace@example.fr");
			await page.getByRole("button", { name: "Corriger", exact: true }).click();
			await expect(page.getByText("La confirmation vient de partir à ada.lovelace@example.fr.")).toBeVisible();
		},
	},
	{
		name: "tracking: an extract that replaced another",
		async visit(page) {
			await openTracking(page);
			await replaceExtract(await readOrderNumber(page));
			await page.reload();
			await page.getByText("Historique").click();
			await expect(page.getByText("Extrait remplacé par un nouveau")).toBeVisible();
			await expect(page.getByRole("link", { name: "Vérifier", exact: true })).toHaveCount(1);
		},
	},
	{
		name: "verify a document: it was replaced",
		async visit(page) {
			await openTracking(page);
			const number = await readOrderNumber(page);
			await page.getByRole("link", { name: "Vérifier", exact: true }).click();
			await page.waitForURL("**/verifier/**");
			await replaceExtract(number);
			await page.reload();
			await expect(page.getByText("Ce document a été remplacé le")).toBeVisible();
		},
	},
	{
		name: "tracking: posted by letter",
		async visit(page) {
			await openTracking(page);
			await showAs(page, "product_code = 'postal', tracking_number = '1A23456789012'");
			await expect(page.getByText("1A23456789012")).toBeVisible();
		},
	},
	{
		name: "tracking: cancelled and refunded",
		async visit(page) {
			await openTracking(page);
			await showAs(page, "status = 'failed', failure_reason = 'cancelled', refunded_cents = price_cents");
			await expect(page.getByText("Annulée", { exact: true })).toBeVisible();
		},
	},
];
