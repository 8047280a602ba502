import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeStripe, startFakeStripe } from "../../test/fakes/stripe/stripe.ts";
import { createOrderFixture, type OrderFixture } from "../../test/orders.ts";
import { readBalance } from "./read-balance.server.ts";
import { stripeProvider } from "./stripe/stripe-provider.server.ts";

const day = 86_400_000;
let orders: OrderFixture;
let stripe: FakeStripe;
let shop: OrderFixture & { provider: ReturnType<typeof stripeProvider> };
beforeAll(async () => {
	orders = await createOrderFixture({ startsAt: "2026-11-02T09:00:00Z" });
	stripe = await startFakeStripe({ now: orders.now });
	const { secretKey, webhookSecret, url: apiBase } = stripe;
	shop = { ...orders, provider: stripeProvider({ secretKey, webhookSecret, apiBase, live: false }, orders.now) };
});
afterAll(async () => {
	await stripe?.close();
	await orders?.close();
});

const later = (milliseconds: number) => {
	orders.clock.now = new Date(orders.now().getTime() + milliseconds);
};
const listMovements = () => orders.db.selectFrom("provider_movements").selectAll().orderBy("occurred_at").orderBy("kind").execute();
const listPayouts = () => orders.db.selectFrom("provider_payouts").selectAll().orderBy("created_at").execute();

test("before the first payment nothing is read", async () => {
	expect(await readBalance(shop)).toMatchObject({ ok: true, movements: 0 });
	await orders.db.deleteFrom("provider_readings").execute();
	stripe.state.requests.length = 0;
});

test("the first reading begins with the first payment, and a payout is complete once the provider has itemised it", async () => {
	const { payment } = await orders.insertPaidOrder();
	later(60 * day); // longer ago than a usual reading
	stripe.recordMovement("charge", { amount: 5900, fee: 114, source: null });
	stripe.recordMovement("fee", { type: "stripe_fee", amount: -150, source: null });
	later(1000);
	const payout = stripe.payOut({ status: "in_transit" });
	payout.reconciliation_status = "in_progress";
	later(1000);
	expect(await readBalance(shop)).toMatchObject({ ok: true, movements: 3, payouts: 1 });
	const requested = stripe.state.requests.find(({ path }) => path === "/v1/balance_transactions");
	const created = new URLSearchParams(requested?.form).get("created[gte]");
	expect(Number(created)).toBe(payment.created_at.getTime() / 1000 - 86_400);
	expect(await listPayouts()).toMatchObject([{ amount_cents: 5636, status: "pending", automatic: false, movements_read_at: null }]);
	Object.assign(payout, { status: "paid", reconciliation_status: "completed" });
	later(day);
	expect(await readBalance(shop)).toMatchObject({ ok: true });
	expect(await listPayouts()).toMatchObject([{ status: "paid", automatic: true, movements_read_at: orders.now() }]);
	expect((await listMovements()).map(({ kind, payout_id }) => [kind, payout_id])).toEqual([
		["charge", payout.id],
		["fee", payout.id],
		["payout", null],
	]);
});

test("a payout that comes back later is updated; what is known is not asked for again", async () => {
	const [payout] = await listPayouts();
	stripe.failPayout(payout?.id ?? "");
	later(day);
	stripe.state.requests.length = 0;
	await readBalance(shop);
	expect(await listPayouts()).toMatchObject([{ status: "failed" }]);
	expect((await listMovements()).map(({ kind }) => kind)).toEqual(["charge", "fee", "payout", "payout-returned"]);
	expect(stripe.state.requests.filter(({ form }) => form.includes("payout="))).toEqual([]);
});

test("an outage changes nothing, and the next reading starts again from the same instant", async () => {
	const before = await orders.db.selectFrom("provider_readings").selectAll().execute();
	stripe.recordMovement("fee", { type: "stripe_fee", amount: -10, source: null });
	for (const path of ["/v1/balance_transactions", "/v1/payouts"]) {
		stripe.failNext({ path, kind: "503", times: 3 });
		expect(await readBalance(shop)).toMatchObject({ ok: false, code: "unavailable" });
		stripe.clearFaults();
	}
	stripe.failNext({ path: "/v1/balance_transactions", kind: "403" }); // the key may not read it
	expect(await readBalance(shop)).toMatchObject({ ok: false, code: "unavailable" });
	expect(await orders.db.selectFrom("provider_readings").selectAll().execute()).toEqual(before);
	expect(await listMovements()).toHaveLength(4);
	later(1000);
	await readBalance(shop);
	expect(await listMovements()).toHaveLength(5);
});
