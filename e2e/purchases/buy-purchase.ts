import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, type Page } from "@playwright/test";
import { cards, orderUpToPayment, payWith } from "../customer.ts";
import { orderFormUrl } from "../flows.ts";
import { dataDir, openDatabase } from "../shared-shop.ts";

const companies = [
	["552032534", "DANONE"],
	["542107651", "ENGIE"],
	["780129987", "RENAULT"],
	["632012100", "L'OREAL"],
	["542065479", "PEUGEOT SA"],
];

export interface PlacedPurchase {
	email: string;
	/** Of each order, in the order of the lines. */
	numbers: string[];
}

/**
 * Orders one extract up to the payment page, and makes it a purchase of several in the database. Ends on the sandbox's page.
 * @param count the number of its lines; the first is express, the others standard.
 * @param slowLast the last line has a high number: the specimens of one purchase are issued one a second, so its own comes late.
 */
export async function orderPurchase(page: Page, count: number, { slowLast = false } = {}): Promise<PlacedPurchase> {
	const { email } = await orderUpToPayment(page, orderFormUrl);
	const sessionId = new URL(page.url()).pathname.split("/").at(-1);
	const client = await openDatabase();
	const find = "select client_reference_id::uuid from sandbox.sessions where id = $1";
	await client.query(
		`insert into orders select (jsonb_populate_record(orders, jsonb_build_object(
			'id', gen_random_uuid(), 'order_number', overlay(overlay(upper(translate(md5(random()::text), '01iolu', 'xxxxxx')) placing 'KB-' from 1 for 3) placing '-' from 8 for 1),
			'idempotency_key', null, 'purchase_line', line, 'product_code', 'standard', 'price_cents', 3900,
			'siren', ($2::text[])[1 + (line - 1) % 5], 'company_name', ($3::text[])[1 + (line - 1) % 5], 'reference', 'dossier 2026-' || line))).*
		from orders, generate_series(2, $4::integer) line where id = (${find})`,
		[sessionId, companies.map(([siren]) => siren), companies.map(([, name]) => name), count],
	);
	await client.query(`update orders set order_number = left(order_number, 12) where purchase_id = (${find}) and purchase_line > 1`, [
		sessionId,
	]);
	if (slowLast)
		await client.query(`update orders set purchase_line = 200 where purchase_id = (${find}) and purchase_line = $2`, [sessionId, count]);
	await client.query("update sandbox.sessions set amount_total = 5900 + 3900 * ($2 - 1) where id = $1", [sessionId, count]);
	const { rows } = await client.query<{ order_number: string }>(
		`select order_number from orders where purchase_id = (${find}) order by purchase_line`,
		[sessionId],
	);
	await client.end();
	return { email, numbers: rows.map(({ order_number }) => order_number) };
}

/** Orders and pays a purchase. Ends on its page. */
export async function buyPurchase(page: Page, count: number, options?: { slowLast?: boolean }): Promise<PlacedPurchase> {
	const placed = await orderPurchase(page, count, options);
	await payWith(page, cards.accepted);
	await page.waitForURL("**/ensemble");
	await expect(page.getByRole("heading", { level: 1 })).toHaveText(new RegExp(`Commande confirmée|Votre commande de ${count} extraits`));
	return placed;
}

/** Fails an order, as the operator's command does: its customer is refunded. */
export async function failOrder(number: string): Promise<void> {
	const command = ["main.ts", "orders", "fail", number, "--as", "Grace"];
	await promisify(execFile)(process.execPath, command, { env: { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: "error" } });
}
