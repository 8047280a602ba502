import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeStripe, startFakeStripe } from "../../test/fakes/stripe/stripe.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { signEvent } from "./stripe/signed-event.server.ts";

/** Pages ask the provider about a session at most once in two seconds: docs/rules.md, R174. */

let stripe: FakeStripe;
let shop: TestShop;
/** Another web process on the same database. */
let other: TestShop;
let at = new Date("2026-11-20T10:00:00Z");
beforeAll(async () => {
	const now = () => at;
	stripe = await startFakeStripe({ now });
	const { url, secretKey, webhookSecret } = stripe;
	const variables = { STRIPE_API_BASE: url, STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret };
	shop = await createTestShop({ variables, now });
	const { dataDir } = shop.shop.environment;
	const database = { connection: shop.connection, close: async () => {} };
	other = await createTestShop({ variables: { ...variables, DATA_DIR: dataDir }, now, database });
	stripe.sendEventsTo(`${shop.url}/api/stripe/webhook`);
});
afterAll(async () => {
	await other?.close();
	await shop?.close();
	await stripe?.close();
});

/** An unpaid order whose page this browser may open. */
async function placeWithPage() {
	const placed = await shop.placeOrder();
	const opened = await shop.postForm("/suivi-commande", { email: "ada@example.fr", orderId: placed.number });
	const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
	const resume = /\/paiement\/reprendre\/[\w.-]+/.exec(await (await shop.ask(`/confirmation/${placed.sessionId}`)).text())?.[0];
	at = new Date(at.getTime() + 2000);
	return { ...placed, cookie, resume };
}

const countCalls = (sessionId: string) =>
	stripe.state.requests.filter(({ method, path }) => method === "GET" && path === `/v1/checkout/sessions/${sessionId}`).length;

test("for all who look, on any page and in any process, the provider is asked once in two seconds", async () => {
	const { sessionId, number, cookie } = await placeWithPage();
	const before = countCalls(sessionId);
	const lookAtAll = () =>
		Promise.all(
			[shop, other].flatMap(({ url }) =>
				[`/confirmation/${sessionId}`, `/confirmation/${sessionId}/_.data`, `/suivi/${number}`, `/suivi/${number}.data`].map((path) =>
					fetch(url + path, { headers: { cookie }, redirect: "manual" }),
				),
			),
		);
	for (let times = 0; times < 3; times++) for (const answer of await lookAtAll()) expect(answer.status).toBe(200);
	expect(countCalls(sessionId)).toBe(before + 1);
	at = new Date(at.getTime() + 1999);
	await lookAtAll();
	expect(countCalls(sessionId)).toBe(before + 1);
	at = new Date(at.getTime() + 1);
	await lookAtAll();
	expect(countCalls(sessionId)).toBe(before + 2);
	// another session is not held back by this one
	const second = await shop.placeOrder();
	await shop.ask(`/confirmation/${second.sessionId}`);
	expect(countCalls(second.sessionId)).toBe(1);
});

test("a clock that was put back does not silence a session", async () => {
	const { sessionId } = await placeWithPage();
	const look = () => shop.ask(`/confirmation/${sessionId}`);
	await look();
	const before = countCalls(sessionId);
	at = new Date(at.getTime() - 2001);
	await look();
	expect(countCalls(sessionId)).toBe(before + 1);
	await look();
	expect(countCalls(sessionId)).toBe(before + 1);
});

test("an event does not wait: it pays the order in the same instant", async () => {
	const placed = await placeWithPage();
	await shop.ask(`/confirmation/${placed.sessionId}`);
	expect((await shop.orderRow(placed.id)).status).toBe("pending");
	stripe.pay(placed.sessionId);
	await stripe.delivered();
	expect((await shop.orderRow(placed.id)).paid_at).toEqual(at);
});

test("a signed event whose values are odd is refused or ignored, and never a fault", async () => {
	const { sessionId } = await placeWithPage();
	const send = (event: object) => {
		const body = JSON.stringify({ id: `evt_${crypto.randomUUID()}`, object: "event", type: "checkout.session.completed", ...event });
		const headers = { "stripe-signature": signEvent(body, stripe.webhookSecret, at) };
		return shop.ask("/api/stripe/webhook", { method: "POST", headers, body });
	};
	const about = (object: object) => ({ data: { object: { object: "checkout.session", ...object } } });
	const odd = [{ id: "cs" }, 7, null, ["cs"], "", "a\0b", "é", "../v1", "x".repeat(300), "x".repeat(50_000), true];
	for (const id of odd) {
		expect([id, (await send(about({ id }))).status]).toEqual([id, 200]);
		expect([id, (await send({ ...about({ id: sessionId }), id })).status]).toEqual([id, 400]);
		expect([id, (await send({ type: "charge.refunded", data: { object: { object: "charge", payment_intent: id } } })).status]).toEqual([
			id,
			200,
		]);
		expect((await send({ ...about({ id: sessionId }), type: id })).status).toBeLessThan(500);
		expect((await send({ data: id })).status).toBe(400);
		expect((await send({ data: { object: id } })).status).toBeLessThan(500);
	}
	expect((await send(about({ id: sessionId }))).status).toBe(200);
});
