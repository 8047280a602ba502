import Stripe from "stripe";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type FakeStripe, startFakeStripe } from "../../../test/fakes/stripe/stripe.ts";
import { sessionRequest } from "../../../test/payments.ts";
import { cents } from "../../catalogue/money.ts";
import type { PaymentProvider, SessionRequest } from "../provider.ts";
import { attempt } from "./stripe-calls.server.ts";
import { parseApiBase, stripeProvider } from "./stripe-provider.server.ts";

let time = new Date();
const now = () => time;
let stripe: FakeStripe;
let provider: PaymentProvider;

beforeAll(async () => {
	stripe = await startFakeStripe({ now });
	provider = createProvider();
});
afterAll(() => stripe?.close());
beforeEach(() => {
	time = new Date();
	stripe.clearFaults();
	stripe.setRefundStatus("succeeded");
	stripe.state.requests.length = 0;
});

/** A provider with other settings than the test shop. */
const createProvider = (change: Partial<Parameters<typeof stripeProvider>[0]> = {}) => {
	const { secretKey, webhookSecret, url: apiBase } = stripe;
	return stripeProvider({ secretKey, webhookSecret, apiBase, live: false, ...change }, now);
};

const request = (change?: Partial<SessionRequest>) => sessionRequest(time, change);

async function openSession(): Promise<string> {
	const created = await provider.createSession(request());
	return created.ok ? created.session.id : created.code;
}

async function paid(): Promise<string> {
	return stripe.pay(await openSession())?.id ?? "";
}

const refund = (paymentId: string, reference: string = crypto.randomUUID()) =>
	provider.refund({ paymentId, amount: cents(2000), key: `refund-${reference}`, reference });

const getSessions = (orderId: string) => [...stripe.state.sessions.values()].filter(({ metadata }) => metadata.purchase_id === orderId);

test.each([0, 400_000, -31_000])("the clock is compared with the date of Stripe's answer: %i ms ahead", async (milliseconds) => {
	time = new Date(Date.now() + milliseconds);
	const ready = await provider.ready();
	expect(Math.abs((ready.ok && ready.clockAhead !== null ? ready.clockAhead : Number.NaN) - milliseconds)).toBeLessThan(10_000);
});

describe("a request to Stripe", () => {
	test("for a session has one line in euros by card, the order's id in three places, the e-mail as the only personal data, and stores no card", async () => {
		const wanted = request();
		await provider.createSession(wanted);
		const [sent] = stripe.state.requests;
		expect(sent).toMatchObject({
			method: "POST",
			path: "/v1/checkout/sessions",
			idempotencyKey: wanted.key,
			apiVersion: "2026-10-28.endive",
		});
		expect(Object.fromEntries(new URLSearchParams(sent?.form))).toEqual({
			mode: "payment",
			locale: "fr",
			client_reference_id: wanted.purchaseId,
			"metadata[purchase_id]": wanted.purchaseId,
			"payment_intent_data[metadata][purchase_id]": wanted.purchaseId,
			customer_email: "ada@example.fr",
			"allowed_payment_method_types[0]": "card",
			"invoice_creation[enabled]": "false",
			"adaptive_pricing[enabled]": "false",
			"line_items[0][quantity]": "1",
			"line_items[0][price_data][currency]": "eur",
			"line_items[0][price_data][unit_amount]": "5900",
			"line_items[0][price_data][tax_behavior]": "inclusive",
			"line_items[0][price_data][product_data][name]": "KBIS Express, SIREN 552032534",
			expires_at: String(Math.floor(wanted.expiresAt.getTime() / 1000)),
			success_url: wanted.successUrl,
			cancel_url: wanted.cancelUrl,
		});
	});

	test("for a refund has the payment, the cents and our reference, under our key", async () => {
		const payment = await paid();
		await refund(payment, "reference-1");
		const sent = stripe.state.requests.find(({ method, path }) => method === "POST" && path === "/v1/refunds");
		expect(sent?.idempotencyKey).toBe("refund-reference-1");
		expect(Object.fromEntries(new URLSearchParams(sent?.form))).toEqual({
			payment_intent: payment,
			amount: "2000",
			"metadata[reference]": "reference-1",
		});
	});

	test("goes to the configured URL or to Stripe's own; the form-action origin follows it", () => {
		expect(provider.pageOrigin).toBe(stripe.url);
		expect(createProvider({ apiBase: undefined }).pageOrigin).toBe("https://checkout.stripe.com");
		expect(
			[undefined, "http://stripe.test", "http://stripe.test:12111", "https://stripe.test", "https://stripe.test:8443"].map(parseApiBase),
		).toEqual([
			{},
			{ host: "stripe.test", port: 80, protocol: "http" },
			{ host: "stripe.test", port: "12111", protocol: "http" },
			{ host: "stripe.test", port: 443, protocol: "https" },
			{ host: "stripe.test", port: "8443", protocol: "https" },
		]);
	});
});

describe("a failure of Stripe", () => {
	test.each(["403", "429", "lock_timeout", "500", "503"] as const)(
		"%s is reported as unavailable, whatever was requested",
		async (kind) => {
			stripe.failNext({ path: "/v1/", kind, times: 1000 });
			const answers = await Promise.all([
				provider.createSession(request()),
				provider.findSession("cs_test_1"),
				provider.expireSession("cs_test_1"),
				provider.findPayment("pi_1"),
				refund("pi_1"),
				provider.listPayments(new Date(0), time),
			]);
			expect(answers).toMatchObject(Array(6).fill({ ok: false, code: "unavailable" }));
		},
	);

	test("without an answer is reported as unavailable", async () => {
		const unreachable = createProvider({ apiBase: "http://127.0.0.1:9" });
		expect(await unreachable.createSession(request())).toEqual({ ok: false, code: "unavailable" });
		expect(await unreachable.ready()).toEqual({ ok: false, code: "unavailable" });
	});

	test("that cuts the connection once does not reach the shop", async () => {
		stripe.failNext({ path: "POST /v1/checkout/sessions", kind: "connection-reset" });
		expect(await provider.createSession(request())).toMatchObject({ ok: true });
	});

	test("that loses the answer of a new session creates one session, when it is requested again", async () => {
		for (const times of [1, 3]) {
			const wanted = request();
			stripe.failNext({ path: "POST /v1/checkout/sessions", kind: "timeout-after-success", times });
			await provider.createSession(wanted);
			stripe.clearFaults();
			const again = await provider.createSession(wanted);
			expect(getSessions(wanted.purchaseId)).toMatchObject([{ id: again.ok && again.session.id, status: "open" }]);
		}
	});

	test("during a concurrent request with the same key is reported as unavailable, and creates one session", async () => {
		const wanted = request();
		const goOn = stripe.pause("POST /v1/checkout/sessions");
		const first = provider.createSession(wanted);
		await expect.poll(() => stripe.state.requests.length).toBe(1);
		expect(await provider.createSession(wanted)).toEqual({ ok: false, code: "unavailable" });
		goOn();
		expect(await first).toMatchObject({ ok: true });
		expect(getSessions(wanted.purchaseId)).toHaveLength(1);
	});

	test("that hides a session just created does not keep the customer from its page", async () => {
		const wanted = request();
		const created = await provider.createSession(wanted);
		stripe.state.sessions.delete(created.ok ? created.session.id : "");
		expect(await provider.createSession(wanted)).toEqual(created);
	});

	test("that is a refusal is reported with Stripe's code", async () => {
		for (const customerEmail of ["ada", "ada@example", "jérôme@exemple.fr", "ada＠example.fr", "a..b@example.fr"])
			expect(await provider.createSession(request({ customerEmail })), customerEmail).toEqual({ ok: false, code: "email-refused" });
		expect(await provider.createSession(request({ amount: cents(49) }))).toMatchObject({
			code: "refused",
			providerCode: "amount_too_small",
		});
		stripe.failNext({ path: "POST /v1/refunds", kind: "card_declined" });
		expect(await refund(await paid())).toEqual({ ok: false, code: "refused", providerCode: "card_declined" });
	});

	test("stored under a session's key ends that attempt; the next one has another key and succeeds", async () => {
		const wanted = request();
		stripe.failNext({ path: "POST /v1/checkout/sessions", kind: "500" });
		expect(await provider.createSession(wanted)).toEqual({ ok: false, code: "unavailable", keyUsedUp: true });
		expect(await provider.createSession(wanted)).toEqual({ ok: false, code: "refused", providerCode: "api_error" });
		expect(await provider.createSession({ ...wanted, key: crypto.randomUUID() })).toMatchObject({ ok: true });
	});

	test("stored under a refund's key is reported as unavailable, until another key is used or the error is forgotten", async () => {
		const payment = await paid();
		stripe.failNext({ path: "POST /v1/refunds", kind: "500" });
		for (const _twice of [1, 2]) expect(await refund(payment, "reference-2")).toEqual({ ok: false, code: "unavailable", keyUsedUp: true });
		time = new Date(time.getTime() + 25 * 3_600_000);
		expect(await refund(payment, "reference-2")).toMatchObject({ ok: true });
	});

	test("about our API key is reported as unavailable, as only the settings are wrong", async () => {
		const stranger = createProvider({ secretKey: "sk_test_other" });
		expect(await stranger.createSession(request())).toEqual({ ok: false, code: "unavailable" });
		expect(await stranger.ready()).toEqual({ ok: false, code: "unavailable" });
	});

	test("that refuses a read throws, instead of reporting an unknown object", async () => {
		stripe.failNext({ path: "GET /v1/checkout/sessions", kind: "card_declined" });
		await expect(provider.findSession("cs_test_1")).rejects.toThrow("Stripe refuses a question: card_declined");
	});

	test.each<[number | undefined, object, object]>([
		[undefined, {}, { code: "unavailable" }],
		[400, {}, { code: "refused", providerCode: "400" }],
		[400, { type: "invalid_request_error" }, { code: "refused", providerCode: "invalid_request_error" }],
		[400, { type: "invalid_request_error", code: "amount_too_small" }, { code: "refused", providerCode: "amount_too_small" }],
		[402, {}, { code: "refused", providerCode: "402" }],
		[500, {}, { code: "unavailable", keyUsedUp: true }],
		[501, {}, { code: "unavailable" }],
	])("with status %s and %o is reported", async (statusCode, error, outcome) => {
		const fails = () => Promise.reject(Stripe.errors.StripeError.generate({ statusCode, ...error } as never));
		expect(await attempt(fails)).toEqual({ ok: false, ...outcome });
	});

	test("is not confused with an error of ours", async () => {
		await expect(provider.createSession(request({ expiresAt: undefined as never }))).rejects.toThrow(TypeError);
	});

	test("makes it not ready; an answer about readiness is cached for five seconds", async () => {
		const fresh = createProvider();
		stripe.failNext({ path: "GET /v1/balance", kind: "503", times: 10 });
		expect(await fresh.ready()).toEqual({ ok: false, code: "unavailable" });
		expect(stripe.state.requests).toHaveLength(1); // the probe comes again by itself
		stripe.clearFaults();
		expect(await fresh.ready()).toMatchObject({ ok: true });
		expect(fresh.readyTtlMs).toBe(5000);
	});
});

describe("a payment that the bank decides later", () => {
	test.each([
		["paid", { status: "complete", paymentStatus: "paid" }],
		["refused", { status: "expired", paymentStatus: "unpaid", url: "" }],
		["canceled", { status: "expired", paymentStatus: "unpaid", url: "" }],
	] as const)("is %s", async (outcome, expected) => {
		const id = await openSession();
		stripe.pay(id, { delayed: true });
		expect(await provider.findSession(id)).toMatchObject({ session: { status: "complete", paymentStatus: "unpaid" } });
		stripe.endDelay(id, outcome);
		expect(await provider.findSession(id)).toMatchObject({ session: expected });
	});

	test("is listed only after its capture", async () => {
		// Stripe's instants are whole seconds
		const since = new Date(Math.floor(time.getTime() / 1000) * 1000);
		const id = await openSession();
		const payment = stripe.pay(id, { delayed: true })?.id ?? "";
		expect(await provider.findPayment(payment)).toMatchObject({ payment: { amount: 0 } });
		const isListed = async () => {
			const listed = await provider.listPayments(since, new Date(time.getTime() + 1000));
			return listed.ok && listed.payments.some(({ id }) => id === payment);
		};
		expect(await isListed()).toBe(false);
		stripe.endDelay(id, "paid");
		expect(await isListed()).toBe(true);
	});
});

describe("Stripe's states", () => {
	test("a waiting refund is pending, then succeeds or fails", async () => {
		stripe.setRefundStatus("pending");
		const payment = await paid();
		const refunded = await refund(payment);
		expect(refunded).toMatchObject({ ok: true, refund: { status: "pending" } });
		const id = refunded.ok ? refunded.refund.id : "";
		const status = async () => {
			const found = await provider.findPayment(payment);
			return found.ok && found.payment?.refunds[0]?.status;
		};
		stripe.endRefund(id, "succeeded");
		expect(await status()).toBe("succeeded");
		stripe.failRefund(id);
		expect(await status()).toBe("failed");
	});

	test.each([
		["requires_action", "pending"],
		["canceled", "failed"],
	] as const)("a refund that is %s is %s", async (status, expected) => {
		const payment = await paid();
		const refunded = await refund(payment);
		Object.assign(stripe.state.refunds.get(refunded.ok ? refunded.refund.id : "") ?? {}, { status });
		expect(await provider.findPayment(payment)).toMatchObject({ payment: { refunds: [{ status: expected }] } });
	});

	test("the newest of two disputes counts", async () => {
		const payment = await paid();
		stripe.openDispute(payment, "warning_closed");
		stripe.openDispute(payment);
		expect(await provider.findPayment(payment)).toMatchObject({ payment: { dispute: { status: "open" } } });
	});

	test.each([
		["needs_response", "open"],
		["under_review", "open"],
		["appeal_under_review", "open"],
		["warning_needs_response", "open"],
		["warning_closed", "won"],
		["won", "won"],
		["lost", "lost"],
		["prevented", "lost"],
		["a word of tomorrow", "open"],
	])("a dispute that is %s is %s", async (status, expected) => {
		const payment = await paid();
		stripe.openDispute(payment, status);
		expect(await provider.findPayment(payment)).toMatchObject({ payment: { dispute: { status: expected } } });
	});

	test("a dispute has its reason and the instant until which it may be answered", async () => {
		const payment = await paid();
		stripe.openDispute(payment);
		const dispute = [...stripe.state.disputes.values()].find(({ payment_intent }) => payment_intent === payment);
		expect(await provider.findPayment(payment)).toMatchObject({ payment: { dispute: { reason: dispute?.reason, dueAt: null } } });
		Object.assign(dispute ?? {}, { reason: "fraudulent", evidence_details: { due_by: 1_800_000_000 } });
		expect(await provider.findPayment(payment)).toMatchObject({
			payment: { dispute: { id: dispute?.id, reason: "fraudulent", dueAt: new Date(1_800_000_000_000) } },
		});
	});

	test("lists are read in pages of a hundred", async () => {
		const payment = await paid();
		stripe.payOut();
		stripe.state.requests.length = 0;
		const window = [new Date(0), time] as const;
		await Promise.all([provider.listPayments(...window), provider.listMovements(...window), provider.listPayouts(...window)]);
		await Promise.all([provider.listPaidOut([...stripe.state.payouts.keys()][0] ?? ""), refund(payment)]);
		const lists = stripe.state.requests.filter(({ method }) => method === "GET");
		expect(new Set(lists.map(({ path }) => path)).size).toBe(4);
		expect(new Set(lists.map(({ form }) => new URLSearchParams(form).get("limit")))).toEqual(new Set(["100"]));
	});

	test("live mode and test mode are distinguished", async () => {
		stripe.setLivemode(true);
		const id = await openSession();
		stripe.setLivemode(false);
		expect(await provider.findSession(id)).toMatchObject({ session: { live: true } });
	});
});

test("payments on several pages of Stripe's list are all returned", async () => {
	time = new Date(time.getTime() + 3_600_000); // away from the payments of other tests
	const since = new Date(Math.floor(time.getTime() / 1000) * 1000);
	const refunded = await Promise.all(Array.from({ length: 105 }, paid));
	const listed = await provider.listPayments(since, new Date(since.getTime() + 2000));
	expect(listed.ok && listed.payments.map(({ id }) => id).sort()).toEqual(refunded.sort());
});
