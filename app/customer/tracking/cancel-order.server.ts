import type { Database, Trx } from "../../../server/database/database.ts";
import type { Context } from "../../../server/runtime.ts";
import { type Cents, cents } from "../../catalogue/money.ts";
import { isPosted } from "../../catalogue/services.ts";
import { announceEndInPurchase } from "../../emails/complete-after.server.ts";
import { queueOrderEmail } from "../../emails/queue-order-email.server.ts";
import { type AccessKey, mayAsk } from "../../orders/access.ts";
import { findExtract } from "../../orders/documents/documents.store.server.ts";
import { isFinal } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";
import { changeStates, lockOrderWithPurchase } from "../../orders/orders.store.server.ts";
import { requestRefund } from "../../orders/refunds/request-refund.server.ts";

/** `no-access`: this key may not cancel the order, or not before the payment. `too-late`: the order is final, or its document delivered. */
export type CancelOutcome = { ok: true } | { ok: false; code: "no-access" | "too-late" };

/** Cancels an order for its customer before the delivery, and requests a full refund (docs/rules.md, R28). */
export async function cancelOrder(context: Context, orderId: string, access: AccessKey): Promise<CancelOutcome> {
	if (!mayAsk(access, "cancel")) return { ok: false, code: "no-access" };
	return context.db.transaction().execute(async (trx) => {
		const locked = await lockOrderWithPurchase(trx, orderId);
		if (locked !== null && isBeyondLine(locked.order, access)) return { ok: false, code: "no-access" };
		if (locked === null || (await cancelLocked(context, trx, locked)) === null) return { ok: false, code: "too-late" };
		await queueOrderEmail(context, trx, { orderId, kind: "cancelled" });
		return { ok: true };
	});
}

/** Before the payment a purchase is cancelled as a whole, which the key of a line does not do. */
export const isBeyondLine = ({ status }: Order, access: AccessKey): boolean => status === "pending" && access === "line";

/**
 * Cancels in the caller's transaction, which holds the locks and has checked the access, and sends no e-mail: a withdrawal has its own
 * receipt. A purchase that is not paid yet is cancelled as a whole, because its payment is for all of its orders.
 * @param reason what the customer called it.
 * @returns what is refunded now; null when the order cannot be cancelled.
 */
export async function cancelLocked(
	context: Context,
	trx: Trx,
	{ order, purchase }: { order: Order; purchase: readonly Order[] },
	reason: "cancelled" | "withdrawal" = "cancelled",
): Promise<{ refund: Cents } | null> {
	if (!(await isCancellable(trx, order))) return null; // the rule
	const ids = (order.status === "pending" ? purchase : [order]).map(({ id }) => id);
	const cancelled = await changeStates(trx, ids, "cancelled", { set: { failure_reason: "cancelled" }, now: context.now() });
	if (cancelled.length === 0) return null;
	const requested = await requestRefund(context, trx, order, { reason });
	if (order.paid_at !== null) await announceEndInPurchase(context, trx, order);
	return { refund: requested.ok ? requested.amount : cents(0) };
}

/** Whether a customer may still cancel. A document counts as delivered once it is issued, a letter once it is posted. */
export const isOpenToCancel = ({ status, product_code }: Order, isIssued: boolean): boolean =>
	!isFinal(status) && (isPosted(product_code) || !isIssued);

export const isCancellable = async (db: Trx | Database, order: Order): Promise<boolean> =>
	isOpenToCancel(order, (await findExtract(db, order.id)) !== null);
