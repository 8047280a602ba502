import type { Trx } from "../../../server/database/database.ts";
import type { Context } from "../../../server/runtime.ts";
import type { Cents } from "../../catalogue/money.ts";
import type { Order } from "../order.ts";
import {
	getRefundableAmount,
	insertRefund,
	listPaymentsOfPurchase,
	type RecordedPayment,
	type RefundReason,
	releaseHeldRefunds,
} from "./refunds.store.server.ts";

export type RefundOutcome =
	/** `heldUntil`: it waits for a person, until then at the latest. */
	| { ok: true; refundId: string; amount: Cents; heldUntil?: Date | null }
	/** `nothing-left`: everything is refunded, or nothing was paid. `too-much`: more than is left. */
	| { ok: false; code: "nothing-left" | "too-much" };

/** The order whose money goes back. */
export type RefundedOrder = Pick<Order, "id" | "purchase_id" | "price_cents">;

interface RefundRequest {
	reason: RefundReason;
	amount?: Cents | undefined;
	payment?: RecordedPayment;
	replaces?: string | null;
	/** Why an operator refunds, what they noted, and their name. */
	cause?: string | null;
	note?: string | null;
	by?: string | null;
	hold?: (cents: Cents) => Date | null;
}

/**
 * Records a refund and sends its job, in the caller's transaction, which holds the order's lock: so the refunds of an order never exceed
 * its price, and those of a payment never exceed the captured amount.
 * @param amount in cents; by default all that is left.
 * @param payment by default the payment that paid the order. A duplicate or mismatched one belongs to the purchase: `order` is its first.
 * @param replaces the returned refund that this one replaces.
 * @param hold until when a refund of so many cents waits for a person; null: it leaves at once.
 */
export async function requestRefund(
	{ jobs, now }: Context,
	trx: Trx,
	order: RefundedOrder,
	{ reason, amount, payment, replaces = null, cause = null, note = null, by = null, hold = () => null }: RefundRequest,
): Promise<RefundOutcome> {
	const refunded = payment ?? (await listPaymentsOfPurchase(trx, order.purchase_id)).find(({ role }) => role === "order");
	if (refunded === undefined) return { ok: false, code: "nothing-left" };
	// any other reason ends the wait: the customer is owed the money at once
	if (reason !== "late") await releaseHeld({ jobs, now }, trx, { orderId: order.id, paymentId: refunded.id, reason });
	const left = await getRefundableAmount(trx, refunded, order);
	if (left <= 0) return { ok: false, code: "nothing-left" };
	if (amount !== undefined && amount > left) return { ok: false, code: "too-much" };
	const refund = await insertRefund(trx, {
		orderId: order.id,
		payment: refunded,
		amount: amount ?? left,
		reason,
		status: "requested",
		providerId: null,
		replaces,
		cause,
		note,
		by,
		heldUntil: hold(amount ?? left),
		now: now(),
	});
	if (refund === null) return { ok: false, code: "nothing-left" };
	// requeueStalledOrders sends its job at the end of its time
	if (refund.held_until) return { ok: true, refundId: refund.id, amount: refund.amount_cents, heldUntil: refund.held_until };
	await jobs.send(trx, "carry-out-refund", { refundId: refund.id });
	return { ok: true, refundId: refund.id, amount: refund.amount_cents };
}

async function releaseHeld(
	{ jobs, now }: Pick<Context, "jobs" | "now">,
	trx: Trx,
	{ orderId, paymentId, reason }: { orderId: string; paymentId: string; reason: RefundReason },
): Promise<void> {
	for (const { id } of await releaseHeldRefunds(trx, { orderId, paymentId, by: reason, now: now() }))
		await jobs.send(trx, "carry-out-refund", { refundId: id });
}
