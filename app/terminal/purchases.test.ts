import { afterAll, beforeAll, expect, test } from "vitest";
import { insertPurchaseToServe } from "../../test/fixtures/purchases.ts";
import { createTestDesk, type TestDesk } from "../../test/terminal.ts";
import type { Order } from "../orders/order.ts";

let desk: TestDesk;
let [first, second] = [] as unknown as [Order, Order];
beforeAll(async () => {
	desk = await createTestDesk("manual");
	const { orders } = await insertPurchaseToServe(
		desk.shop.db,
		[
			{ product_code: "standard", company_name: "ALPHA" },
			{ product_code: "express", company_name: "BETA", reference: "dossier 2026-114" },
		],
		{ now: desk.now() },
	);
	[first, second] = orders as [Order, Order];
});
afterAll(() => desk?.close());

test("« show » says the line, the reference and the other orders of a purchase", async () => {
	const { text } = await desk.orders("show", second.order_number);
	expect(text).toMatch(/Ligne +2 de 2\n/);
	expect(text).toMatch(/Référence du client +dossier 2026-114/);
	expect(text).toMatch(/règle la commande groupée/);
	expect(text).toMatch(
		new RegExp(
			`Commande groupée ${first.order_number}\n +1 +${first.order_number} +ALPHA +En traitement\n +→ 2 +${second.order_number} +BETA`,
		),
	);
});

test("« show » of an order bought alone says nothing of purchases", async () => {
	const placed = await desk.placeOrder();
	expect((await desk.orders("show", placed.number)).text).not.toMatch(/groupée|Ligne|Référence/);
});

test("« list » names the purchase and the reference", async () => {
	const { text } = await desk.orders("list");
	expect(text).toMatch(new RegExp(`${second.order_number}.+ligne 2 sur 2 de la commande groupée ${first.order_number}, dossier 2026-114`));
});

test("« refund » gives back the price of the order, not that of its purchase", async () => {
	const { ok, text } = await desk.orders("refund", second.order_number, "--reason", "wrong-extract", "--go-on");
	expect([ok, text]).toEqual([true, expect.stringContaining("59,00 €")]);
	const [refund] = await desk.shop.db.selectFrom("refunds").select(["order_id", "amount_cents"]).execute();
	expect(refund).toEqual({ order_id: second.id, amount_cents: 5900 });
});
