import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { mixServices } from "../../test/fixtures/drafts.ts";
import { paymentRequest } from "../../test/shop.ts";
import { createStripeShop, type StripeShop } from "../../test/stripe-shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { signEvent } from "./stripe/signed-event.server.ts";
import { sweepPayments } from "./sweep-payments.server.ts";

// From the button to the paid order, against Stripe's fake. Each title is a customer's experience.

const waitOptions = { timeout: scaledTimeout(60_000), interval: 100 };
const minute = 60_000;
const day = 24 * 60 * minute;
let shop: StripeShop;
beforeAll(async () => {
	shop = await createStripeShop();
});
afterEach(() => {
	shop.stripe.clearFaults();
	shop.stripe.setLivemode(false);
	shop.clock.ahead = 0;
});
afterAll(() => shop?.close());

type Placed = Awaited<ReturnType<StripeShop["placePurchase"]>>;
const findEvent = (sessionId: string) => shop.stripe.state.events.find(({ data }) => data.object.id === sessionId)?.id ?? "";
const countEvents = async (id: string, event: string) => (await shop.getEventTypes(id)).filter((type) => type === event).length;

/** An event about a session, signed by Stripe now. */
function sendEvent(
	sessionId: string,
	type = "checkout.session.completed",
	{ at = shop.shop.now(), id = `evt_${crypto.randomUUID()}` } = {},
) {
	const body = JSON.stringify({ id, object: "event", type, data: { object: { id: sessionId, object: "checkout.session" } } });
	const headers = { "content-type": "application/json", "stripe-signature": signEvent(body, shop.stripe.webhookSecret, at) };
	return shop.ask("/api/stripe/webhook", { method: "POST", body, headers });
}

const getOrders = ({ orders }: Placed) => Promise.all(orders.map(({ id }) => shop.orderRow(id)));
const getStates = async (placed: Placed) => (await getOrders(placed)).map(({ status }) => status);

async function expectPaidOnce(placed: Placed) {
	for (const { id } of placed.orders) await shop.untilOrderIs("completed", id);
	expect(await shop.getMails(placed, "confirmation")).toHaveLength(1);
	expect(await shop.rows.payments(placed.id)).toMatchObject([{ role: "order", amount_cents: placed.total, currency: "eur" }]);
	for (const { id, product_code: service, price_cents: price } of placed.orders) {
		expect(await countEvents(id, "paid")).toBe(1);
		expect(await getDocuments(id)).toEqual(id === placed.id ? ["invoice", "kbis"] : ["kbis"]);
		expect(await shop.rows.refunds(id)).toEqual([]);
		// orders of a purchase of several share the e-mail with their documents
		if (placed.orders.length > 1) continue;
		expect(await shop.getMails(placed, service === "postal" ? "posted" : "document-ready")).toHaveLength(1);
		expect(await shop.rows.invoices(id)).toMatchObject([{ kind: "invoice", total_cents: price }]);
	}
}

const getDocuments = async (id: string) => (await shop.rows.documents(id)).map(({ doc_type }) => doc_type).sort();

describe.each([1, 3])("« I paid for %i »", (count) => {
	const place = () => shop.placePurchase(mixServices(count));

	test("two events, then eight at once: one payment, one invoice, one mail of each kind", async () => {
		const placed = await place();
		shop.stripe.pay(placed.sessionId, { silently: true });
		const id = `evt_${crypto.randomUUID()}`;
		const eight = await Promise.all(Array.from({ length: 8 }, () => sendEvent(placed.sessionId, undefined, { id })));
		expect(eight.map(({ status }) => status)).toEqual(Array(8).fill(200));
		const others = await Promise.all(Array.from({ length: 8 }, () => sendEvent(placed.sessionId)));
		expect(others.map(({ status }) => status)).toEqual(Array(8).fill(200));
		await expectPaidOnce(placed);
	});

	test("the customer returns before the event", async () => {
		const placed = await place();
		shop.stripe.pay(placed.sessionId, { silently: true });
		expect(await (await shop.ask(`/confirmation/${placed.sessionId}`)).text()).toMatch(
			/Commande confirmée\u00a0!|Votre commande de 3 extraits/,
		);
		expect((await sendEvent(placed.sessionId)).status).toBe(200);
		await expectPaidOnce(placed);
	});

	test("the event comes before the customer returns", async () => {
		const placed = await place();
		await shop.payByCard(placed.payUrl);
		await shop.stripe.delivered();
		expect(await (await shop.ask(`/confirmation/${placed.sessionId}`)).text()).toMatch(
			/Commande confirmée\u00a0!|Votre commande de 3 extraits/,
		);
		await expectPaidOnce(placed);
	});

	test("the customer closes the window and no event comes: the sweep finds the payment", async () => {
		const placed = await place();
		shop.stripe.pay(placed.sessionId, { silently: true });
		shop.clock.ahead = minute;
		await sweepPayments(shop.shop);
		expect(await getStates(placed)).toEqual(Array(count).fill("pending"));
		shop.clock.ahead = 3 * minute;
		await sweepPayments(shop.shop);
		await expectPaidOnce(placed);
	});

	test("the events of failure and success come in the wrong order: the order stays paid", async () => {
		const placed = await place();
		shop.stripe.pay(placed.sessionId, { delayed: true });
		await shop.stripe.delivered();
		expect(await getStates(placed)).toEqual(Array(count).fill("pending"));
		shop.stripe.endDelay(placed.sessionId, "paid");
		await shop.stripe.delivered();
		for (const type of ["async_payment_failed", "expired", "completed"])
			expect((await sendEvent(placed.sessionId, `checkout.session.${type}`)).status).toBe(200);
		await expectPaidOnce(placed);
	});
});

describe.each([1, 3])("an event without effect on a purchase of %i", (count) => {
	const place = () => shop.placePurchase(mixServices(count));
	/** Pays a purchase whose session names another one. */
	async function payUnder(id: string) {
		const placed = await place();
		const session = shop.stripe.state.sessions.get(placed.sessionId);
		if (session) session.metadata = { purchase_id: id };
		shop.stripe.pay(placed.sessionId, { silently: true });
		const answer = await sendEvent(placed.sessionId);
		expect(await getStates(placed)).toEqual(Array(count).fill("pending"));
		return answer;
	}

	test.each([
		["a session of another shop", () => sendEvent("cs_test_unknown")],
		["a session of an unknown order", () => payUnder(crypto.randomUUID())],
		["a session of another program of the same account", () => payUnder("1234")],
	])("%s changes nothing, and is answered with 200", async (_what, telling) => {
		const before = await shop.shop.db.selectFrom("payments").selectAll().execute();
		expect((await telling()).status).toBe(200);
		expect(await shop.shop.db.selectFrom("payments").selectAll().execute()).toEqual(before);
	});

	test("a payment of another amount, in another currency, or in test mode on a live shop: on hold, reported to the operator, never served", async () => {
		const changes: [string, (sessionId: string) => void][] = [
			["amount", (id) => Object.assign(shop.stripe.state.sessions.get(id) ?? {}, { amount_total: 100 })],
			["currency", (id) => Object.assign(shop.stripe.state.sessions.get(id) ?? {}, { currency: "usd" })],
			["live mode", (id) => Object.assign(shop.stripe.state.sessions.get(id) ?? {}, { livemode: true })],
		];
		for (const [reason, change] of changes) {
			const placed = await place();
			change(placed.sessionId);
			shop.stripe.pay(placed.sessionId, { silently: true });
			for (let i = 0; i < 2; i++) expect((await sendEvent(placed.sessionId)).status).toBe(200);
			for (const { id } of placed.orders) {
				expect(await shop.orderRow(id)).toMatchObject({ status: "pending", paid_at: null, set_aside_at: expect.any(Date) });
				expect(await shop.rows.invoices(id)).toEqual([]);
			}
			expect(await shop.rows.payments(placed.id)).toMatchObject([{ role: "mismatch" }]);
			expect(shop.lines).toContainEqual(expect.objectContaining({ order: placed.id, alert: "alert-set-aside", reason }));
			expect(await shop.getMails(placed, "alert-set-aside")).toHaveLength(1);
		}
	});

	test("an event with a signature of three days ago is refused; signed again by Stripe, it changes nothing", async () => {
		const placed = await place();
		await shop.pay(placed.sessionId);
		await expectPaidOnce(placed);
		const signedThen = shop.shop.now();
		shop.clock.ahead = 3 * day;
		const before = await getOrders(placed);
		expect(await shop.stripe.deliver(findEvent(placed.sessionId), signedThen)).toBe(400);
		expect(await shop.stripe.deliver(findEvent(placed.sessionId))).toBe(200);
		expect(await getOrders(placed)).toEqual(before);
		await expectPaidOnce(placed);
	});
});

describe.each([1, 3])("a failure of the shop during an event about a purchase of %i", (count) => {
	const place = () => shop.placePurchase(mixServices(count));

	test("a database error: Stripe sends the event again, and the order is then paid once", async () => {
		const placed = await place();
		await sql`alter table payments rename to payments_away`.execute(shop.shop.db);
		shop.stripe.pay(placed.sessionId);
		const tried = () => shop.stripe.state.deliveries.filter(({ eventId }) => eventId === findEvent(placed.sessionId));
		await vi.waitFor(() => expect(tried()[0]?.status).toBe(500), { timeout: scaledTimeout(20_000) });
		expect(await countEvents(placed.id, "paid")).toBe(0);
		await sql`alter table payments_away rename to payments`.execute(shop.shop.db);
		await shop.stripe.delivered();
		expect(tried().at(-1)?.status).toBe(200);
		await expectPaidOnce(placed);
	});

	test("Stripe unavailable: Stripe sends the event again, and the order is then paid once", async () => {
		const placed = await place();
		shop.stripe.failNext({ path: `GET /v1/checkout/sessions/${placed.sessionId}`, kind: "503", times: 3 });
		shop.stripe.pay(placed.sessionId);
		await shop.stripe.delivered();
		const statuses = shop.stripe.state.deliveries
			.filter(({ eventId }) => eventId === findEvent(placed.sessionId))
			.map(({ status }) => status);
		expect(statuses).toEqual([500, 200]);
		await expectPaidOnce(placed);
	});
});

describe("« I did not finish »", () => {
	test.each([1, 3])(
		"the bank's page is left open: the order expires, a reminder comes, and the order can still be paid: a purchase of %i",
		async (count) => {
			const placed = await shop.placePurchase(mixServices(count), `abandons-${count}@example.fr`);
			shop.clock.ahead = day;
			await sweepPayments(shop.shop);
			await shop.stripe.delivered();
			for (const order of await getOrders(placed)) expect(order).toMatchObject({ status: "failed", failure_reason: "expired" });
			await shop.makeEmailsDue();
			const [reminder] = await shop.getMails(placed, "resume");
			const path = /\/paiement\/reprendre\/[\w.-]+/.exec(reminder?.text ?? "")?.[0] ?? "";
			const payUrl = (await shop.postForm(path, {})).headers.get("location") ?? "";
			expect(payUrl).not.toBe(placed.payUrl);
			await shop.payByCard(payUrl);
			await expectPaidOnce(placed);
			expect(await shop.getMails(placed, "resume")).toHaveLength(1);
		},
	);

	test("the shop crashes before it records Stripe's answer, and the customer tries again an hour later: the same session, requested unchanged", async () => {
		const ask = () => shop.postJson("/api/create-payment", paymentRequest(), { "idempotency-key": "answer lost" });
		const { url } = (await (await ask()).json()) as { url: string };
		const sessions = shop.stripe.state.sessions.size;
		const { db } = shop.shop;
		const lost = await db.deleteFrom("payment_sessions").where("url", "=", url).returning("order_id").executeTakeFirstOrThrow();
		await db.updateTable("payment_attempts").set({ answered_at: null }).where("order_id", "=", lost.order_id).execute();
		shop.clock.ahead = 60 * minute;
		const again = await ask();
		expect([again.status, await again.json()]).toEqual([200, { url }]);
		expect(shop.stripe.state.sessions.size).toBe(sessions);
	});

	test("Stripe is unavailable at the checkout: an error, the form's values, one order, and a reminder only if it is needed", async () => {
		const before = await shop.countOrders();
		shop.stripe.failNext({ path: "POST /v1/checkout/sessions", kind: "503", times: 6 });
		const fields = { siren: "552032534", service: "express", email: "down@example.fr", firstName: "Ada", lastName: "Lovelace" };
		const query = `/paiement?${new URLSearchParams(fields)}`;
		const form = { amount: "5900", acceptTerms: "on", waiveWithdrawal: "on", key: "down" };
		const failed = await shop.postForm(query, form);
		const page = await failed.text();
		expect([failed.status, page.includes("Erreur lors du traitement du paiement")]).toEqual([502, true]);
		for (const expected of ["Lovelace", 'value="down"']) expect(page).toContain(expected);
		const key = { "idempotency-key": "down too" };
		const api = await shop.postJson("/api/create-payment", paymentRequest({ customer: { email: "waiting@example.fr" } }), key);
		expect([api.status, await api.json()]).toEqual([502, { error: "Erreur lors du traitement du paiement" }]);
		shop.stripe.clearFaults();

		const again = await shop.postForm(query, form);
		expect([again.status, await shop.countOrders()]).toEqual([303, before + 2]);
		const reminders = await sql<{ order_id: string; later: boolean }>`
			select order_id, start_after > now() + interval '5 minutes' as later
			from jobs.job join mails on mails.id::text = job.data->>'mailId' where mails.kind = 'resume' and mails.sent_at is null`.execute(
			shop.shop.db,
		);
		expect(reminders.rows.map(({ later }) => later)).toEqual([true, true]);
		const payUrl = again.headers.get("location") ?? "";
		const { order_id: id } = await shop.shop.db
			.selectFrom("payment_sessions")
			.select("order_id")
			.where("url", "=", payUrl)
			.executeTakeFirstOrThrow();
		await shop.payByCard(payUrl);
		await shop.untilOrderIs("completed", id);
		// after the delay, the paid order's reminder is dropped and the other one's is sent
		await sql`update jobs.job set start_after = now() where name = 'send-order-mail' and state < 'active'`.execute(shop.shop.db);
		const [waiting] = reminders.rows.filter(({ order_id }) => order_id !== id);
		await shop.getMails({ id: waiting?.order_id } as Placed, "resume");
		await vi.waitFor(async () => expect((await shop.rows.mails(id)).map(({ kind }) => kind)).not.toContain("resume"), {
			timeout: scaledTimeout(20_000),
		});
	});

	test("a request with another price than the catalogue's is refused, and so is a key that was used for another order", async () => {
		const key = { "idempotency-key": "one order" };
		const cheaper = await shop.postJson("/api/create-payment", paymentRequest({ order: { amount: 3900 } }), key);
		expect([cheaper.status, await cheaper.json()]).toEqual([400, { error: "Le montant ne correspond pas au tarif de ce service." }]);
		expect((await shop.postJson("/api/create-payment", paymentRequest(), key)).status).toBe(200);
		const other = await shop.postJson("/api/create-payment", paymentRequest({ service: "standard" }), key);
		expect([other.status, await other.json()]).toEqual([409, { error: "Cette clé a déjà servi pour une autre commande." }]);
	});
});

test(
	"twelve customers pay at once: invoices without a gap, and each confirmation with its own",
	async () => {
		const placed = await Promise.all(
			Array.from({ length: 12 }, (_, n) => shop.placeOrder({ customer: { email: `client${n}@example.fr` } })),
		);
		for (const { sessionId } of placed) shop.stripe.pay(sessionId);
		await shop.stripe.delivered();
		const findConfirmation = async (id: string) =>
			(await shop.rows.mails(id)).find(({ kind, sent_at }) => kind === "confirmation" && sent_at);
		for (const order of placed) {
			const mail = await vi.waitFor(
				async () => (await findConfirmation(order.id)) ?? Promise.reject(new Error("not confirmed")),
				waitOptions,
			);
			const [invoice] = await shop.rows.invoices(order.id);
			expect([invoice?.order_id, mail.document_id]).toEqual([order.id, invoice?.document_id]);
			const raw = readFileSync(join(shop.shop.environment.dataDir, "mails", `${mail.id}.eml`), "utf8");
			for (const expected of ["Facture_F", order.number]) expect(raw).toContain(expected);
		}
		const invoices = await shop.shop.db.selectFrom("invoices").select(["year", "number_in_year"]).orderBy("number_in_year").execute();
		// the year may turn while this file runs
		for (const ofYear of Map.groupBy(invoices, ({ year }) => year).values())
			expect(ofYear.map(({ number_in_year }) => number_in_year)).toEqual(ofYear.map((_, at) => at + 1));
		expect(invoices.length).toBeGreaterThanOrEqual(12);
	},
	scaledTimeout(90_000),
);

test("no card is stored, and no request has another currency", () => {
	const forms = shop.stripe.state.requests.filter(({ method }) => method === "POST").map(({ form }) => form);
	expect(forms.length).toBeGreaterThan(12);
	for (const form of forms) expect(form).not.toMatch(/setup_future_usage|customer_creation|save_payment_method|mode=(subscription|setup)/);
	for (const form of forms.filter((sent) => sent.includes("currency"))) expect(form).toContain("[currency]=eur");
});
