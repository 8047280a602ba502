import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anyJson } from "../../../test/any-json.ts";
import { createOperator, type TestOperator } from "../../../test/operators.ts";
import { plain } from "../../../test/serving.ts";
import { createStripeShop, type StripeShop } from "../../../test/stripe-shop.ts";
import { formatMonth, getMonth } from "../../books/month.ts";
import { copyChangedOrders } from "../../orders/copies/copy-changed-orders.server.ts";

let shop: StripeShop;
let ada: TestOperator;
beforeAll(async () => {
	shop = await createStripeShop();
	ada = await createOperator(shop, "Ada", ["refund", "accounts"]);
});
afterAll(() => shop?.close());

const key = () => crypto.randomUUID();

/** The section of the differences on the page of money. */
async function readSection(answer: Response): Promise<string> {
	return /<section[^>]+aria-labelledby="comparaison"[\s\S]*?<\/section>/.exec(plain(await answer.text()))?.[0] ?? "";
}
const readPage = async () => readSection(await ada.ask("/bureau/argent"));
const send = async (act: string, orderId: string) =>
	plain(await (await ada.post("/bureau/argent", { act, key: key(), lost: orderId })).text());

/** What the nightly comparison found last. */
async function report(difference: Record<string, unknown>): Promise<void> {
	const now = shop.shop.now();
	await shop.shop.db
		.insertInto("reconciliations")
		.values({ since: now, until: now, compared: 1, differences: anyJson([difference]), created_at: now })
		.execute();
}

const refundButton = (number: string) => new RegExp(`href="/bureau/argent/${number}"[^>]*>Rembourser`);

test("the comparison with the provider runs on demand", async () => {
	expect(await send("reconcile", "")).toContain("Paiements comparés");
	expect(await send("adopt-payment", key())).toMatch(/Comparer/);
	const adopted = await ada.post("/bureau/argent", { act: "adopt-payment", key: key(), lost: key() });
	expect(await adopted.text()).toContain("Cette commande n’est pas ici");
});

test("the payouts are one link away, for those who may open the accounts", async () => {
	const month = getMonth(shop.shop.now());
	expect(await readPage()).toMatch(new RegExp(`href="/bureau/comptes/${month}"[^>]*>comptes du mois</a> \\(${formatMonth(month)}\\)`));
	const rose = await createOperator(shop, "Rose", ["refund"]);
	expect(await readSection(await rose.ask("/bureau/argent"))).not.toContain("/bureau/comptes/");
});

test("a payment unknown here is adopted before it is refunded", async () => {
	const placed = await shop.placeOrder();
	shop.stripe.pay(placed.sessionId, { silently: true });
	const paymentId = shop.getPaymentIntent(placed.sessionId);
	await report({ paymentId, orderId: placed.id, what: "missing-here", here: null, there: 5900 });
	const before = await readPage();
	expect(before).toContain("Pour rembourser : adoptez-le d’abord.");
	expect(before).not.toMatch(refundButton(placed.number));
	expect(await send("adopt-payment", placed.id)).toContain(`${placed.number} : elle suit maintenant les réponses du prestataire.`);
	await shop.untilOrderIs("completed", placed.id);
	const after = await readPage();
	expect(after).not.toContain("Pour rembourser");
	expect(after).toMatch(refundButton(placed.number));
	expect(await (await ada.ask(`/bureau/argent/${placed.number}`)).text()).toContain("Tout ce qui reste");
});

test("a lost order is recreated from its copy before its payment is refunded", async () => {
	const { placed, payment } = await shop.completePaid();
	await copyChangedOrders(shop.shop);
	await shop.shop.db.transaction().execute(async (trx) => {
		await sql`set local shop.purging_invoices = 'on'`.execute(trx);
		const tables = ["order_events", "mails", "invoices", "documents", "refunds", "payments", "payment_sessions", "payment_attempts"];
		for (const table of tables) await sql`delete from ${sql.table(table)} where order_id = ${placed.id}`.execute(trx);
		await sql`delete from orders where id = ${placed.id}`.execute(trx);
		await sql`delete from order_copy_requests`.execute(trx);
	});
	await report({ paymentId: payment, orderId: placed.id, what: "missing-here", here: null, there: 5900, copy: "lost" });
	const before = await readPage();
	expect(before).toContain("Pour rembourser : recréez d’abord la commande");
	expect(before).not.toContain("Adopter");
	expect(await send("recreate-order", placed.id)).toContain(`${placed.number} : recréée.`);
	expect(await readPage()).toMatch(refundButton(placed.number));
	expect((await shop.orderRow(placed.id)).status).toBe("completed");
});

test("a payment that only this shop knows is not refunded", async () => {
	const { placed, payment } = await shop.completePaid();
	await report({ paymentId: payment, orderId: placed.id, what: "missing-there", here: 5900, there: null });
	expect(await readPage()).not.toMatch(refundButton(placed.number));
});
