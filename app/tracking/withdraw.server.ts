import { randomUUID } from "node:crypto";
import type { Context } from "../../server/runtime.ts";
import { isPosted } from "../catalogue/services.ts";
import { withdrawalEndsAt } from "../catalogue/withdrawal.ts";
import { findExtract } from "../documents/documents.server.ts";
import { queueOrderEmail } from "../order-emails/queue-order-email.server.ts";
import { getKeyOfPair } from "../orders/access.ts";
import { findWithdrawal, insertWithdrawal, type Withdrawal } from "../orders/customer-requests.server.ts";
import type { Order } from "../orders/order.ts";
import { lockOrderWithPurchase } from "../orders/orders.server.ts";
import { requestRefund } from "../refunds/request-refund.server.ts";
import { cancelLocked } from "./cancel-order.server.ts";
import { describeWithdrawalRefusal, type WithdrawalRefusal } from "./withdrawal/withdrawal-refusals.ts";

/**
 * Records a declaration of withdrawal (C. conso. art. L221-21), decides on it at once and sends a receipt by e-mail. Before the delivery
 * the order is cancelled and refunded; after it, the order is refunded within fourteen days unless the customer waived the right
 * (L221-28, 1°). A second declaration returns the first one.
 */
export async function withdraw(context: Context, orderId: string): Promise<Withdrawal | null> {
	return context.db.transaction().execute(async (trx) => {
		const locked = await lockOrderWithPurchase(trx, orderId);
		if (locked === null) return null;
		const { order } = locked;
		const previous = await findWithdrawal(trx, orderId);
		if (previous) return previous; // the rule; net: withdrawals.order_id is unique
		const cancelled = await cancelLocked(context, trx, { ...locked, access: getKeyOfPair(order) });
		const refusal = cancelled ? null : checkWithdrawal(order, context.now());
		const outcome = cancelled ? "cancelled" : refusal === null ? "refunded" : "refused";
		if (outcome === "refunded") await requestRefund(context, trx, order, { reason: "withdrawal" });
		const extract = refusal && (await findExtract(trx, orderId));
		const reason = refusal && describeWithdrawalRefusal(refusal, order, extract?.created_at ?? null);
		const withdrawal = await insertWithdrawal(trx, { id: randomUUID(), orderId, declaredAt: context.now(), outcome, reason });
		await queueOrderEmail(context, trx, { orderId, kind: "withdrawal-receipt" });
		return withdrawal;
	});
}

/** @returns why the customer cannot withdraw from a delivered or failed order; null when they can. */
function checkWithdrawal(order: Order, now: Date): WithdrawalRefusal | null {
	if (order.status === "failed") return order.paid_at === null ? "never-paid" : "cancelled";
	// the rule; net: requestRefund refunds no more than was captured
	if (order.refunded_cents >= order.price_cents) return "refunded";
	if (order.withdrawal_waived_at !== null) return "waived";
	const startedAt = (isPosted(order.product_code) && order.completed_at) || order.paid_at || order.created_at;
	return now >= withdrawalEndsAt(order.product_code, startedAt) ? "too-late" : null;
}
