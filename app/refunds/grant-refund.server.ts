import type { Context } from "../../server/runtime.ts";
import type { Cents } from "../catalogue/money.ts";
import { answerRefundRequest, listRefundRequests } from "../orders/customer-requests.server.ts";
import { lockOrder } from "../orders/orders.server.ts";
import { type RefundOutcome, requestRefund } from "./request-refund.server.ts";

/** The operator's refund of an order, whole or in part. It grants the customer's open request, if there is one. */
export async function grantRefund(context: Context, orderId: string, amount?: Cents): Promise<RefundOutcome> {
	return context.db.transaction().execute(async (trx) => {
		await lockOrder(trx, orderId);
		const hasOpenRequest = (await listRefundRequests(trx, orderId)).some(({ decided_at }) => decided_at === null);
		const requested = await requestRefund(context, trx, orderId, { reason: hasOpenRequest ? "guarantee" : "operator", amount });
		// a refused amount leaves the customer's request open
		if (requested.ok || requested.code === "nothing-left")
			await answerRefundRequest(trx, orderId, { granted: true, answer: null, now: context.now() });
		return requested;
	});
}
