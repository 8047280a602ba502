import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { deleteRows } from "../../../test/delete-rows.ts";
import { createOrderFixture, type OrderFixture } from "../../../test/orders.ts";
import { cents } from "../../catalogue/money.ts";
import { insertRefundRequest, listRefundRequests } from "../customer-requests.store.server.ts";
import type { Order } from "../order.ts";
import { listRefundablePayments } from "./list-refundable-payments.server.ts";
import { type OperatorRefund, refundByOperator } from "./refund-by-operator.server.ts";
import { sumHeldRefunds, sumOpenRefunds, sumRefundsOfLastHour, sumTowardsApproval } from "./refund-figures.store.server.ts";
import { annotateRefunds, anonymiseRefundNotes, closeFailedRefund } from "./refund-notes.store.server.ts";
import {
	calculateRefundable,
	deletePayments,
	findPayment,
	findRefund,
	insertPayment,
	insertRefund,
	isHeld,
	listEffectiveRefunds,
	listHeldRefunds,
	listOrdersWithPayment,
	listPaymentsOfPurchase,
	listRefundsOfPayment,
	type RecordedPayment,
	type Refund,
	releaseHeldRefunds,
	sumLateRefunds,
	sumRefundedPrice,
	updateDispute,
	updateRefundStatus,
} from "./refunds.store.server.ts";
import { releaseRefunds } from "./release-refunds.server.ts";
import { requestRefund } from "./request-refund.server.ts";

// Queries and rules of refunds that the journeys of app/customer/tracking and app/payments do not show.

let shop: OrderFixture;
beforeAll(async () => {
	shop = await createOrderFixture({ startsAt: "2026-11-23T09:00:00Z" });
});
afterEach(async () => {
	shop.clock.now = shop.start;
	await deleteRows(shop.db, "orders", "jobs.job");
});
afterAll(() => shop?.close());

const hour = 3_600_000;
const later = (milliseconds: number) => shop.after(milliseconds);
const waiting = { status: "requested", settled_at: null } as const;
const read = async ({ id }: Refund) => (await findRefund(shop.db, id)) ?? expect.fail("the refund is not stored");
const countJobs = async ({ id }: Refund) => (await shop.getJobs("carry-out-refund", id)).length;

/** Inserts a refund for each of these values. */
async function insertRefunds(payment: RecordedPayment, all: readonly Parameters<typeof shop.insertRefund>[1][]): Promise<Refund[]> {
	const refunds = [];
	for (const values of all) refunds.push(await shop.insertRefund(payment, values));
	return refunds;
}

describe("the figures", () => {
	test("of open refunds are by state and reason; a held one counts as such until its time", async () => {
		const { payment } = await shop.insertPaidOrder();
		await insertRefunds(payment, [
			...[{ ...waiting, amount_cents: 1 }, { ...waiting, amount_cents: 2 }, { ...waiting, reason: "late", amount_cents: 4 } as const],
			{ ...waiting, amount_cents: 8, held_until: later(1) },
			...[
				{ ...waiting, amount_cents: 16, held_until: later(1), released_by: "Ada" },
				{ ...waiting, amount_cents: 32, held_until: later(0) },
			],
			...(["pending", "succeeded", "failed", "refused"] as const).map((status, index) => ({ status, amount_cents: 64 * 2 ** index })),
		]);
		const sums = await shop.inTransaction((trx) => sumOpenRefunds(trx, shop.now()));
		expect(sums.map(({ status, reason, cents }) => [status, reason, cents]).sort()).toEqual([
			["held", "operator", 8],
			["pending", "operator", 64],
			["requested", "late", 4],
			["requested", "operator", 1 + 2 + 16 + 32],
		]);
		expect(await sumHeldRefunds(shop.db, shop.now())).toEqual({ count: 1, cents: 8 });
		expect(await sumHeldRefunds(shop.db, later(1))).toEqual({ count: 0, cents: 0 });
	});

	test("of the last hour are those of refunds that succeeded in it", async () => {
		const { payment } = await shop.insertPaidOrder();
		await insertRefunds(payment, [
			...[{ amount_cents: 1, settled_at: later(-hour + 1) }, { amount_cents: 2, settled_at: later(-hour) }, { amount_cents: 4 }],
			...[
				{ amount_cents: 8, status: "failed" as const },
				{ amount_cents: 16, reason: "late" as const },
			],
		]);
		const sums = await shop.inTransaction((trx) => sumRefundsOfLastHour(trx, shop.now()));
		expect(sums.map(({ reason, cents }) => [reason, cents]).sort()).toEqual([
			["late", 16],
			["operator", 5],
		]);
	});

	test("towards an approval are those of the order, and what people gave back for the others of its purchase", async () => {
		const { orders, payment } = await shop.insertPaidPurchase(["express", "express"]);
		const [first, second] = orders as [Order, Order];
		const failed = (failure_reason: "operator" | "not-found") =>
			shop.db.updateTable("orders").set({ status: "failed", failure_reason }).where("id", "=", second.id).execute();
		const { payment: other } = await shop.insertPaidOrder();
		await insertRefunds(payment, [
			...[
				{ amount_cents: 1, reason: "late" as const },
				{ amount_cents: 2, status: "failed" as const },
			],
			...[
				{ amount_cents: 4, status: "refused" as const },
				{ ...waiting, amount_cents: 8 },
			],
		]);
		const ofSecond = { order_id: second.id };
		await insertRefunds(payment, [
			...[{ ...ofSecond, amount_cents: 16, reason: "late" } as const, { ...ofSecond, amount_cents: 32, reason: "operator" } as const],
			...[
				{ ...ofSecond, amount_cents: 64, reason: "guarantee" } as const,
				{ ...ofSecond, amount_cents: 128, reason: "dashboard" } as const,
			],
			{ ...ofSecond, amount_cents: 256, reason: "failed" },
		]);
		await shop.insertRefund(other);
		expect(await sumTowardsApproval(shop.db, first)).toBe(1 + 8 + 32 + 64 + 128);
		await failed("not-found");
		expect(await sumTowardsApproval(shop.db, first)).toBe(1 + 8 + 32 + 64 + 128);
		await failed("operator");
		expect(await sumTowardsApproval(shop.db, first)).toBe(1 + 8 + 32 + 64 + 128 + 256);
		expect(await sumTowardsApproval(shop.db, second)).toBe(8 + 16 + 32 + 64 + 128 + 256);
		expect(await sumTowardsApproval(shop.db, (await shop.insertPaidOrder()).order)).toBe(0);
	});

	test("of late orders are those since an instant that were not held", async () => {
		const { payment } = await shop.insertPaidOrder();
		const { payment: second } = await shop.insertPaidOrder();
		const reason = "late" as const;
		await shop.insertRefund(payment, { reason, amount_cents: 1, requested_at: later(1) });
		await shop.insertRefund(second, { reason, amount_cents: 8, requested_at: later(2), status: "failed" });
		for (const values of [{ requested_at: later(0) }, { requested_at: later(1), held_until: later(9) }])
			await shop.insertRefund((await shop.insertPaidOrder()).payment, { reason, amount_cents: 2, ...values });
		await shop.insertRefund(payment, { amount_cents: 16, requested_at: later(1) });
		expect(await shop.inTransaction((trx) => sumLateRefunds(trx, shop.now()))).toEqual({ refunds: 2, cents: 9 });
	});

	test("of an order's price are what went back of the payment that paid it", async () => {
		const { order, payment } = await shop.insertPaidOrder();
		const surplus = await shop.insertPayment(order, { role: "surplus" });
		const { payment: other } = await shop.insertPaidOrder();
		await insertRefunds(payment, [{ amount_cents: 1 }, { amount_cents: 2 }, { amount_cents: 4, status: "failed" }]);
		for (const each of [surplus, other]) await shop.insertRefund(each, { amount_cents: 8 });
		const sum = (id: string) => shop.inTransaction((trx) => sumRefundedPrice(trx, id));
		expect([await sum(order.id), await sum(crypto.randomUUID())]).toEqual([3, 0]);
		expect((await listEffectiveRefunds(shop.db, order.id)).map(({ amount_cents }) => amount_cents).sort()).toEqual([1, 2, 8]);
	});
});

describe("a held refund", () => {
	test("is listed with its order, those that leave first first, until it is released or its time has come", async () => {
		const { order, payment } = await shop.insertPaidOrder({ company_name: "ALPHA" });
		const [last, first] = await insertRefunds(payment, [
			...[
				{ ...waiting, held_until: later(9) },
				{ ...waiting, held_until: later(5) },
			],
			...[
				{ ...waiting, held_until: later(9), released_by: "Ada" },
				{ ...waiting, held_until: later(0) },
			],
			...[{ status: "pending" as const, held_until: later(9) }, waiting],
		]);
		const named = { order_number: order.order_number, company_name: "ALPHA" };
		const held = await listHeldRefunds(shop.db, shop.now());
		expect(held).toEqual([first, last].map((refund) => ({ ...refund, ...named })));
		expect((await shop.getRefunds(order)).filter((refund) => isHeld(refund, shop.now()))).toHaveLength(2);
	});

	test("is released with the others of its order, of its payment, or with all, once", async () => {
		const held = { ...waiting, held_until: later(9) };
		const { order, payment } = await shop.insertPaidOrder();
		const surplus = await shop.insertPayment(order, { role: "surplus" });
		const { payment: other } = await shop.insertPaidOrder();
		const refunds = [
			...(await insertRefunds(payment, [held])),
			...(await insertRefunds(surplus, [held])),
			...(await insertRefunds(other, [held])),
		];
		const kept = await insertRefunds(other, [
			...[{ ...held, released_by: "Eve" }, { ...waiting, held_until: later(0) }, waiting],
			{ status: "pending", held_until: later(9) },
		]);
		const release = async (only: { orderId?: string; paymentId?: string }) => {
			const released = await shop.inTransaction((trx) => releaseHeldRefunds(trx, { ...only, by: "Ada", now: shop.now() }));
			return released.map(({ id }) => refunds.findIndex((refund) => refund.id === id));
		};
		expect(await release({ orderId: order.id, paymentId: surplus.id })).toEqual([1]);
		expect(await release({ orderId: order.id })).toEqual([0]);
		expect(await releaseRefunds(shop, order.id, "Grace")).toEqual([]);
		const [last] = await releaseRefunds(shop, null, "Grace");
		expect(last).toEqual({ ...refunds[2], released_by: "Grace" });
		expect(await releaseRefunds(shop, null, "Grace")).toEqual([]);
		for (const refund of kept) expect(await read(refund)).toEqual(refund);
		expect(await Promise.all([...refunds, ...kept].map(countJobs))).toEqual([0, 0, 1, 0, 0, 0, 0]);
	});

	test("is requested without a job; another reason for its order and payment lets it leave at once", async () => {
		const { orders, payment } = await shop.insertPaidPurchase(["express", "express"]);
		const [order, other] = orders as [Order, Order];
		const heldRefund = { ...waiting, held_until: later(9) };
		const untouched = [
			await shop.insertRefund(payment, { ...heldRefund, order_id: other.id }),
			await shop.insertRefund(await shop.insertPayment(order, { role: "surplus" }), { ...heldRefund, amount_cents: 5900 }),
		];
		const request = (of: Order, wanted: Parameters<typeof requestRefund>[3]) =>
			shop.inTransaction((trx) => requestRefund(shop, trx, of, wanted));
		const asked: number[] = [];
		const hold = (amount: number) => {
			asked.push(amount);
			return later(9);
		};
		const held = await request(order, { reason: "late", amount: cents(1900), hold });
		expect(held).toEqual({ ok: true, refundId: expect.any(String), amount: 1900, heldUntil: later(9) });
		const refund = held.ok ? await findRefund(shop.db, held.refundId) : null;
		expect([refund?.held_until, refund && (await countJobs(refund))]).toEqual([later(9), 0]);
		// a second late refund ends no wait
		expect(await request(order, { reason: "late", hold })).toEqual({ ok: false, code: "nothing-left" });
		expect(asked).toEqual([1900, 4000]);
		expect(refund && (await read(refund)).released_by).toBeNull();
		expect(await request(order, { reason: "cancelled" })).toMatchObject({ ok: true, amount: 4000 });
		expect(refund && [(await read(refund)).released_by, await countJobs(refund)]).toEqual(["cancelled", 1]);
		for (const each of untouched) expect([await read(each), await countJobs(each)]).toEqual([each, 0]);
		expect(await listRefundablePayments(shop.db, order)).toEqual([]);
		expect(await request(order, { reason: "operator", payment })).toEqual({ ok: false, code: "nothing-left" });
	});
});

describe("what operators note", () => {
	test("about a stopped order is on its refund, where nothing is noted yet", async () => {
		const { order, payment } = await shop.insertPaidOrder();
		const { payment: other } = await shop.insertPaidOrder();
		const [stopped, ...others] = [
			...(await insertRefunds(payment, [{ reason: "failed" }, { reason: "late" }])),
			...(await insertRefunds(other, [{ reason: "failed" }])),
		];
		const annotate = (cause: string) =>
			shop.inTransaction((trx) => annotateRefunds(trx, order.id, { cause, note: `Parce que ${cause}.`, by: "Ada" }));
		for (const cause of ["other", "late"]) await annotate(cause);
		expect(stopped && (await read(stopped))).toMatchObject({ cause: "other", note: "Parce que other.", requested_by: "Ada" });
		for (const refund of others) expect(await read(refund)).toEqual(refund);
		await shop.inTransaction((trx) => anonymiseRefundNotes(trx, [order.id]));
		expect(stopped && (await read(stopped))).toMatchObject({ cause: "other", note: null });
	});

	test("about a failed refund that was paid in another way closes it once; one that went back is not closed", async () => {
		const { payment } = await shop.insertPaidOrder();
		const close = ({ id }: Refund, milliseconds: number) =>
			closeFailedRefund(shop.db, id, { note: "Par virement.", now: later(milliseconds) });
		for (const status of ["failed", "refused"] as const) {
			const [refund, other] = await insertRefunds(payment, [{ status }, { status }]);
			expect(refund && [await close(refund, 1), await close(refund, 2)]).toEqual([true, false]);
			expect(refund && (await read(refund))).toEqual({ ...refund, closed_at: later(1), note: "Par virement." });
			expect(other && (await read(other))).toEqual(other);
		}
		for (const status of ["requested", "pending", "succeeded"] as const)
			expect(await close(await shop.insertRefund(payment, { status }), 1)).toBe(false);
	});

	test("is deleted of these orders only", async () => {
		const { order, payment } = await shop.insertPaidOrder();
		const { payment: other } = await shop.insertPaidOrder();
		const [noted, kept] = [await shop.insertRefund(payment, { note: "Ada" }), await shop.insertRefund(other, { note: "Grace" })];
		await shop.inTransaction((trx) => anonymiseRefundNotes(trx, [order.id]));
		expect([(await read(noted)).note, (await read(kept)).note]).toEqual([null, "Grace"]);
	});
});

describe("a row", () => {
	test("of a payment has its purchase, session, amount and role; its dispute has a reason and a time, until it changes", async () => {
		const [order, other] = [await shop.insertOrder(), await shop.insertOrder()];
		const { id } = order;
		const payment = { id: "pi_1", purchaseId: id, sessionId: "cs_1", amount: 5900, currency: "eur", role: "order", now: later(3) } as const;
		await shop.inTransaction((trx) => insertPayment(trx, payment));
		const row = { id: "pi_1", order_id: id, session_id: "cs_1", amount_cents: 5900, currency: "eur", role: "order", created_at: later(3) };
		const undisputed = { dispute_status: null, dispute_reason: null, dispute_due_at: null };
		expect(await findPayment(shop.db, "pi_1")).toEqual({ ...row, ...undisputed });
		const dispute = (values: Parameters<typeof updateDispute>[2]) => shop.inTransaction((trx) => updateDispute(trx, "pi_1", values));
		await dispute({ status: "open", reason: "fraudulent", dueAt: later(7) });
		const disputed = { dispute_status: "open", dispute_reason: "fraudulent", dispute_due_at: later(7) };
		expect(await findPayment(shop.db, "pi_1")).toEqual({ ...row, ...disputed });
		await dispute({ status: "won" });
		expect(await findPayment(shop.db, "pi_1")).toEqual({ ...row, ...undisputed, dispute_status: "won" });
		await shop.insertPayment(order, { role: "surplus", created_at: later(1) });
		expect((await listPaymentsOfPurchase(shop.db, id)).map(({ role }) => role)).toEqual(["surplus", "order"]);
		await shop.insertPaidOrder();
		expect(await shop.inTransaction((trx) => listOrdersWithPayment(trx, [id, other.id]))).toEqual([id]);
	});

	test("of a refund has all that was asked for, and each change but a success is logged", async () => {
		const { order, payment } = await shop.insertPaidOrder();
		const replaced = await shop.insertRefund(payment, { status: "failed" });
		const asked = { orderId: order.id, payment, amount: 100, reason: "operator", status: "requested", providerId: null } as const;
		const more = { replaces: replaced.id, heldUntil: later(9), cause: "other", note: "Geste." };
		const refund = await shop.inTransaction((trx) => insertRefund(trx, { ...asked, ...more, now: later(2) }));
		expect(refund).toMatchObject({
			...{ order_id: order.id, payment_id: payment.id, amount_cents: 100, reason: "operator", status: "requested", provider_id: null },
			...{ replaces: replaced.id, held_until: later(9), cause: "other", note: "Geste.", requested_at: later(2), settled_at: null },
		});
		const change = (status: "pending" | "succeeded" | "failed") =>
			shop.inTransaction((trx) => updateRefundStatus(trx, refund?.id ?? "", status, { now: later(3) }));
		for (const status of ["pending", "succeeded", "failed"] as const) await change(status);
		await shop.inTransaction((trx) => updateRefundStatus(trx, crypto.randomUUID(), "failed", { now: later(3) }));
		const logged = { level: 30, event: "refund", refund: refund?.id, amount: 100, reason: "operator" };
		expect(shop.lines.filter((line) => line.order === order.id)).toMatchObject(
			["requested", "pending", "failed"].map((status) => ({ ...logged, status })),
		);
	});
});

test("the rows of an order are deleted without those of another", async () => {
	const [one, other] = [await shop.insertPaidOrder(), await shop.insertPaidOrder()];
	for (const { payment } of [one, other]) await shop.insertRefund(payment);
	await shop.inTransaction((trx) => deletePayments(trx, [one.order.id]));
	const count = async ({ id }: Order) => [(await listPaymentsOfPurchase(shop.db, id)).length, (await shop.getRefunds({ id })).length];
	expect([await count(one.order), await count(other.order)]).toEqual([
		[0, 0],
		[1, 1],
	]);
});

test("the refunds of a payment are listed oldest first, and those of one instant by their ids", async () => {
	const { payment } = await shop.insertPaidOrder();
	const { payment: other } = await shop.insertPaidOrder();
	const id = (digit: string) => `00000000-0000-4000-8000-00000000000${digit}`;
	await insertRefunds(payment, [
		...[
			{ id: id("1"), requested_at: later(1) },
			{ id: id("3"), requested_at: later(0) },
			{ id: id("2"), requested_at: later(0) },
		],
	]);
	await shop.insertRefund(other);
	expect((await listRefundsOfPayment(shop.db, payment.id)).map((refund) => refund.id)).toEqual([id("2"), id("3"), id("1")]);
});

test.each<[string, RecordedPayment["role"], [order: "own" | "other", Refund["status"], number][], left: number, unrefunded: number]>([
	["nothing is refunded", "order", [], 5900, 5900],
	["a part is requested", "order", [["own", "requested", 900]], 5000, 5900],
	["parts are pending and done", "order", [["own", "pending", 900], ["own", "succeeded", 1000]], 4000, 4000], // biome-ignore format: one row
	["parts were returned and refused", "order", [["own", "failed", 900], ["own", "refused", 1000]], 5900, 5900], // biome-ignore format: one row
	["another order of the purchase has its part", "order", [["other", "succeeded", 5900], ["other", "requested", 900]], 5900, 5900], // biome-ignore format: one row
	["the provider's pages refunded nearly all", "order", [["other", "succeeded", 11_000]], 800, 800],
	["more is requested than is left", "order", [["own", "requested", 5900], ["own", "succeeded", 900]], -900, 5000], // biome-ignore format: one row
	["the payment is a duplicate", "surplus", [["own", "succeeded", 900]], 10_900, 10_900],
])("what is left where %s (%s)", (_, role, refunds, left, unrefunded) => {
	const rows = refunds.map(([of, status, amount_cents]) => ({ order_id: of, status, amount_cents }) as unknown as Refund);
	const payment = { role, amount_cents: 11_800 } as RecordedPayment;
	expect(calculateRefundable(rows, payment, { id: "own", price_cents: cents(5900) })).toEqual({ left, unrefunded });
});

describe("an operator's refund", () => {
	const refund = (order: Order, payment: RecordedPayment, values: Partial<OperatorRefund> = {}) =>
		refundByOperator(shop, {
			...{ orderId: order.id, paymentId: payment.id, amount: cents(1000), left: cents(5900) },
			...{ cause: "other", note: "Geste.", by: "Ada", mostWithoutApproval: null },
			...values,
		});

	test("has its cause and its note, and is refused when something else left meanwhile", async () => {
		const { order, payment } = await shop.insertPaidOrder();
		expect(await refund(order, payment)).toMatchObject({ ok: true, amount: 1000 });
		expect(await shop.getRefunds(order)).toMatchObject([
			{ reason: "operator", amount_cents: 1000, cause: "other", note: "Geste.", requested_by: "Ada" },
		]);
		for (const left of [5900, 4899, 4901])
			expect(await refund(order, payment, { left: cents(left) })).toEqual({ ok: false, code: "changed" });
		expect(await refund(order, payment, { left: cents(4900), amount: cents(4901) })).toEqual({ ok: false, code: "too-much" });
		expect(await refund(order, payment, { left: cents(4900), amount: cents(4899) })).toMatchObject({ ok: true, amount: 4899 });
		expect(await refund(order, payment, { left: cents(1), amount: cents(1) })).toMatchObject({ ok: true, amount: 1 });
		expect((await shop.getRefunds(order)).map(({ cause }) => cause)).toEqual(["other", "other", "other"]);
		expect(await refund(order, payment, { left: cents(0) })).toEqual({ ok: false, code: "nothing-left" });
	});

	test("above the limit, with what went back before, needs an approval", async () => {
		const { order, payment } = await shop.insertPaidOrder();
		const most = cents(2000);
		expect(await refund(order, payment, { amount: cents(2001), mostWithoutApproval: most })).toEqual({ ok: false, code: "needs-approval" });
		expect(await refund(order, payment, { amount: cents(1500), mostWithoutApproval: most })).toMatchObject({ ok: true });
		const left = cents(4400);
		expect(await refund(order, payment, { left, amount: cents(501), mostWithoutApproval: most })).toEqual({
			ok: false,
			code: "needs-approval",
		});
		expect(await refund(order, payment, { left, amount: cents(500), mostWithoutApproval: most })).toMatchObject({ ok: true });
		expect(await shop.getRefunds(order)).toHaveLength(2);
	});

	test("is of a payment of that order: not of a duplicate of another one, nor of an unknown one", async () => {
		const { orders, payment } = await shop.insertPaidPurchase(["express", "express"]);
		const [first, second] = orders as [Order, Order];
		const surplus = await shop.insertPayment(first, { role: "surplus" });
		const nothingLeft = { ok: false, code: "nothing-left" };
		expect(await refund(second, surplus)).toEqual(nothingLeft);
		expect(await refund(second, { ...payment, id: "pi_unknown" })).toEqual(nothingLeft);
		expect(await refund({ ...first, id: crypto.randomUUID() }, payment)).toEqual(nothingLeft);
		expect(await refund(second, payment)).toMatchObject({ ok: true });
		expect(await refund(first, surplus)).toMatchObject({ ok: true });
		expect((await listRefundablePayments(shop.db, second)).map(({ id, left }) => [id, left])).toEqual([[payment.id, 4900]]);
		expect((await listRefundablePayments(shop.db, first)).map(({ id, left }) => [id, left])).toEqual([
			[payment.id, 5900],
			[surplus.id, 4900],
		]);
	});

	test("of a duplicate payment does not answer the customer's request", async () => {
		const { order, payment } = await shop.insertPaidOrder();
		const surplus = await shop.insertPayment(order, { role: "surplus" });
		await shop.inTransaction((trx) => insertRefundRequest(trx, order.id, "Illisible", shop.start));
		const readRequest = async () => (await listRefundRequests(shop.db, order.id)).map(({ granted, decided_at }) => [granted, decided_at]);
		expect(await refund(order, surplus, { amount: cents(5900) })).toMatchObject({ ok: true });
		expect(await refund(order, surplus)).toEqual({ ok: false, code: "nothing-left" });
		expect(await readRequest()).toEqual([[null, null]]);
		expect(await refund(order, payment)).toMatchObject({ ok: true });
		expect(await readRequest()).toEqual([[true, shop.start]]);
		expect((await shop.getRefunds(order)).map(({ reason }) => reason).sort()).toEqual(["guarantee", "operator"]);
	});
});
