import { expect } from "@playwright/test";
import pg from "pg";
import { connectionTo, dataDir, sharedDatabase, shopEnvironment } from "./databases.ts";

/** The shop that playwright.config.ts starts. */
export const port = Number(process.env.E2E_PORT ?? 3917);

/** The environment of its commands. */
export const getEnvironment = () => shopEnvironment(dataDir, connectionTo(sharedDatabase));

/** A connection to the database of a running shop, by default the shared one. The caller ends it. */
export async function openDatabase(
	shop: { connection: pg.ClientConfig } = { connection: connectionTo(sharedDatabase) },
): Promise<pg.Client> {
	const client = new pg.Client(shop.connection);
	client.on("error", () => {}); // a test may kill the shop
	await client.connect();
	return client;
}

/** Blocks the storing of extracts, as if the issuer were slow. @returns a function that ends this. */
export async function blockExtracts(shop?: { connection: pg.ClientConfig }): Promise<() => Promise<void>> {
	const client = await openDatabase(shop);
	await client.query("begin");
	await client.query("lock table documents in share row exclusive mode");
	return () => client.end();
}

/**
 * Makes an extract half an hour late, before its order is paid: the specimens of a purchase are issued one a second by their line, and this
 * one gets a line that no purchase has. Only this order waits, unlike with blockExtracts.
 * @param index different for each order of a purchase.
 */
export const delayExtract = (number: string, index = 0): Promise<void> => updateOrder(number, `purchase_line = ${1800 + index}`);

/** Updates an order in the database. @param set columns and values, in SQL. */
export async function updateOrder(number: string, set: string): Promise<void> {
	const client = await openDatabase();
	await client.query(`update orders set ${set} where order_number = $1`, [number]);
	await client.end();
}

/** Replaces an order's extract, as the operator's command does. */
export async function replaceExtract(number: string): Promise<void> {
	const client = await openDatabase();
	const of = "doc_type = 'kbis' and replaced_at is null and order_id = (select id from orders where order_number = $1)";
	const { rows } = await client.query(`update documents set replaced_at = now(), replaced_because = 'essai' where ${of} returning *`, [
		number,
	]);
	await client.query(
		`insert into documents (id, order_id, doc_type, issued_at, storage_path, sha256, bytes, created_at) values (gen_random_uuid(), $1, 'kbis', $2, $3, $4, $5, now())`,
		["order_id", "issued_at", "storage_path", "sha256", "bytes"].map((column) => rows[0][column]),
	);
	await client.query("insert into order_events (order_id, event_type, created_at) values ($1, 'extract_replaced', now())", [
		rows[0].order_id,
	]);
	await client.end();
}

/** Lets the stored form of a mailbox expire. */
export async function expireForm(email: string): Promise<void> {
	const client = await openDatabase();
	const { rowCount } = await client.query("update order_forms set expires_at = now() where fields ->> 'email' = $1", [email]);
	await client.end();
	expect(rowCount).toBe(1);
}

/** Waits until all orders of a mailbox are delivered. */
export async function waitForDelivery(email: string): Promise<void> {
	const client = await openDatabase();
	const select = "select from orders where customer_email = $1 and status <> 'completed'";
	await expect.poll(async () => (await client.query(select, [email])).rowCount, { intervals: [50] }).toBe(0);
	await client.end();
}

/** Waits until the invoices and credit notes of a mailbox's orders have their PDF. The pages do not show one that comes later. */
export async function waitForInvoices(email: string, count: number, shop?: { connection: pg.ClientConfig }): Promise<void> {
	const client = await openDatabase(shop);
	const select = `select from invoices join orders on orders.id = order_id where customer_email = $1 and document_id is not null`;
	await expect.poll(async () => (await client.query(select, [email])).rowCount, { intervals: [50] }).toBe(count);
	await client.end();
}

export async function countOrders(email: string): Promise<number> {
	const client = await openDatabase();
	const { rowCount } = await client.query("select from orders where customer_email = $1", [email]);
	await client.end();
	return rowCount ?? 0;
}

/** A generated sole trader: the sample has none. Found by its SIREN only. */
export const soleTrader = "800000002";

export async function addSoleTrader(): Promise<void> {
	const client = await openDatabase();
	await client.query(
		`insert into companies (id, siren, status, masked, name, name_key, legal_category, address, postal_code, city, lexemes)
		values (2000000, $1, 'active', false, 'ADA LOVELACE', 0, '1000', '12 RUE DE LA PAIX', '75002', 'PARIS', '') on conflict do nothing`,
		[soleTrader],
	);
	await client.end();
}
