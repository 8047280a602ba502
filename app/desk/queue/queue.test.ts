import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createOrderFixture, type OrderFixture, type OrderValues } from "../../../test/orders.ts";
import { serviceCodes } from "../../catalogue/services.ts";
import { claimNext } from "../../fulfilment/claims/claim-order.server.ts";
import type { Order } from "../../orders/order.ts";
import { recordEvent } from "../../orders/orders.store.server.ts";
import { type Cursor, countQueue, listHolders, listOrdersToPost, listOrdersToServe, listWaiting } from "./queue.store.server.ts";
import { queueLists, waitingLabels } from "./queue-lists.ts";

const minute = 60_000;
let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T08:00:00Z" });
});
afterAll(() => shop?.close());
afterEach(async () => {
	const { db } = shop;
	for (const table of ["order_claims", "refund_requests", "mails", "refunds", "payments", "documents", "extract_requests"] as const)
		await db.deleteFrom(table).execute();
	await db.deleteFrom("order_events").execute();
	await db.deleteFrom("orders").execute();
});

const waiting = async (minutes: number, values: OrderValues = {}) =>
	(await shop.insertPaidOrder({ promised_at: shop.after(minutes * minute), ...values })).order;

const page = {
	after: null,
	limit: 100,
	get now() {
		return shop.now();
	},
};
const serve = async (services = serviceCodes as readonly (typeof serviceCodes)[number][]) =>
	(await listOrdersToServe(shop.db, { ...page, services })).map(({ id }) => id);
const waitingReasons = async () => (await listWaiting(shop.db, page)).map(({ order_number, reason }) => [order_number, reason]);

/** Inserts the request of an order whose extract was uploaded. */
const uploaded = ({ id }: { id: string }, trackingNumber: string | null = null) =>
	shop.db
		.insertInto("extract_requests")
		.values({ order_id: id, requested_at: shop.start, uploaded_at: shop.start, issued_at: shop.start, tracking_number: trackingNumber })
		.execute();

describe("the orders to serve", () => {
	test("come by promise, express first at the same instant, each with its holder", async () => {
		const later = await waiting(90);
		const standard = await waiting(30, { product_code: "standard" });
		const express = await waiting(30);
		const claimed = await claimNext(shop, { id: "ada", name: "Ada" });
		const listed = await listOrdersToServe(shop.db, { ...page, services: serviceCodes });
		expect(listed.map(({ id, operator_name }) => [id, operator_name])).toEqual([
			[express.id, "Ada"],
			[standard.id, null],
			[later.id, null],
		]);
		expect(claimed?.order.id).toBe(express.id);
		expect(listed[0]?.due_at).toEqual(shop.after(30 * minute));
	});

	test("are those of the tab's services, without what is not owed, has its extract or waits for a person", async () => {
		const express = await waiting(30);
		await waiting(30, { product_code: "standard" });
		await waiting(30, { status: "completed" });
		await waiting(30, { disputed_at: shop.start });
		await waiting(30, { refunded_cents: 5900 });
		await uploaded(await waiting(30));
		await shop.insertDocument(await waiting(30));
		expect(await serve(queueLists.express.services)).toEqual([express.id]);
	});

	test("are paged without a gap or a repetition, also among many of one instant", async () => {
		const orders = await Promise.all(
			Array.from({ length: 11 }, (_, index) => waiting(index < 8 ? 30 : 40, { product_code: index % 2 ? "express" : "standard" })),
		);
		const seen: string[] = [];
		let after: Cursor | null = null;
		for (;;) {
			const rows: Awaited<ReturnType<typeof listOrdersToServe>> = await listOrdersToServe(shop.db, {
				now: shop.now(),
				services: serviceCodes,
				after,
				limit: 3,
			});
			const last = rows.at(-1);
			if (!last) break;
			seen.push(...rows.map(({ id }) => id));
			after = { instant: last.cursor_instant, rank: last.cursor_rank, id: last.id };
		}
		expect(seen).toEqual(await serve());
		expect(new Set(seen)).toEqual(new Set(orders.map(({ id }) => id)));
	});
});

test("the orders to post have their extract and no tracking number, or a replaced extract", async () => {
	const letter = await waiting(60, { product_code: "postal" });
	await uploaded(letter);
	await uploaded(await waiting(60, { product_code: "postal" }), "1A23456789012");
	await waiting(60, { product_code: "postal" });
	await uploaded(await waiting(60));
	const again = await waiting(10, { product_code: "postal", status: "completed" });
	const done = await waiting(10, { product_code: "postal", status: "completed" });
	for (const order of [again, done])
		for (const type of ["posted", "extract_replaced"] as const)
			await shop.inTransaction((trx) =>
				recordEvent(trx, { orderId: order.id, type, payload: type === "posted" ? {} : { post: true }, now: shop.now() }),
			);
	await shop.inTransaction((trx) => recordEvent(trx, { orderId: done.id, type: "posted", now: shop.now() }));
	expect((await listOrdersToPost(shop.db, page)).map(({ id }) => id)).toEqual([again.id, letter.id]);
});

describe("what waits for a person", () => {
	test("a mismatched payment is listed until it is fully refunded", async () => {
		const orders = await Promise.all([1, 2, 3, 4].map(() => shop.insertOrder()));
		const roles = ["mismatch", "mismatch", "surplus", "mismatch"] as const;
		const [paying, part, , refunded] = await Promise.all(orders.map((order, at) => shop.insertPayment(order, { role: roles[at] })));
		if (!paying || !part || !refunded) throw new Error("not paid");
		await shop.insertRefund(paying, { status: "requested", settled_at: null });
		await shop.insertRefund(part, { amount_cents: 5899 });
		await shop.insertRefund(refunded);
		const listed = (await waitingReasons()).filter(([, reason]) => reason === "mismatch").map(([number]) => number);
		expect(listed.sort()).toEqual([orders[0]?.order_number, orders[1]?.order_number].sort());
	});

	test("is each request, mismatched payment, bounce, returned refund, dispute and refunded open order, with its reason", async () => {
		const asked = await waiting(10, { status: "completed" });
		await shop.db
			.insertInto("refund_requests")
			.values({ id: asked.id, order_id: asked.id, message: "?", created_at: shop.after(1) })
			.execute();
		const mismatched = await shop.insertOrder({ status: "pending" });
		await shop.insertPayment(mismatched, { role: "mismatch", created_at: shop.after(2) });
		const bounced = await waiting(10, { status: "completed" });
		const mail = { order_id: bounced.id, created_at: shop.start, bounced_at: shop.after(3), bounce_reason: "550" };
		await shop.db
			.insertInto("mails")
			.values([
				{ id: bounced.id, kind: "document-ready", ...mail },
				{ id: asked.id, kind: "alert-bounce", ...mail },
			])
			.execute();
		const { order: returned, payment } = await shop.insertPaidOrder({ status: "failed" });
		await shop.insertRefund(payment, { status: "failed", requested_at: shop.after(4) });
		const { order: held, payment: late } = await shop.insertPaidOrder({ late_at: shop.start, status: "completed" });
		await shop.insertRefund(late, {
			reason: "late",
			status: "requested",
			held_until: shop.after(minute),
			requested_at: shop.after(5),
			settled_at: null,
		});
		const approved = await waiting(10, { status: "completed" });
		await shop.db
			.insertInto("desk_acts")
			.values({
				...{ key: "refund", act: "refund", order_id: approved.id, operator_id: approved.id, operator_name: "Ada", origin: "test" },
				...{ requested_at: shop.after(6), needs_approval: true },
			})
			.execute();
		const disputed = await waiting(10, { disputed_at: shop.after(7) });
		const refunded = await waiting(10, { refunded_cents: 5900, paid_at: shop.after(8) });
		expect(await waitingReasons()).toEqual([
			[asked.order_number, "refund-request"],
			[mismatched.order_number, "mismatch"],
			[bounced.order_number, "bounce"],
			[returned.order_number, "refund-returned"],
			[held.order_number, "refund-held"],
			[approved.order_number, "approval"],
			[disputed.order_number, "dispute"],
			[refunded.order_number, "refunded"],
		]);
		expect((await waitingReasons()).map(([, reason]) => reason).sort()).toEqual(Object.keys(waitingLabels).sort());
		expect(await countQueue(shop.db, shop.now(), [])).toMatchObject({ waiting: 8, toServe: 0 });
	});

	test("is a disputed purchase once, at its first order, and a returned refund of each of its orders until that order is refunded again", async () => {
		const { orders, payment } = await shop.insertPaidPurchase(["express", "standard"], { status: "completed", disputed_at: shop.after(1) });
		const [first, second] = orders as [Order, Order];
		await shop.insertRefund(payment, { order_id: second.id, amount_cents: 100, status: "failed", requested_at: shop.after(2) });
		// another order's refund of the same payment
		await shop.insertRefund(payment, { order_id: first.id, amount_cents: 100, requested_at: shop.after(3) });
		expect(await waitingReasons()).toEqual([
			[first.order_number, "dispute"],
			[second.order_number, "refund-returned"],
		]);
		await shop.insertRefund(payment, { order_id: second.id, amount_cents: 100, requested_at: shop.after(4) });
		expect(await waitingReasons()).toEqual([[first.order_number, "dispute"]]);
	});

	test("is no more what somebody has dealt with", async () => {
		const { order, payment } = await shop.insertPaidOrder({ status: "completed" });
		await shop.db
			.insertInto("refund_requests")
			.values({ id: order.id, order_id: order.id, message: "?", created_at: shop.start, decided_at: shop.start, granted: true })
			.execute();
		await shop.insertRefund(payment, { status: "failed", amount_cents: 100, requested_at: shop.after(-10) });
		await shop.insertRefund(payment, { status: "succeeded", requested_at: shop.after(0) });
		const mismatch = await shop.insertPayment(order, { role: "mismatch" });
		await shop.insertRefund(mismatch);
		await shop.insertPaidOrder({ refunded_cents: 5900, late_at: shop.start, status: "completed" });
		await shop.db.updateTable("desk_acts").set({ undone_at: shop.start }).execute();
		expect(await waitingReasons()).toEqual([]);
	});
});

test("the counters count each list, the late ones, and what is promised by each hour", async () => {
	await waiting(-5);
	await waiting(60);
	await waiting(120, { product_code: "standard" });
	await waiting(600, { product_code: "postal" });
	await uploaded(await waiting(60, { product_code: "postal" }));
	const counts = await countQueue(shop.db, shop.now(), [shop.after(60 * minute), shop.after(240 * minute)]);
	expect(counts).toEqual({ toServe: 4, express: 2, standard: 1, postal: 1, late: 1, by: [2, 3], toPost: 1, waiting: 0 });
});

test("the holders are those with a claim that has not run out", async () => {
	const [first, second] = [await waiting(10), await waiting(20)];
	await claimNext(shop, { id: "ada", name: "Ada" });
	await claimNext(shop, { id: "ada", name: "Ada" });
	const holders = await listHolders(shop.db, shop.now());
	expect(holders).toMatchObject([
		{ operator_id: "ada", operator_name: "Ada", orders: [{ number: first.order_number }, { number: second.order_number }] },
	]);
	expect(await listHolders(shop.db, shop.after(20 * minute))).toEqual([]);
});
