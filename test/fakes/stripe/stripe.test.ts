import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeStripe, startFakeStripe } from "./stripe.ts";

let stripe: FakeStripe;
let shop: Server;
/** The events that the shop received, and the statuses that it answers next; then 200. */
let received: { id: string; type: string; signedAt: number }[];
let answers: number[];

beforeEach(async () => {
	received = [];
	answers = [];
	shop = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const signature = String(request.headers["stripe-signature"]);
		const event = Stripe.webhooks.constructEvent(Buffer.concat(chunks), signature, "whsec_test", Number.MAX_SAFE_INTEGER);
		received.push({ id: event.id, type: event.type, signedAt: Number(/t=(\d+)/.exec(signature)?.[1]) });
		response.writeHead(answers.shift() ?? 200).end();
	});
	await new Promise<void>((ready) => shop.listen(0, "127.0.0.1", ready));
	const webhookUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
	stripe = await startFakeStripe({ webhookUrl, webhookSecret: "whsec_test" });
});
afterEach(async () => {
	await stripe.close();
	shop.closeAllConnections();
	shop.close();
});

const inAnHour = () => String(Math.floor(Date.now() / 1000) + 3600);
const session = (): Record<string, string> => ({
	mode: "payment",
	"line_items[0][quantity]": "1",
	"line_items[0][price_data][currency]": "eur",
	"line_items[0][price_data][unit_amount]": "5900",
	"line_items[0][price_data][product_data][name]": "KBIS <Express>",
	expires_at: inAnHour(),
	success_url: "http://localhost/merci/{CHECKOUT_SESSION_ID}",
	cancel_url: "http://localhost/retour?a=1&b=2",
});

interface Answer {
	status: number;
	headers: Headers;
	body: { id: string; url: string; error?: { type: string; code?: string; param?: string } };
}

async function ask(path: string, form?: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
	const answer = await fetch(`${stripe.url}/v1/${path}`, {
		headers: { authorization: `Bearer ${stripe.secretKey}`, "stripe-version": "2026-10-28.endive", ...headers },
		...(form && { method: "POST", body: new URLSearchParams(form) }),
	});
	return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer["body"] };
}

const createSession = async () => (await ask("checkout/sessions", session())).body;

describe("the API", () => {
	test.each<[string, Record<string, string>, number]>([
		["without a key", { authorization: "" }, 401],
		["with another key", { authorization: "Bearer sk_test_other" }, 401],
		["of another version", { "stripe-version": "2020-08-27" }, 400],
		["with a body that is not a form", { "content-type": "application/json" }, 400],
	])("refuses a request %s", async (_, headers, status) => {
		expect((await ask("checkout/sessions", session(), headers)).status).toBe(status);
		expect(stripe.state.sessions.size).toBe(0);
	});

	test.each<[string, Record<string, string>, { code?: string; param?: string }]>([
		["an unknown parameter", { payment_method_types: "card" }, { code: "parameter_unknown", param: "payment_method_types" }],
		[
			"a card saved for later",
			{ "payment_intent_data[setup_future_usage]": "off_session" },
			{ code: "parameter_unknown", param: "payment_intent_data[setup_future_usage]" },
		],
		["a missing parameter", { success_url: "" }, { param: "success_url" }],
		["an amount in euros", { "line_items[0][price_data][unit_amount]": "59.00" }, { code: "parameter_invalid_integer" }],
		["too little", { "line_items[0][price_data][unit_amount]": "49" }, { code: "amount_too_small" }],
		["another currency", { "line_items[0][price_data][currency]": "euro" }, { param: "line_items[0][price_data][currency]" }],
		["an invalid URL", { success_url: "/merci" }, { code: "url_invalid" }],
		["an invalid e-mail address", { customer_email: "ada" }, { code: "email_invalid" }],
		["an end in 29 minutes", { expires_at: String(Math.floor(Date.now() / 1000) + 29 * 60) }, { param: "expires_at" }],
		["an end in two days", { expires_at: String(Math.floor(Date.now() / 1000) + 172_800) }, { param: "expires_at" }],
		["an expansion that does not exist", { "expand[0]": "customer" }, { param: "expand" }],
	])("refuses a new session with %s", async (_, change, error) => {
		const answer = await ask("checkout/sessions", { ...session(), ...change });
		expect(answer).toMatchObject({ status: 400, body: { error: { type: "invalid_request_error", ...error } } });
	});

	test("repeats the first answer under a used key, and refuses other parameters", async () => {
		const [form, key] = [session(), { "idempotency-key": "key-1" }];
		const first = await ask("checkout/sessions", form, key);
		const again = await ask("checkout/sessions", form, key);
		expect(again.body).toEqual(first.body);
		expect([first, again].map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([null, "true"]);
		const other = await ask("checkout/sessions", { ...form, client_reference_id: "other" }, key);
		expect(other).toMatchObject({ status: 400, body: { error: { type: "idempotency_error" } } });
		expect(stripe.state.sessions.size).toBe(1);
	});

	test("stores an internal error under its key, but not an outage", async () => {
		const form = session();
		for (const [kind, status] of [["500", 500] as const, ["503", 200] as const]) {
			stripe.failNext({ path: "POST", kind });
			await ask("checkout/sessions", form, { "idempotency-key": kind });
			expect((await ask("checkout/sessions", form, { "idempotency-key": kind })).status).toBe(status);
		}
	});

	test("lists objects in pages, newest first, with expanded properties", async () => {
		const paymentIds = [await createSession(), await createSession(), await createSession()].map(({ id }) => stripe.pay(id)?.id);
		const first = (await ask("payment_intents?limit=2&expand[0]=data.latest_charge")).body as unknown as {
			data: { id: string; latest_charge: { amount: number } }[];
			has_more: boolean;
		};
		expect(first).toMatchObject({ has_more: true, data: [{ id: paymentIds[2], latest_charge: { amount: 5900 } }, { id: paymentIds[1] }] });
		const next = await ask(`payment_intents?limit=2&starting_after=${paymentIds[1]}`);
		expect(next.body).toMatchObject({ has_more: false, data: [{ id: paymentIds[0] }] });
	});
});

describe("the payment page", () => {
	const pay = (url: string, card: string) => fetch(url, { method: "POST", body: new URLSearchParams({ card }), redirect: "manual" });

	test("shows the product and a link back, declines a card and accepts another once", async () => {
		const { url, id } = await createSession();
		const page = await (await fetch(url)).text();
		for (const text of ["KBIS &#60;Express&#62;", "59,00\u00a0€", 'href="http://localhost/retour?a=1&#38;b=2"'])
			expect(page).toContain(text);
		const declined = await pay(url, "4000 0000 0000 0002");
		expect([declined.status, await declined.text()]).toEqual([402, expect.stringContaining("Votre carte a été refusée.")]);
		for (const _twice of [1, 2]) {
			const paid = await pay(url, "4242 4242 4242 4242");
			expect([paid.status, paid.headers.get("location")]).toEqual([303, `http://localhost/merci/${id}`]);
		}
		expect(stripe.state.payments.size).toBe(1);
	});

	test("refuses a payment of an expired session", async () => {
		const { url, id } = await createSession();
		stripe.expire(id);
		expect((await pay(url, "4242 4242 4242 4242")).status).toBe(410);
		expect(stripe.state.payments.size).toBe(0);
	});
});

describe("events", () => {
	test("are repeated until the shop answers with success", async () => {
		answers = [500, 503];
		stripe.pay((await createSession()).id);
		await stripe.delivered();
		expect(received.map(({ type }) => type)).toEqual(Array(3).fill("checkout.session.completed"));
		expect(stripe.state.deliveries.map(({ status }) => status)).toEqual([500, 503, 200]);
	});

	test("are sent for a refund and a dispute, but not for a silent payment", async () => {
		const payment = stripe.pay((await createSession()).id, { silently: true })?.id ?? "";
		stripe.refundFromDashboard(payment, 1000);
		stripe.openDispute(payment);
		stripe.closeDispute(payment, "won");
		await stripe.delivered();
		const expected = [
			"refund.created",
			"charge.refunded",
			"refund.updated",
			"charge.dispute.created",
			"charge.dispute.updated",
			"charge.dispute.closed",
		];
		expect(received.map(({ type }) => type).sort()).toEqual(expected.sort());
	});

	test("can be held back, released in another order and twice, and delivered late", async () => {
		stripe.holdEvents();
		const [first, second] = [await createSession(), await createSession()];
		stripe.pay(first.id);
		stripe.pay(second.id);
		const [one = "", two = ""] = stripe.state.events.map(({ id }) => id);
		expect(received).toEqual([]);
		stripe.releaseEvents((waiting) => [...waiting, ...waiting]);
		await stripe.delivered();
		expect(received.map(({ id }) => id).sort()).toEqual([one, one, two, two].sort());
		expect(await stripe.deliver(one, new Date(1_000_000))).toBe(200);
		expect(received.at(-1)).toMatchObject({ id: one, signedAt: 1000 });
	});
});
