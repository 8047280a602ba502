import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Trx } from "../../server/database/database.ts";
import { draftOrder } from "../../test/fixtures/drafts.ts";
import { createOrderFixture, type OrderFixture } from "../../test/orders.ts";
import { sumPrices } from "./order.ts";
import {
	changeStates,
	findOrderByKey,
	listOrdersOfPurchase,
	lockOrder,
	lockOrderWithPurchase,
	lockPurchase,
} from "./orders.store.server.ts";
import { placePurchase, placePurchaseWithinLimits } from "./place-purchase.server.ts";

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T09:00:00Z" });
});
beforeEach(() => {
	shop.clock.now = shop.start;
});
afterAll(() => shop?.close());

const drafts = [
	draftOrder("standard", { reference: "dossier 1" }),
	draftOrder("postal"),
	draftOrder("express", { reference: "dossier 3" }),
];
const place = (wanted = drafts, key: string | null = null) =>
	shop.inTransaction((trx) => placePurchase(trx, wanted, { key, terms: null, now: shop.start }));

async function placed(wanted = drafts, key: string | null = null) {
	const outcome = await place(wanted, key);
	if (!outcome.ok) throw new Error(outcome.code);
	return outcome.orders;
}

describe("a purchase of several orders", () => {
	test("has an order for each draft, in their order, each with its number and its first event", async () => {
		const orders = await placed(drafts, "three orders");
		const [first] = orders;
		expect(orders.map(({ purchase_line, product_code, reference }) => [purchase_line, product_code, reference])).toEqual([
			[1, "standard", "dossier 1"],
			[2, "postal", null],
			[3, "express", "dossier 3"],
		]);
		expect(sumPrices(orders)).toBe(3900 + 4400 + 5900);
		expect(new Set(orders.map(({ order_number }) => order_number)).size).toBe(3);
		expect(orders.map(({ purchase_id }) => purchase_id)).toEqual(Array(3).fill(first.id));
		expect(orders.map(({ idempotency_key }) => idempotency_key)).toEqual(["three orders", null, null]);
		expect(new Set(orders.map(({ request_hash }) => request_hash)).size).toBe(1);
		for (const order of orders)
			expect(await shop.getEvents(order)).toEqual([
				{ event_type: "created", payload: { service: order.product_code }, created_at: shop.start },
			]);
		expect(await listOrdersOfPurchase(shop.db, first.id)).toEqual(orders);
	});

	test("is placed once per key, also by concurrent requests; other drafts are refused under its key", async () => {
		const key = "one purchase";
		const outcomes = await Promise.all(Array.from({ length: 5 }, () => place(drafts, key)));
		const [one] = outcomes;
		expect(outcomes.filter((outcome) => outcome.ok && outcome.isNew)).toHaveLength(1);
		for (const outcome of outcomes) expect(outcome).toMatchObject({ ok: true, orders: one?.ok && one.orders });
		const otherReference = drafts.map((draft) => ({ ...draft, reference: "other" }));
		for (const others of [drafts.slice(0, 1), drafts.slice(0, 2), [...drafts, ...drafts], drafts.toReversed(), otherReference])
			expect(await place(others, key)).toEqual({ ok: false, code: "key-reused" });
		const first = await findOrderByKey(shop.db, key);
		expect(await listOrdersOfPurchase(shop.db, first?.id ?? "")).toHaveLength(3);
	});

	test("without a key is placed each time; without drafts it is a bug", async () => {
		expect((await placed())[0].id).not.toBe((await placed())[0].id);
		await expect(place([])).rejects.toThrow("a purchase has at least one order");
	});

	test("takes one point of each limit, and none when its key is repeated", async () => {
		const limits = { client: 2, mailbox: 5, shop: 20 };
		const within = (key: string) =>
			shop.inTransaction((trx) =>
				placePurchaseWithinLimits(shop, trx, drafts, { key, terms: null, client: "a client", limits, now: shop.start }),
			);
		for (const key of ["a", "a", "b", "b"]) expect(await within(key)).toMatchObject({ ok: true });
		expect(await within("c")).toMatchObject({ ok: false, code: "limited", by: "client" });
		expect(await within("a")).toMatchObject({ ok: true, isNew: false });
	});

	test("changes its states together: those to which the transition applies, in the order of the lines", async () => {
		const [first, second, third] = await placed();
		const ids = [third, first, second].flatMap((order) => order?.id ?? []);
		const change = (transition: "paid" | "expired" | "failed", only = ids) =>
			shop.inTransaction((trx) =>
				changeStates(trx, only, transition, { set: { failure_reason: "expired" }, payload: { reason: "test" }, now: shop.start }),
			);
		expect((await change("expired", ids.slice(2))).map(({ id }) => id)).toEqual([second?.id]);
		expect((await change("expired")).map(({ purchase_line, status }) => [purchase_line, status])).toEqual([
			[1, "failed"],
			[3, "failed"],
		]);
		expect(await change("expired")).toEqual([]);
		expect(await change("expired", [])).toEqual([]);
		for (const id of ids) expect(await shop.getEventTypes({ id })).toEqual(["created", "expired"]);
	});
});

describe("the locks of a purchase", () => {
	test("are of all its orders and of no other, in the order of the lines", async () => {
		const orders = await placed();
		const [other] = await placed();
		await shop.inTransaction(async (trx) => {
			expect((await lockPurchase(trx, orders[0].id)).map(({ id }) => id)).toEqual(orders.map(({ id }) => id));
			const found = await shop.inTransaction((elsewhere) => lockOrder(elsewhere, other.id));
			expect(found?.id).toBe(other.id);
		});
	});

	test("are none for an unknown purchase, and for an order that is not the first of its purchase", async () => {
		const [, second] = await placed();
		await shop.inTransaction(async (trx) => {
			expect(await lockPurchase(trx, crypto.randomUUID())).toEqual([]);
			expect(await lockPurchase(trx, second?.id ?? "")).toEqual([]);
			expect(await lockOrderWithPurchase(trx, crypto.randomUUID())).toBeNull();
		});
	});

	test("wait for the lock of one order, and read it as it is then", async () => {
		const [first, , third] = await placed();
		const lock = (trx: Trx) => lockOrderWithPurchase(trx, first.id);
		const read = await shop.whileLocked(
			{ id: third?.id ?? "" },
			{ after: (trx) => changeStates(trx, [third?.id ?? ""], "paid", { now: shop.start }) },
			() => shop.inTransaction(lock),
		);
		expect(read?.order.id).toBe(first.id);
		expect(read?.purchase.map(({ status }) => status)).toEqual(["pending", "pending", "paid"]);
	});

	test("let transactions wait for each other's end, whichever orders they came by", async () => {
		const orders = await placed([...drafts, ...drafts]);
		const work = (id: string) => shop.inTransaction(async (trx) => (await lockOrderWithPurchase(trx, id))?.purchase.length);
		const [first = "", ...others] = orders.map(({ id }) => id);
		const lengths = await shop.whileLocked({ id: first }, {}, () => Promise.all(others.map(work)));
		expect(lengths).toEqual(Array(5).fill(6));
	});
});
