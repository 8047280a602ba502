import type { Database } from "../../../server/database/database.ts";
import type { Cents } from "../../catalogue/money.ts";
import { getRefundableAmount, isRefundedFrom, listPaymentsOfPurchase, type RecordedPayment } from "./refunds.store.server.ts";
import type { RefundedOrder } from "./request-refund.server.ts";

/**
 * The payments from which an order can still be refunded, each with the cents left, oldest first. Duplicate and mismatched ones belong to
 * the first order of the purchase.
 */
export async function listRefundablePayments(db: Database, order: RefundedOrder): Promise<(RecordedPayment & { left: Cents })[]> {
	return db.transaction().execute(async (trx) => {
		const payments = (await listPaymentsOfPurchase(trx, order.purchase_id)).filter((payment) => isRefundedFrom(order, payment));
		const refundable = [];
		for (const payment of payments) refundable.push({ ...payment, left: await getRefundableAmount(trx, payment, order) });
		return refundable.filter(({ left }) => left > 0);
	});
}
