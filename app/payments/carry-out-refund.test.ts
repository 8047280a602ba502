import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { mixServices } from "../../test/fixtures/drafts.ts";
import { grantRefund } from "../../test/refunds.ts";
import { createStripeShop, type StripeShop } from "../../test/stripe-shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { cents } from "../catalogue/money.ts";
import { requeueStalledOrders } from "../fulfilment/requeue-stalled-orders.server.ts";
import type { Order } from "../orders/order.ts";
import { syncPayment } from "./sync-payment.server.ts";

// Refunds against Stripe's fake: made by the shop, by the operator on Stripe's pages, or returned by the customer's bank.

const minute = 60_000;
let shop: StripeShop;
beforeAll(async () => {
	shop = await createStripeShop();
});
afterEach(() => {
	shop.stripe.clearFaults();
	shop.stripe.setRefundStatus("succeeded");
	shop.clock.ahead = 0;
});
afterAll(() => shop?.close());

type Placed = Pick<Awaited<ReturnType<StripeShop["placeOrder"]>>, "id" | "number" | "sessionId" | "payUrl">;
const getStripeRefunds = (payment: string) =>
	[...shop.stripe.state.refunds.values()].filter(({ payment_intent }) => payment_intent === payment);

const completed = () => shop.completePaid();

/** A delivered express order of a purchase, with the first order of the purchase and its payment. */
async function completedOf(count: number) {
	const purchase = await shop.placePurchase(mixServices(count));
	const payment = await shop.pay(purchase.sessionId);
	for (const { id } of purchase.orders) await shop.untilOrderIs("completed", id);
	await shop.getMails(purchase, "confirmation");
	const order = purchase.orders.findLast(({ product_code }) => product_code === "express") as Order;
	return { placed: { ...purchase, id: order.id, number: order.order_number }, first: purchase, orders: purchase.orders, payment };
}

/** Waits until the customer has received so many refund e-mails for an order, and checks that the accounts balance. */
async function expectRefunded(placed: Placed, refunds: [string, number][]) {
	const total = refunds.reduce((sum, [, amount]) => sum + amount, 0);
	await vi.waitFor(
		async () => {
			const emails = (await shop.rows.mails(placed.id)).filter(({ kind, sent_at }) => kind === "refunded" && sent_at);
			expect(emails).toHaveLength(refunds.length);
		},
		{ timeout: scaledTimeout(20_000) },
	);
	expect((await shop.rows.refunds(placed.id)).map(({ reason, amount_cents, status }) => [reason, amount_cents, status])).toEqual(
		refunds.map(([reason, amount]) => [reason, amount, "succeeded"]),
	);
	expect((await shop.orderRow(placed.id)).refunded_cents).toBe(total);
	const credits = (await shop.rows.invoices(placed.id)).filter(({ kind }) => kind === "credit_note");
	expect(credits.map(({ total_cents }) => total_cents)).toEqual(refunds.map(([, amount]) => amount));
	for (const { corrects, document_id } of credits) expect([corrects, document_id]).toEqual([expect.any(String), expect.any(String)]);
}

/** A delivered order that was paid in two windows: with the payment that counts, then the other one. */
async function paidTwice() {
	const placed = await shop.placeOrder();
	const session = shop.stripe.state.sessions.get(placed.sessionId);
	const path = new URL(session?.cancel_url ?? "").pathname;
	shop.stripe.expire(placed.sessionId);
	await shop.stripe.delivered();
	const second = ((await shop.postForm(path, {})).headers.get("location") ?? "").split("/").at(-1) ?? "";
	expect(second).not.toBe(placed.sessionId);
	Object.assign(session ?? {}, { status: "open" }); // the bank answers after the expiry
	const payments = [await shop.pay(second), await shop.pay(placed.sessionId)] as const;
	await shop.untilOrderIs("completed", placed.id);
	return { placed, payments };
}

describe("« why was I charged? »", () => {
	test("a payment that arrives after the cancellation is refunded, without an invoice", async () => {
		const placed = await shop.placeOrder();
		expect(await shop.withdrawOnline(placed)).toContain("Votre commande est annulée");
		expect(await shop.orderRow(placed.id)).toMatchObject({ status: "failed", failure_reason: "cancelled" });
		const payment = await shop.pay(placed.sessionId);
		expect(await shop.getMails(placed, "surplus-refunded")).toHaveLength(1);
		expect(getStripeRefunds(payment)).toMatchObject([{ amount: 5900, status: "succeeded" }]);
		expect(await shop.rows.payments(placed.id)).toMatchObject([{ role: "surplus" }]);
		expect(await shop.rows.invoices(placed.id)).toEqual([]);
		expect(await shop.orderRow(placed.id)).toMatchObject({ status: "failed", refunded_cents: 0, paid_at: null });
	});

	test("an order paid in two windows: one payment counts, the other is refunded once, without a credit note", async () => {
		const { placed, payments } = await paidTwice();
		expect(await shop.getMails(placed, "surplus-refunded")).toHaveLength(1);
		expect(payments.map((payment) => getStripeRefunds(payment).map(({ amount }) => amount))).toEqual([[], [5900]]);
		expect((await shop.rows.payments(placed.id)).map(({ id, role }) => [id, role])).toEqual([
			[payments[0], "order"],
			[payments[1], "surplus"],
		]);
		expect((await shop.rows.invoices(placed.id)).map(({ kind }) => kind)).toEqual(["invoice"]);
		expect((await shop.orderRow(placed.id)).refunded_cents).toBe(0);
	});
});

describe("« I refunded at Stripe's own pages », says the operator", () => {
	test("a part, then the rest: each with its credit note and its e-mail, and the order shows it", async () => {
		const { placed, payment } = await completed();
		shop.stripe.refundFromDashboard(payment, 1900);
		await shop.stripe.delivered();
		await expectRefunded(placed, [["dashboard", 1900]]);
		shop.stripe.refundFromDashboard(payment);
		await shop.stripe.delivered();
		await expectRefunded(placed, [
			["dashboard", 1900],
			["dashboard", 4000],
		]);
		expect(await (await shop.ask(`/confirmation/${placed.sessionId}`)).text()).toContain("Votre commande a été remboursée");
	});

	test("a part, while the shop requests the whole price: the shop refunds what is left", async () => {
		const { placed, payment } = await completed();
		shop.stripe.holdEvents();
		shop.stripe.refundFromDashboard(payment, 1900);
		await grantRefund(shop.shop, placed.id);
		await vi.waitFor(() => expect(getStripeRefunds(payment)).toHaveLength(2), { timeout: scaledTimeout(20_000) });
		shop.stripe.releaseEvents();
		await shop.stripe.delivered();
		await vi.waitFor(async () => expect((await shop.orderRow(placed.id)).refunded_cents).toBe(5900), { timeout: scaledTimeout(20_000) });
		expect(getStripeRefunds(payment).map(({ amount }) => amount)).toEqual([1900, 4000]);
		const refunds = await shop.rows.refunds(placed.id);
		expect(refunds.map(({ reason, amount_cents, status }) => [reason, amount_cents, status]).sort()).toEqual([
			["dashboard", 1900, "succeeded"],
			["operator", 4000, "succeeded"],
		]);
	});
});

describe.each([1, 3])("« was it refunded or not? »: one order of %i", (count) => {
	test("Stripe's answer is lost: the next try makes no second refund", async () => {
		const { placed, payment } = await completedOf(count);
		shop.stripe.failNext({ path: "POST /v1/refunds", kind: "timeout-after-success", times: 3 });
		await grantRefund(shop.shop, placed.id);
		await expectRefunded(placed, [["operator", 5900]]);
		expect(getStripeRefunds(payment)).toHaveLength(1);
	});

	test("the shop was down for longer than Stripe stores keys: still one refund", async () => {
		const { placed, payment } = await completedOf(count);
		shop.stripe.holdEvents();
		shop.stripe.failNext({ path: "POST /v1/refunds", kind: "timeout-after-success", times: 1 });
		shop.stripe.failNext({ path: "POST /v1/refunds", kind: "503", times: 2 });
		shop.stripe.failNext({ path: "/v1/payment_intents", kind: "503", times: 3 });
		await grantRefund(shop.shop, placed.id);
		await vi.waitFor(() => expect(getStripeRefunds(payment)).toHaveLength(1), { timeout: scaledTimeout(20_000) });
		shop.clock.ahead = 25 * 60 * minute;
		await requeueStalledOrders(shop.shop);
		await expectRefunded(placed, [["operator", 5900]]);
		expect(getStripeRefunds(payment)).toHaveLength(1);
		shop.stripe.releaseEvents();
		await shop.stripe.delivered();
		await expectRefunded(placed, [["operator", 5900]]);
	});

	test("the bank returns it days later: the order no longer shows it, the operator is alerted, and repeats it under the same credit note", async () => {
		const { placed, payment } = await completedOf(count);
		await grantRefund(shop.shop, placed.id);
		await expectRefunded(placed, [["operator", 5900]]);
		shop.stripe.failRefund(getStripeRefunds(payment)[0]?.id ?? "");
		await shop.stripe.delivered();
		expect(await shop.getMails(placed, "alert-refund-failed")).toHaveLength(1);
		expect((await shop.orderRow(placed.id)).refunded_cents).toBe(0);
		await grantRefund(shop.shop, placed.id);
		await vi.waitFor(async () => expect((await shop.orderRow(placed.id)).refunded_cents).toBe(5900), { timeout: scaledTimeout(20_000) });
		expect((await shop.rows.invoices(placed.id)).filter(({ kind }) => kind === "credit_note")).toHaveLength(1);
	});

	test("a pending refund is shown and announced once the bank has executed it, whichever event comes first", async () => {
		shop.stripe.setRefundStatus("pending");
		const { placed, payment } = await completedOf(count);
		await grantRefund(shop.shop, placed.id, cents(900));
		await vi.waitFor(async () => expect((await shop.rows.refunds(placed.id))[0]?.status).toBe("pending"), {
			timeout: scaledTimeout(20_000),
		});
		expect((await shop.orderRow(placed.id)).refunded_cents).toBe(0);
		shop.stripe.endRefund(getStripeRefunds(payment)[0]?.id ?? "", "succeeded");
		await shop.stripe.delivered();
		const [event] = shop.stripe.state.events.filter(({ type }) => type === "refund.created").slice(-1);
		expect(await shop.stripe.deliver(event?.id ?? "")).toBe(200);
		await expectRefunded(placed, [["operator", 900]]);
	});

	test("an outdated answer reverts nothing", async () => {
		shop.stripe.setRefundStatus("pending");
		const { placed, payment } = await completedOf(count);
		await grantRefund(shop.shop, placed.id, cents(900));
		await vi.waitFor(async () => expect((await shop.rows.refunds(placed.id))[0]?.status).toBe("pending"), {
			timeout: scaledTimeout(20_000),
		});
		const { provider } = shop.shop;
		const stale = await provider.findPayment(payment);
		let asked = 0;
		const outdated = {
			...shop.shop,
			provider: {
				...provider,
				findPayment: async (id: string) => {
					if (asked++ > 0) return provider.findPayment(id);
					// the bank executes it while this answer is on its way, and the event comes first
					shop.stripe.endRefund(getStripeRefunds(payment)[0]?.id ?? "", "succeeded");
					await shop.stripe.delivered();
					return stale;
				},
			},
		};
		expect(await syncPayment(outdated, payment, null)).toEqual({ ok: true });
		await expectRefunded(placed, [["operator", 900]]);
	});
});

const suivi = async (placed: Placed) =>
	(await (await shop.postJson("/api/suivi", { email: "ada@example.fr", orderId: placed.number })).json()) as {
		documents: { url: string }[];
	};

describe.each([1, 3])("« I do not know this payment », says the customer to the bank: one order of %i", (count) => {
	/** A completed, disputed order with a refund that waits for the end of the dispute. */
	async function disputed() {
		const { placed, first, orders, payment } = await completedOf(count);
		const [link] = (await suivi(placed)).documents;
		expect((await shop.ask(link?.url ?? "")).status).toBe(200);
		shop.stripe.openDispute(payment);
		await shop.stripe.delivered();
		expect((await shop.ask(link?.url ?? "")).status).toBe(403);
		expect((await suivi(placed)).documents).toEqual([]);
		for (const { id } of orders) expect(await shop.orderRow(id)).toMatchObject({ dispute_status: "open", disputed_at: expect.any(Date) });
		expect(await shop.getMails(first, "alert-dispute")).toHaveLength(1);
		await grantRefund(shop.shop, placed.id);
		// the job has run and done nothing
		await vi.waitFor(async () => expect(await openJobs("carry-out-refund")).toBe(0), { timeout: scaledTimeout(20_000) });
		shop.clock.ahead += 5 * minute;
		await requeueStalledOrders(shop.shop);
		expect(await shop.rows.refunds(placed.id)).toMatchObject([{ status: "requested" }]);
		expect(getStripeRefunds(payment)).toEqual([]);
		return { placed, first, orders, payment, link: link?.url ?? "" };
	}
	const openJobs = async (name: string) => {
		const { rows } = await sql<{ n: number }>`
			select count(*)::integer as n from jobs.job where name = ${name} and state < 'completed'`.execute(shop.shop.db);
		return rows[0]?.n;
	};

	test("a won dispute unblocks the documents, and the waiting refund is made", async () => {
		const { placed, orders, payment, link } = await disputed();
		shop.stripe.closeDispute(payment, "won");
		await shop.stripe.delivered();
		await expectRefunded(placed, [["operator", 5900]]);
		for (const { id } of orders) expect(await shop.orderRow(id)).toMatchObject({ disputed_at: null, dispute_status: "won" });
		expect((await shop.ask(link)).status).toBe(200);
		expect(getStripeRefunds(payment)).toHaveLength(1);
	});

	test("a lost dispute: nothing is refunded a second time, not even on a later request", async () => {
		const { placed, first, payment, link } = await disputed();
		shop.stripe.closeDispute(payment, "lost");
		await shop.stripe.delivered();
		expect(await shop.rows.refunds(placed.id)).toMatchObject([{ status: "refused" }]);
		expect(await shop.getMails(first, "alert-dispute-lost")).toHaveLength(1);
		await grantRefund(shop.shop, placed.id);
		await vi.waitFor(async () => expect((await shop.rows.refunds(placed.id)).map(({ status }) => status)).toEqual(["refused", "refused"]), {
			timeout: scaledTimeout(20_000),
		});
		expect((await shop.ask(link)).status).toBe(403);
		expect(getStripeRefunds(payment)).toEqual([]);
		expect((await shop.orderRow(placed.id)).refunded_cents).toBe(0);
	});
});

test("two disputes of an order paid twice: everything stays blocked while one is open, and the worse outcome counts", async () => {
	const { placed, payments } = await paidTwice();
	const ended = async (at: 0 | 1, end: "won" | "lost") => {
		shop.stripe.closeDispute(payments[at], end);
		await shop.stripe.delivered();
		const { dispute_status, disputed_at } = await shop.orderRow(placed.id);
		return [dispute_status, disputed_at !== null];
	};
	for (const payment of payments) shop.stripe.openDispute(payment);
	await shop.stripe.delivered();
	expect(await ended(0, "won")).toEqual(["open", true]);
	expect((await suivi(placed)).documents).toEqual([]);
	expect(await ended(1, "lost")).toEqual(["lost", true]);
	expect(await ended(1, "won")).toEqual(["won", false]);
	expect((await suivi(placed)).documents).not.toEqual([]);
});
