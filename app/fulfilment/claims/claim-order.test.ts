import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { extractLines, generatePdf } from "../../../test/fixtures/pdf.ts";
import { createOrderFixture, type OrderFixture, type OrderValues } from "../../../test/orders.ts";
import type { Cents } from "../../catalogue/money.ts";
import { setPace } from "../../catalogue/settings/change-settings.server.ts";
import type { Order } from "../../orders/order.ts";
import { changeState } from "../../orders/orders.store.server.ts";
import { uploadExtract } from "../upload-extract.server.ts";
import { checkClaim, claimNext, claimOrder, releaseOrder, takeOverOrder } from "./claim-order.server.ts";
import { findClaim } from "./claims.store.server.ts";
import { isOrderBlocked } from "./to-serve.server.ts";

const minute = 60_000;
const ada = { id: "ada", name: "Ada Lovelace" };
const manager = { id: null, name: "Hedy Lamarr" };
const grace = { id: "grace", name: "Grace Hopper" };

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T08:00:00Z" });
});
afterAll(() => shop?.close());
beforeEach(() => {
	shop.clock.now = shop.start;
});
afterEach(async () => {
	await shop.db.deleteFrom("order_claims").execute();
	await shop.db.updateTable("orders").set({ status: "failed" }).execute();
});

/** Inserts an order that waits for its extract, promised in so many minutes. */
async function waiting(minutes: number, values: OrderValues = {}): Promise<string> {
	const { order } = await shop.insertPaidOrder({ promised_at: shop.after(minutes * minute), ...values });
	return order.id;
}
const next = async (who = ada, options?: Parameters<typeof claimNext>[2]) => (await claimNext(shop, who, options))?.order.id ?? null;
const holder = async (orderId: string) => (await findClaim(shop.db, orderId, shop.now()))?.operatorId ?? null;
const check = (orderId: string, actor: { id: string | null; name: string }) =>
	shop.inTransaction((trx) => checkClaim(shop, trx, { orderId, actor }));
const wait = (minutes: number) => {
	shop.clock.now = new Date(shop.clock.now.getTime() + minutes * minute);
};

describe("the next order", () => {
	test("is the one promised first, and express before the others at the same instant", async () => {
		const later = await waiting(90);
		const standard = await waiting(60, { product_code: "standard" });
		const express = await waiting(60, { product_code: "express" });
		const late = await waiting(-10, { product_code: "postal" });
		expect([await next(), await next(), await next(), await next(), await next()]).toEqual([late, express, standard, later, null]);
	});

	test("is of the services that were asked for", async () => {
		await waiting(10);
		const postal = await waiting(20, { product_code: "postal" });
		expect(await next(ada, { services: ["postal"] })).toBe(postal);
	});

	test.each<[string, OrderValues]>([
		["pending", { status: "pending" }],
		["completed", { status: "completed" }],
		["failed", { status: "failed" }],
		["disputed", { disputed_at: new Date(0) }],
		["refunded in full though it was not late", { refunded_cents: 5900 }],
	])("is none that is %s", async (_, values) => {
		await waiting(10, values);
		expect(await next()).toBeNull();
	});

	test("is also one that was refunded because it is late: its extract is still owed", async () => {
		const late = await waiting(-10, { refunded_cents: 5900, late_at: shop.start });
		expect(await next()).toBe(late);
	});

	test("is none that has its extract, or was reported not found; one whose extract was withdrawn, or was not promised, is", async () => {
		const { order } = await shop.insertPaidOrder();
		await shop.insertDocument(order);
		const [uploaded, reported, replaced] = [await waiting(10), await waiting(10), await waiting(30)];
		for (const [order_id, columns] of [
			[uploaded, { uploaded_at: shop.start }],
			[reported, { not_found_at: shop.start }],
			[replaced, {}],
		] as const)
			await shop.db
				.insertInto("extract_requests")
				.values({ order_id, requested_at: shop.start, ...columns })
				.execute();
		await shop.insertDocument({ id: replaced });
		await shop.insertDocument({ id: await waiting(5, { status: "completed" }) });
		await shop.insertDocument({ id: replaced }, "invoice");
		await shop.db
			.updateTable("documents")
			.set({ replaced_at: shop.start })
			.where("order_id", "=", replaced)
			.where("doc_type", "=", "kbis")
			.execute();
		const { order: unpromised } = await shop.insertPaidOrder({ promised_at: null, created_at: shop.after(20 * minute) });
		expect([await next(), await next(), await next()]).toEqual([unpromised.id, replaced, null]);
	});

	test("of many that are promised for one instant is always the same", async () => {
		const orders = [await waiting(10), await waiting(10), await waiting(10), await waiting(10)];
		const claimed = [];
		for (const _ of orders) claimed.push(await next());
		expect(claimed).toEqual(orders.toSorted());
	});

	test("skips an order that another transaction has locked", async () => {
		const [first, second] = [await waiting(10), await waiting(20)];
		const claimed = await shop.whileLocked({ id: first }, {}, () => next());
		expect(claimed).toBe(second);
	});
});

describe("the next order of a desk with a pace", () => {
	beforeEach(async () => {
		await setPace(shop, manager, 12);
	});
	afterEach(async () => {
		await setPace(shop, manager, null);
	});
	/** Inserts the lines of a purchase, promised in so many minutes. */
	const list = async (minutes: number, lines: number) => {
		const { orders } = await shop.insertPaidPurchase(Array(lines).fill("standard"), { promised_at: shop.after(minutes * minute) });
		return orders.map(({ id }) => id);
	};

	test("is a single one, then a line of a list in its time", async () => {
		const lines = await list(120, 6);
		const single = await waiting(180);
		expect(await next()).toBe(single);
		expect(lines).toContain(await next());
	});

	test("is a line whose promise would be lost, and a single one when these alone are too many", async () => {
		const lines = await list(40, 7);
		await waiting(180);
		expect(lines).toContain(await next());
		await waiting(4);
		expect(lines).not.toContain(await next());
	});

	test("takes a small purchase for single orders", async () => {
		await list(120, 6);
		const small = await list(150, 5);
		expect(small).toContain(await next());
	});

	test("comes by its promise alone when no pace is known", async () => {
		await setPace(shop, manager, null);
		const lines = await list(120, 6);
		await waiting(180);
		expect(lines).toContain(await next());
	});
});

describe("a claim", () => {
	test("is another operator's no more after twenty minutes", async () => {
		const order = await waiting(10);
		await next();
		wait(19);
		expect(await next(grace)).toBeNull();
		wait(1);
		expect(await next(grace)).toBe(order);
	});

	test("is renewed by working on the order", async () => {
		const order = await waiting(10);
		await next();
		wait(19);
		expect(await check(order, ada)).toEqual({ ok: true });
		wait(19);
		expect(await next(grace)).toBeNull();
	});

	test("that ran out lets its operator finish, unless another one took the order", async () => {
		const order = await waiting(10);
		await next();
		wait(25);
		expect(await check(order, ada)).toEqual({ ok: true });
		wait(25);
		expect(await next(grace)).toBe(order);
		expect(await check(order, ada)).toEqual({ ok: false, code: "held-by-other", holder: "Grace Hopper", until: shop.after(70 * minute) });
	});

	test("of another operator refuses an act, and the act of a terminal too", async () => {
		const order = await waiting(10);
		expect(await check(order, { id: null, name: "terminal" })).toEqual({ ok: true });
		await next();
		const refused = { ok: false, code: "held-by-other", holder: "Ada Lovelace", until: shop.after(20 * minute) };
		expect(await check(order, grace)).toEqual(refused);
		expect(await check(order, { id: null, name: "terminal" })).toEqual(refused);
		expect(await claimOrder(shop, grace, order)).toEqual(refused);
		expect(await holder(order)).toBe("ada");
	});

	test("is released by its operator alone", async () => {
		const order = await waiting(10);
		await next();
		expect(await releaseOrder(shop, grace, order)).toBe(false);
		expect(await holder(order)).toBe("ada");
		expect(await releaseOrder(shop, ada, order)).toBe(true);
		expect(await next(grace)).toBe(order);
	});

	test("is taken over, and the trail learns from whom", async () => {
		const order = await waiting(10);
		await next();
		expect(await takeOverOrder(shop, grace, order)).toMatchObject({
			ok: true,
			previous: { operatorId: "ada", operatorName: "Ada Lovelace" },
		});
		expect(await check(order, ada)).toMatchObject({ ok: false, holder: "Grace Hopper" });
		wait(5);
		expect(await takeOverOrder(shop, grace, order)).toEqual({ ok: true, previous: null });
		expect(await findClaim(shop.db, order, shop.now())).toEqual({
			...{ orderId: order, operatorId: "grace", operatorName: "Grace Hopper" },
			...{ claimedAt: shop.now(), expiresAt: shop.after(25 * minute) },
		});
		const [free, other] = [await waiting(20), await waiting(20)];
		expect(await takeOverOrder(shop, grace, free)).toEqual({ ok: true, previous: null });
		expect([await holder(free), await holder(other)]).toEqual(["grace", null]);
		expect(await takeOverOrder(shop, ada, randomUUID())).toEqual({ ok: false, code: "unknown-order" });
	});

	test("ends with the order", async () => {
		for (const transition of ["failed", "completed"] as const) {
			const order = await waiting(10);
			await next();
			await shop.inTransaction((trx) => changeState(trx, order, transition, { now: shop.now() }));
			expect(await holder(order)).toBeNull();
			expect(await claimOrder(shop, grace, order)).toEqual({ ok: false, code: "ended" });
			expect(await takeOverOrder(shop, grace, order)).toEqual({ ok: false, code: "ended" });
		}
		expect(await claimOrder(shop, ada, randomUUID())).toEqual({ ok: false, code: "unknown-order" });
	});

	test("ends when the extract is uploaded", async () => {
		const order = await waiting(10);
		await next();
		const bytes = generatePdf({ lines: extractLines({ dated: "à jour au 23/11/2026 à 08:32" }) });
		expect(await uploadExtract(shop, { orderId: order, bytes })).toMatchObject({ ok: true });
		expect(await holder(order)).toBeNull();
	});
});

describe("operators at once", () => {
	test("who ask for the next order each get another one", async () => {
		const orders = await Promise.all(Array.from({ length: 12 }, (_, index) => waiting(index)));
		const operators = Array.from({ length: 9 }, (_, index) => ({ id: `operator-${index}`, name: `Opérateur ${index}` }));
		const claimed = await Promise.all(operators.map((operator) => next(operator)));
		expect(new Set(claimed).size).toBe(9);
		expect([...claimed].sort()).toEqual(orders.slice(0, 9).sort());
	});

	test("who act on a free order: one has it, the other one is refused", async () => {
		const order = await waiting(10);
		const outcomes = await Promise.all([check(order, ada), check(order, grace)]);
		expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
	});

	test("never have the same order, whatever they do and in whatever order (property)", async () => {
		const operators = [ada, grace, { id: "alan", name: "Alan Turing" }];
		const step = fc.record({
			who: fc.nat(2),
			act: fc.constantFrom("next", "claim", "release", "take-over", "check"),
			order: fc.nat(3),
			pause: fc.constantFrom(0, 0, 7, 21),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 8 }), async (rounds) => {
				await shop.db.deleteFrom("order_claims").execute();
				await shop.db.updateTable("orders").set({ status: "failed" }).execute();
				const orders = await Promise.all([10, 10, 20, 30].map((minutes) => waiting(minutes)));
				for (const round of rounds) {
					wait(round[0]?.pause ?? 0);
					const before = new Map(await Promise.all(orders.map(async (order) => [order, await holder(order)] as const)));
					const granted = await Promise.all(
						round.map(async ({ who, act, order: at }) => {
							const [operator, order] = [operators[who] ?? ada, orders[at] ?? ""];
							if (act === "next") return { act, operator, order: await next(operator) };
							if (act === "release") return { act, operator, order: (await releaseOrder(shop, operator, order)) ? order : null };
							const outcome = await {
								claim: claimOrder,
								"take-over": takeOverOrder,
								check: (_: unknown, who: typeof ada, id: string) => check(id, who),
							}[act](shop, operator, order);
							return { act, operator, order: outcome.ok ? order : null };
						}),
					);
					// among what was done at once, an order was given to one operator only, unless it was released or taken over
					for (const order of orders) {
						const mine = granted.filter((one) => one.order === order);
						if (mine.some(({ act }) => act === "release" || act === "take-over")) continue;
						const owners = new Set(mine.map(({ operator }) => operator.id));
						expect(owners.size).toBeLessThanOrEqual(1);
						const held = before.get(order);
						if (held && owners.size > 0) expect([...owners]).toEqual([held]);
					}
				}
			}),
			{ numRuns: 25 },
		);
	});
});

test.each<[Partial<Order>, boolean]>([
	[{}, false],
	[{ disputed_at: new Date(0) }, true],
	[{ refunded_cents: 5899 as Cents }, false],
	[{ refunded_cents: 5900 as Cents }, true],
	[{ refunded_cents: 5900 as Cents, late_at: new Date(0) }, false],
	[{ refunded_cents: 5900 as Cents, late_at: new Date(0), disputed_at: new Date(0) }, true],
])("an order with %j waits for a person's decision: %s", (columns, isBlocked) => {
	const order = { disputed_at: null, refunded_cents: 0 as Cents, price_cents: 5900 as Cents, late_at: null };
	expect(isOrderBlocked({ ...order, ...columns })).toBe(isBlocked);
});

describe("claims that are given up for the next order", () => {
	const release = async (orderId: string) => [
		{ order_id: orderId, expires_at: (await findClaim(shop.db, orderId, shop.now()))?.expiresAt ?? new Date(0) },
	];

	test("end with it, and the order waits for anybody", async () => {
		const [first, second] = [await waiting(10), await waiting(20)];
		await next();
		expect(await claimNext(shop, ada, { release: await release(first) })).toMatchObject({ order: { id: second }, released: [first] });
		expect(await next(grace)).toBe(first);
	});

	test("are those that were named, and no other of the same instant", async () => {
		const [first, second, third] = [await waiting(10), await waiting(20), await waiting(30)];
		expect([await next(), await next()]).toEqual([first, second]);
		expect(await claimNext(shop, ada, { release: await release(first) })).toMatchObject({ order: { id: third }, released: [first] });
		expect([await holder(first), await holder(second)]).toEqual([null, "ada"]);
	});

	test("stay when they were extended since, when another operator has them, and when no order is left", async () => {
		const [first, second, third] = [await waiting(10), await waiting(20), await waiting(30)];
		await next();
		const read = await release(first);
		wait(1);
		await check(first, ada);
		expect(await claimNext(shop, ada, { release: read })).toMatchObject({ order: { id: second }, released: [] });
		await takeOverOrder(shop, grace, second);
		expect(await claimNext(shop, ada, { release: await release(second) })).toMatchObject({ order: { id: third }, released: [] });
		expect(await claimNext(shop, ada, { release: await release(third) })).toBeNull();
		expect([await holder(first), await holder(second), await holder(third)]).toEqual(["ada", "grace", "ada"]);
	});
});

test("an order that an operator takes again after its time ran out is claimed anew; an act before that extends the claim", async () => {
	const order = await waiting(10);
	const claimedAt = async () => (await findClaim(shop.db, order, shop.now()))?.claimedAt;
	await next();
	wait(15);
	await check(order, ada);
	expect(await claimedAt()).toEqual(shop.start);
	wait(21);
	await next();
	expect(await claimedAt()).toEqual(shop.now());
});
