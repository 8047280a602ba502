import { type Browser, expect, type Page } from "@playwright/test";
import { cards, newCustomer } from "../customer.ts";
import { listMails, openMail } from "../mailbox.ts";
import { openDatabase, waitForInvoices } from "../shared-shop.ts";

const companies = [
	["552032534", "DANONE"],
	["356000000", "LA POSTE"],
	["552032534", "DANONE"],
] as const;

/** Orders for one mailbox, without the pages, and pays all but the last. @returns the address. */
export async function placeOrders(page: Page): Promise<string> {
	const { email, ...customer } = newCustomer();
	for (const [index, [siren, companyName]] of companies.entries()) {
		const orderData = { siren, companyName, serviceType: "express", amount: 5900, deliveryMethod: "email" };
		const customerData = { ...customer, email, phone: "", company: "Cabinet Leroy" };
		const placed = await page.request.post("/api/create-payment", { data: { orderData, customerData } });
		const { url } = (await placed.json()) as { url: string };
		if (index < companies.length - 1) await page.request.post(url, { form: { intent: "pay", card: cards.accepted }, maxRedirects: 0 });
	}
	return email;
}

/** Asks for the link to the orders of a mailbox, and opens it from the e-mail. */
export async function openCustomerLink(page: Page, email: string): Promise<void> {
	const client = await openDatabase();
	// all tests ask from this machine
	await client.query("delete from rate_limits where key like 'customer-link%'");
	await client.end();
	const subject = "Votre lien vers vos commandes";
	const earlier = await listMails(email, subject);
	await page.goto("/mes-commandes");
	await page.getByLabel("Votre adresse e-mail").fill(email);
	await page.getByRole("button", { name: "Recevoir le lien" }).click();
	await expect(page.getByText("Consultez votre messagerie")).toBeVisible();
	const mail = await openMail(page, email, subject, earlier);
	await mail.getByRole("link", { name: "Voir mes commandes" }).click();
	await expect(page.getByRole("button", { name: "Ouvrir mes commandes" })).toBeVisible();
}

/** Opens the space of a mailbox with orders. @returns the address. */
export async function openCustomerSpace(page: Page): Promise<string> {
	const email = await placeOrders(page);
	await openCustomerLink(page, email);
	await page.getByRole("button", { name: "Ouvrir mes commandes" }).click();
	await expect(page.getByText("3 commandes", { exact: true })).toBeVisible();
	return email;
}

/** Shows the invoices of the paid orders, once they have their PDF. */
export async function showInvoices(page: Page, email: string): Promise<void> {
	await waitForInvoices(email, 2);
	await page.reload();
	await expect(page.getByRole("link", { name: /^Facture F/ })).toHaveCount(2);
}

/** Opens all orders by a link, downloads, orders again, and leaves. @param browser has another connection of the same customer. */
export async function useCustomerSpace(page: Page, browser: Browser, { javaScriptEnabled = true } = {}): Promise<void> {
	const email = await openCustomerSpace(page);
	await showInvoices(page, email);
	for (const name of [/^Facture F/, /^Extrait \(PDF\)/]) {
		const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).first().click()]);
		expect(download.suggestedFilename()).toMatch(/\.pdf$/);
	}

	await page.getByLabel("Entreprise, SIREN, numéro ou votre référence").fill("la poste");
	await page.getByRole("button", { name: "Chercher", exact: true }).click();
	await expect(page.getByText("1 commande", { exact: true })).toBeVisible();
	await page.getByRole("link", { name: /^Ouvrir/ }).click();
	await expect(page).toHaveURL(/\/suivi\/KB-/);
	await expect(page.getByText("Historique")).toBeVisible();
	await page.goBack();
	await page.getByRole("button", { name: /^Commander à nouveau/ }).click();
	await expect(page).toHaveURL(/\/commande\/356000000\?commande=/);
	await expect(page.getByLabel("Prénom")).toHaveValue("Ada");

	await page.goto("/mes-commandes/factures");
	for (const [name, file] of [
		[/\(CSV\)/, /^achats-\d{4}\.csv$/],
		[/format FEC/, /^achats-\d{4}-fec\.txt$/],
	] as const) {
		const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);
		expect(download.suggestedFilename()).toMatch(file);
	}
	await page.getByRole("link", { name: "Coordonnées de facturation" }).click();
	await page.getByRole("button", { name: /^Commander avec ces coordonnées.*Cabinet Leroy/ }).click();
	await expect(page).toHaveURL(/\/commande\?commande=/);

	const context = await browser.newContext({ javaScriptEnabled });
	const other = await context.newPage();
	await openCustomerLink(other, email);
	await other.getByRole("button", { name: "Ouvrir mes commandes" }).click();
	await page.goto("/mes-commandes/connexions");
	await page.getByRole("button", { name: "Fermer toutes les autres connexions" }).click();
	await expect(page.getByText("Toutes les autres connexions sont fermées.")).toBeVisible();
	await other.reload();
	await expect(other.getByRole("button", { name: "Recevoir le lien" })).toBeVisible();
	await context.close();

	expect((await page.context().cookies()).map(({ name }) => name)).toContain("mes-commandes.session_token");
	await page.getByRole("button", { name: "Quitter" }).click();
	await expect(page.getByRole("button", { name: "Recevoir le lien" })).toBeVisible();
	expect((await page.context().cookies()).map(({ name }) => name)).not.toContain("mes-commandes.session_token");
	await page.goto("/cookies");
	await expect(page.getByRole("rowheader", { name: "« mes-commandes.session_token »" })).toBeVisible();
}
