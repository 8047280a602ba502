import type { Database } from "../../server/database/database.ts";
import type { Cents } from "../catalogue/money.ts";
import { getRefundableAmount, listPaymentsOfOrder, type RecordedPayment } from "./refunds.store.server.ts";

/** The payments of an order that can still be refunded, each with the cents left, oldest first. */
export async function listRefundablePayments(db: Database, orderId: string): Promise<(RecordedPayment & { left: Cents })[]> {
	return db.transaction().execute(async (trx) => {
		const payments = await listPaymentsOfOrder(trx, orderId);
		const refundable = [];
		for (const payment of payments) refundable.push({ ...payment, left: await getRefundableAmount(trx, payment) });
		return refundable.filter(({ left }) => left > 0);
	});
}
