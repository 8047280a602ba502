import { expect, type Page } from "@playwright/test";
import { delayScripts, openOrderForm } from "../customer.ts";
import { orderFormUrl, paymentUrl } from "../flows.ts";
import { addPublishedCompany, publishedCompany } from "../published-company.ts";
import { addSoleTrader, soleTrader } from "../shared-shop.ts";
import type { State } from "./state.ts";

/** Companies that have a notice. */
const announced = [
	{ kind: "a company that ceased", siren: "006620066" },
	{ kind: "a company that was removed", siren: "839517323" },
	{ kind: "a sole trader", siren: soleTrader },
	{ kind: "a mutual insurer", siren: "775652126" },
];

/** The order form and the payment page of companies that have a notice. */
export const noticeStates: State[] = [
	...announced.flatMap(({ kind, siren }): State[] => {
		const known = (url: string) => (page: Page) => addSoleTrader().then(() => page.goto(url));
		return [
			{ name: `order: ${kind}`, visit: known(orderFormUrl.replace("552032534", siren)) },
			{ name: `payment: ${kind}`, visit: known(paymentUrl.replace("552032534", siren)) },
		];
	}),
	{
		name: "company: published notices",
		async visit(page) {
			await addPublishedCompany();
			await page.goto(`/entreprise/${publishedCompany}`);
			await page.getByText("Voir les 3 autres annonces").click();
		},
		indexable: true,
	},
	{
		name: "order: published notices",
		visit: (page) => addPublishedCompany().then(() => page.goto(orderFormUrl.replace("552032534", publishedCompany))),
	},
	{
		name: "payment: published notices",
		visit: (page) => addPublishedCompany().then(() => page.goto(paymentUrl.replace("552032534", publishedCompany))),
	},
	{
		name: "order: companies found without JavaScript",
		async visit(page) {
			const scriptsArrive = await delayScripts(page);
			await page.goto("/commande", { waitUntil: "commit" });
			await page.getByLabel("SIREN, SIRET ou nom d'entreprise").fill("005870");
			await page.getByRole("button", { name: "Rechercher" }).first().click({ noWaitAfter: true });
			await expect(page.getByText("Choisissez l’entreprise")).toBeVisible();
			await expect(page.getByText("Pas d’extrait Kbis", { exact: true }).first()).toBeVisible();
			await scriptsArrive();
		},
	},
	{
		name: "order: a company without an extract is chosen",
		async visit(page) {
			await openOrderForm(page, "/commande");
			await page.getByRole("combobox", { name: /SIREN/ }).fill("775688732");
			await page.getByRole("option").first().click();
			await expect(page.getByText("Pas d’extrait Kbis", { exact: true })).toBeVisible();
		},
	},
];
