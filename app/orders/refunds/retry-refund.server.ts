import type { Trx } from "../../../server/database/database.ts";
import type { Context } from "../../../server/runtime.ts";
import { cents } from "../../catalogue/money.ts";
import { services } from "../../catalogue/services.ts";
import { findWithdrawal } from "../customer-requests.store.server.ts";
import { isCancelled } from "../lifecycle.ts";
import type { Order } from "../order.ts";
import { getRefundableAmount, listRefunds, type RecordedPayment, type Refund, type RefundReason } from "./refunds.store.server.ts";
import { requestRefund } from "./request-refund.server.ts";

/**
 * Requests returned refunds of an order again when its whole price is owed to the customer: a refund made on the provider's pages left
 * nothing to request when the order was cancelled. The caller's transaction holds the order's lock.
 *
 * A refund requested for the owed reason itself is not repeated when it is returned: the operator finds another way.
 * @param returned the refunds of the order and the payment that this sync found returned.
 */
export async function retryRefund(
	context: Context,
	trx: Trx,
	{ order, payment, returned }: { order: Order; payment: RecordedPayment; returned: readonly Refund[] },
): Promise<void> {
	const reason = await findReasonOwed(trx, order, payment);
	if (reason === null) return;
	for (const refund of returned.filter((each) => each.reason !== reason)) {
		const left = (await getRefundableAmount(trx, payment, order)) - (await sumReturned(trx, order, payment, reason));
		if (left <= 0) return;
		const amount = cents(Math.min(refund.amount_cents, left));
		await requestRefund(context, trx, order, { reason, amount, payment, replaces: refund.id });
	}
}

/** The reason why the whole price of the order, or the whole duplicate payment, is owed to the customer; null when it is not. */
async function findReasonOwed(trx: Trx, order: Order, { role }: RecordedPayment): Promise<RefundReason | null> {
	if (role === "surplus") return "surplus";
	if (role === "mismatch") return null; // the operator decides
	const withdrawal = await findWithdrawal(trx, order.id);
	if (withdrawal !== null && withdrawal.outcome !== "refused") return "withdrawal";
	if (order.status === "failed") return isCancelled(order) ? "cancelled" : "failed";
	return order.late_at !== null && services[order.product_code].refundedWhenLate ? "late" : null;
}

/** The returned cents of refunds with this reason. */
async function sumReturned(trx: Trx, order: Order, payment: RecordedPayment, reason: RefundReason): Promise<number> {
	const refunds = await listRefunds(trx, order.id);
	const returned = refunds.filter((each) => each.payment_id === payment.id && each.reason === reason && each.status === "failed");
	return returned.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
}
