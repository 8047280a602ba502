import type { Database } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import type { Cents } from "../catalogue/money.ts";
import { lockOrder } from "../orders/orders.server.ts";
import { findPayment, getRefundableAmount, listPaymentsOfOrder, type RecordedPayment } from "./refunds.store.server.ts";
import { type RefundOutcome, requestRefund } from "./request-refund.server.ts";

/** The operator's refund of one payment, such as a mismatched one; whole or in part. */
export async function refundPayment(context: Context, paymentId: string, amount?: Cents): Promise<RefundOutcome> {
	return context.db.transaction().execute(async (trx) => {
		const payment = await findPayment(trx, paymentId);
		// a purge may delete the payment before it is read, or its order before the lock
		if (payment === null || (await lockOrder(trx, payment.order_id)) === null) return { ok: false, code: "nothing-left" };
		return requestRefund(context, trx, payment.order_id, { reason: "operator", payment, amount });
	});
}

/** The payments of an order that can still be refunded, each with the cents left, oldest first. */
export async function listRefundablePayments(db: Database, orderId: string): Promise<(RecordedPayment & { left: Cents })[]> {
	return db.transaction().execute(async (trx) => {
		const payments = await listPaymentsOfOrder(trx, orderId);
		const refundable = [];
		for (const payment of payments) refundable.push({ ...payment, left: await getRefundableAmount(trx, payment) });
		return refundable.filter(({ left }) => left > 0);
	});
}
