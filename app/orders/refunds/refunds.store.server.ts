import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { anyOf, type Database, type Trx } from "../../../server/database/database.ts";
import type { Payments, Refunds } from "../../../server/database/database-types.gen.ts";
import { prepared } from "../../../server/database/dialect.ts";
import { logOrderEvent } from "../../../server/database/log-after-commit.ts";
import { type Cents, cents } from "../../catalogue/money.ts";
import type { Order } from "../order.ts";

/** All SQL on `payments` (captured) and `refunds`. */

/** `order`: pays the order. `surplus`: a duplicate payment. `mismatch`: a mismatched payment. */
export type PaymentRole = Payments["role"];
export type RecordedPayment = Selectable<Payments>;

/** The reason of a refund. `dashboard`: made on the provider's own pages. */
export type RefundReason = Refunds["reason"];
export type RefundStatus = Refunds["status"];
export type Refund = Selectable<Refunds>;

export async function insertPayment(
	trx: Trx,
	payment: { id: string; purchaseId: string; sessionId: string; amount: number; currency: string; role: PaymentRole; now: Date },
): Promise<void> {
	await prepared(trx)
		.insertInto("payments")
		.values({
			id: payment.id,
			order_id: payment.purchaseId,
			session_id: payment.sessionId,
			amount_cents: payment.amount,
			currency: payment.currency,
			role: payment.role,
			created_at: payment.now,
		})
		.execute();
}

export async function findPayment(db: Database | Trx, id: string): Promise<RecordedPayment | null> {
	return (await db.selectFrom("payments").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/** Records the state of a payment's dispute, with its reason and the time until which the shop may answer. */
export async function updateDispute(
	trx: Trx,
	paymentId: string,
	{ status, reason, dueAt }: { status: NonNullable<Order["dispute_status"]>; reason?: string | null; dueAt?: Date | null },
): Promise<void> {
	const set = { dispute_status: status, dispute_reason: reason ?? null, dispute_due_at: dueAt ?? null };
	await trx.updateTable("payments").set(set).where("id", "=", paymentId).execute();
}

/** The payments of a purchase, oldest first. */
export async function listPaymentsOfPurchase(db: Database | Trx, purchaseId: string): Promise<RecordedPayment[]> {
	return db.selectFrom("payments").selectAll().where("order_id", "=", purchaseId).orderBy("created_at").execute();
}

/** Filters these orders: those with a payment. */
export async function listOrdersWithPayment(trx: Trx, orderIds: readonly string[]): Promise<string[]> {
	const rows = await trx.selectFrom("payments").select("order_id").distinct().where("order_id", "=", anyOf(orderIds)).execute();
	return rows.map(({ order_id }) => order_id);
}

/**
 * The payments recorded in [since, until), each with its refunded cents, for reconciliation. Like the provider, it counts a refund from
 * its creation, and no longer once it has failed.
 */
export async function listPaymentsBetween(
	db: Database,
	since: Date,
	until: Date,
): Promise<(Pick<RecordedPayment, "id" | "order_id" | "amount_cents" | "created_at"> & { refunded_cents: number })[]> {
	return db
		.selectFrom("payments")
		.leftJoin("refunds", (join) =>
			join.onRef("refunds.payment_id", "=", "payments.id").on("refunds.status", "in", ["pending", "succeeded"]),
		)
		.select(["payments.id", "payments.order_id", "payments.amount_cents", "payments.created_at"])
		.select(sql<number>`coalesce(sum(refunds.amount_cents), 0)::integer`.as("refunded_cents"))
		.where("payments.created_at", ">=", since)
		.where("payments.created_at", "<", until)
		.groupBy("payments.id")
		.execute();
}

export async function findRefund(db: Database | Trx, id: string): Promise<Refund | null> {
	return (await db.selectFrom("refunds").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/** The refunds of a payment, oldest first. */
export async function listRefundsOfPayment(db: Database | Trx, paymentId: string): Promise<Refund[]> {
	return db.selectFrom("refunds").selectAll().where("payment_id", "=", paymentId).orderBy("requested_at").orderBy("id").execute();
}

/** The refunds of an order, oldest first. */
export async function listRefunds(db: Database | Trx, orderId: string): Promise<Refund[]> {
	return db.selectFrom("refunds").selectAll().where("order_id", "=", orderId).orderBy("requested_at").execute();
}

/**
 * The refunds of these orders that are neither made nor refused: held, asked for, or at the provider. Those of a second or a wrong payment are
 * no refunds of the order's price.
 */
export async function listOpenRefunds(db: Database | Trx, orderIds: readonly string[]): Promise<Refund[]> {
	return db
		.selectFrom("refunds")
		.innerJoin("payments", "payments.id", "refunds.payment_id")
		.selectAll("refunds")
		.where("refunds.order_id", "in", orderIds)
		.where("refunds.status", "in", ["requested", "pending"])
		.where("payments.role", "=", "order")
		.execute();
}

/** The refunds of an order whose money goes back or went back, oldest first: neither failed nor refused ones. */
export async function listEffectiveRefunds(db: Database | Trx, orderId: string): Promise<Refund[]> {
	return (await listRefunds(db, orderId)).filter(isEffective);
}

/** Whether the money of a refund goes back or went back. */
export const isEffective = ({ status }: Pick<Refund, "status">): boolean => status !== "failed" && status !== "refused";

/** Whether refunds of an order are taken from a payment. A duplicate or mismatched one belongs to the first order of the purchase. */
export const isRefundedFrom = (order: Pick<Order, "id" | "purchase_id">, payment: RecordedPayment): boolean =>
	payment.order_id === (payment.role === "order" ? order.purchase_id : order.id);

/**
 * The cents of a payment that are neither refunded nor requested for an order, which gets back its own price at most; a duplicate or
 * mismatched payment belongs to the first order as a whole. Negative while more is requested than is left, because the provider's own pages
 * refunded a part of it. What is requested for other orders of the purchase does not count: it is within their own prices.
 */
export async function getRefundableAmount(db: Database | Trx, payment: RecordedPayment, order: PricedOrder): Promise<Cents> {
	return calculateRefundable(await listRefundsOfPayment(db, payment.id), payment, order).left;
}

/**
 * What is left of a payment for an order, in cents, given all refunds of the payment. `left`: as getRefundableAmount says. `unrefunded`: what
 * the provider may still refund, whatever is requested.
 */
export function calculateRefundable(
	refunds: readonly Refund[],
	payment: RecordedPayment,
	{ id, price_cents }: PricedOrder,
): { left: Cents; unrefunded: Cents } {
	let [ofPayment, own, requested] = [0, 0, 0];
	for (const { status, order_id, amount_cents } of refunds) {
		if (status === "pending" || status === "succeeded") ofPayment += amount_cents;
		if (order_id !== id || !isEffective({ status })) continue;
		if (status === "requested") requested += amount_cents;
		else own += amount_cents;
	}
	const limit = payment.role === "order" ? price_cents : payment.amount_cents;
	const [leftOfPayment, unrefunded] = [payment.amount_cents - ofPayment, limit - own];
	return { left: cents(Math.min(leftOfPayment, unrefunded - requested)), unrefunded: cents(Math.min(leftOfPayment, unrefunded)) };
}

type PricedOrder = Pick<Order, "id" | "price_cents">;

/** The cents that went back for an order from the payment that paid it: neither a duplicate nor a mismatched one. */
export async function sumRefundedPrice(trx: Trx, orderId: string): Promise<number> {
	const { sum } = await trx
		.selectFrom("refunds")
		.innerJoin("payments", "payments.id", "refunds.payment_id")
		.select(sql<number>`coalesce(sum(refunds.amount_cents), 0)::integer`.as("sum"))
		.where("refunds.order_id", "=", orderId)
		.where("refunds.status", "=", "succeeded")
		.where("payments.role", "=", "order")
		.executeTakeFirstOrThrow();
	return sum;
}

/**
 * @param replaces the returned refund that this one replaces.
 * @returns null when the order already has a refund of this payment for this reason: automatic refunds are made once, except to replace a
 * returned one.
 */
export async function insertRefund(
	trx: Trx,
	refund: {
		orderId: string;
		payment: RecordedPayment;
		amount: number;
		reason: RefundReason;
		status: RefundStatus;
		providerId: string | null;
		replaces?: string | null;
		heldUntil?: Date | null;
		/** Why an operator refunds, and what they noted. */
		cause?: string | null;
		note?: string | null;
		/** The operator's name. */
		by?: string | null;
		now: Date;
	},
): Promise<Refund | null> {
	const row = await trx
		.insertInto("refunds")
		.values({
			id: randomUUID(),
			order_id: refund.orderId,
			payment_id: refund.payment.id,
			amount_cents: refund.amount,
			reason: refund.reason,
			status: refund.status,
			provider_id: refund.providerId,
			replaces: refund.replaces,
			cause: refund.cause,
			note: refund.note,
			requested_by: refund.by,
			held_until: refund.heldUntil ?? null,
			requested_at: refund.now,
		})
		.onConflict((conflict) => conflict.doNothing())
		.returningAll()
		.executeTakeFirst();
	if (row === undefined) return null;
	const { amount, reason, status } = refund;
	logOrderEvent(trx, row.order_id, "refund", { refund: row.id, status, amount, reason });
	return row;
}

/** Counts an attempt: the next request has a new idempotency key. */
export async function incrementRefundAttempt(db: Database | Trx, { id, attempt }: Refund): Promise<void> {
	await db
		.updateTable("refunds")
		.set({ attempt: attempt + 1 })
		.where("id", "=", id)
		.where("attempt", "=", attempt)
		.execute();
}

/** Notes that the provider is being asked for a refund, or that it has refused. @param at null: it has refused. */
export async function updateRefundAsked(db: Database | Trx, id: string, at: Date | null): Promise<void> {
	await db.updateTable("refunds").set({ asked_at: at }).where("id", "=", id).execute();
}

/** Lowers the requested amount, in cents: the rest was refunded elsewhere. */
export async function updateRefundAmount(trx: Trx, id: string, amount: number): Promise<void> {
	await trx.updateTable("refunds").set({ amount_cents: amount }).where("id", "=", id).execute();
}

export async function updateRefundStatus(
	trx: Trx,
	id: string,
	status: RefundStatus,
	{ providerId, now }: { providerId?: string; now: Date },
): Promise<void> {
	const changed = await trx
		.updateTable("refunds")
		.set({ status, provider_id: providerId, settled_at: status === "pending" ? undefined : now })
		.where("id", "=", id)
		.returning(["order_id", "amount_cents", "reason"])
		.executeTakeFirst();
	// a success is recorded as an event of the order
	if (changed && status !== "succeeded")
		logOrderEvent(trx, changed.order_id, "refund", { refund: id, status, amount: changed.amount_cents, reason: changed.reason });
}

/** Whether a refund waits for a person. After its time it leaves without one. */
export const isHeld = ({ status, held_until, released_by }: Refund, now: Date): boolean =>
	status === "requested" && held_until !== null && released_by === null && held_until > now;

/** The refunds of late orders requested since an instant, without those that were held. */
export async function sumLateRefunds(trx: Trx, since: Date): Promise<{ refunds: number; cents: number }> {
	return trx
		.selectFrom("refunds")
		.select([sql<number>`count(*)::integer`.as("refunds"), sql<number>`coalesce(sum(amount_cents), 0)::integer`.as("cents")])
		.where("reason", "=", "late")
		.where("requested_at", ">", since)
		.where("held_until", "is", null)
		.executeTakeFirstOrThrow();
}

/** The refunds that wait for a person, those that leave first first. */
export async function listHeldRefunds(db: Database | Trx, now: Date): Promise<(Refund & { order_number: string; company_name: string })[]> {
	return db
		.selectFrom("refunds")
		.innerJoin("orders", "orders.id", "refunds.order_id")
		.selectAll("refunds")
		.select(["order_number", "company_name"])
		.where("refunds.status", "=", sql.lit("requested" as const))
		.where("held_until", ">", now)
		.where("released_by", "is", null)
		.orderBy("held_until")
		.execute();
}

/** Releases held refunds: of an order, of a payment, or all. */
export async function releaseHeldRefunds(
	trx: Trx,
	{ orderId = null, paymentId = null, by, now }: { orderId?: string | null; paymentId?: string | null; by: string; now: Date },
): Promise<Refund[]> {
	return trx
		.updateTable("refunds")
		.set({ released_by: by })
		.where("status", "=", "requested")
		.where("held_until", ">", now)
		.where("released_by", "is", null)
		.$if(orderId !== null, (query) => query.where("order_id", "=", orderId ?? ""))
		.$if(paymentId !== null, (query) => query.where("payment_id", "=", paymentId ?? ""))
		.returningAll()
		.execute();
}

/** The caller deletes the credit notes and mails first. */
export async function deletePayments(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await trx.deleteFrom("refunds").where("order_id", "=", anyOf(orderIds)).execute();
	await trx.deleteFrom("payments").where("order_id", "=", anyOf(orderIds)).execute();
}
