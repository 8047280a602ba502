import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { resumeToken } from "../app/orders/resume-token.server.ts";
import { createSigner } from "../server/signing.ts";
import { orderNumber, orderUpToPayment } from "./customer.ts";
import type { State } from "./page-states.ts";
import { changeOrder, dataDir, replaceExtract } from "./shop-under-test.ts";
import { followUnpaid, leaveUnpaid, order, pay, track } from "./ways.ts";

/** Puts the order that the page shows into a state by hand, and shows the page again. */
async function showAs(page: Page, set: string): Promise<void> {
	await changeOrder(await orderNumber(page), set);
	await page.reload();
}

/** The same page in a browser that did not start the payment. */
async function showElsewhere(page: Page): Promise<void> {
	await page.context().clearCookies();
	await page.reload();
}

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

/** States that an order's own pages are in for a while, or only for some. */
export const orderStates: State[] = [
	{
		name: "payment to take up again: an expired link",
		async reach(page) {
			const signer = createSigner([readFileSync(join(dataDir, "secret"), "utf8").trim()]);
			const token = resumeToken.sign(signer, crypto.randomUUID(), new Date("2026-01-01T00:00:00Z"));
			await page.goto(`/paiement/reprendre/${token}`);
			await expect(heading(page)).toHaveText("Ce lien a expiré");
		},
		status: 410,
		plain: true,
	},
	{
		name: "confirmation: not paid",
		async reach(page) {
			await orderUpToPayment(page, order);
			await leaveUnpaid(page);
		},
	},
	{
		name: "confirmation: not paid in time",
		async reach(page) {
			await orderUpToPayment(page, order);
			await leaveUnpaid(page);
			await showAs(page, "status = 'failed', failure_reason = 'expired'");
			await expect(page.getByText("Le délai de paiement est passé.")).toBeVisible();
		},
	},
	{
		name: "confirmation: in another browser",
		async reach(page) {
			await pay(page);
			await showElsewhere(page);
			await expect(page.getByText("a…@example.fr").first()).toBeVisible();
		},
	},
	{
		name: "confirmation: in another browser, after a day",
		async reach(page) {
			await pay(page);
			await changeOrder(await orderNumber(page), "paid_at = paid_at - interval '25 hours'");
			await showElsewhere(page);
			await expect(heading(page)).toHaveText("Votre commande est enregistrée");
		},
	},
	{
		name: "confirmation: paid",
		async reach(page) {
			await pay(page);
			await expect(page.getByRole("link", { name: "Télécharger le KBIS" })).toBeVisible();
			await showAs(page, "status = 'paid'");
			await expect(page.getByText("Payé", { exact: true })).toBeVisible();
		},
	},
	{ name: "tracking: not paid", reach: followUnpaid },
	{
		name: "tracking: with an extract that replaced another",
		async reach(page) {
			await track(page);
			await replaceExtract(await orderNumber(page));
			await page.reload();
			await expect(page.getByText("Extrait remplacé par un nouveau")).toBeVisible();
			await expect(page.getByRole("link", { name: "Vérifier" })).toHaveCount(1);
		},
	},
	{
		name: "a document that was replaced",
		async reach(page) {
			await track(page);
			const number = await orderNumber(page);
			await page.getByRole("link", { name: "Vérifier" }).click();
			await page.waitForURL("**/verifier/**");
			await replaceExtract(number);
			await page.reload();
			await expect(page.getByText("Ce document a été remplacé le")).toBeVisible();
		},
	},
	{
		name: "tracking: a letter that was posted",
		async reach(page) {
			await track(page);
			await showAs(page, "product_code = 'postal', tracking_number = '1A23456789012'");
			await expect(page.getByText("1A23456789012")).toBeVisible();
		},
	},
	{
		name: "tracking: cancelled and refunded",
		async reach(page) {
			await track(page);
			await showAs(page, "status = 'failed', failure_reason = 'cancelled', refunded_cents = price_cents");
			await expect(page.getByText("Échec", { exact: true })).toBeVisible();
		},
	},
];
