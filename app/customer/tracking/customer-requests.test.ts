import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { waitForLock } from "../../../test/orders.ts";
import { grantRefund } from "../../../test/refunds.ts";
import { createStripeShop, type StripeShop } from "../../../test/stripe-shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { recordUpload } from "../../fulfilment/extract-requests.store.server.ts";
import { fulfilOrder } from "../../fulfilment/fulfil-order.server.ts";
import { refuseRefund } from "./refuse-refund.server.ts";

// Requests after the payment, through the shop's pages: to cancel, to withdraw, to get a refund.

const day = 86_400_000;
const waitOptions = { timeout: scaledTimeout(20_000), interval: 25 };
const termsAndWaiver = (waiveWithdrawal: boolean) => ({ terms: true, waiveWithdrawal, textVersion: "2026-11-21" });
let shop: StripeShop;
beforeAll(async () => {
	shop = await createStripeShop({ variables: { ISSUER: "manual" } });
});
afterEach(() => {
	shop.clock.ahead = 0;
});
afterAll(() => shop?.close());

type Placed = Awaited<ReturnType<StripeShop["placeOrder"]>>;

/** A paid order that waits for its extract. */
async function placeWaitingOrder(waiver = false): Promise<Placed> {
	const placed = await shop.placeOrder({ consents: termsAndWaiver(waiver) });
	await shop.pay(placed.sessionId);
	await shop.untilOrderIs("processing", placed.id);
	return placed;
}

/** Adds the operator's upload to the queue; the caller runs the job. */
async function addExtract({ id }: Placed): Promise<void> {
	const stored = await shop.shop.storage.put(new TextEncoder().encode(`%PDF-1.7 ${id}`));
	await shop.shop.db.transaction().execute((trx) => recordUpload(trx, id, { ...stored, issuedAt: shop.shop.now() }, shop.shop.now()));
}

async function placeDeliveredOrder(waiver = false): Promise<Placed> {
	const placed = await placeWaitingOrder(waiver);
	await addExtract(placed);
	await shop.shop.db.transaction().execute((trx) => shop.shop.jobs.send(trx, "fulfil-order", { orderId: placed.id, because: "uploaded" }));
	await shop.untilOrderIs("completed", placed.id);
	return placed;
}

const getStripeRefunds = (placed: Placed) =>
	[...shop.stripe.state.refunds.values()]
		.filter(({ payment_intent }) => payment_intent === shop.getPaymentIntent(placed.sessionId))
		.map(({ amount }) => amount);

async function expectRefunded(placed: Placed, reason: string) {
	expect(await shop.getMails(placed, "refunded")).toHaveLength(1);
	expect(await shop.rows.refunds(placed.id)).toMatchObject([{ reason, amount_cents: 5900, status: "succeeded" }]);
	expect(getStripeRefunds(placed)).toEqual([5900]);
	expect((await shop.rows.invoices(placed.id)).map(({ kind }) => kind)).toEqual(["invoice", "credit_note"]);
}

describe("« I want to cancel »", () => {
	test("before the document is ready: cancelled and refunded at once, even when pressed twice", async () => {
		const placed = await placeWaitingOrder();
		const answers = [await shop.onTrackingPage(placed, { intent: "cancel" }), await shop.onTrackingPage(placed, { intent: "cancel" })];
		expect(answers.map(({ status }) => status)).toEqual([303, 409]);
		expect(await shop.orderRow(placed.id)).toMatchObject({ status: "failed", failure_reason: "cancelled" });
		expect(await shop.getMails(placed, "cancelled")).toHaveLength(1);
		await expectRefunded(placed, "cancelled");
	});

	test("after the delivery: refused with a sentence", async () => {
		const placed = await placeDeliveredOrder();
		const answer = await shop.onTrackingPage(placed, { intent: "cancel" });
		expect([answer.status, (await answer.text()).includes("Il est trop tard pour annuler")]).toEqual([409, true]);
		expect([(await shop.orderRow(placed.id)).status, getStripeRefunds(placed)]).toEqual(["completed", []]);
	});

	test("after a refund on Stripe's pages that the bank returned: refunded again, under the same credit note", async () => {
		const placed = await placeWaitingOrder();
		const payment = shop.getPaymentIntent(placed.sessionId);
		shop.stripe.refundFromDashboard(payment);
		await shop.stripe.delivered();
		expect(await shop.getMails(placed, "refunded")).toHaveLength(1);
		await shop.onTrackingPage(placed, { intent: "cancel" });
		expect(getStripeRefunds(placed)).toEqual([5900]);
		shop.stripe.failRefund([...shop.stripe.state.refunds.values()].find(({ payment_intent }) => payment_intent === payment)?.id ?? "");
		await shop.stripe.delivered();
		expect(await shop.getMails(placed, "alert-refund-failed")).toHaveLength(1);
		await vi.waitFor(async () => expect((await shop.orderRow(placed.id)).refunded_cents).toBe(5900), waitOptions);
		expect((await shop.rows.refunds(placed.id)).map(({ reason, status }) => [reason, status])).toEqual([
			["dashboard", "failed"],
			["cancelled", "succeeded"],
		]);
		await vi.waitFor(async () => expect(await shop.getMails(placed, "refunded")).toHaveLength(2), waitOptions);
		expect((await shop.rows.invoices(placed.id)).map(({ kind, total_cents }) => [kind, total_cents])).toEqual([
			["invoice", 5900],
			["credit_note", 5900],
		]);
	});

	test("once the document is ready and its e-mail not sent yet: refused, also for a withdrawal with the waiver", async () => {
		const placed = await placeWaitingOrder(true);
		const page = async () =>
			(await shop.ask(`/suivi/${placed.number}`, { headers: { cookie: await shop.getTrackingCookie(placed) } })).text();
		expect(await page()).toContain("Vous pouvez annuler tant que l’extrait n’est pas prêt");

		const ready = await placeDeliveredOrder(true);
		await shop.shop.db.updateTable("orders").set({ status: "processing", completed_at: null }).where("id", "=", ready.id).execute();
		const answer = await shop.onTrackingPage(ready, { intent: "cancel" });
		expect([answer.status, (await answer.text()).includes("l’extrait est déjà prêt")]).toEqual([409, true]);
		expect(await shop.withdrawOnline(ready)).toContain("votre extrait est prêt, sur la page de suivi, depuis le");
		expect(getStripeRefunds(ready)).toEqual([]);
	});

	test.each([
		["my press is first: cancelled and refunded, and nothing is delivered", 0],
		["the delivery is first: delivered, and too late to cancel", 1],
	])(
		"during the delivery, when %s",
		async (_what, deliveryFirst) => {
			const placed = await placeWaitingOrder();
			await shop.getMails(placed, "confirmation");
			await addExtract(placed);
			const press = () => shop.onTrackingPage(placed, { intent: "cancel" });
			const deliver = () => fulfilOrder(shop.shop, placed.id);
			const done = await runInOrder(placed, deliveryFirst ? [deliver, press] : [press, deliver]);
			expect((done[deliveryFirst] as Response).status).toBe(deliveryFirst ? 409 : 303);

			const extracts = (await shop.rows.documents(placed.id)).filter(({ doc_type }) => doc_type === "kbis");
			if (deliveryFirst) {
				await shop.untilOrderIs("completed", placed.id);
				expect([extracts.length, await shop.rows.refunds(placed.id), getStripeRefunds(placed)]).toEqual([1, [], []]);
			} else {
				expect([extracts, (await shop.orderRow(placed.id)).status]).toEqual([[], "failed"]);
				await expectRefunded(placed, "cancelled");
			}
		},
		scaledTimeout(60_000),
	);
});

/**
 * Starts two actions in this order. The first locks the order and waits before its mail and its commit, until the second waits too or
 * has ended.
 */
async function runInOrder({ id }: Placed, [first, second]: (() => Promise<unknown>)[]): Promise<unknown[]> {
	const { db } = shop.shop;
	const acting: (Promise<unknown> | undefined)[] = [];
	await db.transaction().execute(async (trx) => {
		await sql`lock table mails in share mode`.execute(trx);
		acting.push(first?.());
		await vi.waitFor(async () => {
			const free = sql`select from orders where id = ${id} for no key update skip locked`;
			expect((await free.execute(db)).rows).toEqual([]);
		}, waitOptions);
		acting.push(second?.());
		await waitForLock(db, Promise.resolve(acting[1]), 2);
	});
	return Promise.all(acting);
}

describe("« I withdraw from the contract »", () => {
	test("before the delivery, with or without the waiver: cancelled, refunded, with a receipt", async () => {
		for (const waiver of [false, true]) {
			const placed = await placeWaitingOrder(waiver);
			expect(await shop.withdrawOnline(placed)).toContain("La commande est annulée");
			expect(await shop.getMails(placed, "withdrawal-receipt")).toHaveLength(1);
			await expectRefunded(placed, "withdrawal");
		}
	});

	test("after the delivery, without the waiver: refunded once, however often it is declared", async () => {
		const placed = await placeDeliveredOrder();
		shop.clock.ahead = 10 * day;
		for (let i = 0; i < 2; i++) expect(await shop.withdrawOnline(placed)).toMatch(/59,00\s€ vous sont remboursés\./);
		expect(await shop.getMails(placed, "withdrawal-receipt")).toHaveLength(1);
		await expectRefunded(placed, "withdrawal");
		expect((await shop.orderRow(placed.id)).status).toBe("completed");
	});

	test.each([
		["after delivery, with the waiver", true, 1, "L221-28"],
		["after more than fourteen days", false, 20, "Le délai de rétractation de quatorze jours est écoulé"],
	])("%s: refused, with the reason and a receipt", async (_what, waiver, days, reason) => {
		const placed = await placeDeliveredOrder(waiver);
		shop.clock.ahead = days * day;
		const receipt = await shop.withdrawOnline(placed);
		for (const expected of ["Nous ne pouvons pas donner suite", reason]) expect(receipt).toContain(expected);
		expect(await shop.getMails(placed, "withdrawal-receipt")).toHaveLength(1);
		expect([await shop.rows.refunds(placed.id), getStripeRefunds(placed)]).toEqual([[], []]);
	});
});

describe("« the extract is wrong »", () => {
	const reason = "Le dirigeant n’est plus le même. Carte 4242 4242 4242 4242.";
	const ask = (placed: Placed) => shop.onTrackingPage(placed, { intent: "ask-refund", message: reason });

	test("within thirty days: received, reported to the operator, and refunded once when they agree", async () => {
		const placed = await placeDeliveredOrder(true);
		shop.clock.ahead = 29 * day;
		for (let i = 0; i < 2; i++) expect((await ask(placed)).status).toBe(303);
		expect(await shop.getMails(placed, "refund-request-received")).toHaveLength(1);
		expect(await shop.getMails(placed, "alert-refund-request")).toHaveLength(1);
		// the desk has it among the messages, once
		const conversations = shop.shop.db.selectFrom("conversations").select("subject").where("order_id", "=", placed.id);
		expect(await conversations.execute()).toEqual([{ subject: "Demande de remboursement" }]);
		const requests = shop.shop.db.selectFrom("refund_requests").select("message").where("order_id", "=", placed.id);
		expect(await requests.execute()).toEqual([{ message: "Le dirigeant n’est plus le même. Carte •••• 4242." }]);
		expect(getStripeRefunds(placed)).toEqual([]);
		expect(await grantRefund(shop.shop, placed.id)).toMatchObject({ ok: true });
		await expectRefunded(placed, "guarantee");
		expect(await grantRefund(shop.shop, placed.id)).toEqual({ ok: false, code: "nothing-left" });
	});

	test("the operator refuses: the customer reads the reason, and keeps the extract", async () => {
		const placed = await placeDeliveredOrder(true);
		expect((await ask(placed)).status).toBe(303);
		expect(await refuseRefund(shop.shop, placed.id, "Le dirigeant est bien celui du registre.")).toBe(true);
		const [mail] = await shop.getMails(placed, "refund-request-refused");
		expect(mail?.text).toContain("Le dirigeant est bien celui du registre.");
		expect(getStripeRefunds(placed)).toEqual([]);
	});

	test("after thirty days, or before the delivery: refused with a sentence, and nothing is recorded", async () => {
		const [late, early] = [await placeDeliveredOrder(true), await placeWaitingOrder()];
		const refused = async (placed: Placed) => {
			const answer = await ask(placed);
			expect([answer.status, (await answer.text()).includes("ne peut plus faire l’objet")]).toEqual([409, true]);
			expect((await shop.rows.mails(placed.id)).map(({ kind }) => kind)).not.toContain("alert-refund-request");
		};
		await refused(early);
		shop.clock.ahead = 31 * day;
		await refused(late);
	});

	test("a letter: the thirty days begin when it can have arrived, not when it was posted", async () => {
		const placed = await shop.placeOrder({ service: "postal" });
		await shop.pay(placed.sessionId);
		await shop.untilOrderIs("processing", placed.id);
		const posted = { status: "completed", completed_at: shop.shop.now() } as const;
		await shop.shop.db.updateTable("orders").set(posted).where("id", "=", placed.id).execute();
		shop.clock.ahead = 38 * day;
		expect((await ask(placed)).status).toBe(409);
		shop.clock.ahead = 36 * day;
		expect((await ask(placed)).status).toBe(303);
	});
});
