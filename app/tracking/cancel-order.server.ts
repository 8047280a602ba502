import type { Database, Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import { isPosted } from "../catalogue/services.ts";
import { findExtract } from "../documents/documents.server.ts";
import { queueOrderEmail } from "../order-emails/queue-order-email.server.ts";
import { isFinal } from "../orders/lifecycle.ts";
import type { Order } from "../orders/order.ts";
import { changeState, lockOrder } from "../orders/orders.server.ts";
import { requestRefund } from "../refunds/request-refund.server.ts";

/**
 * Cancels an order for its customer before the delivery, and requests a full refund (docs/rules.md, R28).
 * @returns false when the order is final, or its document delivered.
 */
export async function cancelOrder(context: Context, orderId: string): Promise<boolean> {
	return context.db.transaction().execute(async (trx) => {
		const order = await lockOrder(trx, orderId);
		if (order === null || !(await cancelLocked(context, trx, order))) return false;
		await queueOrderEmail(context, trx, { orderId, kind: "cancelled" });
		return true;
	});
}

/** Cancels in the caller's transaction, which holds the order's lock, and sends no e-mail: a withdrawal has its own receipt. */
export async function cancelLocked(context: Context, trx: Trx, order: Order): Promise<boolean> {
	if (!(await isCancellable(trx, order))) return false; // the rule
	// net: the caller's `order` may be older than the lock
	if ((await changeState(trx, order.id, "cancelled", { set: { failure_reason: "cancelled" }, now: context.now() })) === null) return false;
	await requestRefund(context, trx, order.id, { reason: "cancelled" });
	return true;
}

/** Whether a customer may still cancel. A document counts as delivered once it is issued, a letter once it is posted. */
export async function isCancellable(db: Trx | Database, order: Order): Promise<boolean> {
	if (isFinal(order.status)) return false;
	return isPosted(order.product_code) || (await findExtract(db, order.id)) === null;
}
