import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeStripe, startFakeStripe } from "../../test/fakes/stripe/stripe.ts";
import { createOrderFixture, type OrderFixture } from "../../test/orders.ts";
import { deleteOldBalance } from "./balance.store.server.ts";
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
	expect(await readBalance(shop)).toEqual({ ok: true, until: orders.now(), movements: 3, payouts: 1 });
	expect(orders.lines.at(-1)).toMatchObject({
		...{ since: new Date(payment.created_at.getTime() - day).toISOString(), until: orders.now().toISOString() },
		...{ movements: 3, payouts: 1, msg: "the provider's balance is read" },
	});
	const requested = stripe.state.requests.find(({ path }) => path === "/v1/balance_transactions");
	const created = new URLSearchParams(requested?.form).get("created[gte]");
	expect(Number(created)).toBe(payment.created_at.getTime() / 1000 - 86_400);
	expect(await listPayouts()).toMatchObject([{ amount_cents: 5636, status: "pending", automatic: false, movements_read_at: null }]);
	Object.assign(payout, { status: "paid", reconciliation_status: "completed" });
	later(day);
	expect(await readBalance(shop)).toMatchObject({ ok: true });
	stripe.payOut({ automatic: false });
	later(1000);
	await readBalance(shop);
	expect(await listPayouts()).toMatchObject([
		{ status: "paid", automatic: true, movements_read_at: new Date(orders.now().getTime() - 1000) },
		{ automatic: false, movements_read_at: null },
	]);
	for (const { id } of (await listPayouts()).slice(1)) {
		stripe.state.payouts.delete(id);
		await orders.db.deleteFrom("provider_payouts").where("id", "=", id).execute();
		await orders.db.deleteFrom("provider_movements").where("source_id", "=", id).execute();
		for (const [transaction, { source }] of stripe.state.transactions) if (source === id) stripe.state.transactions.delete(transaction);
	}
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

test("ten thousand movements are read, with their payment and cause", async () => {
	await orders.db.deleteFrom("provider_movements").execute();
	const movements = Array.from({ length: 10_000 }, (_, index) => ({
		...{ id: `txn_${index}`, kind: "refund" as const, amount: -index, fee: 2, currency: "eur", at: orders.now() },
		...{ paymentId: `pi_${index}`, sourceId: `re_${index}` },
	}));
	const provider = { ...shop.provider, listMovements: async () => ({ ok: true as const, movements }) };
	expect(await readBalance({ ...shop, provider })).toMatchObject({ ok: true, movements: 10_000 });
	const stored = await listMovements();
	expect(stored).toHaveLength(10_000);
	expect(stored.find(({ id }) => id === "txn_9999")).toMatchObject({
		...{ kind: "refund", amount_cents: -9999, fee_cents: 2, currency: "eur", occurred_at: orders.now() },
		...{ payment_id: "pi_9999", source_id: "re_9999", payout_id: null },
	});
});

test("what is older than an instant is deleted, except for payouts with movements that are kept, and all readings but the newest", async () => {
	for (const table of ["provider_movements", "provider_payouts", "provider_readings"] as const) await orders.db.deleteFrom(table).execute();
	const before = orders.now();
	const old = new Date(before.getTime() - 1);
	const payouts = [
		["po_old", old],
		["po_used", old],
		["po_new", before],
	] as const;
	for (const [id, arrives_at] of payouts)
		await orders.db
			.insertInto("provider_payouts")
			.values({ id, currency: "eur", created_at: old, amount_cents: 1, status: "paid", automatic: true, arrives_at })
			.execute();
	const movements = [
		["txn_old", old, "po_old"],
		["txn_new", before, "po_used"],
	] as const;
	for (const [id, occurred_at, payout_id] of movements)
		await orders.db
			.insertInto("provider_movements")
			.values({ id, kind: "charge", amount_cents: 1, fee_cents: 0, currency: "eur", payout_id, occurred_at })
			.execute();
	for (const until of [old, before]) await orders.db.insertInto("provider_readings").values({ until, read_at: before }).execute();
	await deleteOldBalance(orders.db, before);
	expect((await listMovements()).map(({ id }) => id)).toEqual(["txn_new"]);
	expect((await listPayouts()).map(({ id }) => id).sort()).toEqual(["po_new", "po_used"]);
	expect((await orders.db.selectFrom("provider_readings").select("until").execute()).map(({ until }) => until)).toEqual([before]);
});
