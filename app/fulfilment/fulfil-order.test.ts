import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createOrderFixture, type OrderFixture, waitForLock } from "../../test/orders.ts";
import type { Cents } from "../catalogue/money.ts";
import type { Siren } from "../companies/siren.ts";
import { cancelLocked, cancelOrder } from "../customer/tracking/cancel-order.server.ts";
import type { Order } from "../orders/order.ts";
import { enqueueRequest, findRequest, lockRequest, recordNotFound, recordPosting, recordUpload } from "./extract-requests.store.server.ts";
import { fulfilOrder } from "./fulfil-order.server.ts";
import type { ExtractRequest, Issuer } from "./issuers/issuer.ts";
import { manualIssuer } from "./issuers/manual-issuer.server.ts";
import { stopOrder } from "./stop-order.server.ts";

// One run of the job that serves an order, in each state of the order and of the queue.

const start = "2026-11-23T09:00:00Z";
const issuedAt = new Date("2026-11-22T16:00:00Z");

let shop: OrderFixture;
let issuer: Issuer;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: start });
	issuer = manualIssuer({ db: shop.db, read: shop.storage.get, now: shop.now });
});
afterEach(() => {
	shop.clock.now = shop.start;
});
afterAll(() => shop?.close());

const fulfil = (order: Order, by = issuer) => fulfilOrder({ ...shop, issuer: by }, order.id);

/** Uploads the operator's extract. */
async function uploadFor(order: Order): Promise<void> {
	const stored = await shop.storage.put(new TextEncoder().encode(`%PDF-1.7 ${order.id}`));
	await shop.inTransaction(async (trx) => {
		await lockRequest(trx, order.id, shop.now());
		await recordUpload(trx, order.id, { ...stored, issuedAt }, shop.now());
	});
}

/** Records that the letter is posted. */
async function recordPostingFor(order: Order): Promise<void> {
	await enqueueRequest(shop.db, order.id, shop.now());
	await shop.inTransaction((trx) => recordPosting(trx, order.id, "6A01234567890", shop.now()));
}

test("a paid order is enqueued, and the operator receives one alert that its extract is needed", async () => {
	const { order } = await shop.insertPaidOrder({ status: "paid" });
	for (let run = 0; run < 2; run++) await fulfil(order);
	expect([(await shop.getOrder(order.id)).status, await shop.getEventTypes(order)]).toEqual(["processing", ["processing"]]);
	expect((await findRequest(shop.db, order.id))?.requested_at).toEqual(new Date(start));
	expect(await shop.getMailKinds(order)).toEqual(["alert-extract-needed"]);
});

test("an order whose issuer says when the extract is ready is asked about again then, without an alert", async () => {
	const { order } = await shop.insertPaidOrder({ status: "paid" });
	const readyAt = shop.after(3000);
	await fulfil(order, { ...issuer, result: async () => ({ state: "pending", readyAt }) });
	expect(await shop.getJobs("fulfil-order", order.id)).toMatchObject([{ data: { because: "ready" }, start_after: readyAt }]);
	expect(await shop.getMailKinds(order)).toEqual([]);
});

test("once somebody was invited to the desk, its queue announces the order, and no e-mail does", async () => {
	const invitation = { id: crypto.randomUUID(), email: "ada@bureau.example", name: "Ada", roles: ["serve" as const], invited_by: "test" };
	await shop.db
		.insertInto("operators.invitation")
		.values({ ...invitation, created_at: shop.now(), expires_at: shop.now() })
		.execute();
	const { order } = await shop.insertPaidOrder({ status: "paid" });
	await fulfil(order);
	expect([(await shop.getOrder(order.id)).status, await shop.getMailKinds(order)]).toEqual(["processing", []]);
	await shop.db.deleteFrom("operators.invitation").execute();
});

const paid_at = new Date(start);
test.each<Partial<Order>>([
	{ status: "pending" },
	{ status: "completed", paid_at },
	{ status: "failed", failure_reason: "cancelled", paid_at },
])("an order that is %o is not served, whatever the queue has", async (state) => {
	for (const product_code of ["express", "postal"] as const) {
		const [waits, ready] = [await shop.insertOrder({ ...state, product_code }), await shop.insertOrder({ ...state, product_code })];
		await uploadFor(ready);
		await recordPostingFor(ready);
		const files = shop.countFiles();
		for (const order of [waits, ready]) {
			await fulfil(order);
			expect([await shop.getDocuments(order), await shop.getMailKinds(order), await shop.getEventTypes(order)]).toEqual([[], [], []]);
			expect(await shop.getOrder(order.id)).toEqual(order);
		}
		expect([await findRequest(shop.db, waits.id), shop.countFiles()]).toEqual([null, files]);
	}
	await fulfilOrder({ ...shop, issuer }, crypto.randomUUID());
});

test("an issuer that asks the registry by itself is told all of the order, and the request is an event without an operator", async () => {
	const { orders } = await shop.insertPaidPurchase(["express", "express"], { status: "paid" });
	const [, order] = orders as [Order, Order];
	const asked: ExtractRequest[] = [];
	await fulfil(order, {
		...issuer,
		async request(request) {
			asked.push(request);
			return { state: "requested" };
		},
	});
	expect(asked).toEqual([{ orderId: order.id, siren: order.siren, companyName: order.company_name, paidAt: order.paid_at, line: 2 }]);
	expect((await shop.getOrder(order.id)).extract_requested_at).toEqual(shop.now());
	expect((await shop.getEvents(order)).map(({ event_type, payload }) => [event_type, payload])).toEqual([
		["processing", expect.anything()],
		["extract_requested", {}],
	]);
});

test.each(["express", "postal"] as const)(
	"an order (%s) that is cancelled while the issuer is asked is not requested, nor posted",
	async (service) => {
		const { order } = await shop.insertPaidOrder({ status: "paid", product_code: service });
		await uploadFor(order);
		const cancelling: Issuer = {
			...issuer,
			async request() {
				expect(await cancelOrder(shop, order.id, "purchase")).toEqual({ ok: true });
				return { state: "requested" };
			},
			post: () => Promise.reject(new Error("the letter of a cancelled order leaves")),
		};
		await fulfil(order, cancelling);
		expect(await shop.getOrder(order.id)).toMatchObject({ status: "failed", extract_requested_at: null });
		expect([await shop.getEventTypes(order), await shop.getDocuments(order)]).toEqual([["cancelled"], []]);
		expect(await shop.getMailKinds(order)).toEqual(["cancelled"]);
	},
);

describe("an order whose company is changed while the issuer is asked", () => {
	const other = { siren: "542051180" as Siren, company_name: "TOTALENERGIES SE" };
	const changeCompany = (order: Order) => shop.db.updateTable("orders").set(other).where("id", "=", order.id).execute();
	/** Answers about the company that it is asked about, which changes before its first answer to `method`. */
	function changing(order: Order, method: "request" | "result") {
		const asked: string[] = [];
		const changeAt = async (called: string) => {
			if (called === method && asked.length === 1) await changeCompany(order);
		};
		const answering: Issuer = {
			...issuer,
			async request({ siren }) {
				if (method === "request") asked.push(siren);
				await changeAt("request");
				return { state: method === "request" && siren === order.siren ? "not-available" : "requested" };
			},
			async result({ siren }) {
				if (method === "result") asked.push(siren);
				await changeAt("result");
				return { state: "ready", pdf: new TextEncoder().encode(`%PDF-1.7 ${order.id} ${siren}`), issuedAt };
			},
		};
		return { answering, asked };
	}

	test.each(["request", "result"] as const)("gets the extract of its present company (%s)", async (method) => {
		const { order } = await shop.insertPaidOrder({ status: "paid" });
		const { answering, asked } = changing(order, method);
		await fulfil(order, answering);
		expect(asked).toEqual([order.siren, other.siren]);
		expect(await shop.getEventTypes(order)).toEqual(["processing", "extract_requested", "document_issued"]);
		const [document, ...more] = await shop.getDocuments(order);
		expect([new TextDecoder().decode(await shop.storage.get(document?.storage_path ?? "")), more]).toEqual([
			`%PDF-1.7 ${order.id} ${other.siren}`,
			[],
		]);
		expect(await shop.getMailKinds(order)).toEqual(["document-ready"]);
	});
});

test("a request stays unrecorded while the issuer gives no answer about its extract, and is recorded once with it", async () => {
	const { order } = await shop.insertPaidOrder({ status: "paid" });
	await uploadFor(order);
	const requesting: Issuer = { ...issuer, request: async () => ({ state: "requested" }) };
	await expect(fulfil(order, { ...requesting, result: () => Promise.reject(new Error("no answer")) })).rejects.toThrow("no answer");
	expect([(await shop.getOrder(order.id)).status, await shop.getEventTypes(order)]).toEqual(["paid", []]);
	await fulfil(order, requesting);
	expect(await shop.getEventTypes(order)).toEqual(["processing", "extract_requested", "document_issued"]);
});

test("an order that was never paid asks for no extract", async () => {
	const order = await shop.insertOrder({ status: "processing", paid_at: null });
	await expect(fulfil(order)).rejects.toThrow();
	expect(await shop.getEventTypes(order)).toEqual([]);
});

describe("an order without an obtainable extract fails and is refunded in full", () => {
	const refusing = (): Issuer => ({ ...issuer, request: async () => ({ state: "not-available" }) });

	test.each<[string, Partial<Order>, () => Issuer, string]>([
		["the issuer never has one", { status: "paid" }, refusing, "not-available"],
		["the registry has nothing", { status: "processing" }, () => issuer, "not-found"],
	])("%s", async (_what, state, by, failure_reason) => {
		const { order } = await shop.insertPaidOrder(state);
		await enqueueRequest(shop.db, order.id, shop.now());
		await shop.inTransaction((trx) => recordNotFound(trx, order.id, { because: "unknown", now: shop.now() }));
		await fulfil(order, by());
		expect(await shop.getOrder(order.id)).toMatchObject({ status: "failed", failure_reason });
		expect(await shop.getRefunds(order)).toMatchObject([{ reason: "failed", amount_cents: 5900, status: "requested" }]);
		expect([await shop.getMailKinds(order), await shop.getDocuments(order)]).toEqual([["failed"], []]);
	});
});

test("an order whose issuer says that there is no extract, and not why, fails with an unknown reason", async () => {
	const { order } = await shop.insertPaidOrder();
	await fulfil(order, { ...issuer, result: async () => ({ state: "not-found" }) });
	expect((await shop.getEvents(order)).map(({ payload }) => payload)).toEqual([{ reason: "not-found", because: "unknown" }]);
});

describe("an operator who stops an order", () => {
	const stop = (orderId: string, limit: Parameters<typeof stopOrder>[2]["limit"] = null) =>
		stopOrder(shop, orderId, { by: "Ada", cause: "customer-asked", note: "par téléphone", limit });

	test("is its failure, with their name, and a refund with the reason", async () => {
		const { order } = await shop.insertPaidOrder();
		expect(await stop(order.id)).toEqual({ ok: true });
		expect(await shop.getOrder(order.id)).toMatchObject({ status: "failed", failure_reason: "operator" });
		expect((await shop.getEvents(order)).map(({ event_type, payload }) => [event_type, payload])).toEqual([
			["failed", { reason: "operator", by: "Ada" }],
		]);
		expect(await shop.getRefunds(order)).toMatchObject([
			{ reason: "failed", amount_cents: 5900, cause: "customer-asked", note: "par téléphone" },
		]);
		expect(await stop(order.id)).toEqual({ ok: false, code: "not-in-progress" });
		expect(await stop(crypto.randomUUID())).toEqual({ ok: false, code: "not-in-progress" });
	});

	test("needs a second person above the limit, with what went back for its purchase before", async () => {
		const { orders, payment } = await shop.insertPaidPurchase(["express", "express"]);
		const [first, second] = orders as [Order, Order];
		await shop.insertRefund(payment, { order_id: first.id, amount_cents: 1000 });
		const limit = (most: number) => ({ amount: 5900 as Cents, most: most as Cents });
		expect(await stop(second.id, limit(6899))).toEqual({ ok: false, code: "needs-approval" });
		expect(await shop.getOrder(second.id)).toMatchObject({ status: "processing" });
		expect(await stop(second.id, limit(6900))).toEqual({ ok: true });
	});
});

describe("with its extract", () => {
	test("an order by e-mail gets the document once, with its date, and waits for its mail", async () => {
		const { order } = await shop.insertPaidOrder({ status: "paid" });
		await uploadFor(order);
		for (let run = 0; run < 2; run++) await fulfil(order);
		const documents = await shop.getDocuments(order);
		expect(documents).toMatchObject([{ doc_type: "kbis", issued_at: issuedAt, created_at: new Date(start) }]);
		expect(await shop.getMails(order)).toMatchObject([{ kind: "document-ready", document_id: documents[0]?.id }]);
		expect(await shop.getEventTypes(order)).toEqual(["processing", "document_issued"]);
		expect(await shop.getOrder(order.id)).toMatchObject({ status: "processing", completed_at: null });
	});

	test("an order with a second address brings it the same document", async () => {
		const { order } = await shop.insertPaidOrder({ delivery_email: "banque@example.fr" });
		await uploadFor(order);
		await fulfil(order);
		const [document] = await shop.getDocuments(order);
		expect((await shop.getMails(order)).map(({ kind, document_id }) => [kind, document_id])).toEqual([
			["document-ready", document?.id],
			["document-ready-delivery", document?.id],
		]);
	});

	test("an order by post gets no e-mail before its letter is posted, then one with its number", async () => {
		const { order } = await shop.insertPaidOrder({ product_code: "postal" });
		await uploadFor(order);
		await fulfil(order);
		expect([await shop.getEventTypes(order), await shop.getMailKinds(order)]).toEqual([["document_issued"], []]);
		await recordPostingFor(order);
		shop.clock.now = new Date("2026-11-23T15:00:00Z");
		for (let run = 0; run < 2; run++) await fulfil(order);
		expect(await shop.getOrder(order.id)).toMatchObject({
			...{ status: "completed", tracking_number: "6A01234567890", completed_at: new Date("2026-11-23T15:00:00Z") },
		});
		expect([await shop.getEventTypes(order), await shop.getMailKinds(order)]).toEqual([
			["document_issued", "posted", "completed"],
			["posted"],
		]);
		expect((await shop.getEvents(order))[1]?.payload).toEqual({ tracking_number: "6A01234567890" });
	});

	test("a letter is not posted without its extract, even with a number", async () => {
		const { order } = await shop.insertPaidOrder({ product_code: "postal" });
		await recordPostingFor(order);
		await fulfil(order);
		expect([(await shop.getOrder(order.id)).status, await shop.getMailKinds(order)]).toEqual(["processing", ["alert-extract-needed"]]);
	});

	test("a stored document is not requested again: a letter goes on while the issuer is down", async () => {
		const { order } = await shop.insertPaidOrder({ product_code: "postal" });
		await uploadFor(order);
		await fulfil(order);
		await recordPostingFor(order);
		const down: Issuer = { ...issuer, result: () => Promise.reject(new Error("the issuer is down")) };
		await fulfil(order, down);
		expect((await shop.getOrder(order.id)).status).toBe("completed");
		await expect(fulfil((await shop.insertPaidOrder()).order, down)).rejects.toThrow("the issuer is down");
	});

	test.each<[string, Partial<Order>, string[]]>([
		["store it", { status: "processing" }, ["document_issued"]],
		["record its request and store it", { status: "paid" }, ["processing", "extract_requested", "document_issued"]],
	])("two concurrent runs %s once, and neither fails", async (_what, state, events) => {
		const { order } = await shop.insertPaidOrder(state);
		await uploadFor(order);
		const requesting: Issuer = { ...issuer, request: async () => ({ state: "requested" }) };
		// both have found no extract; the first to lock the order stores it, and waits before the commit
		const runs = await whileMailsAreLocked(
			() => fulfil(order, requesting),
			() => fulfil(order, requesting),
		);
		expect(runs.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
		expect(await shop.getDocuments(order)).toHaveLength(1);
		expect([await shop.getEventTypes(order), await shop.getMailKinds(order)]).toEqual([events, ["document-ready"]]);
	});
});

describe("a concurrent cancellation", () => {
	test("during the request of the extract: cancelled, and nothing is delivered", async () => {
		const { order } = await shop.insertPaidOrder();
		await uploadFor(order);
		await shop.whileLocked(order, { after: (trx, locked) => cancelLocked(shop, trx, { order: locked, purchase: [locked] }) }, () =>
			fulfil(order),
		);
		expect([(await shop.getOrder(order.id)).status, await shop.getDocuments(order)]).toEqual(["failed", []]);
		expect([await shop.getEventTypes(order), await shop.getMailKinds(order)]).toEqual([["cancelled"], []]);
		expect(await shop.getRefunds(order)).toMatchObject([{ reason: "cancelled", amount_cents: 5900 }]);
	});

	test("during the posting: cancelled, and no e-mail about the letter", async () => {
		const { order } = await shop.insertPaidOrder({ product_code: "postal" });
		await uploadFor(order);
		await fulfil(order);
		await recordPostingFor(order);
		await shop.whileLocked(order, { after: (trx, locked) => cancelLocked(shop, trx, { order: locked, purchase: [locked] }) }, () =>
			fulfil(order),
		);
		expect(await shop.getOrder(order.id)).toMatchObject({ status: "failed", tracking_number: null, completed_at: null });
		expect([await shop.getEventTypes(order), await shop.getMailKinds(order)]).toEqual([["document_issued", "cancelled"], []]);
	});

	test("after the extract is stored and before the commit: delivered, and too late to cancel", async () => {
		const { order } = await shop.insertPaidOrder();
		await uploadFor(order);
		const [, cancelled] = await whileMailsAreLocked(
			() => fulfil(order),
			() => cancelOrder(shop, order.id, "purchase"),
		);
		expect(cancelled).toEqual({ status: "fulfilled", value: { ok: false, code: "too-late" } });
		expect([(await shop.getOrder(order.id)).status, await shop.getRefunds(order)]).toEqual(["processing", []]);
		expect([await shop.getEventTypes(order), await shop.getMailKinds(order)]).toEqual([["document_issued"], ["document-ready"]]);
	});
});

/**
 * Starts two actions. The second starts when the first waits to insert a mail with its transaction open; both go on when the second
 * waits too or has ended.
 */
async function whileMailsAreLocked(
	first: () => Promise<unknown>,
	second: () => Promise<unknown>,
): Promise<[PromiseSettledResult<unknown>, PromiseSettledResult<unknown>]> {
	const begun: Promise<unknown>[] = [];
	await shop.inTransaction(async (trx) => {
		await sql`lock table mails in share mode`.execute(trx);
		begun.push(first());
		await waitForLock(shop.db, begun[0] as Promise<unknown>);
		begun.push(second());
		await waitForLock(shop.db, begun[1] as Promise<unknown>, 2);
	});
	return Promise.allSettled(begun) as Promise<[PromiseSettledResult<unknown>, PromiseSettledResult<unknown>]>;
}
