import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { sandboxEventSecret } from "./sandbox/sandbox-events.server.ts";
import { signEvent } from "./stripe/signed-event.server.ts";

const day = 86_400_000;
/** The heading of a paid order, which may be delivered by then. */
const confirmed = /Commande confirmée\u00a0!|Votre extrait est prêt/;
let shop: TestShop;
let ahead = 0; // how far the shop's clock is ahead of ours
let alerts: string[] = [];
beforeAll(async () => {
	shop = await createTestShop({ now: () => new Date(Date.now() + ahead), onLog: (line) => alerts.push(JSON.parse(line).msg) });
});
beforeEach(() => {
	alerts = [];
});
afterAll(() => shop?.close());

const db = () => shop.shop.db;
const sandboxSession = (id: string) => db().selectFrom("sandbox.sessions").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
const countEvents = async (id: string, event: string) => (await shop.getEventTypes(id)).filter((type) => type === event).length;

function eventBody(sessionId: string, { id = `evt_test_${randomUUID()}`, type = "checkout.session.completed" } = {}): string {
	const created = Math.floor(Date.now() / 1000);
	return JSON.stringify({
		id,
		object: "event",
		type,
		livemode: false,
		created,
		data: { object: { id: sessionId, object: "checkout.session" } },
	});
}

const signature = (body: string, { secret = sandboxEventSecret(shop.shop.signer), at = shop.shop.now() } = {}) =>
	signEvent(body, secret, at);
const deliver = (body: string, signed: string | undefined = signature(body)) =>
	shop.ask("/api/stripe/webhook", { method: "POST", body, headers: { "content-type": "application/json", "stripe-signature": signed } });

describe("the provider's events", () => {
	test("an event without a signature, with a wrong one or with an old one is ignored", async () => {
		const placed = await shop.placeOrder();
		await shop.payInSilence(placed.sessionId);
		const body = eventBody(placed.sessionId);
		const old = new Date(shop.shop.now().getTime() - 301_000);
		const wrong = [
			"",
			"t=1,v1=00",
			"not a signature",
			signature(body, { secret: "whsec_another" }),
			signature(body, { at: old }),
			signature(eventBody(placed.sessionId)),
			signature(body).replace("v1=", "v0="),
		];
		for (const signed of wrong) expect((await deliver(body, signed)).status, signed).toBe(400);
		const unsigned = await shop.ask("/api/stripe/webhook", { method: "POST", body });
		expect({ status: unsigned.status, body: await unsigned.json() }).toEqual({
			status: 400,
			body: { error: "Signature absente ou invalide." },
		});
		expect(await shop.getEventTypes(placed.id)).toEqual(["created"]);

		const nearlyOld = new Date(shop.shop.now().getTime() - 290_000);
		expect((await deliver(body, signature(body, { at: nearlyOld }))).status).toBe(200);
		await shop.untilOrderIs("completed", placed.id);
	});

	test("an event of an unknown session changes nothing", async () => {
		// the tables that an event may change; mails of earlier orders may still be sent
		const state = async () => [
			await db().selectFrom("orders").selectAll().execute(),
			await db().selectFrom("payments").selectAll().execute(),
			await db().selectFrom("payment_sessions").selectAll().execute(),
		];
		const before = await state();
		const answer = await deliver(eventBody("cs_test_nobody"));
		expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 200, body: { received: true } });
		expect(await state()).toEqual(before);
		expect(alerts).toEqual(["a payment session names no order of ours"]);
	});

	test("an event that reports a payment is not trusted: the provider is asked", async () => {
		const placed = await shop.placeOrder();
		expect((await deliver(eventBody(placed.sessionId))).status).toBe(200);
		expect(await shop.getEventTypes(placed.id)).toEqual(["created"]);
	});

	test.each(["customer.created", "payment_intent.succeeded", "something.new"])(
		"an event of the type %s is accepted and ignored",
		async (type) => {
			const placed = await shop.placeOrder();
			await shop.payInSilence(placed.sessionId);
			expect((await deliver(eventBody(placed.sessionId, { type }))).status).toBe(200);
			expect(await shop.getEventTypes(placed.id)).toEqual(["created"]);
		},
	);

	test.each(["null", "[]", "{}", "not JSON"])("a signed body that is no event causes no server error: %s", async (body) => {
		expect((await deliver(body)).status).toBeLessThan(500);
	});

	test("twenty copies of one event at once cause one payment, one mail and one document", async () => {
		const placed = await shop.placeOrder();
		await shop.payInSilence(placed.sessionId);
		const body = eventBody(placed.sessionId);
		const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(body)));
		expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
		await shop.untilOrderIs("completed", placed.id);
		expect((await deliver(body)).status).toBe(200);
		await expectPaidOnce(placed);
	});

	test("twenty events of one payment at once are handled once too", async () => {
		const placed = await shop.placeOrder();
		await shop.payInSilence(placed.sessionId);
		await Promise.all(Array.from({ length: 20 }, () => deliver(eventBody(placed.sessionId))));
		await shop.untilOrderIs("completed", placed.id);
		await expectPaidOnce(placed);
	});

	test("an order is paid once when the event comes before the customer", async () => {
		const placed = await shop.placeOrder();
		await shop.payInSilence(placed.sessionId);
		await deliver(eventBody(placed.sessionId));
		expect(await (await shop.ask(`/confirmation/${placed.sessionId}`)).text()).toMatch(confirmed);
		await shop.untilOrderIs("completed", placed.id);
		await expectPaidOnce(placed);
	});

	test("an order is paid once when the customer comes before the event", async () => {
		const placed = await shop.placeOrder();
		const waiting = await (await shop.ask(`/confirmation/${placed.sessionId}`)).text();
		expect(waiting).not.toMatch(confirmed);
		await shop.payInSilence(placed.sessionId);
		const returned = await (await shop.ask(`/confirmation/${placed.sessionId}`)).text();
		expect(returned).toMatch(confirmed);
		expect(returned).toContain(placed.number);
		expect((await deliver(eventBody(placed.sessionId))).status).toBe(200);
		await shop.untilOrderIs("completed", placed.id);
		await expectPaidOnce(placed);
	});

	async function expectPaidOnce(placed: Awaited<ReturnType<TestShop["placeOrder"]>>) {
		expect(await countEvents(placed.id, "paid")).toBe(1);
		expect(await shop.getMails(placed, "confirmation")).toHaveLength(1);
		expect(await shop.getMails(placed, "document-ready")).toHaveLength(1);
		const documents = await db().selectFrom("documents").selectAll().where("order_id", "=", placed.id).execute();
		expect(documents.map(({ doc_type }) => doc_type).sort()).toEqual(["invoice", "kbis"]);
	}
});

describe("a mismatched payment", () => {
	test.each<[string, { amount_total?: number; currency?: string }]>([
		["amount", { amount_total: 1 }],
		["amount", { amount_total: 5901 }],
		["currency", { currency: "usd" }],
	])("of another %s (%o) puts the order on hold: it is not paid, and cannot be paid again", async (reason, change) => {
		const placed = await shop.placeOrder();
		const path = await shop.getResumePath(placed.payUrl);
		await shop.payInSilence(placed.sessionId, change);
		for (let i = 0; i < 2; i++) expect((await deliver(eventBody(placed.sessionId))).status).toBe(200);
		expect(await shop.orderRow(placed.id)).toMatchObject({ status: "pending", paid_at: null, set_aside_at: expect.any(Date) });
		expect(await shop.getEventTypes(placed.id)).toEqual(["created", "set_aside"]);
		expect(alerts).toEqual(["an order needs the operator"]);
		const [, event] = await db().selectFrom("order_events").selectAll().where("order_id", "=", placed.id).orderBy("id").execute();
		expect(event?.payload).toEqual({ reason });

		const page = await (await shop.ask(`/confirmation/${placed.sessionId}`)).text();
		expect(page).toContain("Votre paiement est en cours de vérification");
		expect((await shop.ask(path)).headers.get("location")).toBe(`/suivi/${placed.number}`);
	});
});

describe("an expired session", () => {
	async function expire() {
		ahead = 0;
		const placed = await shop.placeOrder();
		const path = await shop.getResumePath(placed.payUrl);
		ahead = day;
		return { placed, path };
	}
	afterAll(() => {
		ahead = 0;
	});

	test("takes no payment", async () => {
		const { placed } = await expire();
		expect(await (await shop.ask(placed.payUrl)).text()).toContain("Cette session de paiement a expiré.");
		await shop.payByCard(placed.payUrl);
		expect(await sandboxSession(placed.sessionId)).toMatchObject({ payment_status: "unpaid" });
		expect((await deliver(eventBody(placed.sessionId, { type: "checkout.session.expired" }))).status).toBe(200);
		expect(await shop.orderRow(placed.id)).toMatchObject({ status: "failed", paid_at: null });
		expect(await shop.getEventTypes(placed.id)).toEqual(["created", "expired"]);
		expect((await shop.ask(`/confirmation/${placed.sessionId}`)).status).toBe(410); // a day later, without the cookie
	});

	test("is resumed by a new session; late events of the old one change nothing", async () => {
		const { placed, path } = await expire();
		const resumed = await shop.postForm(path, {});
		expect(resumed.status).toBe(303);
		const payUrl = resumed.headers.get("location") ?? "";
		expect(payUrl).not.toBe(placed.payUrl);
		expect(await shop.getEventTypes(placed.id)).toEqual(["created", "expired", "resumed"]);

		expect((await deliver(eventBody(placed.sessionId, { type: "checkout.session.expired" }))).status).toBe(200);
		expect(await shop.orderRow(placed.id)).toMatchObject({ status: "pending" });
		expect((await shop.postForm(path, {})).headers.get("location")).toBe(payUrl);
		await shop.payByCard(payUrl);
		await shop.untilOrderIs("completed", placed.id);
		expect(await countEvents(placed.id, "paid")).toBe(1);
	});

	test("that was paid all the same beside the new one: one payment counts, the other is refunded", async () => {
		const { placed, path } = await expire();
		const payUrl = (await shop.postForm(path, {})).headers.get("location") ?? "";
		await shop.payByCard(payUrl);
		await shop.untilOrderIs("completed", placed.id);
		await shop.payInSilence(placed.sessionId);
		for (let i = 0; i < 2; i++) expect((await deliver(eventBody(placed.sessionId))).status).toBe(200);
		expect(await shop.getMails(placed, "surplus-refunded")).toHaveLength(1);
		expect(await shop.orderRow(placed.id)).toMatchObject({ status: "completed", refunded_cents: 0, set_aside_at: null });
		expect([await countEvents(placed.id, "paid"), await countEvents(placed.id, "refunded")]).toEqual([1, 1]);
		const refunds = await db().selectFrom("sandbox.refunds").selectAll().execute();
		expect(refunds.map(({ amount, status }) => [amount, status])).toEqual([[5900, "succeeded"]]);
	});

	test("is replaced by a new one when the same order is sent again", async () => {
		ahead = 0;
		const body = { orderData: { siren: "552032534", serviceType: "express", amount: 5900, deliveryMethod: "email" } };
		const request = { ...body, customerData: { email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace" } };
		const ask = async () =>
			(await shop.postJson("/api/create-payment", request, { "idempotency-key": "next day" })).json() as Promise<{ url: string }>;
		const before = await shop.countOrders();
		const first = await ask();
		ahead = day;
		const second = await ask();
		expect(second.url).not.toBe(first.url);
		expect(await ask()).toEqual(second);
		expect(await shop.countOrders()).toBe(before + 1);
	});
});
