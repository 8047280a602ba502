import { expect, type Page } from "@playwright/test";
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
