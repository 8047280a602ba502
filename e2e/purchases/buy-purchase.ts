import { expect, type Page } from "@playwright/test";
import { failOrder as failPaidOrder } from "../../app/fulfilment/fail-order.server.ts";
import type { OrderNumber } from "../../app/orders/order-number.server.ts";
import { findOrderByReference } from "../../app/orders/orders.store.server.ts";
import { besideShop } from "../../test/beside-shop.ts";
import { cards, newCustomer, payWith } from "../customer.ts";
import { delayExtract, getEnvironment, openDatabase } from "../shared-shop.ts";
import { fillInPurchase, sendList } from "./steps.ts";

const companies = ["552032534", "356000000", "302474648", "470501545", "418166096"];

export interface PlacedPurchase {
	email: string;
	/** Of each order, in the order of the lines. */
	numbers: string[];
}

/**
 * Orders extracts of up to five companies, the second of them LA POSTE. Ends on the sandbox's page.
 * @param count the number of lines; the first is express, the others standard.
 * @param slowLast the specimen of the last line comes late.
 */
export async function orderPurchase(page: Page, count: number, { slowLast = false } = {}): Promise<PlacedPurchase> {
	const customer = newCustomer();
	const lines = companies.slice(0, count).map((siren, index) => `${siren};dossier 2026-${index + 1}`);
	await sendList(page, lines.join("\n"));
	await page.getByRole("radio", { name: /KBIS Standard/ }).check();
	await page.getByLabel("Service de la ligne 1", { exact: true }).selectOption("express");
	await fillInPurchase(page, customer);
	await page.getByRole("button", { name: "Continuer vers le paiement" }).click();
	await page.waitForURL("**/paiement?**");
	await page.getByRole("button", { name: /Finaliser ma commande/ }).click();
	await page.waitForURL("**/bac-a-sable/**");
	const numbers = await listNumbers(customer.email);
	if (slowLast) await delayExtract(numbers.at(-1) ?? "");
	return { email: customer.email, numbers };
}

/** The numbers of a mailbox's orders, in the order of their lines. */
export async function listNumbers(email: string): Promise<string[]> {
	const client = await openDatabase();
	const { rows } = await client.query<{ order_number: string }>(
		"select order_number from orders where customer_email = $1 order by purchase_line",
		[email],
	);
	await client.end();
	return rows.map(({ order_number }) => order_number);
}

/** Orders and pays a purchase. Ends on its page. */
export async function buyPurchase(page: Page, count: number, options?: { slowLast?: boolean }): Promise<PlacedPurchase> {
	const placed = await orderPurchase(page, count, options);
	await payWith(page, cards.accepted);
	await page.waitForURL("**/ensemble");
	await expect(page.getByRole("heading", { level: 1 })).toHaveText(new RegExp(`Commande confirmée|Votre commande de ${count} extraits`));
	return placed;
}

/** Fails an order, as an operator does who stops it: its customer is refunded. */
export async function failOrder(number: string): Promise<void> {
	const failed = await besideShop(getEnvironment(), async (runtime) => {
		const order = await findOrderByReference(runtime.db, { number: number as OrderNumber });
		return order && failPaidOrder(runtime, order.id, "operator", { by: "Grace" });
	});
	expect(failed).toBe(true);
}
