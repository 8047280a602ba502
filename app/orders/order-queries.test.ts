import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../server/database/database-types.gen.ts";
import { inContext } from "../../server/observability/request-context.ts";
import { draftOrder } from "../../test/fixtures/drafts.ts";
import { createOrderFixture, type OrderFixture, type OrderValues } from "../../test/orders.ts";
import { cents } from "../catalogue/money.ts";
import { createAccessCookies, readAccessCookies } from "./access-cookie.server.ts";
import {
	anonymiseRequests,
	answerRefundRequest,
	deleteRequests,
	findRefundRequest,
	findWithdrawal,
	insertRefundRequest,
	insertWithdrawal,
	listRefundRequests,
} from "./customer-requests.store.server.ts";
import { anonymiseCustomers, clearNewsletterConsents, deleteOrders } from "./erased-orders.store.server.ts";
import { finalStatuses, inProgressStatuses, isPayable, notFoundReasons, progressSteps } from "./lifecycle.ts";
import { formatExtractCount, type Order, sumPrices } from "./order.ts";
import { countOrdersByState, isDue, isKept, readPromises } from "./order-figures.store.server.ts";
import {
	changeStates,
	findOrder,
	findOrderByReference,
	listFirstOrdersOfCustomer,
	listOrdersOfPurchase,
	lockOrder,
	lockOrderWithPurchase,
	lockPurchase,
	recordEvent,
} from "./orders.store.server.ts";
import { placePurchase, placePurchaseWithinLimits } from "./place-purchase.server.ts";
import { findPurchases, isBoughtWithOthers } from "./purchases.store.server.ts";
import { findRecipient, listOrdersToSameRecipient } from "./recipient.ts";

const hour = 3_600_000;
let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T08:00:00Z" });
});
afterAll(() => shop?.close());

const at = (hours: number) => shop.after(hours * hour);
const insert = async (values: OrderValues = {}) => (await shop.insertPaidOrder(values)).order;
/** The events that were logged for an order. */
const logged = ({ id }: Order) =>
	shop.lines.filter(({ order, event }) => order === id && event !== undefined).map(({ event }) => event as string);

describe("the lines of a purchase", () => {
	test("come in their order, and are counted; a single order has one", async () => {
		const { orders } = await shop.insertPaidPurchase(["express", "standard"], { reference: "2026-114" });
		const [first, second] = orders;
		// the last that was written is read first
		await shop.db.updateTable("orders").set({ failure_reason: "cancelled" }).where("id", "=", first.id).execute();
		expect((await listOrdersOfPurchase(shop.db, first.id)).map(({ id }) => id)).toEqual([first.id, second?.id]);
		const single = await insert();
		expect(await listOrdersOfPurchase(shop.db, single.id)).toEqual([single]);
		expect([await isBoughtWithOthers(shop.db, first), await isBoughtWithOthers(shop.db, single)]).toEqual([true, false]);
		expect(await findPurchases(shop.db, [first.id, first.id, single.id, randomUUID()])).toEqual(
			new Map([
				[first.id, { number: first.order_number, lines: 2 }],
				[single.id, { number: single.order_number, lines: 1 }],
			]),
		);
		expect((await findPurchases(shop.db, [first.id])).size).toBe(1);
		expect(await findPurchases(shop.db, [])).toEqual(new Map());
	});

	test("go to the same second address when it is written in another way", async () => {
		const order = (delivery_email: string | null, values: OrderValues = {}) =>
			shop.insertOrder({ customer_email: "ada@example.fr", delivery_email, ...values });
		const bob = await order("bob@example.fr");
		const [same, none, own, posted, other] = [
			await order(" Bob@Example.fr"),
			await order(null),
			await order("ADA@example.fr"),
			await order("bob@example.fr", { product_code: "postal" }),
			await order("eve@example.fr"),
		];
		expect([bob, same, none, own, posted].map(findRecipient)).toEqual(["bob@example.fr", " Bob@Example.fr", null, null, null]);
		const all = [bob, same, none, own, posted, other];
		expect(listOrdersToSameRecipient(bob, all)).toEqual([bob, same]);
		expect(listOrdersToSameRecipient(none, all)).toEqual([]);
	});

	test("cost the sum of their prices, and are counted in words", async () => {
		const { orders } = await shop.insertPaidPurchase(["express", "standard"]);
		expect(sumPrices(orders)).toBe(9800);
		expect([1, 2].map(formatExtractCount)).toEqual(["1 extrait", "2 extraits"]);
	});
});

describe("an order", () => {
	test("that changes its state with others comes in the order of the lines, whichever was written last", async () => {
		const { orders } = await shop.insertPaidPurchase(["express", "express", "express"], { status: "paid" });
		const [first] = orders;
		await shop.db.updateTable("orders").set({ reference: "2026-114" }).where("id", "=", first.id).execute();
		const ids = orders.map(({ id }) => id);
		await shop.inTransaction(async (trx) => {
			// an index may give the lines in their order
			await sql`set local enable_indexscan = off`.execute(trx);
			await sql`set local enable_bitmapscan = off`.execute(trx);
			expect((await listOrdersOfPurchase(trx, first.id)).map(({ id }) => id)).toEqual(ids);
			expect((await lockPurchase(trx, first.id)).map(({ id }) => id)).toEqual(ids);
			const changed = await changeStates(trx, ids.toReversed(), "processing", { now: at(0) });
			expect(changed.map(({ id }) => id)).toEqual(ids);
		});
	});

	test("that is read, locked or placed is named by what is logged afterwards", async () => {
		const order = await insert();
		const { orders } = await shop.insertPaidPurchase(["express", "express"]);
		const [first] = orders;
		const reads: [() => Promise<unknown>, string][] = [
			[() => findOrder(shop.db, order.id), order.id],
			[() => findOrderByReference(shop.db, { number: order.order_number }), order.id],
			[() => shop.inTransaction((trx) => lockOrder(trx, order.id)), order.id],
			[() => shop.inTransaction((trx) => lockPurchase(trx, first.id)), first.id],
			[() => shop.inTransaction((trx) => lockOrderWithPurchase(trx, first.id)), first.id],
		];
		for (const [read, id] of reads) {
			await inContext({}, async () => {
				await read();
				shop.log.info("after the order");
			});
			expect(shop.lines.at(-1)).toMatchObject({ msg: "after the order", order: id });
		}
		await inContext({}, async () => {
			const placed = await shop.inTransaction((trx) => placePurchase(trx, [draftOrder("express")], { key: null, terms: null, now: at(0) }));
			shop.log.info("after the order");
			expect(shop.lines.at(-1)).toMatchObject({ order: placed.ok && placed.orders[0].id });
		});
	});

	test("has its events logged with what is no personal data", async () => {
		const order = await insert();
		const shown = {
			service: "express",
			amount: 1,
			reason: "late",
			surplus: true,
			document_id: "d",
			kind: "late",
			status: "won",
			promised_at: "p",
		};
		const record = (payload: JsonObject) =>
			shop.inTransaction((trx) => recordEvent(trx, { orderId: order.id, type: "refunded", payload, now: at(0) }));
		const last = () => shop.lines.findLast(({ event, order: id }) => event === "refunded" && id === order.id) ?? {};
		await record({ ...shown, tracking_number: "1A1", before: "ada@example.fr" });
		expect(last()).toMatchObject(shown);
		expect(JSON.stringify(last())).not.toMatch(/1A1|ada@/);
		await record({ amount: 2 });
		expect(Object.keys(last()).filter((name) => name in shown)).toEqual(["amount"]);
	});
});

test("the first orders of a customer's purchases come newest first, without erased, old and long unpaid ones", async () => {
	const customer_email = "lea@example.fr";
	const order = (hours: number, values: OrderValues = {}) =>
		insert({ customer_email: "Lea@Example.fr", created_at: at(hours), paid_at: at(hours), ...values });
	const [b, a] = ["00000000-0000-4000-8000-00000000000b", "00000000-0000-4000-8000-00000000000a"];
	await order(2, { id: b });
	await order(2, { id: a });
	const newest = await order(3);
	const unpaid = await order(1, { paid_at: null });
	const paid = await order(0.5);
	await order(4, { erased_at: at(5) });
	await order(4, { customer_email: "autre@example.fr" });
	await order(-1);
	const { orders } = await shop.insertPaidPurchase(["express", "express"], { customer_email, created_at: at(0) });
	const list = async (options: { limit?: number; unpaidSince?: Date } = {}) =>
		(await listFirstOrdersOfCustomer(shop.db, " LEA@example.fr", { since: at(0), limit: 10, ...options })).map(({ id }) => id);
	expect(await list()).toEqual([newest.id, a, b, unpaid.id, paid.id, orders[0].id]);
	expect(await list({ unpaidSince: at(1) })).toEqual([newest.id, a, b, unpaid.id, paid.id, orders[0].id]);
	expect(await list({ unpaidSince: at(1.1) })).toEqual([newest.id, a, b, paid.id, orders[0].id]);
	expect(await list({ limit: 2 })).toEqual([newest.id, a]);
});

describe("the figures", () => {
	test("count the orders of each state, and of final ones those of the last day", async () => {
		const count = async () => {
			const rows = await shop.inTransaction((trx) => countOrdersByState(trx, at(1000)));
			return new Map(rows.map(({ status, orders }) => [status, orders]));
		};
		const before = await count();
		await shop.insertOrder({ created_at: at(0) });
		await insert({ status: "paid", created_at: at(0) });
		await insert({ created_at: at(0) });
		await insert({ status: "completed", created_at: at(976) });
		await insert({ status: "completed", created_at: new Date(at(976).getTime() + 1) });
		await insert({ status: "failed", created_at: at(999) });
		const after = await count();
		const added = ["pending", "paid", "processing", "completed", "failed"] as const;
		expect(added.map((status) => (after.get(status) ?? 0) - (before.get(status) ?? 0))).toEqual([1, 1, 1, 1, 1]);
	});

	test("have the next deadline of each service with orders in progress, and how many are late", async () => {
		await shop.db.updateTable("orders").set({ status: "completed" }).execute();
		const promise = (hours: number | null, values: OrderValues = {}) =>
			insert({ promised_at: hours === null ? null : at(hours), ...values });
		await promise(3, { status: "paid" });
		await promise(-1);
		await promise(0);
		await promise(null, { product_code: "standard" });
		await promise(-5, { status: "completed", product_code: "postal" });
		expect(await shop.inTransaction((trx) => readPromises(trx, at(0)))).toEqual([{ service: "express", seconds: -3600, late: 1 }]);
	});

	test("count a promise once it is delivered or has passed, and as kept when it was never late", async () => {
		const read = async (values: OrderValues) => {
			const { id } = await insert({ promised_at: at(1), ...values });
			const { rows } = await sql<{ due: boolean; kept: boolean }>`
				select ${isDue(at(1))} as due, ${isKept} as kept from orders where id = ${id}`.execute(shop.db);
			return [rows[0]?.due, rows[0]?.kept];
		};
		expect(await read({})).toEqual([true, false]);
		expect(await read({ promised_at: new Date(at(1).getTime() + 1) })).toEqual([false, false]);
		expect(await read({ status: "completed", promised_at: at(9) })).toEqual([true, true]);
		expect(await read({ status: "completed", late_at: at(1) })).toEqual([true, false]);
		expect(await read({ status: "failed" })).toEqual([false, false]);
	});
});

describe("a customer's request", () => {
	const answer = (order: Order, granted: boolean) =>
		shop.inTransaction((trx) => answerRefundRequest(trx, order.id, { granted, answer: "Non.", now: at(2) }));

	test("is answered once, and its texts can be blanked; another order keeps its own", async () => {
		const [order, other] = [await insert(), await insert()];
		expect([await findRefundRequest(shop.db, order.id), await answer(order, true)]).toEqual([null, false]);
		expect(logged(order)).not.toContain("refund_request_answered");
		const ask = (of: Order, message: string, hours: number) =>
			shop.inTransaction((trx) => insertRefundRequest(trx, of.id, message, at(hours)));
		const first = await ask(order, "Un", 1);
		await ask(other, "Autre", 1);
		expect(await answer(order, false)).toBe(true);
		expect(await answer(order, true)).toBe(false);
		expect(logged(order).filter((event) => event === "refund_request_answered")).toHaveLength(1);
		const second = await ask(order, "Deux", 0.5);
		expect((await findRefundRequest(shop.db, order.id))?.id).toBe(first);
		expect((await listRefundRequests(shop.db, order.id)).map(({ id }) => id)).toEqual([second, first]);
		expect((await listRefundRequests(shop.db, order.id))[1]).toEqual({
			...{ id: first, order_id: order.id, message: "Un", created_at: at(1), decided_at: at(2), granted: false, answer: "Non." },
		});
		expect(await findRefundRequest(shop.db, other.id)).toMatchObject({ message: "Autre", decided_at: null, granted: null });
		await shop.inTransaction((trx) => anonymiseRequests(trx, [order.id]));
		expect(await listRefundRequests(shop.db, order.id)).toMatchObject([
			{ message: "", answer: null },
			{ message: "", answer: null },
		]);
		expect(await findRefundRequest(shop.db, other.id)).toMatchObject({ message: "Autre" });
	});

	test("to withdraw is stored and logged, and both are deleted with their order alone", async () => {
		const [order, other] = [await insert(), await insert()];
		for (const { id: orderId } of [order, other])
			await shop.inTransaction(async (trx) => {
				await insertRefundRequest(trx, orderId, "?", at(1));
				const withdrawal = { declarationId: randomUUID(), orderId, declaredAt: at(1), outcome: "refused", reason: "Trop tard." } as const;
				await insertWithdrawal(trx, { ...withdrawal, refund: cents(0) });
			});
		expect(await findWithdrawal(shop.db, order.id)).toMatchObject({
			...{ order_id: order.id, declared_at: at(1), outcome: "refused", reason: "Trop tard." },
		});
		expect(logged(order)).toContain("withdrawal");
		expect(shop.lines.find(({ event, order: id }) => event === "withdrawal" && id === order.id)).toMatchObject({ outcome: "refused" });
		await shop.inTransaction((trx) => deleteRequests(trx, [order.id]));
		expect([await findWithdrawal(shop.db, order.id), await findRefundRequest(shop.db, order.id)]).toEqual([null, null]);
		expect([await findWithdrawal(shop.db, other.id), await findRefundRequest(shop.db, other.id)]).toMatchObject([{}, {}]);
	});
});

describe("an erasure", () => {
	const personal = {
		...{ customer_email: "ada@example.fr", first_name: "Ada", last_name: "Lovelace", reference: "2026-114", phone: "0612345678" },
		...{ address: "1 rue", postal_code: "75002", city: "Paris", billing_company: "DUPONT", billing_siren: "552032534", billing_vat: "FR" },
		...{ delivery_name: "Bob", delivery_complement: "B", delivery_address: "2 rue", delivery_postal_code: "75001", delivery_city: "Paris" },
		...{ delivery_email: "bob@example.fr", newsletter: true, tracking_number: "1A1", idempotency_key: "key", request_hash: "hash" },
	};

	test("blanks each personal column of its orders and the texts of their history", async () => {
		const order = await insert(personal);
		const other = await insert({ ...personal, idempotency_key: "another" });
		for (const { id: orderId } of [order, other])
			for (const [type, payload] of [
				["posted", { tracking_number: "1A1", again: true }],
				["tracking_corrected", { tracking_number: "1A1", replaces: "1A2", because: "Ada", by: "Grace" }],
				["address_corrected", { before: "ada@example.fr", by: "Grace" }],
				["failed", { because: "removed", before: 1 }],
			] as const)
				await shop.inTransaction((trx) => recordEvent(trx, { orderId, type, payload, now: at(0) }));
		await shop.inTransaction((trx) => anonymiseCustomers(trx, [order.id], at(1)));
		const erased = await shop.getOrder(order.id);
		const blank = Object.fromEntries(Object.keys(personal).map((name) => [name, null]));
		expect(erased).toEqual({
			...{ ...order, ...blank, erased_at: at(1), newsletter: false },
			...{ customer_email: "", first_name: "", last_name: "", request_hash: "" },
		});
		expect((await shop.getEvents(order)).map(({ payload }) => payload)).toEqual([
			...[{ again: true }, { by: "Grace" }, { by: "Grace" }, { because: "removed", before: 1 }],
		]);
		expect(await shop.getOrder(other.id)).toEqual(other);
		expect((await shop.getEvents(other))[2]?.payload).toEqual({ before: "ada@example.fr", by: "Grace" });
		expect(logged(order)).toContain("erased");
	});

	test("deletes orders with their events, and no others", async () => {
		const [order, other] = [await shop.insertOrder(), await shop.insertOrder()];
		for (const { id: orderId } of [order, other])
			await shop.inTransaction((trx) => recordEvent(trx, { orderId, type: "created", now: at(0) }));
		await shop.inTransaction((trx) => deleteOrders(trx, [order.id]));
		await expect(shop.getOrder(order.id)).rejects.toThrow();
		expect([await shop.getEvents(order), (await shop.getEvents(other)).length]).toEqual([[], 1]);
		expect(logged(order)).toContain("deleted");
	});

	test("of consents clears those before a day, and counts them", async () => {
		const consent = (hours: number, newsletter = true) => shop.insertOrder({ newsletter, created_at: at(hours) });
		await shop.db.updateTable("orders").set({ newsletter: false }).execute();
		const [old, recent] = [await consent(-2), await consent(-1)];
		await consent(-2, false);
		expect(await clearNewsletterConsents(shop.db, at(-1))).toBe(1);
		const read = async ({ id }: Order) => (await shop.getOrder(id)).newsletter;
		expect([await read(old), await read(recent)]).toEqual([false, true]);
	});
});

test("beyond the orders of an hour, a tenth of them, rounded down, is left to customers without any", async () => {
	await sql`delete from rate_limits`.execute(shop.db);
	const place = async (client: string, email: string) => {
		const options = { key: null, terms: null, client, limits: { client: 50, mailbox: 50, shop: 19 }, now: at(0) };
		const placed = await shop.inTransaction((trx) => placePurchaseWithinLimits(shop, trx, [draftOrder("express", { email })], options));
		return placed.ok || placed.code;
	};
	for (let n = 0; n < 19; n++) expect(await place("one", "one@example.fr"), `${n}`).toBe(true);
	expect(await place("one", "one@example.fr")).toBe("limited");
	expect(await place("two", "two@example.fr")).toBe(true);
	expect(await place("three", "three@example.fr")).toBe("limited");
});

test("a cookie opens one page and its data, and on https it is sent by https alone", () => {
	const shown = { page: "/suivi/KB-1", token: "token", lifetime: 60 };
	const create = (baseUrl: string, options: object = {}) =>
		createAccessCookies({ environment: { ...shop.environment, baseUrl } }, "tracking", { ...shown, ...options });
	const rest = "HttpOnly; SameSite=Lax";
	expect(create("http://localhost")).toEqual([
		`suivi=token; Max-Age=60; Path=/suivi/KB-1; ${rest}`,
		`suivi=token; Max-Age=60; Path=/suivi/KB-1.data; ${rest}`,
	]);
	expect(create("https://shop.example", { withData: false })).toEqual([
		`__Secure-suivi=token; Max-Age=60; Path=/suivi/KB-1; HttpOnly; Secure; SameSite=Lax`,
	]);
	const read = (cookie: string | null, kind: "tracking" | "confirmation" = "tracking") =>
		readAccessCookies(shop, kind, new Request("http://localhost", cookie === null ? {} : { headers: { cookie } }));
	expect([read("a=1; suivi=token"), read("suivi=token", "confirmation"), read("xsuivi=token"), read(null)]).toEqual([
		["token"],
		[],
		[],
		[],
	]);
	// a neighbouring host of the domain may set one too
	expect(read("suivi=other; a=1; suivi=token")).toEqual(["other", "token"]);
});

test("an order is payable until it is paid, set aside or erased, and again after it has expired", () => {
	const usual = { status: "pending", failure_reason: null, paid_at: null, set_aside_at: null, erased_at: null } as const;
	const may = (values: Partial<Parameters<typeof isPayable>[0]>) => isPayable({ ...usual, ...values });
	expect(may({})).toBe(true);
	expect(may({ status: "failed", failure_reason: "expired" })).toBe(true);
	expect(may({ status: "failed", failure_reason: "cancelled" })).toBe(false);
	for (const name of ["paid_at", "set_aside_at", "erased_at"]) expect(may({ [name]: new Date(0) }), name).toBe(false);
	expect([inProgressStatuses, finalStatuses]).toEqual([
		["paid", "processing"],
		["completed", "failed"],
	]);
	expect(progressSteps).toEqual({
		email: ["Reçu", "En traitement", "Prêt", "Livré"],
		postal: ["Reçu", "En traitement", "Prêt", "Posté"],
	});
	expect(notFoundReasons).toEqual(["removed", "wrong-siren", "no-kbis", "unknown"]);
});
