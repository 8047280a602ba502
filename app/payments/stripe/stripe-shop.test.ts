import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeStripe, startFakeStripe } from "../../../test/fakes/stripe/stripe.ts";
import { everyPartWorks, untilReadyzAnswers } from "../../../test/readiness.ts";
import { createTestShop, paymentRequest, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";

let stripe: FakeStripe;
let shop: TestShop;
/** Milliseconds by which the shop's clock is ahead. */
let ahead = 0;
beforeAll(async () => {
	stripe = await startFakeStripe();
	const { url, secretKey, webhookSecret } = stripe;
	shop = await createTestShop({
		variables: { STRIPE_API_BASE: url, STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret },
		now: () => new Date(Date.now() + ahead),
		onLog() {}, // one of these tests causes log errors
	});
	stripe.sendEventsTo(`${shop.url}/api/stripe/webhook`);
});
afterAll(async () => {
	await shop?.close();
	await stripe?.close();
});

const getPayments = (orderId: string) => [...stripe.state.payments.values()].filter(({ metadata }) => metadata.purchase_id === orderId);

test("an order is paid on Stripe's page after a declined card, and is delivered", async () => {
	const placed = await shop.placeOrder();
	expect(placed.payUrl.startsWith(`${stripe.url}/c/pay/cs_test_`)).toBe(true);
	expect((await shop.payByCard(placed.payUrl, "4000 0000 0000 0002")).status).toBe(402);
	expect(await shop.orderRow(placed.id)).toMatchObject({ status: "pending" });

	const answer = await shop.payByCard(placed.payUrl);
	expect(answer.headers.get("location")).toBe(`${shop.url}/confirmation/${placed.sessionId}`);
	await shop.untilOrderIs("completed", placed.id);
	expect(getPayments(placed.id)).toMatchObject([{ status: "succeeded", amount_received: 5900 }]);
});

test("with a late event, the confirmation page asks Stripe itself, and the event changes nothing more", async () => {
	const placed = await shop.placeOrder();
	stripe.holdEvents();
	const answer = await shop.payByCard(placed.payUrl);
	await shop.ask(answer.headers.get("location") ?? "");
	await shop.untilOrderIs("completed", placed.id);
	stripe.releaseEvents((waiting) => [...waiting, ...waiting]);
	await stripe.delivered();
	expect(await shop.orderRow(placed.id)).toMatchObject({ status: "completed", refunded_cents: 0, set_aside_at: null });
	// mails may still be sent: only the effects of a payment are counted
	expect((await shop.getEventTypes(placed.id)).filter((type) => type === "paid")).toHaveLength(1);
	expect(getPayments(placed.id)).toHaveLength(1);
});

test("while Stripe is unavailable the customer reads an error, and a new try gives one order and one session", async () => {
	const before = stripe.state.sessions.size;
	stripe.failNext({ path: "POST /v1/checkout/sessions", kind: "429" });
	const ask = () => shop.postJson("/api/create-payment", paymentRequest(), { "idempotency-key": "while Stripe is away" });
	expect((await ask()).status).toBe(502);
	expect((await ask()).status).toBe(200);
	expect(stripe.state.sessions.size).toBe(before + 1);
});

test.each([
	[28_000, "ok"],
	[-28_000, "ok"],
	[32_000, "wrong"],
	[-32_000, "wrong"],
	[59 * 60_000, "wrong"],
])("a clock that is %i ms ahead still sells, and is %s", async (milliseconds, clock) => {
	ahead = milliseconds;
	try {
		await untilReadyzAnswers(shop.ask, clock === "ok" ? 200 : 503, { ...everyPartWorks, ok: clock === "ok", clock });
		expect((await shop.postJson("/api/create-payment", paymentRequest())).status).toBe(200);
	} finally {
		ahead = 0;
	}
});

test("a refund made on Stripe's own pages appears on the order", async () => {
	const placed = await shop.completeOrder();
	stripe.refundFromDashboard(getPayments(placed.id)[0]?.id ?? "", 1000);
	await expect.poll(async () => (await shop.orderRow(placed.id)).refunded_cents, { timeout: scaledTimeout(20_000) }).toBe(1000);
});

test("the means of payment are named before the form begins, and beside the prices", async () => {
	for (const path of ["/commande", "/commande/552032534?service=express", "/commande/plusieurs", "/tarifs"]) {
		const page = (await (await shop.ask(path)).text()).replaceAll("\u00a0", " ").replace(/<[^>]*>/g, "");
		for (const sentence of [
			"Paiement par carte : Visa, Mastercard, American Express.",
			"Apple Pay aussi, si",
			"Courriers : en France seulement.",
		])
			expect(page.split("Adresse e-mail")[0], path).toContain(sentence);
	}
});

test("the payment step names the cards, and Apple Pay with its condition", async () => {
	const query = "siren=552032534&service=express&email=ada%40example.fr&firstName=Ada&lastName=Lovelace";
	const page = await (await shop.ask(`/paiement?${query}`)).text();
	for (const sentence of [
		"Cartes\u00a0: Visa, Mastercard, American Express.",
		"Apple Pay aussi, si la page de paiement le propose sur votre appareil.",
	])
		expect(page.replace(/<!-- -->/g, "")).toContain(sentence);
});
