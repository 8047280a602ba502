import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSigner } from "../../server/signing.ts";
import { type BooksScene, booksScene } from "../../test/payments.ts";
import { grantRefund } from "../../test/refunds.ts";
import {
	countRefundAlerts,
	describeRefunds,
	listCreditNotes,
	payOrder,
	returnRefund,
	runRefundJobs,
	syncWithRefunds,
} from "../../test/returned-refunds.ts";
import { cents } from "../catalogue/money.ts";
import { openSession, requestSession } from "../checkout/payment/open-session.server.ts";
import { findOrderToShow, refreshOrder, resumePayment } from "../checkout/payment/resume-payment.server.ts";
import { resumeCheckout } from "../checkout/payment/start-checkout.server.ts";
import { cancelOrder } from "../customer/tracking/cancel-order.server.ts";
import { withdraw } from "../customer/tracking/withdraw.server.ts";
import { failOrder } from "../fulfilment/fail-order.server.ts";
import { insertWithdrawal } from "../orders/customer-requests.store.server.ts";
import { isPayable } from "../orders/lifecycle.ts";
import { changeState, updateOrder } from "../orders/orders.store.server.ts";
import { findPayment, findRefund, insertPayment, insertRefund, updateRefundStatus } from "../orders/refunds/refunds.store.server.ts";
import { carryOutRefund } from "./carry-out-refund.server.ts";
import { completeSession, findRecordedSession, listSessions } from "./payments.store.server.ts";
import type { PaymentProvider } from "./provider.ts";
import { reconcile } from "./reconcile.server.ts";
import { sandboxProvider } from "./sandbox/sandbox-provider.server.ts";
import { sessionLogName } from "./session-log-name.server.ts";
import { sweepPayments } from "./sweep-payments.server.ts";
import { syncPayment } from "./sync-payment.server.ts";
import { syncPurchase } from "./sync-purchase.server.ts";
import { syncSession } from "./sync-session.server.ts";

// The use cases of payments against a provider in memory: each of its answers, at any time.

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let scene: BooksScene;
beforeAll(async () => {
	scene = await booksScene();
});
beforeEach(() => scene.startAfresh());
afterAll(() => scene?.close());

const unavailable = { ok: false, code: "unavailable" } as const;

/** The shop, with a provider that answers some calls differently. */
const withProvider = (change: Partial<PaymentProvider>) => ({ ...scene.shop, provider: { ...scene.books.provider, ...change } });

/** A provider whose first answer was overtaken by another sync. */
function answerLate(stale: Awaited<ReturnType<PaymentProvider["findPayment"]>>) {
	let calls = 0;
	const shop = withProvider({
		async findPayment(paymentId) {
			if (calls++ > 0) return scene.books.provider.findPayment(paymentId);
			await syncPayment(scene.shop, paymentId, null);
			return stale;
		},
	});
	return { shop, countCalls: () => calls };
}

/** Records the calls to the provider. */
function countCalls() {
	const calls: string[] = [];
	const provider = Object.fromEntries(
		Object.entries(scene.books.provider).map(([name, answer]) => [
			name,
			typeof answer !== "function" || name === "readEvent"
				? answer
				: (...args: unknown[]) => {
						calls.push(name);
						return (answer as (...args: unknown[]) => unknown)(...args);
					},
		]),
	) as unknown as PaymentProvider;
	return { calls, shop: { ...scene.shop, provider } };
}

const paid = (change?: Parameters<BooksScene["pay"]>[1]) => payOrder(scene, change);

/** An order that was paid twice: with the payment that counts and the duplicate. */
async function paidTwice() {
	const { id, session, payment } = await paid();
	scene.pass(1000);
	const second = { ...session, ...{ id: `cs_${crypto.randomUUID()}`, status: "open", paymentStatus: "unpaid", paymentId: null } } as const;
	scene.books.sessions.set(second.id, second as never);
	const duplicate = scene.pay(scene.books.sessions.get(second.id) as never);
	await syncSession(scene.shop, second.id, null);
	return { id, payment, duplicate };
}

const getRefunds = (id: string) => scene.db.selectFrom("refunds").selectAll().where("order_id", "=", id).orderBy("requested_at").execute();
const getPayments = (id: string) => scene.db.selectFrom("payments").selectAll().where("order_id", "=", id).orderBy("created_at").execute();
const getPaymentEvents = () => scene.db.selectFrom("payment_events").selectAll().execute();
const countEvents = async (id: string, event: string) => (await scene.getEventTypes(id)).filter((type) => type === event).length;

/** Records the operator's refund, which is not yet requested from the provider. */
async function insertRequestedRefund(orderId: string, amount?: number) {
	const granted = await grantRefund(scene.shop, orderId, amount === undefined ? undefined : cents(amount));
	if (!granted.ok) throw new Error(granted.code);
	return granted.refundId;
}

describe("an event", () => {
	beforeEach(() => scene.deleteOrders());

	test("about a session is followed by a sync, for each type of event", async () => {
		for (const type of ["completed", "async_payment_succeeded", "async_payment_failed", "expired"]) {
			const { id, session } = await scene.place();
			scene.pay(session);
			expect(await scene.tell(`checkout.session.${type}`, { object: "checkout.session", id: session.id })).toBe(200);
			expect([type, (await scene.getOrder(id)).status]).toEqual([type, "paid"]);
		}
	});

	test("about a payment is followed by a sync, for each type of event", async () => {
		const { id, payment } = await paid();
		const types = [
			...["charge.refunded", "refund.created", "refund.updated", "refund.failed"],
			...["charge.dispute.created", "charge.dispute.updated", "charge.dispute.closed"],
		];
		for (const [at, type] of types.entries()) {
			scene.books.giveBack(payment, 100, null, null);
			const object = ["charge", "refund", "dispute"].findLast((name) => type.includes(name));
			expect(await scene.tell(type, { object, payment_intent: payment.id })).toBe(200);
			expect([type, (await scene.getOrder(id)).refunded_cents]).toEqual([type, 100 * (at + 1)]);
		}
	});

	test("of a paid session without a payment throws, and leaves the order unchanged", async () => {
		const { id, session } = await scene.place();
		scene.pay(session);
		Object.assign(scene.books.sessions.get(session.id) ?? {}, { paymentId: null });
		await expect(syncSession(scene.shop, session.id, null)).rejects.toThrow(/^the paid session [0-9a-f]{16} has no payment$/);
		expect(await scene.getOrder(id)).toMatchObject({ status: "pending" });
		expect((await findRecordedSession(scene.db, session.id))?.status).toBe("open");
	});

	test("without a subject is answered with 200", async () => {
		expect(await scene.tell("charge.refunded", { object: "charge", payment_intent: null })).toBe(200);
	});

	test("that comes again is not handled again", async () => {
		const { id, session } = await scene.place();
		const about = { object: "checkout.session", id: session.id };
		for (const pay of [() => {}, () => scene.pay(session)]) {
			pay();
			expect(await scene.tell("checkout.session.completed", about, { id: "evt_1" })).toBe(200);
			expect((await scene.getOrder(id)).status).toBe("pending");
		}
		await syncSession(scene.shop, session.id, null);
		const [payment] = scene.books.payments.values();
		for (let run = 0; run < 2; run++) {
			if (payment) scene.books.giveBack(payment, 1000, null, null);
			await scene.tell("refund.created", { object: "refund", payment_intent: payment?.id }, { id: "evt_2" });
			expect((await scene.getOrder(id)).refunded_cents).toBe(1000);
		}
		expect((await getPaymentEvents()).map(({ id, event_type }) => [id, event_type]).sort()).toEqual([
			["evt_1", "checkout.session.completed"],
			["evt_2", "refund.created"],
		]);
	});

	test("of a refund that comes before the payment's own records both", async () => {
		const { id, session } = await scene.place();
		const payment = scene.pay(session);
		scene.books.giveBack(payment, 1000, null, null);
		const deliver = () => scene.tell("charge.refunded", { object: "charge", payment_intent: payment.id }, { id: "evt_refund", ...shop });
		let shop: object = withProvider({ findSession: async () => unavailable });
		expect([await deliver(), (await getPaymentEvents()).length]).toEqual([500, 0]);
		shop = {};
		expect(await deliver()).toBe(200);
		expect(await scene.getOrder(id)).toMatchObject({ status: "paid", refunded_cents: 1000 });
	});

	test("of an unknown session, or of an unknown order, changes nothing and is answered with 200", async () => {
		const { id, session } = await scene.place();
		session.purchaseId = crypto.randomUUID();
		scene.pay(session);
		for (const about of ["cs_unknown", session.id]) {
			expect(await scene.tell("checkout.session.completed", { object: "checkout.session", id: about })).toBe(200);
			expect(scene.lines.at(-1)).toMatchObject({ session: sessionLogName(about), msg: "a payment session names no order of ours" });
		}
		expect([(await scene.getOrder(id)).status, await getPayments(id)]).toEqual(["pending", []]);
	});

	test.each<[string, () => Promise<string> | string]>([
		["that the provider does not know", () => "pi_unknown"],
		[
			"of an unknown order",
			async () => {
				const { session } = await scene.place();
				session.purchaseId = crypto.randomUUID();
				return scene.pay(session).id;
			},
		],
		[
			"of an unpaid session",
			async () => {
				const { id } = await scene.place();
				const payment = { id: "pi_stranger", purchaseId: id, amount: 0, currency: "eur", live: false, createdAt: scene.now() };
				scene.books.payments.set(payment.id, { ...payment, refunds: [], dispute: null });
				return payment.id;
			},
		],
	])("of a payment %s changes nothing, and is answered with 200", async (_what, find) => {
		const payment = await find();
		expect(await scene.tell("charge.refunded", { object: "charge", payment_intent: payment })).toBe(200);
		expect(await scene.db.selectFrom("payments").selectAll().execute()).toEqual([]);
		expect(scene.lines).toContainEqual(expect.objectContaining({ payment, msg: "a payment names no order of ours" }));
	});
});

describe("a paid session", () => {
	test("is recorded with its payment, even if the shop crashed before it recorded the session", async () => {
		const { id, session } = await scene.place();
		await scene.db.deleteFrom("payment_sessions").where("order_id", "=", id).execute();
		const payment = scene.pay(session);
		await syncSession(scene.shop, session.id, null);
		expect(await findRecordedSession(scene.db, session.id)).toMatchObject({ order_id: id, status: "complete", payment_id: payment.id });
		const order = await paid();
		expect(await getPayments(order.id)).toMatchObject([
			{
				...{ id: order.payment.id, order_id: order.id, session_id: order.session.id, role: "order" },
				...{ amount_cents: 5900, currency: "eur", created_at: scene.now() },
			},
		]);
		expect(await findRecordedSession(scene.db, order.session.id)).toMatchObject({ status: "complete", payment_id: order.payment.id });
	});

	test("counts once, even when two events are handled at once", async () => {
		const { id, session } = await scene.place();
		const payment = scene.pay(session);
		const { value } = await scene.while(
			id,
			async (trx) => {
				const { amount, currency } = payment;
				const recorded = {
					id: payment.id,
					purchaseId: id,
					sessionId: session.id,
					amount,
					currency,
					role: "order",
					now: scene.now(),
				} as const;
				await insertPayment(trx, recorded);
				await changeState(trx, id, "paid", { set: { paid_at: scene.now() }, now: scene.now() });
			},
			() => syncSession(scene.shop, session.id, null),
		);
		expect(value).toEqual({ ok: true });
		expect(await getPayments(id)).toMatchObject([{ role: "order" }]);
	});

	test("for an order that is not payable is refunded once, and the operator is alerted", async () => {
		const { id, payment, duplicate } = await paidTwice();
		expect(await getPayments(id)).toMatchObject([
			{ id: payment.id, role: "order" },
			{ id: duplicate.id, role: "surplus" },
		]);
		expect(await getRefunds(id)).toMatchObject([{ payment_id: duplicate.id, reason: "surplus", amount_cents: 5900, status: "requested" }]);
		expect(await scene.getMailKinds(id)).toContain("alert-surplus");
	});

	test("stays complete, whatever events follow", async () => {
		const { id, session } = await paid();
		await syncSession(
			withProvider({ findSession: async () => ({ ok: true, session: { ...session, status: "expired", paymentStatus: "unpaid" } }) }),
			session.id,
			null,
		);
		expect((await findRecordedSession(scene.db, session.id))?.status).toBe("complete");
		expect((await scene.getOrder(id)).status).toBe("paid");
	});
});

describe("an expired session", () => {
	test("expires its pending order, with a reminder to pay", async () => {
		const { id, session } = await scene.place();
		scene.books.expire(session);
		await syncSession(scene.shop, session.id, null);
		expect(await scene.getOrder(id)).toMatchObject({ status: "failed", failure_reason: "expired" });
		expect(await scene.getMailKinds(id)).toEqual(["resume"]);
	});

	test("sends no reminder for a cancelled order", async () => {
		const { id, session } = await scene.place();
		await cancelOrder(scene.shop, id, "purchase");
		scene.books.expire(session);
		await syncSession(scene.shop, session.id, null);
		expect(await scene.getOrder(id)).toMatchObject({ failure_reason: "cancelled" });
		expect(await scene.getMailKinds(id)).toEqual(["cancelled"]);
	});

	describe("that the provider no longer knows", () => {
		const forgotten = () => withProvider({ findSession: async () => ({ ok: true, session: null }) });

		test("is closed from the instant at which it expires", async () => {
			const { id, session } = await scene.place();
			scene.clock.at = session.expiresAt.getTime() - 1;
			await syncSession(forgotten(), session.id, null);
			expect((await scene.getOrder(id)).status).toBe("pending");
			scene.pass(1);
			await syncSession(forgotten(), session.id, null);
			expect(await scene.getOrder(id)).toMatchObject({ status: "failed", failure_reason: "expired" });
			expect(await scene.getMailKinds(id)).toEqual([]);
		});

		test("does not expire an order that has another session", async () => {
			const { id, session } = await scene.place();
			scene.pass(day);
			await syncSession(forgotten(), session.id, null);
			expect(await resumePayment(scene.shop, await scene.getOrder(id), "a client")).toMatchObject({ ok: true });
			await syncSession(forgotten(), session.id, null);
			expect((await scene.getOrder(id)).status).toBe("pending");
		});

		test("waits for a concurrent payment of its order", async () => {
			const { id, session } = await scene.place();
			scene.pass(day);
			const ended = await scene.while(
				id,
				async () => {},
				() => syncSession(forgotten(), session.id, null),
				(trx) => completeSession(trx, id, { ...session, paymentId: "pi_late" }, scene.now()),
			);
			expect(ended).toEqual({ value: { ok: true }, waited: true });
			expect((await findRecordedSession(scene.db, session.id))?.status).toBe("complete");
			expect((await scene.getOrder(id)).status).toBe("pending");
		});
	});
});

describe("a refund at the provider", () => {
	test("that failed and was replaced by another counts once on the order", async () => {
		const { id, payment } = await paid();
		const first = scene.books.giveBack(payment, 5900, null, null);
		await syncPayment(scene.shop, payment.id, null);
		scene.books.endRefund(payment, first, "failed");
		const second = scene.books.giveBack(payment, 5900, null, null);
		await syncPayment(scene.shop, payment.id, null);
		expect((await scene.getOrder(id)).refunded_cents).toBe(5900);
		expect((await getRefunds(id)).map(({ provider_id, status }) => [provider_id, status]).sort()).toEqual(
			[
				[first.id, "failed"],
				[second.id, "succeeded"],
			].sort(),
		);
	});

	test("that fails before the bank executes it changes nothing on the order, and the operator is alerted", async () => {
		const { id, payment } = await paid();
		scene.books.giveBack(payment, 900, null, null);
		scene.books.faults.slowRefunds = true;
		const waiting = scene.books.giveBack(payment, 1000, null, null);
		await syncPayment(scene.shop, payment.id, null);
		scene.books.endRefund(payment, waiting, "failed");
		await syncPayment(scene.shop, payment.id, null);
		expect((await scene.getOrder(id)).refunded_cents).toBe(900);
		expect(await scene.getMailKinds(id)).toContain("alert-refund-failed");
	});

	test("of a duplicate payment does not count on the order, even when the bank returns it", async () => {
		const { id, payment, duplicate } = await paidTwice();
		scene.books.giveBack(payment, 1000, null, null);
		await syncPayment(scene.shop, payment.id, null);
		const refund = (await getRefunds(id)).find(({ reason }) => reason === "surplus");
		await carryOutRefund(scene.shop, refund?.id ?? "");
		expect((await scene.getOrder(id)).refunded_cents).toBe(1000);
		const events = scene.db.selectFrom("order_events").select("payload").where("order_id", "=", id).where("event_type", "=", "refunded");
		expect((await events.orderBy("id").execute()).map(({ payload }) => payload)).toEqual([
			{ amount: 1000, reason: "dashboard" },
			{ amount: 5900, reason: "surplus", surplus: true },
		]);
		const [providerRefund] = duplicate.refunds;
		if (providerRefund) scene.books.endRefund(duplicate, providerRefund, "failed");
		await syncPayment(scene.shop, duplicate.id, null);
		expect((await scene.getOrder(id)).refunded_cents).toBe(1000);
		expect((await getRefunds(id)).map(({ status }) => status).sort()).toEqual(["failed", "succeeded"]);
	});

	test("counts once, even when two syncs run at once", async () => {
		const { id, payment } = await paid();
		scene.books.faults.slowRefunds = true;
		const providerRefund = scene.books.giveBack(payment, 900, null, null);
		await syncPayment(scene.shop, payment.id, null);
		scene.books.endRefund(payment, providerRefund, "succeeded");
		const [refund] = await getRefunds(id);
		const { value } = await scene.while(
			id,
			async (trx) => {
				await updateRefundStatus(trx, refund?.id ?? "", "succeeded", { now: scene.now() });
				await updateOrder(trx, id, { refunded_cents: cents(900) });
			},
			() => syncPayment(scene.shop, payment.id, null),
		);
		expect(value).toEqual({ ok: true });
		expect((await scene.getOrder(id)).refunded_cents).toBe(900);
	});

	test("is not recorded while every answer is outdated on arrival, and the event is requested again", async () => {
		const { payment } = await paid();
		const outdated = withProvider({
			findPayment: async (id) => {
				const refund = scene.books.giveBack(payment, 1, null, null);
				const answer = await scene.books.provider.findPayment(id);
				scene.books.endRefund(payment, refund, "succeeded");
				await syncPayment(scene.shop, id, null);
				return answer;
			},
		});
		scene.books.faults.slowRefunds = true;
		expect(await syncPayment(outdated, payment.id, null)).toEqual({ ok: false, code: "unavailable" });
		expect(payment.refunds).toHaveLength(10); // tries
	});

	test("that ends in one of several answers on their way is not reverted", async () => {
		const { id, payment } = await paid();
		scene.books.giveBack(payment, 500, null, null);
		scene.books.faults.slowRefunds = true;
		const refunds = [scene.books.giveBack(payment, 900, null, null), scene.books.giveBack(payment, 800, null, null)];
		scene.books.giveBack(payment, 700, null, null);
		await syncPayment(scene.shop, payment.id, null);
		const stale = await scene.books.provider.findPayment(payment.id);
		for (const refund of refunds) scene.books.endRefund(payment, refund, "succeeded");
		const outdated = answerLate(stale);
		expect(await syncPayment(outdated.shop, payment.id, null)).toEqual({ ok: true });
		expect([outdated.countCalls(), (await scene.getOrder(id)).refunded_cents]).toEqual([2, 2200]);
		expect((await getRefunds(id)).map(({ amount_cents, status }) => `${amount_cents} ${status}`).sort()).toEqual([
			"500 succeeded",
			"700 pending",
			"800 succeeded",
			"900 succeeded",
		]);
	});
});

describe("a refund of owed money that was made on the provider's own pages and that the bank returned", () => {
	const getCreditNotes = (id: string) => listCreditNotes(scene, id);
	const kinds = (id: string) => describeRefunds(scene, id);
	const alerts = (id: string) => countRefundAlerts(scene, id);
	const runJobs = () => runRefundJobs(scene);
	const syncRecorded = (payment: { id: string }) => syncPayment(scene.shop, payment.id, null);
	const syncAtLast = (payment: { id: string }) => syncWithRefunds(scene, payment);

	const late = (id: string) => scene.db.updateTable("orders").set({ late_at: scene.now() }).where("id", "=", id).execute();
	const completed = (id: string) => scene.db.updateTable("orders").set({ status: "completed" }).where("id", "=", id).execute();
	const withdrawn = (outcome: "refunded" | "refused") => async (id: string) => {
		await completed(id);
		await scene.db.transaction().execute((trx) =>
			insertWithdrawal(trx, {
				declarationId: crypto.randomUUID(),
				refund: cents(0),
				orderId: id,
				declaredAt: scene.now(),
				outcome,
				reason: null,
			}),
		);
	};
	test.each<[string, string | null, (id: string) => Promise<unknown>]>([
		["the order was cancelled", "cancelled", (id) => cancelOrder(scene.shop, id, "purchase")],
		["the registry has no extract", "failed", (id) => failOrder(scene.shop, id, "not-found")],
		["an express order is late", "late", late],
		["a late order was cancelled", "cancelled", async (id) => [await late(id), await cancelOrder(scene.shop, id, "purchase")]],
		["the customer withdrew", "withdrawal", withdrawn("refunded")],
		["the customer withdrew before the delivery", "withdrawal", (id) => withdraw(scene.shop, id, "purchase")],
		["the customer withdrew from a late order", "withdrawal", async (id) => [await late(id), await withdrawn("refunded")(id)]],
		["the withdrawal was refused", null, withdrawn("refused")],
		["the order was delivered in time", null, completed],
		["the order is being served", null, async () => {}],
		[
			"another service is late",
			null,
			async (id) => [await late(id), await scene.db.updateTable("orders").set({ product_code: "standard" }).where("id", "=", id).execute()],
		],
	])("is requested again by the shop when %s: %s", async (_what, reason, cause) => {
		const { id, payment } = await paid();
		scene.books.giveBack(payment, 5900, null, null);
		await syncRecorded(payment);
		await cause(id);
		expect(await kinds(id)).toEqual(["dashboard 5900 succeeded"]);
		scene.pass(minute);
		returnRefund(scene, payment);
		await syncRecorded(payment);
		const [first, replacement] = await getRefunds(id);
		expect(first).toMatchObject({ reason: "dashboard", status: "failed" });
		if (reason) expect(replacement).toMatchObject({ reason, amount_cents: 5900, status: "requested", replaces: first?.id });
		else expect(replacement).toBeUndefined();
		expect(await alerts(id)).toBe(1);
	});

	test("is requested again for a duplicate payment; for a mismatched one the operator decides", async () => {
		const { id, duplicate } = await paidTwice();
		scene.books.giveBack(duplicate, 5900, null, null);
		await runJobs();
		expect(await kinds(id)).toEqual(expect.arrayContaining(["surplus 5900 refused", "dashboard 5900 succeeded"]));
		// the shop's own refund of a third payment was returned: this must not matter here
		await scene.db.transaction().execute(async (trx) => {
			const third = {
				id: `pi_${crypto.randomUUID()}`,
				purchaseId: id,
				sessionId: "cs",
				amount: 5900,
				currency: "eur",
				role: "surplus",
			} as const;
			await insertPayment(trx, { ...third, now: scene.now() });
			const refund = {
				orderId: id,
				payment: await findPayment(trx, third.id),
				amount: 5900,
				reason: "surplus",
				status: "failed",
				providerId: null,
			};
			await insertRefund(trx, { ...refund, now: scene.now() } as Parameters<typeof insertRefund>[1]);
		});
		returnRefund(scene, duplicate);
		await syncAtLast(duplicate);
		expect(scene.books.left(duplicate)).toBe(0);
		const wrong = await paid({ amount: 100 });
		await cancelOrder(scene.shop, wrong.id, "purchase");
		scene.books.giveBack(wrong.payment, 100, null, null);
		await syncRecorded(wrong.payment);
		returnRefund(scene, wrong.payment);
		await syncAtLast(wrong.payment);
		expect(await kinds(wrong.id)).toEqual(["dashboard 100 failed"]);
	});

	test("in parts is requested again part by part", async () => {
		const { id, payment } = await paid();
		for (const amount of [1900, 1000]) scene.books.giveBack(payment, amount, null, null);
		await syncRecorded(payment);
		await cancelOrder(scene.shop, id, "purchase");
		await runJobs();
		for (let part = 0; part < 2; part++) {
			scene.pass(minute);
			returnRefund(scene, payment);
			await syncRecorded(payment);
			await runJobs();
		}
		expect((await kinds(id)).filter((kind) => kind.endsWith("succeeded"))).toEqual([
			"cancelled 3000 succeeded",
			"cancelled 1000 succeeded",
			"cancelled 1900 succeeded",
		]);
		expect((await getCreditNotes(id)).map(({ total_cents }) => total_cents).sort()).toEqual([1000, 1900, 3000]);
	});

	test("is not requested again while the refund of the cancellation covers it", async () => {
		const { id, payment } = await paid();
		await cancelOrder(scene.shop, id, "purchase");
		scene.books.giveBack(payment, 1900, null, null);
		returnRefund(scene, payment);
		await syncRecorded(payment);
		expect((await kinds(id)).sort()).toEqual(["cancelled 5900 requested", "dashboard 1900 failed"]);
	});

	test("is requested again only up to what is left, when another part was refunded since", async () => {
		const { id, payment } = await paid();
		const first = scene.books.giveBack(payment, 1900, null, null);
		await syncRecorded(payment);
		await cancelOrder(scene.shop, id, "purchase");
		scene.books.endRefund(payment, first, "failed");
		scene.books.giveBack(payment, 1000, null, null);
		await syncAtLast(payment);
		expect((await kinds(id)).sort()).toEqual([
			"cancelled 4000 succeeded",
			"cancelled 900 succeeded",
			"dashboard 1000 succeeded",
			"dashboard 1900 failed",
		]);
	});

	test("is not requested without end when the card returns it again, and the operator is alerted each time", async () => {
		const { id, payment } = await paid();
		scene.books.giveBack(payment, 5900, null, null);
		await syncRecorded(payment);
		await cancelOrder(scene.shop, id, "purchase");
		scene.pass(minute);
		returnRefund(scene, payment);
		await syncAtLast(payment);
		const own = payment.refunds.find(({ status }) => status === "succeeded");
		if (own) scene.books.endRefund(payment, own, "failed");
		await syncAtLast(payment);
		expect(await kinds(id)).toEqual(["dashboard 5900 failed", "cancelled 5900 failed"]);
		expect([await alerts(id), (await scene.getOrder(id)).refunded_cents, (await getCreditNotes(id)).length]).toEqual([2, 0, 1]);
	});

	test("is no longer requested once the shop's own refund was returned, in whatever order the two came", async () => {
		for (const ownFirst of [true, false]) {
			const { id, payment } = await paid();
			scene.books.giveBack(payment, 1900, null, null);
			await syncRecorded(payment);
			await cancelOrder(scene.shop, id, "purchase");
			await runJobs();
			const ownComesBack = () => {
				const own = payment.refunds.find(({ reference, amount }) => reference !== null && amount === 4000);
				if (own) scene.books.endRefund(payment, own, "failed");
			};
			for (const back of ownFirst
				? [ownComesBack, () => returnRefund(scene, payment)]
				: [() => returnRefund(scene, payment), ownComesBack]) {
				back();
				await syncAtLast(payment);
			}
			expect((await kinds(id)).sort()).toEqual(["cancelled 1900 succeeded", "cancelled 4000 failed", "dashboard 1900 failed"]);
		}
	});

	test("is no longer requested when the shop's own refund is already recorded as returned", async () => {
		const { id, payment } = await paid();
		const external = scene.books.giveBack(payment, 5900, null, null);
		await cancelOrder(scene.shop, id, "purchase");
		const [own] = await getRefunds(id);
		scene.books.endRefund(payment, external, "failed");
		const providerRefund = scene.books.giveBack(payment, 5900, own?.id ?? "", null);
		scene.books.endRefund(payment, providerRefund, "failed");
		await syncAtLast(payment);
		expect((await kinds(id)).sort()).toEqual(["cancelled 5900 failed", "dashboard 5900 failed"]);
	});

	test("is requested only when it is returned: the operator has handled earlier ones", async () => {
		const { id, payment } = await paid();
		for (const amount of [1900, 1000]) scene.books.giveBack(payment, amount, null, null);
		await syncRecorded(payment);
		await cancelOrder(scene.shop, id, "purchase");
		await runJobs();
		const [before] = (await getRefunds(id)).filter(({ amount_cents }) => amount_cents === 1900);
		await scene.db.transaction().execute(async (trx) => {
			await updateRefundStatus(trx, before?.id ?? "", "failed", { now: scene.now() });
			await updateOrder(trx, id, { refunded_cents: cents(4000) });
		});
		const there = payment.refunds.find(({ amount }) => amount === 1900);
		if (there) there.status = "failed";
		const causes: (() => unknown)[] = [
			() => returnRefund(scene, payment),
			() => scene.books.giveBack(payment, 500, null, null),
			() => {
				const own = payment.refunds.find(({ amount }) => amount === 3000);
				if (own) scene.books.endRefund(payment, own, "failed");
			},
		];
		for (const happens of causes) {
			happens();
			await syncAtLast(payment);
		}
		expect((await kinds(id)).sort()).toEqual([
			"cancelled 1000 succeeded",
			"cancelled 3000 failed",
			"dashboard 1000 failed",
			"dashboard 1900 failed",
			"dashboard 500 succeeded",
		]);
	});

	test("is not requested when it was repeated on the provider's pages before the sync", async () => {
		const { id, payment } = await paid();
		scene.books.giveBack(payment, 5900, null, null);
		await syncRecorded(payment);
		await cancelOrder(scene.shop, id, "purchase");
		returnRefund(scene, payment);
		scene.books.giveBack(payment, 5900, null, null);
		await syncAtLast(payment);
		expect((await kinds(id)).sort()).toEqual(["dashboard 5900 failed", "dashboard 5900 succeeded"]);
	});
});

describe("a dispute", () => {
	const getDispute = async (id: string) => {
		const { dispute_status, disputed_at } = await scene.getOrder(id);
		return [dispute_status, disputed_at];
	};

	test("is recorded once, however often it is reported, with the date of its beginning", async () => {
		const { id, payment } = await paid();
		const since = scene.now();
		scene.books.openDispute(payment);
		for (let heard = 0; heard < 2; heard++) {
			await syncPayment(scene.shop, payment.id, null);
			scene.pass(minute);
		}
		expect([await countEvents(id, "disputed"), await getDispute(id)]).toEqual([1, ["open", since]]);
		scene.books.closeDispute(payment, "lost");
		await syncPayment(scene.shop, payment.id, null);
		expect([await countEvents(id, "disputed"), await getDispute(id)]).toEqual([2, ["lost", since]]);
		expect(await scene.getMailKinds(id)).toEqual(["alert-dispute", "alert-dispute-lost"]);
	});

	test("stays closed when the event of its beginning comes last", async () => {
		const { id, payment } = await paid();
		scene.books.openDispute(payment);
		await syncPayment(scene.shop, payment.id, null);
		const stale = await scene.books.provider.findPayment(payment.id);
		scene.books.closeDispute(payment, "won");
		await syncPayment(answerLate(stale).shop, payment.id, null);
		expect(await getDispute(id)).toEqual(["won", null]);
		const events = scene.db.selectFrom("order_events").select("payload").where("order_id", "=", id).where("event_type", "=", "disputed");
		expect((await events.orderBy("id").execute()).map(({ payload }) => payload)).toEqual([{ status: "open" }, { status: "won" }]);
		expect(scene.lines).toContainEqual(expect.objectContaining({ order: id, msg: "a dispute is won" }));
	});

	test("that another process has recorded meanwhile is not asked about again", async () => {
		const { id, payment } = await paid();
		scene.books.openDispute(payment);
		let calls = 0;
		const slow = withProvider({
			async findPayment(paymentId) {
				if (++calls === 1) await syncPayment(scene.shop, paymentId, null);
				return scene.books.provider.findPayment(paymentId);
			},
		});
		expect(await syncPayment(slow, payment.id, null)).toEqual({ ok: true });
		expect([calls, await countEvents(id, "disputed"), (await getDispute(id))[0]]).toEqual([1, 1, "open"]);
	});

	test("that is lost does not close another open one: until then everything waits", async () => {
		const { id, payment, duplicate } = await paidTwice();
		for (const each of [payment, duplicate]) scene.books.openDispute(each);
		scene.books.closeDispute(duplicate, "lost");
		for (const each of [payment, duplicate]) await syncPayment(scene.shop, each.id, null);
		expect((await getDispute(id))[0]).toBe("open");
	});

	test("that is lost refuses the requested refunds of its payment, and no others", async () => {
		const { id, payment, duplicate } = await paidTwice();
		scene.books.giveBack(payment, 1000, null, null);
		scene.books.faults.slowRefunds = true;
		scene.books.giveBack(payment, 900, null, null);
		await syncPayment(scene.shop, payment.id, null);
		const refundId = await insertRequestedRefund(id, 800);
		for (const end of [() => scene.books.openDispute(payment), () => scene.books.closeDispute(payment, "lost")]) {
			await scene.queue.deleteAll();
			end();
			await syncPayment(scene.shop, payment.id, null);
		}
		const refunds = (await getRefunds(id)).map(({ payment_id, amount_cents, status }) => [payment_id, amount_cents, status]);
		expect(refunds.sort()).toEqual(
			[
				[duplicate.id, 5900, "requested"],
				[payment.id, 1000, "succeeded"],
				[payment.id, 900, "pending"],
				[payment.id, 800, "refused"],
			].sort(),
		);
		const sentJobs = (await scene.queue.waiting()).filter(({ name }) => name === "carry-out-refund").map(({ data }) => data);
		const [other] = (await getRefunds(id)).filter(({ payment_id }) => payment_id === duplicate.id);
		expect(sentJobs).toEqual([{ refundId: other?.id }]);
		expect((await findRefund(scene.db, refundId))?.settled_at).toEqual(scene.now());
	});
});

describe("a recorded refund", () => {
	const getStatus = async (refundId: string) => (await findRefund(scene.db, refundId))?.status;

	test("is made once, even if its answer was lost and the next try has another key", async () => {
		const { id, payment } = await paid();
		const refund = await insertRequestedRefund(id, 900);
		const lost = withProvider({
			refund: async (request) => {
				await scene.books.provider.refund(request);
				return { ...unavailable, keyUsedUp: true as const };
			},
		});
		await expect(carryOutRefund(lost, refund)).rejects.toThrow("cannot be reached");
		await carryOutRefund(scene.shop, refund);
		expect(payment.refunds).toMatchObject([{ amount: 900, reference: refund }]);
		expect([await getStatus(refund), (await scene.getOrder(id)).refunded_cents]).toEqual(["succeeded", 900]);
		expect((await findRefund(scene.db, refund))?.provider_id).toBe(payment.refunds[0]?.id);
	});

	test.each<[string, number]>([
		["the payment is read", 1],
		["the refund is requested", 2],
		["the result is read", 3],
	])("is tried again when the provider is unavailable while %s", async (_what, at) => {
		const { id, payment } = await paid();
		const refund = await insertRequestedRefund(id, 900);
		let calls = 0;
		const turn = <Answer>(answer: () => Answer) => (++calls === at ? Promise.resolve(unavailable) : answer());
		const { findPayment, refund: give } = scene.books.provider;
		const faulty = withProvider({ findPayment: (of) => turn(() => findPayment(of)), refund: (request) => turn(() => give(request)) });
		await expect(carryOutRefund(faulty, refund)).rejects.toThrow("cannot be reached");
		expect(await getStatus(refund)).toBe("requested");
		await carryOutRefund(faulty, refund);
		expect(await getStatus(refund)).toBe("succeeded");
		expect(payment.refunds).toHaveLength(1);
	});

	test("is not made when it is final, or was deleted with its order", async () => {
		const { id } = await paid();
		await carryOutRefund(withProvider({ findPayment: async () => unavailable }), crypto.randomUUID());
		const refund = await insertRequestedRefund(id, 900);
		for (const status of ["refused", "failed", "succeeded"] as const) {
			await scene.db.updateTable("refunds").set({ status }).where("id", "=", refund).execute();
			const { calls, shop } = countCalls();
			await carryOutRefund(shop, refund);
			expect([calls, await getStatus(refund)]).toEqual([[], status]);
		}
	});

	test("is not made while it is held", async () => {
		const { id, payment } = await paid();
		const refund = await insertRequestedRefund(id, 900);
		await scene.db
			.updateTable("refunds")
			.set({ held_until: new Date(scene.clock.at + 1) })
			.where("id", "=", refund)
			.execute();
		await carryOutRefund(scene.shop, refund);
		expect([payment.refunds, await getStatus(refund)]).toEqual([[], "requested"]);
		scene.pass(1);
		await carryOutRefund(scene.shop, refund);
		expect(await getStatus(refund)).toBe("succeeded");
	});

	test("is not made while the payment is disputed; a pending one is synced", async () => {
		const { id, payment } = await paid();
		scene.books.faults.slowRefunds = true;
		const pending = await insertRequestedRefund(id, 900);
		await carryOutRefund(scene.shop, pending);
		const waiting = await insertRequestedRefund(id, 800);
		scene.books.openDispute(payment);
		await syncPayment(scene.shop, payment.id, null);
		const { calls, shop } = countCalls();
		await carryOutRefund(shop, waiting);
		expect([calls, await getStatus(waiting)]).toEqual([[], "requested"]);
		for (const providerRefund of payment.refunds) scene.books.endRefund(payment, providerRefund, "succeeded");
		await carryOutRefund(shop, pending);
		expect(await getStatus(pending)).toBe("succeeded");
	});

	test("that is refused because of an unreported dispute waits for the end of the dispute", async () => {
		const { id, payment } = await paid();
		const refund = await insertRequestedRefund(id);
		scene.books.openDispute(payment);
		await carryOutRefund(scene.shop, refund);
		expect(await getStatus(refund)).toBe("requested");
		expect(await scene.getMailKinds(id)).toEqual(["alert-dispute"]);
	});

	test("that is refused because everything was refunded elsewhere is closed, and the operator is alerted", async () => {
		const { id, payment } = await paid();
		const refund = await insertRequestedRefund(id);
		scene.books.giveBack(payment, 5900, null, null);
		await carryOutRefund(scene.shop, refund);
		expect(await findRefund(scene.db, refund)).toMatchObject({ status: "refused", settled_at: scene.now() });
		expect(await scene.getMailKinds(id)).toContain("alert-refund-failed");
		expect(scene.lines).toContainEqual(expect.objectContaining({ alert: "alert-refund-failed", refund, code: "charge_already_refunded" }));
		expect((await scene.getOrder(id)).refunded_cents).toBe(5900);
	});

	test("that is refused because only a cent is left is of that cent", async () => {
		const { id, payment } = await paid();
		const refund = await insertRequestedRefund(id);
		scene.books.giveBack(payment, 5899, null, null);
		await carryOutRefund(scene.shop, refund);
		expect(await findRefund(scene.db, refund)).toMatchObject({ status: "succeeded", amount_cents: 1 });
		expect(scene.books.left(payment)).toBe(0);
	});

	test.each([
		["all", 5900],
		["a part", 3000],
	])("that is refused because of a refund elsewhere, of %s, that comes back meanwhile is tried again, once", async (_what, amount) => {
		const { id, payment } = await paid();
		const refund = await insertRequestedRefund(id);
		scene.books.giveBack(payment, amount, null, null);
		const keys: string[] = [];
		const shop = withProvider({
			async refund(request) {
				keys.push(request.key);
				const answer = await scene.books.provider.refund(request);
				for (const elsewhere of payment.refunds.filter(({ reference }) => reference === null))
					scene.books.endRefund(payment, elsewhere, "failed");
				return answer;
			},
		});
		await carryOutRefund(shop, refund);
		expect(await getStatus(refund)).not.toBe("refused");
		expect([keys.length, new Set(keys).size]).toEqual([2, 2]);

		// a provider that says so again is believed
		const second = await paid();
		const other = await insertRequestedRefund(second.id);
		const refusing = withProvider({ refund: async () => ({ ok: false, code: "refused", providerCode: "charge_already_refunded" }) });
		await carryOutRefund(refusing, other);
		expect(await getStatus(other)).toBe("refused");
		expect(await scene.getMailKinds(second.id)).toContain("alert-refund-failed");
	});

	test("that is refused without a known cause is closed too", async () => {
		const { id } = await paid();
		const refund = await insertRequestedRefund(id);
		await carryOutRefund(
			withProvider({ refund: async () => ({ ok: false, code: "refused", providerCode: "expired_or_canceled_card" }) }),
			refund,
		);
		expect(await getStatus(refund)).toBe("refused");
	});

	test("that was made although the answer was a refusal succeeds", async () => {
		const { id } = await paid();
		const refund = await insertRequestedRefund(id, 900);
		const contrary = withProvider({
			async refund(request) {
				await scene.books.provider.refund(request);
				return { ok: false, code: "refused", providerCode: "idempotency_error" };
			},
		});
		await carryOutRefund(contrary, refund);
		expect([await getStatus(refund), await scene.getMailKinds(id)]).toEqual(["succeeded", []]);
	});

	test("that is refused while another process closes it keeps the status set there", async () => {
		const { id, payment } = await paid();
		const refund = await insertRequestedRefund(id, 4000);
		scene.books.giveBack(payment, 3000, null, null);
		await syncPayment(scene.shop, payment.id, null);
		let calls = 0;
		const { findPayment } = scene.books.provider;
		// the calls after the refusal do not wait, so only the refusal itself does
		const refusing = withProvider({
			findPayment: (of) => (++calls === 1 ? findPayment(of) : Promise.resolve({ ok: true, payment: null })),
		});
		await scene.while(
			id,
			(trx) => updateRefundStatus(trx, refund, "succeeded", { now: scene.now() }),
			() => carryOutRefund(refusing, refund),
		);
		expect(await findRefund(scene.db, refund)).toMatchObject({ status: "succeeded", amount_cents: 4000 });
	});
});

describe("the sweep", () => {
	beforeEach(() => scene.deleteOrders());

	test("expires the session of an order that is no longer pending, at the provider and here", async () => {
		const { id, session } = await scene.place();
		await cancelOrder(scene.shop, id, "purchase");
		scene.pass(2 * minute);
		await sweepPayments(scene.shop);
		expect(session.status).toBe("expired");
		expect((await findRecordedSession(scene.db, session.id))?.status).toBe("expired");
	});

	test("refunds a payment that such an order received at the last moment", async () => {
		const { id, session } = await scene.place();
		await cancelOrder(scene.shop, id, "purchase");
		scene.pay(session);
		scene.pass(2 * minute);
		await sweepPayments(scene.shop);
		expect(await getRefunds(id)).toMatchObject([{ reason: "surplus", amount_cents: 5900 }]);
	});

	test("stops at the first call while the provider is unavailable, and goes on when it answers", async () => {
		const waiting = [await scene.place(), await scene.place({ email: "grace@example.fr", client: "another" })];
		for (const { session } of waiting) scene.pay(session);
		const cancelled = await scene.place({ email: "alan@example.fr", client: "a third" });
		await cancelOrder(scene.shop, cancelled.id, "purchase");
		scene.pass(3 * minute);
		const { calls, shop } = countCalls();
		scene.books.faults.outages = 1;
		await sweepPayments(shop);
		expect(calls).toHaveLength(1);
		expect((await findRecordedSession(scene.db, cancelled.session.id))?.status).toBe("open");
		scene.pass(4 * minute);
		await sweepPayments(scene.shop);
		for (const { id } of waiting) expect((await scene.getOrder(id)).status).toBe("paid");
		expect(cancelled.session.status).toBe("expired");
	});

	test("expires an order without a session after a day, with a reminder to pay", async () => {
		scene.books.faults.outages = 1;
		expect(await scene.checkOut("no session")).toMatchObject({ ok: false, code: "unavailable" });
		const { id } = await scene.db.selectFrom("orders").select("id").executeTakeFirstOrThrow();
		await scene.db.deleteFrom("mails").execute();
		const getClients = async () =>
			(await scene.db.selectFrom("payment_attempts").select("opened_by").where("order_id", "=", id).execute()).map(
				({ opened_by }) => opened_by,
			);
		scene.pass(day);
		await sweepPayments(scene.shop);
		expect((await scene.getOrder(id)).status).toBe("pending");
		expect(await getClients()).toEqual([expect.any(String)]);
		scene.pass(1);
		await sweepPayments(scene.shop);
		expect(await scene.getOrder(id)).toMatchObject({ status: "failed", failure_reason: "expired" });
		expect(await getClients()).toEqual([null]);
		expect(await scene.getMailKinds(id)).toEqual(["resume"]);
	});
});

describe("an unpaid order", () => {
	const resume = async (id: string, shop: Parameters<typeof resumePayment>[0] = scene.shop) =>
		resumePayment(shop, await scene.getOrder(id), "a client");

	test.each<[string, boolean, Partial<Parameters<typeof isPayable>[0]>]>([
		["is pending", true, {}],
		["has expired", true, { status: "failed", failure_reason: "expired" }],
		["was cancelled", false, { status: "failed", failure_reason: "cancelled" }],
		["could not be served", false, { status: "failed", failure_reason: "not-found" }],
		["is paid", false, { status: "paid", paid_at: new Date() }],
		["has a payment date, in any state", false, { paid_at: new Date() }],
		["has a mismatched payment", false, { set_aside_at: new Date() }],
		["has expired and is erased", false, { status: "failed", failure_reason: "expired", erased_at: new Date() }],
	])("that %s can be paid: %s", async (_what, payable, change) => {
		const order = { status: "pending", failure_reason: null, paid_at: null, set_aside_at: null, erased_at: null, ...change };
		expect(isPayable(order as never)).toBe(payable);
	});

	test("gets one new session after its first one expired, without any trace of the expiry", async () => {
		const { id, session } = await scene.place();
		scene.pass(day);
		await syncSession(scene.shop, session.id, null);
		const [first, second] = [await resume(id), await resume(id)];
		expect(first).toMatchObject({ ok: true });
		expect(second).toEqual(first);
		expect(await scene.getOrder(id)).toMatchObject({ status: "pending", failure_reason: null });
		expect(scene.listSessions(id)).toHaveLength(2);
		// and again, each time its session expires
		scene.pass(day);
		await refreshOrder(scene.shop, id);
		await resume(id);
		expect((await listSessions(scene.db, id)).map(({ id, status }) => [id, status])).toEqual(
			scene
				.listSessions(id)
				.map(({ id, status }) => [id, status])
				.reverse(),
		);
	});

	test("whose session expired a moment ago gets a new one that pays it: the first one is expired before", async () => {
		const { id, session } = await scene.place();
		scene.clock.at = session.expiresAt.getTime();
		expect(await resume(id)).toMatchObject({ ok: true });
		const [, next] = scene.listSessions(id);
		expect((await listSessions(scene.db, id)).map(({ id, status }) => [id, status])).toEqual([
			[next?.id, "open"],
			[session.id, "expired"],
		]);
		scene.pass(2 * minute);
		await sweepPayments(scene.shop);
		if (next) scene.pay(next);
		await syncSession(scene.shop, next?.id ?? "", null);
		expect((await scene.getOrder(id)).status).toBe("paid");
		expect(await getPayments(id)).toMatchObject([{ role: "order" }]);
	});

	test("whose session was paid at the last moment cannot be paid again", async () => {
		const { id, session } = await scene.place();
		scene.pay(session);
		scene.clock.at = session.expiresAt.getTime();
		expect(await resume(id)).toEqual({ ok: false, code: "not-payable" });
		expect((await scene.getOrder(id)).status).toBe("paid");
		const wrong = await scene.place();
		scene.pay(wrong.session, { amount: 100 });
		scene.clock.at = wrong.session.expiresAt.getTime();
		expect(await resume(wrong.id)).toEqual({ ok: false, code: "not-payable" });
		expect(scene.listSessions(wrong.id)).toHaveLength(1);
	});

	test("whose session expired gets no new one while the provider does not say how it ended", async () => {
		const { id, session } = await scene.place();
		scene.clock.at = session.expiresAt.getTime();
		scene.books.faults.outages = 1;
		expect(await resume(id)).toEqual({ ok: false, code: "unavailable" });
		expect(scene.listSessions(id)).toHaveLength(1);
	});

	test("is not offered for payment while the provider is unavailable", async () => {
		const { id } = await scene.place();
		expect(await findOrderToShow(scene.shop, id)).toMatchObject({ payable: true });
		scene.pass(2000);
		scene.books.faults.outages = 1;
		expect(await findOrderToShow(scene.shop, id)).toMatchObject({ order: { id }, payable: false });
		// the next who looks is told the same, and the provider is left alone
		expect(await findOrderToShow(scene.shop, id)).toMatchObject({ payable: false });
		scene.pass(2000);
		expect(await findOrderToShow(scene.shop, id)).toMatchObject({ payable: true });
	});

	test("that an event makes paid between two reads is shown as paid", async () => {
		const { id, session } = await scene.place();
		scene.pay(session);
		let reads = 0;
		const db = scene.db.withPlugin({
			transformQuery: ({ node }) => node,
			async transformResult({ result }) {
				if (++reads === 1) await syncSession(scene.shop, session.id, null);
				return result;
			},
		});
		expect(await findOrderToShow({ ...scene.shop, db }, id)).toMatchObject({ order: { status: "paid" }, payable: false });
	});

	test("costs a call to the provider while it is open, and none afterwards", async () => {
		const { id, session } = await scene.place();
		scene.pay(session);
		const { calls, shop } = countCalls();
		for (let shown = 0; shown < 2; shown++) expect((await refreshOrder(shop, id))?.status).toBe("paid");
		expect(calls).toEqual(["findSession"]);
	});

	test("that is cancelled while its payment is resumed gets no session", async () => {
		const { id, session } = await scene.place();
		scene.books.expire(session);
		await syncSession(scene.shop, session.id, null);
		await scene.db.updateTable("orders").set({ status: "pending", failure_reason: null }).where("id", "=", id).execute();
		const { value } = await scene.while(
			id,
			(trx) => changeState(trx, id, "cancelled", { set: { failure_reason: "cancelled" }, now: scene.now() }),
			() => resume(id),
		);
		expect(value).toEqual({ ok: false, code: "not-payable" });
		expect(scene.listSessions(id)).toHaveLength(1);
	});

	test("that is resumed twice at once has one attempt: its answer is recorded before the next request reads it", async () => {
		const { id } = await scene.place();
		const order = await scene.getOrder(id);
		const expires_at = new Date(scene.clock.at + hour);
		const next = { order_id: id, attempt: 2, created_at: scene.now(), expires_at, answered_at: null, opened_by: null };
		const { waited } = await scene.while(
			id,
			async () => {},
			() => requestSession(scene.shop, { orders: [order], attempt: next, client: "a client" }),
		);
		expect(waited).toBe(true);
	});
});

describe("an attempt to open a session", () => {
	beforeEach(() => scene.deleteOrders());

	const getAttempts = (id: string) =>
		scene.db.selectFrom("payment_attempts").selectAll().where("order_id", "=", id).orderBy("attempt").execute();
	const onlyOrder = async () => (await scene.db.selectFrom("orders").select("id").executeTakeFirstOrThrow()).id;
	/** The session is created, and the answer lost. */
	const losing = (answer: object = unavailable) =>
		withProvider({
			async createSession(request) {
				await scene.books.provider.createSession(request);
				return answer as typeof unavailable;
			},
		});

	test("whose answer was lost is repeated unchanged, and gives one session", async () => {
		expect(await scene.checkOut("lost", losing())).toMatchObject({ ok: false, code: "unavailable" });
		expect(scene.lines).toContainEqual(
			expect.objectContaining({ order: await onlyOrder(), msg: "the payment provider cannot be reached" }),
		);
		const [{ answered_at } = expect.fail()] = await getAttempts(await onlyOrder());
		expect(answered_at).toBeNull();
		const other = await scene.place();
		expect(await getAttempts(other.id)).toMatchObject([{ answered_at: expect.any(Date) }]);
		expect(await scene.checkOut("lost")).toMatchObject({ ok: true });
		for (const { id } of await scene.db.selectFrom("orders").select("id").execute()) {
			expect(scene.listSessions(id)).toHaveLength(1);
			expect(await getAttempts(id)).toMatchObject([{ attempt: 1, answered_at: expect.any(Date) }]);
		}
	});

	test("whose answer was lost and which has no time left is replaced by another", async () => {
		const lost = await scene.checkOut("lost", losing());
		expect(lost.ok).toBe(false);
		const id = await onlyOrder();
		const [{ expires_at: end } = { expires_at: scene.now() }] = await getAttempts(id);
		scene.clock.at = end.getTime() - 31 * minute;
		expect(await scene.checkOut("lost")).toMatchObject({ ok: true });
		expect(await getAttempts(id)).toHaveLength(2);
	});

	test("that is refused gives no session, logs the reason, and is followed by a new attempt", async () => {
		const refusing = withProvider({ createSession: async () => ({ ok: false, code: "refused", providerCode: "amount_too_small" }) });
		expect(await scene.checkOut("refused", refusing)).toMatchObject({ ok: false, code: "refused" });
		expect(scene.lines).toContainEqual(expect.objectContaining({ order: await onlyOrder(), code: "amount_too_small" }));
		expect(await scene.checkOut("refused")).toMatchObject({ ok: true });
		expect(await getAttempts(await onlyOrder())).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
	});

	test("that returns a session without a URL is reported", async () => {
		const without = withProvider({
			async createSession(request) {
				const created = await scene.books.provider.createSession(request);
				return created.ok ? { ...created, session: { ...created.session, url: "" } } : created;
			},
		});
		expect(await scene.checkOut("no address", without)).toMatchObject({ ok: false, code: "no-url" });
	});

	test.each([
		["behind ours, at once", -59, 24 * 60],
		["ahead of ours, when little time is left", 59, 31.01],
		["ahead of ours, when too little time is left", 59, 30.5],
	])("is accepted by a provider whose clock is a minute %s", async (_what, ahead, left) => {
		const provider = sandboxProvider({
			...scene.shop,
			baseUrl: "https://shop.example",
			now: () => new Date(scene.clock.at + ahead * 1000),
		});
		expect((await scene.checkOut("clock", withProvider({ createSession: async () => unavailable }))).ok).toBe(false);
		const [attempt] = await getAttempts(await onlyOrder());
		scene.clock.at = Math.max(scene.clock.at, (attempt?.expires_at.getTime() ?? 0) - left * minute);
		expect(await scene.checkOut("clock", { ...scene.shop, provider })).toMatchObject({ ok: true });
	});

	test("leaves the customer 23 hours to pay, in whole seconds", async () => {
		const { session } = await scene.place();
		expect(session.expiresAt).toEqual(new Date(scene.clock.at + 23 * 60 * minute));
		scene.pass(999);
		expect((await scene.place()).session.expiresAt).toEqual(session.expiresAt);
	});

	test("is logged with its number, and the session's hash", async () => {
		const { id, session } = await scene.place();
		expect(scene.lines).toContainEqual(
			expect.objectContaining({ order: id, attempt: 1, session: sessionLogName(session.id), event: "session_opened" }),
		);
	});

	test("stores its client as a hash that needs the shop's secret", async () => {
		const getHash = async ({ id }: { id: string }) => (await listSessions(scene.db, id))[0]?.opened_by;
		const [first, same, other] = [await scene.place(), await scene.place(), await scene.place({ client: "another" })];
		const otherShop = await scene.checkOut("elsewhere", { signer: createSigner(["another secret of the tests, long enough too"]) });
		if (!otherShop.ok) throw new Error(otherShop.code);
		const hashes = await Promise.all([first, same, other, { id: otherShop.orderId }].map(getHash));
		expect(hashes[1]).toBe(hashes[0]);
		expect(new Set(hashes).size).toBe(3);
	});
});

describe("a repeated order", () => {
	test("that is deleted meanwhile cannot be paid", async () => {
		const { id } = await scene.place();
		const order = await scene.getOrder(id);
		await scene.deleteOrders();
		expect(await resumeCheckout(scene.shop, order, "a client")).toEqual({ ok: false, code: "not-payable", orderId: id });
		expect(await resumePayment(scene.shop, order, "a client")).toEqual({ ok: false, code: "not-payable" });
		expect(await openSession(scene.shop, id, "a client")).toEqual({ ok: false, code: "not-payable" });
	});

	test("cannot be paid again after a payment whose event did not come", async () => {
		const started = await scene.checkOut("again");
		const [session] = scene.listSessions(started.ok ? started.orderId : "");
		if (session) scene.pay(session);
		expect(await scene.checkOut("again")).toEqual({ ok: false, code: "already-paid" });
	});
});

describe("the operator's sync of an order", () => {
	test("asks about all its sessions, then all its payments", async () => {
		const { id, payment, duplicate } = await paidTwice();
		for (const each of [payment, duplicate]) scene.books.giveBack(each, 1000, null, null);
		expect(await syncPurchase(scene.shop, id)).toEqual({ ok: true, sessions: 2, payments: 2 });
		expect((await getRefunds(id)).filter(({ status }) => status === "succeeded")).toHaveLength(2);
		const placed = await scene.place();
		scene.pay(placed.session);
		expect(await syncPurchase(scene.shop, placed.id)).toEqual({ ok: true, sessions: 1, payments: 1 });
	});

	test.each(["findSession", "findPayment"] as const)("reports nothing while the provider is unavailable (%s)", async (question) => {
		const { id } = await paid();
		expect(await syncPurchase(withProvider({ [question]: async () => unavailable }), id)).toEqual(unavailable);
	});
});

describe("the reconciliation", () => {
	const days = 3;
	const compare = async (shop: Parameters<typeof reconcile>[0] = scene.shop) => getDifferences(await reconcile(shop, days));
	const getDifferences = (done: Awaited<ReturnType<typeof reconcile>>) => (done.ok ? done.differences : undefined);
	const settling = 15 * minute;
	/** Records a payment on one side at an instant. */
	async function booked({ here, there }: { here?: number; there?: number }) {
		const now = scene.clock.at;
		scene.clock.at = here ?? there ?? now;
		const { id, payment } = await paid();
		if (here === undefined) await scene.db.deleteFrom("payments").where("id", "=", payment.id).execute();
		if (there === undefined) scene.books.payments.delete(payment.id);
		else Object.assign(payment, { createdAt: new Date(there) });
		scene.clock.at = now;
		return { id, payment };
	}

	beforeEach(async () => {
		await scene.deleteOrders();
		scene.pass(30 * day);
	});

	test("makes no further call when nothing differs, and records the comparison", async () => {
		const at = scene.clock.at - hour;
		await booked({ here: at, there: at });
		const { calls, shop } = countCalls();
		expect(await compare(shop)).toEqual([]);
		expect(calls).toEqual(["listPayments"]);
		const until = new Date(scene.clock.at - settling);
		expect(await scene.db.selectFrom("reconciliations").selectAll().execute()).toMatchObject([
			{ since: new Date(until.getTime() - 3 * day), until, compared: 1, differences: [], created_at: scene.now() },
		]);
		expect(scene.lines.at(-1)).toMatchObject({
			...{ since: new Date(until.getTime() - 3 * day).toISOString(), until: until.toISOString(), compared: 1, differences: 0 },
			msg: "the provider's books are compared with ours",
		});
		const shorter = await reconcile(scene.shop);
		expect(shorter).toEqual({ ok: true, since: new Date(until.getTime() - 3 * day), until, compared: 1, differences: [] });
		const report = await scene.db.selectFrom("reconciliations").select("since").orderBy("id", "desc").executeTakeFirstOrThrow();
		expect(report.since).toEqual(new Date(until.getTime() - 3 * day));
	});

	test("finds a refund that only the shop has, and one that only the provider has", async () => {
		const at = scene.clock.at - hour;
		const { id, payment } = await booked({ here: at, there: at });
		const providerRefund = scene.books.giveBack(payment, 1000, null, null);
		await syncPayment(scene.shop, payment.id, null);
		payment.refunds.length = 0;
		expect(await compare()).toEqual([{ paymentId: payment.id, orderId: id, what: "refunded", here: 1000, there: 0 }]);
		payment.refunds.push(providerRefund);
		scene.books.giveBack(payment, 500, null, null);
		expect(await compare()).toMatchObject([{ what: "refunded", here: 1000, there: 1500 }]);
		expect(await compare()).toEqual([]);
	});

	test("covers three days without the last quarter of an hour; payments near its limits are no difference on either side", async () => {
		const cases: [string, boolean, { here?: number; there?: number }][] = [
			["on its way right now", false, { there: -14 * minute }],
			["unknown here", true, { there: -16 * minute }],
			["unknown here, of three days ago", true, { there: -3 * day - 14 * minute }],
			["unknown here, of more than three days ago", false, { there: -3 * day - 16 * minute }],
			["noted here later than there", false, { here: -minute, there: -16 * minute }],
			["noted here before it was there, at the beginning", false, { here: -3 * day - 74 * minute, there: -3 * day - 14 * minute }],
			["unknown there", true, { here: -16 * minute }],
			["unknown there, of a moment ago", false, { here: -14 * minute }],
			["unknown there, within an hour of the beginning", false, { here: -3 * day + 44 * minute }],
			["unknown there, just before an hour after the beginning", false, { here: -3 * day + 45 * minute - 1 }],
			["unknown there, an hour after the beginning", true, { here: -3 * day + 45 * minute }],
			["unknown there, at the end", false, { here: -15 * minute }],
			["unknown there, just before the end", true, { here: -15 * minute - 1 }],
		];
		const now = scene.clock.at;
		const names = new Map<string, string>();
		for (const [name, , { here, there }] of cases) {
			const { payment } = await booked({ ...(here && { here: now + here }), ...(there && { there: now + there }) });
			names.set(payment.id, name);
		}
		const differing = cases.filter(([, differs]) => differs).map(([name]) => name);
		expect((await compare())?.map(({ paymentId }) => names.get(paymentId)).sort()).toEqual(differing.sort());
		expect(scene.lines.filter(({ msg }) => msg === "the provider's books and ours differ")).toHaveLength(differing.length);
	});

	test("syncs nothing while the copies of orders cannot be read: they may have more than the provider", async () => {
		const { id, session } = await scene.place();
		const payment = scene.pay(session);
		scene.pass(hour);
		const away = new Proxy(scene.shop.storage, { get: () => () => Promise.reject(new Error("the storage is away")) });
		const difference = { paymentId: payment.id, orderId: id, what: "missing-here", here: null, there: 5900 };
		expect(await compare({ ...scene.shop, storage: away })).toEqual([{ ...difference, copy: "unavailable" }]);
		expect(scene.lines).toContainEqual(
			expect.objectContaining({ order: id, msg: "the copy of an order cannot be read", error: expect.anything() }),
		);
		expect((await scene.getOrder(id)).status).toBe("pending");
		expect(await compare()).toEqual([difference]);
		expect((await scene.getOrder(id)).status).toBe("paid");
	});

	test("finds a payment that names no purchase, whose log line names no order", async () => {
		const { payment } = await booked({ there: scene.clock.at - hour });
		payment.purchaseId = null;
		expect(await compare()).toEqual([{ paymentId: payment.id, orderId: null, what: "missing-here", here: null, there: 5900 }]);
		const line = scene.lines.find(({ msg }) => msg === "the provider's books and ours differ");
		expect(line).toMatchObject({ paymentId: payment.id });
		expect(line).not.toHaveProperty("order");
	});

	test.each(["listPayments", "findPayment"] as const)("reports nothing while the provider is unavailable (%s)", async (question) => {
		await booked({ here: scene.clock.at - hour });
		expect(await compare(withProvider({ [question]: async () => unavailable }))).toBeUndefined();
		expect(await scene.db.selectFrom("reconciliations").selectAll().execute()).toEqual([]);
	});
});
