import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type PaymentScene, sandboxScene, sessionRequest, stripeScene } from "../../test/payments.ts";
import { describeCards, describeMeansOfPayment } from "../catalogue/means-of-payment.ts";
import { cents } from "../catalogue/money.ts";
import { readRichText } from "../content/read-text.ts";
import type { Payment, PaymentProvider, PaymentSession, ProviderRefund, SessionRequest } from "./provider.ts";
import { signEvent } from "./stripe/signed-event.server.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

let time = new Date();
const now = () => time;
const later = (milliseconds: number) => {
	time = new Date(time.getTime() + milliseconds);
};

describe.each([
	["the sandbox", sandboxScene],
	["Stripe", stripeScene],
])("%s", (_name, open) => {
	let scene: PaymentScene;
	let provider: PaymentProvider;
	beforeAll(async () => {
		scene = await open(now);
		provider = scene.provider;
	});
	afterAll(() => scene?.close());
	beforeEach(() => {
		time = new Date(Math.floor(Date.now() / 1000) * 1000);
	});

	const request = (change?: Partial<SessionRequest>) => sessionRequest(time, change);

	async function opened(change?: Partial<SessionRequest>): Promise<PaymentSession> {
		const created = await provider.createSession(request(change));
		if (!created.ok) throw new Error(`no session: ${created.code}`);
		return created.session;
	}

	async function found(id: string): Promise<PaymentSession> {
		const { session } = (await provider.findSession(id)) as { session: PaymentSession };
		return session;
	}

	async function paid(change?: Partial<SessionRequest>): Promise<Payment> {
		const { id } = await opened(change);
		await scene.pay(id);
		return payment((await found(id)).paymentId ?? "");
	}

	async function payment(id: string): Promise<Payment> {
		return ((await provider.findPayment(id)) as { payment: Payment }).payment;
	}

	const requestRefund = (paymentId: string, amount: number, reference: string = crypto.randomUUID()) =>
		provider.refund({ paymentId, amount: cents(amount), key: `refund-${reference}`, reference });

	async function makeRefund(...wanted: Parameters<typeof requestRefund>): Promise<ProviderRefund> {
		const created = await requestRefund(...wanted);
		if (!created.ok) throw new Error(`no refund: ${created.code}`);
		return created.refund;
	}

	describe("a session", () => {
		test("has the requested content, is open, and has a payment page", async () => {
			const wanted = request();
			const created = await provider.createSession(wanted);
			expect(created).toMatchObject({
				ok: true,
				session: {
					...{ status: "open", paymentStatus: "unpaid", paymentId: null, amount: 5900, currency: "eur", live: false },
					...{ purchaseId: wanted.purchaseId, expiresAt: wanted.expiresAt, url: expect.stringMatching(/^http:/) },
				},
			});
			if (created.ok) expect(await provider.findSession(created.session.id)).toEqual({ ok: true, session: created.session });
		});

		test("of several orders names their purchase, and so does its payment", async () => {
			const purchaseId = crypto.randomUUID();
			const several = { purchaseId, amount: cents(14_200) };
			expect(await opened(several)).toMatchObject({ purchaseId, amount: 14_200 });
			expect(await paid(several)).toMatchObject({ purchaseId, amount: 14_200 });
		});

		test("is created once per key, even by ten concurrent requests", async () => {
			const wanted = request();
			const created = await Promise.all(Array.from({ length: 10 }, () => provider.createSession(wanted)));
			const again = await provider.createSession(wanted);
			expect(again.ok).toBe(true);
			// during the first request, the others may be told to try again later
			for (const answer of created) if (answer.ok || answer.code !== "unavailable") expect(answer).toEqual(again);
		});

		test("is refused for another request with a used key, and stays unchanged", async () => {
			const wanted = request();
			const { id } = await opened(wanted);
			const changes: Partial<SessionRequest>[] = [
				...[{ amount: cents(100) }, { purchaseId: crypto.randomUUID() }, { customerEmail: "grace@example.fr" }],
				...[{ productName: "KBIS Standard" }, { successUrl: "http://localhost:3000/ailleurs" }, { cancelUrl: "http://localhost:3000/" }],
				{ expiresAt: new Date(wanted.expiresAt.getTime() + minute) },
			];
			for (const change of changes)
				expect(await provider.createSession({ ...wanted, ...change })).toMatchObject({
					code: "refused",
					providerCode: "idempotency_error",
				});
			expect(await found(id)).toMatchObject({ amount: 5900, purchaseId: wanted.purchaseId });
		});

		test("that is paid is returned as paid for a repeated key", async () => {
			const wanted = request();
			await scene.pay((await opened(wanted)).id);
			expect(await provider.createSession(wanted)).toMatchObject({ session: { status: "complete", paymentStatus: "paid", url: "" } });
		});

		test.each([
			["29 minutes", 29 * minute],
			["25 hours", 25 * hour],
		])("cannot expire in %s", async (_ahead, ahead) => {
			const wanted = request({ expiresAt: new Date(time.getTime() + ahead) });
			expect(await provider.createSession(wanted)).toMatchObject({ ok: false, code: "refused" });
		});

		test.each([
			["30 minutes", 30 * minute],
			["24 hours", day],
		])("can expire in %s", async (_ahead, ahead) => {
			expect((await opened({ expiresAt: new Date(time.getTime() + ahead) })).status).toBe("open");
		});

		test("that is paid is complete and names its payment", async () => {
			const { id, purchaseId } = await opened();
			await scene.pay(id);
			const session = await found(id);
			expect(session).toMatchObject({ status: "complete", paymentStatus: "paid", url: "", purchaseId });
			expect(await payment(session.paymentId ?? "")).toMatchObject({ purchaseId, amount: 5900, currency: "eur", live: false });
		});

		test("expires by itself, and can no longer be paid", async () => {
			const { id } = await opened();
			later(hour);
			await scene.pay(id);
			expect(await found(id)).toMatchObject({ status: "expired", paymentStatus: "unpaid", paymentId: null, url: "" });
		});

		test("can be expired repeatedly, and can then no longer be paid", async () => {
			const { id } = await opened();
			const closed = await provider.expireSession(id);
			expect(closed).toMatchObject({ session: { id, status: "expired", url: "" } });
			await scene.pay(id);
			expect(await provider.expireSession(id)).toEqual(closed);
		});

		test("that is paid cannot be expired, and is returned as paid", async () => {
			const { id } = await opened();
			await scene.pay(id);
			expect(await provider.expireSession(id)).toMatchObject({ session: { status: "complete", paymentStatus: "paid" } });
		});

		test.each(["cs_test_unknown", "", "../orders/refunds", "pi_1", "cs_test_é"])("called « %s » does not exist", async (id) => {
			expect(await provider.findSession(id)).toEqual({ ok: true, session: null });
			if (id.startsWith("cs_")) expect(await provider.expireSession(id)).toEqual({ ok: true, session: null });
			expect(await provider.findPayment(id)).toEqual({ ok: true, payment: null });
		});
	});

	describe("a refund", () => {
		test("is made once per key, and is listed on the payment with its reference", async () => {
			const { id } = await paid();
			const first = await makeRefund(id, 2000, "reference-1");
			expect(first).toMatchObject({ amount: 2000, status: "succeeded", reference: "reference-1" });
			expect(await makeRefund(id, 2000, "reference-1")).toEqual(first);
			expect((await payment(id)).refunds).toEqual([first]);
		});

		test("is listed with earlier ones, the newest first", async () => {
			const { id } = await paid();
			const refunds = [];
			for (const reference of ["reference-a", "reference-b", "reference-c"]) {
				refunds.unshift(await makeRefund(id, 1000, reference));
				later(minute);
			}
			expect((await payment(id)).refunds).toEqual(refunds);
		});

		test("whose answer was lost is made once, even when it is requested again the next day", async () => {
			const { id } = await paid();
			scene.loseAnswers();
			await requestRefund(id, 2000, "reference-2");
			const again = await makeRefund(id, 2000, "reference-2");
			later(2 * day);
			expect(await makeRefund(id, 2000, "reference-2")).toEqual(again);
			expect((await payment(id)).refunds).toEqual([again]);
		});

		test("with a used key and other content is refused", async () => {
			const { id } = await paid();
			await makeRefund(id, 2000, "reference-3");
			expect(await requestRefund(id, 1000, "reference-3")).toMatchObject({ code: "refused", providerCode: "idempotency_error" });
			expect((await payment(id)).refunds).toHaveLength(1);
		});

		test("can be made in parts, up to the captured amount and not a cent more", async () => {
			const { id } = await paid();
			await makeRefund(id, 2000);
			expect(await requestRefund(id, 3901)).toMatchObject({ ok: false, code: "refused" });
			await makeRefund(id, 3900);
			expect(await requestRefund(id, 1)).toMatchObject({ code: "refused", providerCode: "charge_already_refunded" });
			expect((await payment(id)).refunds.map(({ amount }) => amount).sort()).toEqual([2000, 3900]);
		});

		test("never exceeds the captured amount, even with ten concurrent requests", async () => {
			const { id } = await paid();
			const answers = await Promise.all(Array.from({ length: 10 }, () => requestRefund(id, 2900)));
			expect(answers.filter(({ ok }) => ok)).toHaveLength(2);
		});

		test("made elsewhere is listed without a reference, and counts", async () => {
			const { id } = await paid();
			await scene.refundElsewhere(id, 5000);
			expect((await payment(id)).refunds).toMatchObject([{ amount: 5000, status: "succeeded", reference: null }]);
			expect(await requestRefund(id, 1000)).toMatchObject({ ok: false, code: "refused" });
		});

		test("of an unknown payment is refused", async () => {
			expect(await requestRefund("pi_test_unknown", 100)).toMatchObject({ code: "refused", providerCode: "resource_missing" });
		});
	});

	describe("a dispute", () => {
		test("is listed on the payment and blocks refunds until it is won", async () => {
			const { id, dispute: none } = await paid();
			expect(none).toBeNull();
			await scene.dispute(id);
			expect((await payment(id)).dispute).toMatchObject({ status: "open" });
			expect(await requestRefund(id, 5900)).toMatchObject({ code: "refused", providerCode: "charge_disputed" });
			await scene.endDispute(id, "won");
			expect((await payment(id)).dispute).toMatchObject({ status: "won" });
			expect(await requestRefund(id, 5900)).toMatchObject({ ok: true });
		});

		test("that is lost is reported as lost", async () => {
			const { id } = await paid();
			await scene.dispute(id);
			await scene.endDispute(id, "lost");
			expect((await payment(id)).dispute).toMatchObject({ status: "lost" });
			expect(await requestRefund(id, 5900)).toMatchObject({ code: "refused", providerCode: "charge_disputed" });
		});
	});

	test("the list has each captured payment of the window, without its end, with the refunded amount", async () => {
		later(30 * day); // away from the payments of other tests
		const since = time;
		const [whole, part] = [await paid(), await paid()];
		await makeRefund(part.id, 2000);
		await opened();
		const until = new Date(time.getTime() + hour);
		later(hour);
		await paid();
		const booked = (await provider.listPayments(since, until)) as { payments: { id: string }[] };
		const line = ({ refunds, dispute, ...kept }: Payment, refunded: number) => ({ ...kept, refunded });
		const byId = (one: { id: string }, other: { id: string }) => one.id.localeCompare(other.id);
		expect(booked.payments.sort(byId)).toEqual([line(whole, 0), line(part, 2000)].sort(byId));
	});

	test("the list includes the first instant of the window and excludes the last", async () => {
		later(2 * day);
		const { id } = await paid();
		const held = async (since: number, until: number) => {
			const at = time.getTime();
			const booked = (await provider.listPayments(new Date(at + since), new Date(at + until))) as { payments: { id: string }[] };
			return booked.payments.some((payment) => payment.id === id);
		};
		expect([await held(0, 1), await held(1, 1001), await held(-1000, 0)]).toEqual([true, false, false]);
		const moved = async (since: number, until: number) => {
			const at = time.getTime();
			const listed = await provider.listMovements(new Date(at + since), new Date(at + until));
			return listed.ok && listed.movements.some(({ paymentId }) => paymentId === id);
		};
		expect([await moved(0, 1), await moved(1, 1001), await moved(-1000, 0)]).toEqual([true, false, false]);
	});

	describe("the balance", () => {
		// payments are paid out at the end of a day: none of these tests walks over one by accident
		beforeEach(() => {
			time = new Date(Math.floor(Date.now() / day) * day + day / 2);
		});

		const listMovements = async (since: Date) => {
			const listed = await provider.listMovements(since, new Date(time.getTime() + day));
			if (!listed.ok) throw new Error("no movements");
			return listed.movements.sort((a, b) => a.at.getTime() - b.at.getTime());
		};

		test("moves by payments with their fee, refunds and disputes with their fee, each with its payment and its cause", async () => {
			later(90 * day); // away from the payments of other tests
			const since = time;
			const refunded = await paid();
			later(minute);
			const refund = await makeRefund(refunded.id, 2000);
			later(minute);
			const disputed = await paid();
			later(minute);
			await scene.dispute(disputed.id);
			const { dispute } = await payment(disputed.id);
			later(minute);
			await scene.endDispute(disputed.id, "won");
			later(minute);
			expect(
				(await listMovements(since)).map(({ kind, amount, fee, paymentId, currency }) => [kind, amount, fee, paymentId, currency]),
			).toEqual([
				["charge", 5900, 114, refunded.id, "eur"],
				["refund", -2000, 0, refunded.id, "eur"],
				["charge", 5900, 114, disputed.id, "eur"],
				["dispute", -5900, 2000, disputed.id, "eur"],
				["dispute-won", 5900, 0, disputed.id, "eur"],
			]);
			const causes = (await listMovements(since)).map(({ sourceId }) => sourceId);
			expect([causes[1], causes[3]]).toEqual([refund.id, dispute?.id]);
		});

		test("is paid out: a payout equals the movements that it contains, and moves the balance itself", async () => {
			later(200 * day);
			await scene.payOut(() => {}); // what other tests left
			later(minute);
			const since = time;
			await paid();
			const { id } = await paid();
			await makeRefund(id, 1000);
			await scene.payOut(later);
			const listed = await provider.listPayouts(since, new Date(time.getTime() + day));
			if (!listed.ok) throw new Error("no payouts");
			const [payout] = listed.payouts;
			expect(listed.payouts).toHaveLength(1);
			expect(payout).toMatchObject({ amount: 2 * (5900 - 114) - 1000, currency: "eur", status: "paid", isItemised: true });
			const contained = await provider.listPaidOut(payout?.id ?? "");
			const movements = await listMovements(since);
			const own = movements.filter(({ kind }) => kind !== "payout");
			expect(contained).toEqual({ ok: true, movementIds: expect.arrayContaining(own.map((movement) => movement.id)) });
			expect(contained.ok && contained.movementIds).toHaveLength(3);
			expect(await provider.listPaidOut("po_unknown")).toEqual({ ok: true, movementIds: [] });
			expect(movements.filter(({ kind }) => kind === "payout")).toMatchObject([{ amount: -(payout?.amount ?? 0), sourceId: payout?.id }]);
		});
	});

	describe("an event", () => {
		const writeEvent = (type: string, object: object) => JSON.stringify({ id: "evt_1", object: "event", type, data: { object } });
		const session = { object: "checkout.session", id: "cs_1" };

		test("is accepted when it is signed with the provider's secret, and with no other", () => {
			const type = "checkout.session.completed";
			const eventBody = writeEvent(type, session);
			expect(provider.readEvent(eventBody, signEvent(eventBody, scene.eventSecret, time))).toEqual({
				ok: true,
				event: { id: "evt_1", type, subject: { session: "cs_1" } },
			});
			const unsigned = { ok: false, code: "unsigned" };
			expect(provider.readEvent(eventBody, signEvent(eventBody, "whsec_other", time))).toEqual(unsigned);
			expect(provider.readEvent(eventBody, undefined)).toEqual(unsigned);
		});

		test.each([
			["is not watched", writeEvent("customer.created", { object: "customer", id: "cus_1" })],
			["is not watched, although it is about a session", writeEvent("checkout.session.some_thing", session)],
			["names no payment", writeEvent("refund.failed", { object: "refund", payment_intent: null })],
		])("that %s is accepted and ignored", (_what, eventBody) => {
			expect(provider.readEvent(eventBody, signEvent(eventBody, scene.eventSecret, time))).toEqual({ ok: true, event: null });
		});
	});

	test("the texts name the provider and say what customers pay with: cards, unless payments are simulated", () => {
		const { cards, ...sentences } = provider.texts;
		expect(cards.length > 0).toBe(!provider.simulated);
		for (const [name, sentence] of Object.entries(sentences)) {
			expect(sentence.trim(), name).not.toBe("");
			expect(() => readRichText(sentence), name).not.toThrow();
		}
		expect(describeMeansOfPayment(provider.texts)).toContain(provider.texts.cardNote);
		expect(describeCards(provider.texts).accepted === null).toBe(provider.simulated);
	});

	test("the payment page is the shop's own only where payments are simulated, and no simulated payment is real", () => {
		expect(provider.pageOrigin === "").toBe(provider.simulated);
		expect(provider.live && provider.simulated).toBe(false);
	});

	test("the provider is ready", async () => {
		expect(await provider.ready()).toMatchObject({ ok: true });
	});
});
