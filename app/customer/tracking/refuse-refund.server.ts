import type { Context } from "../../../server/runtime.ts";
import { queueOrderEmail } from "../../emails/queue-order-email.server.ts";
import { answerRefundRequest } from "../../orders/customer-requests.store.server.ts";

/** Refuses a customer's open request with the operator's reason, by e-mail. @returns false when there is no open request. */
export async function refuseRefund(context: Context, orderId: string, reason: string): Promise<boolean> {
	return context.db.transaction().execute(async (trx) => {
		if (!(await answerRefundRequest(trx, orderId, { granted: false, answer: reason, now: context.now() }))) return false;
		await queueOrderEmail(context, trx, { orderId, kind: "refund-request-refused" });
		return true;
	});
}
