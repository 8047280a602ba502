import { expect, type Page } from "@playwright/test";
import { alive, holdScripts } from "./customer.ts";
import type { State } from "./page-states.ts";
import { addSoleTrader, soleTrader } from "./shop-under-test.ts";
import { order, payment } from "./ways.ts";

/** Companies that are announced with a notice. */
const announced = [
	{ what: "a company that ceased", siren: "006620066" },
	{ what: "a company that was removed", siren: "839517323" },
	{ what: "a sole trader", siren: soleTrader },
	{ what: "a mutual insurer", siren: "775652126" },
];

/** The order form and the payment page, with what must be known of a company before paying. */
export const noticeStates: State[] = [
	...announced.flatMap(({ what, siren }): State[] => {
		const known = (reach: string) => (page: Page) => addSoleTrader().then(() => page.goto(reach));
		return [
			{ name: `order: ${what}`, reach: known(order.replace("552032534", siren)) },
			{ name: `payment: ${what}`, reach: known(payment.replace("552032534", siren)) },
		];
	}),
	{
		name: "order: companies found without JavaScript",
		async reach(page) {
			const scriptsArrive = await holdScripts(page);
			await page.goto("/commande", { waitUntil: "commit" });
			await page.getByLabel(/SIREN/).fill("005870");
			await page.getByRole("button", { name: "Rechercher" }).click({ noWaitAfter: true });
			await expect(page.getByText("Choisissez l’entreprise")).toBeVisible();
			await expect(page.getByText("Pas d’extrait Kbis", { exact: true }).first()).toBeVisible();
			await scriptsArrive();
		},
	},
	{
		name: "order: what has no extract, chosen",
		async reach(page) {
			await page.goto("/commande");
			await alive(page);
			await page.getByRole("combobox", { name: /SIREN/ }).fill("775688732");
			await page.getByRole("option").first().click();
			await expect(page.getByText("Pas d’extrait Kbis", { exact: true })).toBeVisible();
		},
	},
];
