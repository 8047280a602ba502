import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listenForChanges } from "../../server/database/changes.ts";
import type { Trx } from "../../server/database/database.ts";
import { createOrderFixture, type OrderFixture } from "../../test/orders.ts";
import { cents } from "../catalogue/money.ts";
import { findDocumentOrigin } from "../customer/tracking/documents/find-document-origin.server.ts";
import { checkPromise } from "../fulfilment/check-promise.server.ts";
import { enqueueRequest, findRequest, lockRequest, recordPosting, recordUpload } from "../fulfilment/extract-requests.store.server.ts";
import { failOrder } from "../fulfilment/fail-order.server.ts";
import { markPaid } from "../fulfilment/mark-paid.server.ts";
import { postExtract } from "../fulfilment/post-extract.server.ts";
import { reportExtractNotFound } from "../fulfilment/report-extract-not-found.server.ts";
import { listStalled } from "../fulfilment/stalled-orders.store.server.ts";
import { jobKinds } from "../job-kinds.ts";
import { getPresentStep, getProgress, mayChange, type OrderStatus, progressSteps, statusLabels, type Transition } from "./lifecycle.ts";
import type { Order, OrderDraft } from "./order.ts";
import type { OrderNumber } from "./order-number.server.ts";
import {
	changeState,
	findOrderByKey,
	findOrderByReference,
	insertPurchase,
	listEvents,
	lockOrder,
	recordEvent,
	updateOrder,
	updateTrackingNumber,
} from "./orders.store.server.ts";

const minute = 60_000;
const hour = 60 * minute;
let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-20T10:00:00Z" }); // a Friday, in opening hours
});
beforeEach(() => {
	shop.clock.now = shop.start;
});
afterAll(() => shop?.close());

const statuses: OrderStatus[] = ["pending", "paid", "processing", "completed", "failed"];

describe("a change of state", () => {
	// docs/rules.md, R19: the state after each transition; any other combination changes nothing
	const leads: Record<Transition, Partial<Record<OrderStatus, OrderStatus>>> = {
		paid: { pending: "paid" },
		processing: { paid: "processing" },
		completed: { processing: "completed" },
		failed: { paid: "failed", processing: "failed" },
		cancelled: { pending: "failed", paid: "failed", processing: "failed" },
		expired: { pending: "failed" },
		resumed: { failed: "pending" },
	};
	const pairs = Object.keys(leads).flatMap((change) => statuses.map((status) => [change as Transition, status] as const));

	test.each(pairs)("« %s » of an order that is %s follows the table and records an event, or changes nothing", async (change, status) => {
		// the only reason that allows a failed order to be resumed; in other states it must not matter
		const failure_reason = "expired";
		const [order, other] = [await shop.insertOrder({ status, failure_reason }), await shop.insertOrder({ status, failure_reason })];
		const to = leads[change][status];
		const changed = await shop.inTransaction((trx) =>
			changeState(trx, order.id, change, { set: { paid_at: shop.start }, payload: { why: "because" }, now: shop.after(5) }),
		);
		expect(changed).toEqual(to ? { ...order, status: to, paid_at: shop.start } : null);
		expect(await shop.getOrder(order.id)).toEqual(changed ?? order);
		expect(await shop.getEvents(order)).toEqual(to ? [{ event_type: change, payload: { why: "because" }, created_at: shop.after(5) }] : []);
		expect(await shop.getOrder(other.id)).toEqual(other);
	});

	test.each(["cancelled", "not-available", "not-found", "operator", null] as const)(
		"an order that failed for another reason (%s) is not resumed: only an expired one is",
		async (failure_reason) => {
			const { id } = await shop.insertOrder({ status: "failed", failure_reason });
			expect(await shop.inTransaction((trx) => changeState(trx, id, "resumed", { now: shop.start }))).toBeNull();
		},
	);

	test("notifies the live pages of the order", async () => {
		const [order, other] = [await shop.insertOrder(), await shop.insertOrder()];
		const changes = listenForChanges(shop.connection, shop.log);
		const notifications: string[] = [];
		try {
			await new Promise<void>((connected) => changes.subscribe(other.id, connected));
			await new Promise<void>((emails) => {
				changes.subscribe(other.id, () => notifications.push("other"));
				changes.subscribe(order.id, emails);
				void shop.inTransaction((trx) => recordEvent(trx, { orderId: order.id, type: "late", now: shop.start }));
			});
		} finally {
			await changes.stop();
		}
		expect(notifications).toEqual([]);
	});

	test.each<[OrderStatus, number, boolean]>([
		["pending", 0, true],
		["paid", 0, true],
		["processing", 0, true],
		["completed", 0, false],
		["failed", 0, true],
		["failed", 5900, false],
	])("of an order that is %s, %i cents refunded, more may come: %s", (status, refunded, more) => {
		const paid = { paid_at: shop.start, disputed_at: null, late_at: shop.start, product_code: "express" } as const;
		expect(mayChange({ ...paid, status, price_cents: cents(5900), refunded_cents: cents(refunded) })).toBe(more);
	});

	test("leads to a state with its agreed label, and to one of four steps", () => {
		// R20
		expect(statuses.map((status) => statusLabels[status])).toEqual(["En attente", "Payé", "En traitement", "Terminé", "Échec"]);
		expect(progressSteps.email).toEqual(["Reçu", "En traitement", "Prêt", "Livré"]);
		expect(progressSteps.postal).toEqual(["Reçu", "En traitement", "Prêt", "Posté"]);
		const steps = (status: OrderStatus, paid: boolean, documentIssued: boolean) =>
			getProgress({ status, paid_at: paid ? shop.start : null }, { documentIssued });
		expect([
			...[steps("pending", false, false), steps("failed", false, false), steps("failed", true, false), steps("paid", true, false)],
			...[steps("processing", true, false), steps("processing", true, true), steps("completed", true, true)],
		]).toEqual([0, 0, 1, 1, 1, 3, 4]);
		expect(
			(
				[
					["pending", 0],
					["paid", 1],
					["processing", 1],
					["processing", 3],
					["completed", 4],
				] as const
			).map(([status, progress]) => getPresentStep(status, progress)),
		).toEqual([0, 1, 2, 3, 4]);
		expect(steps("completed", true, false)).toBe(4);
	});
});

describe("an inserted order", () => {
	const draft: OrderDraft = {
		...{ service: "postal", siren: "552032534" as OrderDraft["siren"], companyName: "DANONE", reference: null, email: "ada@example.fr" },
		...{ firstName: "Ada", lastName: "Lovelace", phone: "06 12 34 56 78", address: "1 rue de la Paix", postalCode: "75002", city: "Paris" },
		...{ billingCompany: "ANALYSE SAS", deliveryEmail: "grace@example.fr", newsletter: true, consents: null },
		...{ billingSiren: "552032534" as OrderDraft["siren"], billingVat: "FR27552032534" as OrderDraft["billingVat"] },
		...{ deliveryName: "Grace Hopper", deliveryComplement: "Bâtiment B", deliveryAddress: "4 quai de l’Horloge" },
		...{ deliveryPostalCode: "75001", deliveryCity: "Paris 1er" },
	};
	const insert = async (change: Partial<OrderDraft>, key: string | null = null) =>
		(
			await shop.inTransaction((trx) =>
				insertPurchase(trx, [{ ...draft, ...change }], { key, requestHash: "hash", terms: null, now: shop.start }),
			)
		)?.[0] ?? null;

	test("has the input, the catalogue's price and its first event", async () => {
		const inserted = (await insert({})) as Order;
		expect(inserted).toMatchObject({
			...{ status: "pending", product_code: "postal", price_cents: 4400, siren: "552032534", company_name: "DANONE" },
			...{ customer_email: "ada@example.fr", first_name: "Ada", last_name: "Lovelace", phone: "06 12 34 56 78", newsletter: true },
			...{ address: "1 rue de la Paix", postal_code: "75002", city: "Paris", billing_company: "ANALYSE SAS" },
			...{ billing_siren: "552032534", billing_vat: "FR27552032534", delivery_name: "Grace Hopper", delivery_complement: "Bâtiment B" },
			...{ delivery_address: "4 quai de l’Horloge", delivery_postal_code: "75001", delivery_city: "Paris 1er" },
			...{ delivery_email: "grace@example.fr", request_hash: "hash", created_at: shop.start, paid_at: null, refunded_cents: 0 },
		});
		expect(await shop.getEvents(inserted)).toEqual([{ event_type: "created", payload: { service: "postal" }, created_at: shop.start }]);
	});

	test("has a newsletter consent only if its customer gave one", async () => {
		expect(await insert({ newsletter: false })).toMatchObject({ newsletter: false });
	});

	test.each([
		[{ terms: true, waiveWithdrawal: false }, true, false],
		[{ terms: false, waiveWithdrawal: true }, false, true],
		[null, false, false],
	])("has a date for each given consent, and for no other: %o", async (boxes, terms, waiver) => {
		const inserted = await insert({ consents: boxes && { ...boxes, textVersion: "2026-11-01" } });
		expect(inserted).toMatchObject({
			terms_accepted_at: terms ? shop.start : null,
			withdrawal_waived_at: waiver ? shop.start : null,
			consent_text_version: boxes && "2026-11-01",
		});
	});

	test("is inserted once per key and found by it; without a key it is inserted each time", async () => {
		const inserted = (await insert({}, "the key")) as Order;
		expect(await insert({}, "the key")).toBeNull();
		expect(await shop.getEvents(inserted)).toHaveLength(1);
		await insert({}, "another key");
		expect(await findOrderByKey(shop.db, "the key")).toEqual(inserted);
		expect(await findOrderByKey(shop.db, "no key")).toBeNull();
		expect((await insert({}))?.id).not.toBe((await insert({}))?.id);
	});

	test("is found by its number or its id", async () => {
		const [order] = [await shop.insertOrder(), await shop.insertOrder()];
		expect(await findOrderByReference(shop.db, { number: order.order_number })).toEqual(order);
		expect(await findOrderByReference(shop.db, { id: order.id })).toEqual(order);
		expect(await findOrderByReference(shop.db, { number: "KB-2222-2222" as OrderNumber })).toBeNull();
		expect(await findOrderByReference(shop.db, { id: crypto.randomUUID() })).toBeNull();
	});

	test("is updated alone", async () => {
		const [order, other] = [await shop.insertOrder(), await shop.insertOrder()];
		await shop.inTransaction(async (trx) => {
			await updateTrackingNumber(trx, order.id, "1A23456789012");
			await updateOrder(trx, order.id, { late_at: shop.start });
		});
		expect(await shop.getOrder(order.id)).toEqual({ ...order, tracking_number: "1A23456789012", late_at: shop.start });
		expect(await shop.getOrder(other.id)).toEqual(other);
	});

	test("has its events sorted by instant, and then in the order of insertion", async () => {
		const [order, other] = [await shop.insertOrder(), await shop.insertOrder()];
		await shop.inTransaction(async (trx) => {
			await recordEvent(trx, { orderId: order.id, type: "processing", now: shop.after(2000) });
			await recordEvent(trx, { orderId: order.id, type: "paid", now: shop.after(1000) });
			await recordEvent(trx, { orderId: order.id, type: "document_issued", now: shop.after(2000) });
			await recordEvent(trx, { orderId: other.id, type: "late", now: shop.after(1000) });
		});
		// the database's order of rows must not matter
		await sql`update order_events set payload = payload where event_type = 'processing' and order_id = ${order.id}`.execute(shop.db);
		expect((await listEvents(shop.db, order.id)).map(({ event_type }) => event_type)).toEqual(["paid", "processing", "document_issued"]);
	});

	test("that is locked cannot be locked again, but other rows may still refer to it", async () => {
		const order = await shop.insertOrder();
		const tryLock = (how: string) => sql`select from orders where id = ${order.id} for ${sql.raw(how)} nowait`.execute(shop.db);
		await shop.inTransaction(async (trx) => {
			expect(await lockOrder(trx, order.id)).toEqual(order);
			for (const how of ["no key update", "share"]) await expect(tryLock(how)).rejects.toThrow("could not obtain lock");
			await tryLock("key share");
			expect(await lockOrder(trx, crypto.randomUUID())).toBeNull();
		});
		await tryLock("no key update");
	});

	test("shows the public its company, and its delivery once there is one", async () => {
		const order = await shop.insertOrder({ paid_at: shop.start, completed_at: shop.after(hour), status: "completed" });
		const origin = (order_id: string, created_at = shop.start) =>
			findDocumentOrigin(shop.db, { id: crypto.randomUUID(), order_id, created_at });
		expect(await origin(order.id)).toEqual({ companyName: "DANONE", siren: "552032534", deliveredAt: shop.after(hour) });
		// a replacement is delivered on its own date
		expect((await origin(order.id, shop.after(2 * hour)))?.deliveredAt).toEqual(shop.after(2 * hour));
		expect((await origin((await shop.insertOrder()).id))?.deliveredAt).toBeNull();
		expect(await origin(crypto.randomUUID())).toBeNull();
	});
});

describe("a paid order", () => {
	const pay = (order: Order) => shop.inTransaction((trx) => markPaid(shop, trx, [order]));
	const subscribed = (email: string) =>
		shop.db.selectFrom("newsletter_subscriptions").select(["email", "source"]).where("email", "=", email).execute();

	test("has its deadline counted from now, and the jobs for extract, invoice and deadline", async () => {
		const order = await shop.insertOrder({ created_at: shop.after(-hour), customer_email: "plain@example.fr" });
		const promised = shop.after(2 * hour);
		expect(await pay(order)).toEqual(shop.start);
		expect(await shop.getOrder(order.id)).toMatchObject({ status: "paid", paid_at: shop.start, promised_at: promised });
		expect(await shop.getEvents(order)).toMatchObject([{ event_type: "paid", payload: { amount: 5900 }, created_at: shop.start }]);
		expect(await shop.getJobs("fulfil-order", order.id)).toMatchObject([{ data: { orderId: order.id, because: "paid" } }]);
		expect(await shop.getJobs("invoice-order", order.id)).toMatchObject([{ data: { orderId: order.id } }]);
		expect(await shop.getJobs("check-promise", order.id)).toMatchObject([{ data: { orderId: order.id }, start_after: promised }]);
		expect(await subscribed("plain@example.fr")).toEqual([]);
	});

	test("that is no longer pending stays unchanged, and gets no jobs", async () => {
		const order = await shop.insertOrder({
			status: "failed",
			failure_reason: "cancelled",
			newsletter: true,
			customer_email: "gone@example.fr",
		});
		expect(await pay(order)).toBeNull();
		expect(await shop.getOrder(order.id)).toEqual(order);
		for (const kind of ["fulfil-order", "invoice-order", "check-promise"] as const) expect(await shop.getJobs(kind, order.id)).toEqual([]);
		expect(await subscribed("gone@example.fr")).toEqual([]);
	});

	test("with the newsletter consent sends its customer a request to confirm it", async () => {
		await pay(await shop.insertOrder({ newsletter: true, customer_email: "reader@example.fr", delivery_email: "other@example.fr" }));
		expect(await subscribed("reader@example.fr")).toEqual([{ email: "reader@example.fr", source: "order" }]);
		expect(await subscribed("other@example.fr")).toEqual([]);
	});

	test("has one queued job per kind and cause", async () => {
		const { id } = await shop.insertOrder();
		const send = (because: "paid" | "uploaded") =>
			shop.inTransaction((trx) => shop.jobs.send(trx, "fulfil-order", { orderId: id, because }));
		await send("paid");
		await send("paid");
		await send("uploaded");
		expect((await shop.getJobs("fulfil-order", id)).map(({ data }) => data)).toEqual([
			{ orderId: id, because: "paid" },
			{ orderId: id, because: "uploaded" },
		]);
	});

	test.each([
		["invoice", (id: string) => ["invoice-order", { orderId: id }] as const],
		["promise", (id: string) => ["check-promise", { orderId: id }] as const],
		["refund", (id: string) => ["carry-out-refund", { refundId: id }] as const],
		["credit note", (id: string) => ["credit-refund", { refundId: id }] as const],
		["mail", (id: string) => ["send-order-mail", { mailId: id }] as const],
	])("each %s has its own job, once, which is tried again when it fails", async (_what, jobOf) => {
		const ids = [crypto.randomUUID(), crypto.randomUUID()] as const;
		for (const id of [ids[0], ids[0], ids[1]]) {
			const [kind, data] = jobOf(id);
			await shop.inTransaction((trx) => shop.jobs.send(trx, kind, data as never));
		}
		for (const id of ids) {
			const [kind, data] = jobOf(id);
			expect(await shop.getJobs(kind, id)).toMatchObject([{ data }]);
			expect(jobKinds[kind].retryLimit).toBeGreaterThan(0);
		}
	});
});

describe("an order that cannot be served", () => {
	test.each(statuses)("and is %s fails if it is paid and not delivered, and is refunded in full", async (status) => {
		const { order, payment } = await shop.insertPaidOrder({ status, failure_reason: status === "failed" ? "cancelled" : null });
		const fails = status === "paid" || status === "processing";
		expect(await failOrder(shop, order.id, "not-found")).toBe(fails);
		expect(await failOrder(shop, order.id, "not-found")).toBe(false);
		if (!fails) {
			expect(await shop.getOrder(order.id)).toEqual(order);
			expect([await shop.getRefunds(order), await shop.getMailKinds(order), await shop.getEvents(order)]).toEqual([[], [], []]);
			return;
		}
		expect(await shop.getOrder(order.id)).toEqual({ ...order, status: "failed", failure_reason: "not-found" });
		expect(await shop.getEvents(order)).toMatchObject([{ event_type: "failed", payload: { reason: "not-found" } }]);
		expect(await shop.getRefunds(order)).toMatchObject([
			{ payment_id: payment.id, reason: "failed", amount_cents: 5900, status: "requested" },
		]);
		expect(await shop.getMailKinds(order)).toEqual(["failed"]);
	});
});

describe("the check of the deadline", () => {
	const promised_at = new Date("2026-11-20T12:00:00Z");
	const at = (milliseconds: number) => new Date(promised_at.getTime() + milliseconds);

	/** @param extract milliseconds from the deadline to the extract; null: there is none. */
	async function checkDeadline(set: Partial<Order>, { extract = null, now = 0 }: { extract?: number | null; now?: number } = {}) {
		const { order } = await shop.insertPaidOrder({ promised_at, ...set });
		if (extract !== null) await shop.insertDocument(order, "kbis", at(extract));
		shop.clock.now = at(now);
		await checkPromise(shop, order.id);
		await checkPromise(shop, order.id);
		const { late_at } = await shop.getOrder(order.id);
		expect((await shop.getEvents(order)).map(({ event_type }) => event_type)).toEqual(late_at ? ["late"] : []);
		expect(late_at).toEqual(late_at && at(now));
		// a final order is not found again
		const since = { before: shop.clock.now, now: shop.clock.now, limit: 1000 };
		if (set.status === "completed") expect(await listStalled(shop.db, "promises", since)).not.toContain(order.id);
		return [late_at !== null, await shop.getMailKinds(order), (await shop.getRefunds(order)).map(({ reason }) => reason)];
	}
	const inTime = [false, [], []];
	const emails = ["alert-late", "late"];
	const owed = [true, emails, []];

	test.each<[string, Partial<Order>, Parameters<typeof checkDeadline>[1], unknown]>([
		["a millisecond too early finds no late order", { status: "processing" }, { now: -1 }, inTime],
		["refunds a late express order, with e-mails", { status: "processing" }, {}, [true, emails, ["late"]]],
		["refunds a late express order that is not in process yet", { status: "paid" }, {}, [true, emails, ["late"]]],
		["sends e-mails about a late standard order", { status: "processing", product_code: "standard" }, {}, owed],
		[
			"sends e-mails about a late letter, even if its extract is ready",
			{ status: "processing", product_code: "postal" },
			{ extract: -1 },
			owed,
		],
		["finds an extract in time that is ready by then, even if its mail bounced", { status: "processing" }, { extract: 0 }, inTime],
		["finds an extract late that was ready afterwards", { status: "processing" }, { extract: 1 }, [true, emails, ["late"]]],
		[
			"finds a letter in time that was posted by then",
			{ status: "completed", product_code: "postal", completed_at: at(0) },
			{ extract: -1 },
			inTime,
		],
		[
			"finds a letter late that was posted afterwards, without e-mails",
			{ status: "completed", product_code: "postal", completed_at: at(1) },
			{ extract: -1, now: hour },
			[true, [], []],
		],
		["finds an order in time that was delivered by then", { status: "completed", completed_at: at(0) }, { extract: 0 }, inTime],
		[
			"refunds an order that was delivered afterwards",
			{ status: "completed", completed_at: at(1) },
			{ extract: 1, now: hour },
			[true, [], ["late"]],
		],
		[
			"finds a document in time that was ready by then, even if its mail was sent later",
			{ status: "completed", completed_at: at(1) },
			{ extract: 0, now: hour },
			inTime,
		],
		["ignores a failed order", { status: "failed", failure_reason: "operator" }, {}, inTime],
		["ignores an unpaid order", { status: "pending" }, {}, inTime],
		["ignores an order without a deadline", { status: "processing", promised_at: null }, {}, inTime],
	])("%s", async (_what, set, when, expected) => {
		expect(await checkDeadline(set, when)).toEqual(expected);
	});

	test("records the deadline in the history", async () => {
		const { order } = await shop.insertPaidOrder({ promised_at });
		shop.clock.now = at(0);
		await checkPromise(shop, order.id);
		expect(await shop.getEvents(order)).toMatchObject([{ payload: { promised_at: promised_at.toISOString() }, created_at: at(0) }]);
	});

	test("waits for a concurrent delivery: the order is not late", async () => {
		const { order } = await shop.insertPaidOrder({ promised_at, product_code: "postal" });
		shop.clock.now = at(0);
		await shop.whileLocked(
			order,
			{ before: (trx) => changeState(trx, order.id, "completed", { set: { completed_at: at(0) }, now: at(0) }) },
			() => checkPromise(shop, order.id),
		);
		expect((await shop.getOrder(order.id)).late_at).toBeNull();
		expect(await shop.getMailKinds(order)).toEqual([]);
	});
});

describe("the operator's commands", () => {
	const uploadFor = (order: Order, sha256 = crypto.randomUUID()) =>
		shop.inTransaction(async (trx) => {
			await enqueueRequest(trx, order.id, shop.start);
			await recordUpload(trx, order.id, { path: `00/${sha256}.pdf`, sha256, bytes: 1, issuedAt: shop.start }, shop.start);
		});
	const post = (order: { id: string }, trackingNumber: string) => postExtract(shop, { orderId: order.id, trackingNumber, confirmed: true });
	const insertLetter = async (set: Partial<Order> = {}) => (await shop.insertPaidOrder({ product_code: "postal", ...set })).order;
	const refused = (code: string) => ({ ok: false, code });

	test.each([
		["12345678901", "12345678901"],
		["1A 234 567 8901 2", "1A23456789012"],
		["1a-234.567\u00a08901\u202f2", "1A23456789012"],
		["123456789012345", "123456789012345"],
		["ABC12345678", "ABC12345678"],
	])("a tracking number is parsed as typed: « %s »", async (typed, number) => {
		const order = await insertLetter();
		await uploadFor(order);
		shop.clock.now = shop.after(hour);
		expect(await post(order, typed)).toEqual({ ok: true });
		expect(await findRequest(shop.db, order.id)).toMatchObject({ tracking_number: number, posted_at: shop.after(hour) });
		expect(await shop.getJobs("fulfil-order", order.id)).toMatchObject([{ data: { orderId: order.id, because: "posted" } }]);
	});

	test.each(["1234567890", "1234567890123456", "ABCD1234567", "1A*23456789012", ""])("« %s » is no tracking number", async (typed) => {
		const order = await insertLetter();
		await uploadFor(order);
		expect(await post(order, typed)).toEqual(refused("invalid-tracking-number"));
		expect((await findRequest(shop.db, order.id))?.tracking_number).toBeNull();
	});

	test("the same number again changes nothing, even for a completed order; another one is refused", async () => {
		const order = await insertLetter();
		await uploadFor(order);
		expect(await post(order, "12345678901")).toEqual({ ok: true });
		expect(await post(order, "123 456 789 01")).toEqual({ ok: true });
		expect(await post(order, "99345678901")).toEqual(refused("other-tracking-number"));
		expect((await findRequest(shop.db, order.id))?.tracking_number).toBe("12345678901");
		await shop.inTransaction((trx) => changeState(trx, order.id, "completed", { now: shop.start }));
		expect(await post(order, "12345678901")).toEqual({ ok: true });
		expect(await shop.getJobs("fulfil-order", order.id)).toHaveLength(1);
	});

	test("a posting is refused without an extract, by e-mail, for a final order and for an unknown one", async () => {
		const [empty, byMail, over] = [await insertLetter(), (await shop.insertPaidOrder()).order, await insertLetter({ status: "failed" })];
		for (const order of [byMail, over]) await uploadFor(order);
		expect(await post(empty, "12345678901")).toEqual(refused("no-extract"));
		expect(await post(byMail, "12345678901")).toEqual(refused("not-postal"));
		expect(await post(over, "12345678901")).toEqual(refused("failed"));
		expect(await post({ id: crypto.randomUUID() }, "12345678901")).toEqual(refused("unknown-order"));
		for (const order of [empty, byMail, over]) expect(await shop.getJobs("fulfil-order", order.id)).toEqual([]);
	});

	test("a company that the registry does not know is recorded once, and its order's job is sent", async () => {
		const { order } = await shop.insertPaidOrder();
		expect(await reportExtractNotFound(shop, { orderId: order.id, because: "unknown" })).toEqual({ ok: true });
		shop.clock.now = shop.after(hour);
		expect(await reportExtractNotFound(shop, { orderId: order.id, because: "unknown" })).toEqual({ ok: true });
		expect(await findRequest(shop.db, order.id)).toMatchObject({ not_found_at: shop.start });
		expect(await shop.getJobs("fulfil-order", order.id)).toMatchObject([{ data: { orderId: order.id, because: "not-found" } }]);
	});

	test("this record is refused after an upload, and for an order that is final, unpaid or unknown", async () => {
		const [served, over, unpaid] = [
			(await shop.insertPaidOrder()).order,
			(await shop.insertPaidOrder({ status: "completed" })).order,
			await shop.insertOrder(),
		];
		await uploadFor(served);
		const report = ({ id }: { id: string }) => reportExtractNotFound(shop, { orderId: id, because: "unknown" });
		expect(await report(served)).toEqual(refused("has-extract"));
		expect(await report(over)).toEqual(refused("completed"));
		expect(await report(unpaid)).toEqual(refused("not-paid"));
		expect(await report({ id: crypto.randomUUID() })).toEqual(refused("unknown-order"));
		for (const order of [served, over, unpaid]) {
			expect((await findRequest(shop.db, order.id))?.not_found_at ?? null).toBeNull();
			expect(await shop.getJobs("fulfil-order", order.id)).toEqual([]);
		}
	});

	test("two operators at once: one sees the upload or the posting of the other", async () => {
		const [order, posted] = [(await shop.insertPaidOrder()).order, await insertLetter()];
		await uploadFor(posted);
		await enqueueRequest(shop.db, order.id, shop.start);
		const hold = (id: string) => (trx: Trx) => lockRequest(trx, id, shop.start);
		const uploaded = { path: "00/at-once.pdf", sha256: "at once", bytes: 1, issuedAt: shop.start };
		const report = () => reportExtractNotFound(shop, { orderId: order.id, because: "unknown" });
		const upload = (trx: Trx) => recordUpload(trx, order.id, uploaded, shop.start);
		expect(await shop.whileLocked(order, { before: hold(order.id), after: upload }, report)).toEqual(refused("has-extract"));
		const first = (trx: Trx) => recordPosting(trx, posted.id, "12345678901", shop.start);
		expect(await shop.whileLocked(posted, { before: hold(posted.id), after: first }, () => post(posted, "99345678901"))).toEqual(
			refused("other-tracking-number"),
		);
	});

	test("two operators who record the same number at once both succeed", async () => {
		const order = await insertLetter();
		await uploadFor(order);
		const faster = (trx: Trx) => recordPosting(trx, order.id, "12345678901", shop.start);
		const before = (trx: Trx) => lockRequest(trx, order.id, shop.start);
		expect(await shop.whileLocked(order, { before, after: faster }, () => post(order, "123 456 789 01"))).toEqual({ ok: true });
		expect(await shop.getJobs("fulfil-order", order.id)).toEqual([]); // the other order has the job
	});
});
