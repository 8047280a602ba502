import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createSharing } from "../../../../test/fixtures/sharing.ts";
import { placePurchase } from "../../../../test/purchases/place-purchase.ts";
import { readZip } from "../../../../test/purchases/read-zip.ts";
import { grantRefund } from "../../../../test/refunds.ts";
import { createStripeShop, type StripeShop } from "../../../../test/stripe-shop.ts";
import { scaledTimeout } from "../../../../test/time-limits.ts";
import { signKey } from "../../../orders/keys.server.ts";

// A dispute that the provider reports on a delivered purchase: all its documents close and open together.

let shop: StripeShop;
beforeAll(async () => {
	shop = await createStripeShop();
});
afterAll(() => shop?.close());

/** A delivered purchase of three orders, with the addresses at which its documents are found. */
async function deliver() {
	const { orders, sessionId } = await placePurchase(shop, [{}, { service: "express" }, {}]);
	const payment = await shop.pay(sessionId);
	for (const { id } of orders) await shop.untilOrderIs("completed", id);
	await waitFor(async () => expect(await shop.rows.invoices(orders[0].id)).toMatchObject([{ document_id: expect.any(String) }]));
	const sharing = createSharing(shop);
	const documents: string[] = [];
	const shares: string[] = [];
	for (const { order_number: number } of orders) {
		documents.push(...(await findDocuments(number)));
		shares.push(await sharing.share(number));
	}
	const files = await Promise.all(shares.map(async (path) => (await sharing.open(path)).file));
	const archives = (["purchase", "purchase-link", "url"] as const).map(
		(access) => `/documents/ensemble/${signKey(shop.shop, "files", orders[0], { access })}`,
	);
	/** The statuses of all of them, each once. */
	async function askAll(): Promise<number[]> {
		const answers = [...archives, ...documents, ...files, ...shares].map((path) => shop.ask(path));
		const opened = shares.map((path) => shop.postForm(path, {}));
		return [...new Set((await Promise.all([...answers, ...opened])).map(({ status }) => status))];
	}
	return { orders, payment, documents, archives, askAll };
}

const waitFor = (check: () => Promise<void>) => vi.waitFor(check, { timeout: scaledTimeout(20_000), interval: 25 });

/** The documents that the page of an order offers. */
async function findDocuments(number: string): Promise<string[]> {
	const page = await shop.ask(`/suivi/${number}`, { headers: { cookie: await shop.getTrackingCookie({ number }) } });
	return [...new Set((await page.text()).match(/\/documents\/(?!ensemble\/)[\w.-]+/g) ?? [])];
}

const getRefunds = async (orders: readonly { id: string }[]) =>
	(await Promise.all(orders.map(({ id }) => shop.rows.refunds(id)))).map((rows) => rows.map(({ status }) => status));

test("while it is open nothing opens and nothing is refunded; once it is won all opens again", async () => {
	const { orders, payment, documents, archives, askAll } = await deliver();
	const [, second] = orders;
	expect(documents.length).toBeGreaterThanOrEqual(3);
	expect(await askAll()).toEqual([200]);

	shop.stripe.openDispute(payment);
	await shop.stripe.delivered();
	expect(await askAll()).toEqual([403]);
	for (const { order_number } of orders) expect(await findDocuments(order_number)).toEqual([]);
	expect(await grantRefund(shop.shop, second?.id ?? "")).toMatchObject({ ok: true });
	// the job has run and done nothing
	await waitFor(async () => {
		const { rows } = await sql`select from jobs.job where name = 'carry-out-refund' and state < 'completed'`.execute(shop.shop.db);
		expect(rows).toEqual([]);
	});
	expect(await getRefunds(orders)).toEqual([[], ["requested"], []]);
	expect(shop.stripe.state.refunds.size).toBe(0);

	shop.stripe.closeDispute(payment, "won");
	await shop.stripe.delivered();
	await waitFor(async () => expect(await getRefunds(orders)).toEqual([[], ["succeeded"], []]));
	expect([...shop.stripe.state.refunds.values()].map(({ amount }) => amount)).toEqual([second?.price_cents]);
	expect(await askAll()).toEqual([200]);
	const archive = await shop.ask(archives[0] ?? "");
	expect(readZip(Buffer.from(await archive.arrayBuffer())).size).toBe(6);
});
