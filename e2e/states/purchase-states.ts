import { expect, type Page } from "@playwright/test";
import { cards, newCustomer, payWith } from "../customer.ts";
import { buyPurchase, listNumbers, orderPurchase } from "../purchases/buy-purchase.ts";
import { fillInPurchase, listSirens, sendList } from "../purchases/steps.ts";
import { delayExtract, openDatabase } from "../shared-shop.ts";
import type { State } from "./state.ts";

/** Updates orders of a purchase in the database, and reloads the page. @param set columns and values, in SQL. */
async function showAs(page: Page, numbers: readonly string[], set: string): Promise<void> {
	const client = await openDatabase();
	await client.query(`update orders set ${set} where order_number = any($1)`, [numbers]);
	await client.end();
	await page.reload();
}

const untilDelivered = (page: Page, count: number) => expect(page.getByText(`${count} sur ${count} prêts.`)).toBeVisible();

/** The pages of a purchase of several orders. */
export const purchaseStates: State[] = [
	{
		name: "purchase: not paid",
		async visit(page) {
			const { numbers } = await orderPurchase(page, 3);
			await page.goto(page.url().replace("/bac-a-sable/", "/confirmation/"));
			await page.waitForURL(`**/suivi/${numbers[0]}/ensemble`);
			await expect(page.getByRole("button", { name: "Reprendre le paiement" })).toBeVisible();
		},
	},
	{
		name: "purchase: in progress",
		async visit(page) {
			const { numbers } = await orderPurchase(page, 4);
			for (const [index, number] of numbers.entries()) await delayExtract(number, index);
			await payWith(page, cards.accepted);
			await expect(page.getByText("0 sur 4 prêt, 4 en cours.")).toBeVisible();
		},
	},
	{
		name: "purchase: delivered",
		async visit(page) {
			await buyPurchase(page, 3);
			await untilDelivered(page, 3);
		},
	},
	{
		name: "purchase: a withdrawal from all of it",
		async visit(page) {
			await buyPurchase(page, 3);
			await untilDelivered(page, 3);
			await page.getByRole("button", { name: "Renoncer au contrat ici" }).click();
			await page.getByRole("button", { name: "Tout cocher" }).click();
			await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(3);
		},
		scriptless: true,
	},
	{
		name: "purchase: with lines late, failed, cancelled and posted",
		async visit(page) {
			const { numbers } = await buyPurchase(page, 5);
			await untilDelivered(page, 5);
			await showAs(page, numbers.slice(1, 2), "status = 'processing', completed_at = null, late_at = now()");
			await showAs(page, numbers.slice(2, 3), "status = 'failed', failure_reason = 'not-found'");
			await showAs(page, numbers.slice(3, 4), "status = 'failed', failure_reason = 'cancelled', refunded_cents = price_cents");
			await showAs(page, numbers.slice(4), "product_code = 'postal', tracking_number = '1A23456789012'");
			await expect(page.getByText("2 sur 5 prêts ou postés, 1 en cours, 1 n’a pas abouti, 1 annulé.")).toBeVisible();
		},
	},
	{
		name: "purchase: folded, with the lines that were looked for",
		async visit(page) {
			const customer = newCustomer();
			await sendList(page, (await listSirens(24)).map((siren, index) => `${siren};Metz${index + 1}`).join("\n"));
			await fillInPurchase(page, customer);
			await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
			await page.getByRole("button", { name: /Finaliser ma commande/ }).click();
			await page.waitForURL("**/bac-a-sable/**");
			const numbers = await listNumbers(customer.email);
			for (const [index, number] of numbers.entries()) await delayExtract(number, index);
			await payWith(page, cards.accepted);
			await showAs(page, numbers.slice(0, 2), "status = 'failed', failure_reason = 'not-found'");
			await showAs(page, numbers.slice(2, 5), "late_at = now()");
			await page.getByLabel("Entreprise, SIREN, numéro ou votre référence").fill("Metz7");
			await page.locator("#extraits").getByRole("button", { name: "Chercher" }).click();
			await expect(page.getByText("1 extrait correspond à votre recherche, sur 24")).toBeVisible();
		},
	},
	{
		name: "purchase: in another browser",
		async visit(page) {
			await orderPurchase(page, 3);
			const confirmation = page.url().replace("/bac-a-sable/", "/confirmation/");
			await payWith(page, cards.accepted);
			await untilDelivered(page, 3);
			await page.context().clearCookies();
			await page.goto(confirmation);
			await untilDelivered(page, 3);
		},
	},
	{
		name: "purchase: without access",
		async visit(page) {
			const { numbers } = await orderPurchase(page, 2);
			await page.goto(`/suivi/${numbers[0]}/ensemble`);
			await expect(page.getByLabel("Adresse e-mail")).toBeVisible();
		},
	},
	{
		name: "tracking: an order of a purchase",
		async visit(page) {
			const { numbers } = await buyPurchase(page, 2);
			await untilDelivered(page, 2);
			await page.getByRole("link", { name: "LA POSTE", exact: true }).click();
			await expect(page.getByText(`ligne 2 sur 2 de la commande groupée ${numbers[0]}`)).toBeVisible();
		},
	},
	{ name: "documents of a purchase: a wrong link", visit: "/documents/ensemble/abc", status: 403, scriptless: true },
];
