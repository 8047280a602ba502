import { expect, type Page } from "@playwright/test";
import { openCustomerLink, openCustomerSpace, placeOrders, showInvoices } from "../customer-space/steps.ts";
import type { State } from "./state.ts";

const openTab = async (page: Page, tab: string) => {
	await showInvoices(page, await openCustomerSpace(page));
	await page.getByRole("link", { name: tab, exact: true }).click();
};

/** « Mes commandes ». */
export const spaceStates: State[] = [
	{ name: "my orders: the form", visit: "/mes-commandes", scriptless: true },
	{ name: "my orders: the link is sent", visit: "/mes-commandes?demande=1", scriptless: true },
	{
		name: "my orders: the form, with an error",
		async visit(page) {
			await page.goto("/mes-commandes");
			await page.getByRole("button", { name: "Recevoir le lien" }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
		status: 400,
		scriptless: true,
	},
	{ name: "my orders: the link", visit: async (page) => openCustomerLink(page, await placeOrders(page)), scriptless: true },
	{ name: "my orders: a link that has ended", visit: "/mes-commandes/lien/abc", status: 410, scriptless: true },
	{
		name: "my orders: the list",
		async visit(page) {
			await showInvoices(page, await openCustomerSpace(page));
		},
		scriptless: true,
	},
	{
		name: "my orders: nothing found",
		async visit(page) {
			await openCustomerSpace(page);
			await page.getByLabel("Entreprise, SIREN, numéro ou votre référence").fill("zzzz");
			await page.getByRole("button", { name: "Chercher", exact: true }).click();
			await expect(page.getByText("Aucune de vos commandes ne correspond")).toBeVisible();
		},
		scriptless: true,
	},
	{
		name: "my orders: invoices",
		async visit(page) {
			await openTab(page, "Factures");
			await expect(page.getByRole("link", { name: /Liste \d{4} \(CSV\)/ })).toBeVisible();
		},
		scriptless: true,
	},
	{
		name: "my orders: billing identities",
		async visit(page) {
			await openTab(page, "Coordonnées de facturation");
			await expect(page.getByRole("button", { name: "Commander avec ces coordonnées" })).toBeVisible();
		},
		scriptless: true,
	},
	{
		name: "my orders: sessions",
		async visit(page) {
			await openTab(page, "Connexions");
			await expect(page.getByText("(ce navigateur)")).toBeVisible();
		},
		scriptless: true,
	},
];
