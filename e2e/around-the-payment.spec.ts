import { expect } from "@playwright/test";
import { cards, confirmedHeading, open, orderUpToPayment, payWith, readOrderNumber } from "./customer.ts";
import { test } from "./test.ts";

const danone = "/commande/552032534?service=express";

test("a customer refuses the bank’s second step, then confirms it", async ({ page }) => {
	await orderUpToPayment(page, danone);
	await payWith(page, cards.secondStep);
	await expect(page.getByText("Votre banque demande une confirmation.")).toBeVisible();
	await page.getByRole("button", { name: "Refuser" }).click();
	await expect(page.getByText("Votre carte a été refusée.")).toBeVisible();
	await payWith(page, cards.secondStep);
	await page.getByRole("button", { name: "Confirmer le paiement" }).click();
	await page.waitForURL("**/confirmation/**");
	await expect(page.getByRole("heading", { level: 1 })).toHaveText(confirmedHeading);
});

test("the confirmation shows personal data only in the browser that started the payment", async ({ page, browser }) => {
	const { email } = await orderUpToPayment(page, danone);
	await payWith(page, cards.accepted);
	await page.waitForURL("**/confirmation/**");
	for (const text of [email, "Ada Lovelace"]) await expect(page.getByText(text).first()).toBeVisible();
	await page.reload();
	await expect(page.getByText("Ada Lovelace")).toBeVisible();

	const elsewhere = await browser.newContext();
	const other = await elsewhere.newPage();
	await open(other, page.url());
	await expect(other.getByRole("heading", { level: 1 })).toHaveText(confirmedHeading);
	await expect(other.getByText("a…@example.fr").first()).toBeVisible();
	for (const hidden of [email, "Lovelace"]) expect(await other.content()).not.toContain(hidden);
	await elsewhere.close();
});

test("the pages of an unpaid order have a button to its payment", async ({ page }) => {
	const { email } = await orderUpToPayment(page, danone);
	const sandbox = page.url();
	await open(page, sandbox.replace("/bac-a-sable/", "/confirmation/"));
	await expect(page.getByText("Cette commande n’est pas payée.")).toBeVisible();
	const number = await readOrderNumber(page);
	await page.getByRole("button", { name: "Reprendre le paiement" }).click();
	await page.waitForURL(sandbox);

	await open(page, `/suivi/${number}`);
	await page.getByLabel("Adresse e-mail").fill(email);
	await page.getByRole("button", { name: "Rechercher" }).click();
	await page.getByRole("button", { name: "Reprendre le paiement" }).click();
	await page.waitForURL(sandbox);
	await payWith(page, cards.accepted);
	await page.waitForURL("**/confirmation/**");
	await expect(page.getByRole("heading", { level: 1 })).toHaveText(confirmedHeading);
	await expect(page.getByText("Ada Lovelace")).toBeVisible();
});
