import { expect } from "@playwright/test";
import { newCustomer } from "../customer.ts";
import { fillInPurchase, listSirens, mixedList, sendList } from "../purchases/steps.ts";
import type { State } from "./state.ts";

/** Orders of several companies, up to the payment. */
export const purchaseFormStates: State[] = [
	{ name: "purchase form: empty", visit: "/commande/plusieurs", indexable: true },
	{ name: "purchase form: an expired form", visit: "/commande/plusieurs?commande=expired" },
	{
		name: "purchase form: no list",
		async visit(page) {
			await page.goto("/commande/plusieurs");
			await page.getByRole("button", { name: "Vérifier la liste" }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
		status: 400,
	},
	{ name: "purchase form: lines of each kind", visit: (page) => sendList(page, mixedList) },
	{
		name: "purchase form: with errors",
		async visit(page) {
			await sendList(page, "zzzzqqq");
			await page.getByRole("radio", { name: /KBIS Postal/ }).check();
			await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
			await expect(page.getByRole("alert")).toBeVisible();
		},
		status: 400,
	},
	{
		name: "purchase form: lines that were not seen yet",
		async visit(page) {
			await sendList(page, "552032534");
			await fillInPurchase(page, newCustomer());
			await page.getByLabel("Une entreprise par ligne").fill("423435544 ; dossier 2\nzzzzqqq\ngroupe");
			await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
			await expect(page.getByText("Vérifiez les lignes que vous venez d’ajouter ou de modifier")).toBeVisible();
		},
	},
	{
		name: "purchase form: two hundred lines",
		visit: async (page) => sendList(page, (await listSirens(200)).join("\n")),
	},
	{
		name: "purchase form: payment",
		async visit(page) {
			await sendList(page, `${mixedList}\n423435544`);
			await fillInPurchase(page, newCustomer());
			await page.getByLabel("Service de la ligne 1", { exact: true }).selectOption("standard");
			await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
			await page.waitForURL("**/paiement?**");
		},
	},
];
