import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { insertPayment } from "../../test/orders.ts";
import { grantRefund } from "../../test/refunds.ts";
import { createStripeShop, type StripeShop } from "../../test/stripe-shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { cents } from "../catalogue/money.ts";
import { reconcile } from "./reconcile.server.ts";

// Differences between Stripe's payments and ours: each is found, and corrected where only an event was missing.

const minute = 60_000;
let shop: StripeShop;
beforeAll(async () => {
	shop = await createStripeShop();
});
afterAll(() => shop?.close());

describe("the nightly reconciliation", () => {
	const compare = async () => {
		shop.clock.ahead = 20 * minute;
		const done = await reconcile(shop.shop);
		shop.clock.ahead = 0;
		return done.ok ? done.differences : null;
	};

	test("finds no difference when there is none", async () => {
		await shop.completePaid();
		expect(await compare()).toEqual([]);
	});

	test("finds no difference for a refund that the bank has not executed yet", async () => {
		const { placed } = await shop.completePaid();
		shop.stripe.setRefundStatus("pending");
		await grantRefund(shop.shop, placed.id, cents(900));
		await vi.waitFor(async () => expect(await shop.rows.refunds(placed.id)).toMatchObject([{ status: "pending" }]), {
			timeout: scaledTimeout(20_000),
		});
		shop.stripe.setRefundStatus("succeeded");
		expect(await compare()).toEqual([]);
	});

	test("finds a payment whose event did not come, and records it", async () => {
		const placed = await shop.placeOrder();
		shop.stripe.pay(placed.sessionId, { silently: true });
		expect(await compare()).toMatchObject([{ what: "missing-here", orderId: placed.id, here: null, there: 5900 }]);
		await shop.untilOrderIs("completed", placed.id);
		expect(await compare()).toEqual([]);
	});

	test("finds a refund whose event did not come, and records it", async () => {
		const { placed, payment } = await shop.completePaid();
		shop.stripe.sendEventsTo("http://127.0.0.1:9");
		shop.stripe.holdEvents();
		shop.stripe.refundFromDashboard(payment, 1000);
		expect(await compare()).toMatchObject([{ what: "refunded", paymentId: payment, here: 0, there: 1000 }]);
		shop.stripe.sendEventsTo(shop.webhookUrl);
		shop.stripe.releaseEvents(() => []);
		expect(await shop.getMails(placed, "refunded")).toHaveLength(1);
		expect((await shop.orderRow(placed.id)).refunded_cents).toBe(1000);
		expect(await compare()).toEqual([]);
	});

	test("reports a different amount and a payment unknown to Stripe to the operator, until each is corrected", async () => {
		const { placed, payment } = await shop.completePaid();
		const amount = (cents: number) => shop.shop.db.updateTable("payments").set({ amount_cents: cents }).where("id", "=", payment).execute();
		await amount(5800);
		expect(await compare()).toMatchObject([{ what: "amount", paymentId: payment, here: 5800, there: 5900 }]);
		await amount(5900);
		const stranger = { id: "pi_unknown", role: "surplus", created_at: shop.shop.now() } as const;
		await insertPayment(shop.shop.db, { id: placed.id, price_cents: cents(100) }, stranger);
		expect(await compare()).toMatchObject([{ what: "missing-there", paymentId: "pi_unknown", here: 100, there: null }]);
		await shop.shop.db.deleteFrom("payments").where("id", "=", "pi_unknown").execute();
		expect(await compare()).toEqual([]);
		const reports = await shop.shop.db.selectFrom("reconciliations").selectAll().orderBy("id").execute();
		expect(reports.slice(-3).map(({ differences }) => (differences as unknown[]).length)).toEqual([1, 1, 0]);
	});
});
