import { afterAll, beforeAll, expect, test } from "vitest";
import { createOperator, type TestOperator } from "../../../test/operators.ts";
import { insertOrder, insertPayment } from "../../../test/orders.ts";
import { placePurchase } from "../../../test/purchases/place-purchase.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { failOrder } from "../../fulfilment/fail-order.server.ts";
import type { Order } from "../../orders/order.ts";
import type { RecordedPayment } from "../../orders/refunds/refunds.store.server.ts";
import type { ActOutcome } from "../acts/act.ts";
import { approve, performAct, runScheduledAct } from "../acts/perform-act.server.ts";

// The limit above which a second person approves a refund counts what people give back for all orders of a purchase (docs/rules.md, R95).

let shop: TestShop;
let ada: TestOperator;
/** Ada and Bob as the acts know them. */
let actors: { id: string; name: string; roles: ReadonlySet<"refund">; origin: string }[];
beforeAll(async () => {
	shop = await createTestShop({ variables: { ISSUER: "manual" } });
	ada = await createOperator(shop, "Ada", ["refund"]);
	await createOperator(shop, "Bob", ["refund"]);
	const rows = await shop.shop.db.selectFrom("operators.user").select(["id", "name"]).orderBy("name").execute();
	actors = rows.map(({ id, name }) => ({ id, name, roles: new Set(["refund"] as const), origin: "test" }));
});
afterAll(() => shop?.close());

const actor = (place: number) => actors[place] ?? expect.fail();
const plain = (html: string) => html.replaceAll(/[\u00a0\u202f]/g, " ").replaceAll("<!-- -->", "");

interface Paid {
	orders: Order[];
	payment: RecordedPayment;
}

/** A paid purchase of standard orders, 39 € each. */
async function purchaseOf(count: number): Promise<Paid> {
	const { orders, payUrl } = await placePurchase(shop, Array(count).fill({}), { email: `${crypto.randomUUID()}@example.fr` });
	await shop.payByCard(payUrl);
	for (const { id } of orders) await shop.untilOrderIs("processing", id);
	const query = shop.shop.db.selectFrom("payments").selectAll().where("order_id", "=", orders[0].id);
	return { orders, payment: await query.executeTakeFirstOrThrow() };
}

/** Asks for the refund of a whole line, which goes on or stops. */
const ask = ({ orders, payment }: Paid, line: number, stop: "yes" | "no"): Promise<ActOutcome> => {
	const fields = { payment: payment.id, left: "3900", part: "whole", cause: "wrong-extract", stop };
	return performAct(shop.shop, actor(0), { act: "refund", key: crypto.randomUUID(), orderId: orders[line]?.id ?? "", fields });
};

async function refund(paid: Paid, line: number, stop: "yes" | "no" = "no"): Promise<ActOutcome> {
	const asked = await ask(paid, line, stop);
	if (asked.state === "scheduled") await runScheduledAct(shop.shop, asked.key);
	return asked;
}

/** The refunded cents of each line that has a refund. */
async function listRefunded({ payment }: Paid): Promise<number[]> {
	const rows = await shop.shop.db.selectFrom("refunds").select("amount_cents").where("payment_id", "=", payment.id).execute();
	return rows.map(({ amount_cents }) => amount_cents);
}

test.each(["no", "yes"] as const)("counts the refunds of all lines, also those of lines that stop: %s", async (stop) => {
	const paid = await purchaseOf(4);
	for (const line of [0, 1]) expect((await refund(paid, line, stop)).state).toBe("scheduled");
	const third = await refund(paid, 2, stop);
	expect(third.state).toBe("waiting for approval");
	await runScheduledAct(shop.shop, third.key);
	expect(await listRefunded(paid)).toEqual([3900, 3900]);
	expect(await approve(shop.shop, actor(1), third.key)).toMatchObject({ ok: true });
	await runScheduledAct(shop.shop, third.key);
	expect(await listRefunded(paid)).toEqual([3900, 3900, 3900]);
});

test.each(["no", "yes"] as const)("is checked when the money leaves, also for refunds of several lines at once: %s", async (stop) => {
	const paid = await purchaseOf(4);
	const asked = await Promise.all([0, 1, 2, 3].map((line) => ask(paid, line, stop)));
	expect(asked.map(({ state }) => state)).toEqual(Array(4).fill("scheduled"));
	await Promise.all(asked.map(({ key }) => runScheduledAct(shop.shop, key)));
	expect(await listRefunded(paid)).toEqual([3900, 3900]);
	const ids = paid.orders.map(({ id }) => id);
	const acts = await shop.shop.db.selectFrom("desk_acts").select(["ok", "sentence"]).where("order_id", "in", ids).orderBy("ok").execute();
	expect(acts.map(({ ok }) => ok)).toEqual([false, false, true, true]);
	for (const { sentence } of acts.slice(0, 2))
		expect(plain(sentence ?? "")).toContain("Les remboursements de cette commande groupée dépassent ensemble 100,00 €");
});

test("does not count what a rule gives back for other lines", async () => {
	const paid = await purchaseOf(5);
	for (const { id } of paid.orders.slice(0, 3)) expect(await failOrder(shop.shop, id, "not-found")).toBe(true);
	for (const line of [3, 4]) expect((await refund(paid, line)).state).toBe("scheduled");
	expect(await listRefunded(paid)).toHaveLength(5);
});

test("the form of a refund says what the limit is for", async () => {
	const paid = await purchaseOf(2);
	const alone = await insertOrder(shop.shop.db, { status: "processing", created_at: shop.shop.now(), paid_at: shop.shop.now() });
	await insertPayment(shop.shop.db, alone, { created_at: shop.shop.now() });
	const read = async ({ order_number }: Order) => plain(await (await ada.ask(`/bureau/argent/${order_number}`)).text());
	expect(await read(paid.orders[1] ?? expect.fail())).toContain(
		"Au-dessus de 100,00 € pour toutes les lignes d’une commande groupée, une deuxième personne approuve.",
	);
	expect(await read(alone)).toContain("Au-dessus de 100,00 € pour une commande, une deuxième personne approuve.");
});
