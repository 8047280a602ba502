import type { Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import { announceEndInPurchase } from "../emails/complete-after.server.ts";
import { queueProblemEmail } from "../emails/queue-purchase-emails.server.ts";
import type { FailureReason, NotFoundReason } from "../orders/lifecycle.ts";
import { changeState } from "../orders/orders.store.server.ts";
import { requestRefund } from "../orders/refunds/request-refund.server.ts";

type OrderFailure = Extract<FailureReason, "not-available" | "not-found" | "operator">;

interface FailureDetails {
	because?: NotFoundReason;
	by?: string;
}

/**
 * Fails a paid order that cannot be served: requests a full refund and queues an e-mail to the customer, in one transaction.
 * @param details `because`: why the registry has no extract; it fills the e-mail. `by`: the operator's name.
 * @returns false when the order is not in progress.
 */
export async function failOrder(context: Context, orderId: string, reason: OrderFailure, details: FailureDetails = {}): Promise<boolean> {
	return context.db.transaction().execute((trx) => failOrderWithin(context, trx, orderId, reason, details));
}

/** failOrder, in the caller's transaction. */
export async function failOrderWithin(
	context: Context,
	trx: Trx,
	orderId: string,
	reason: OrderFailure,
	details: FailureDetails,
): Promise<boolean> {
	const failed = await changeState(trx, orderId, "failed", {
		set: { failure_reason: reason },
		payload: { reason, ...details },
		now: context.now(),
	});
	if (failed === null) return false;
	await requestRefund(context, trx, failed, { reason: "failed" });
	await queueProblemEmail(context, trx, failed, "failed");
	await announceEndInPurchase(context, trx, failed);
	return true;
}
