import type { Context } from "../../../server/runtime.ts";
import type { Cents } from "../../catalogue/money.ts";
import { answerRefundRequest, listRefundRequests } from "../customer-requests.store.server.ts";
import { lockOrderWithPurchase } from "../orders.store.server.ts";
import { sumTowardsApproval } from "./refund-figures.store.server.ts";
import { findPayment, getRefundableAmount, isRefundedFrom } from "./refunds.store.server.ts";
import { type RefundOutcome, requestRefund } from "./request-refund.server.ts";

export interface OperatorRefund {
	orderId: string;
	paymentId: string;
	amount: Cents;
	/** What was left of the payment when the operator decided: another refund since then makes them look again. */
	left: Cents;
	/** A code of operatorCauses. */
	cause: string;
	note: string | null;
	/** The operator's name. */
	by: string;
	/** The most, in cents, that goes back for a purchase without a second person. Null: one has approved. */
	mostWithoutApproval: Cents | null;
}

/**
 * The refund of a payment by an operator, whole or in part. It grants the customer's open request, if there is one.
 * @returns `changed` when another refund was requested meanwhile, also the same one: nothing is refunded twice.
 * `needs-approval` when the refunds of the purchase together pass the limit.
 */
export async function refundByOperator(
	context: Context,
	{ orderId, paymentId, amount, left, cause, note, by, mostWithoutApproval }: OperatorRefund,
): Promise<RefundOutcome | { ok: false; code: "changed" | "needs-approval" }> {
	return context.db.transaction().execute(async (trx) => {
		// refunds of two orders of a purchase see each other
		const order = (await lockOrderWithPurchase(trx, orderId))?.order ?? null;
		const payment = await findPayment(trx, paymentId);
		if (order === null || payment === null || !isRefundedFrom(order, payment)) return { ok: false, code: "nothing-left" };
		const leftNow = await getRefundableAmount(trx, payment, order);
		const isAsked = payment.role === "order" && (await listRefundRequests(trx, orderId)).some(({ decided_at }) => decided_at === null);
		const grant = () => answerRefundRequest(trx, orderId, { granted: true, answer: null, now: context.now() });
		const reason = isAsked ? "guarantee" : "operator";
		if (leftNow <= 0) {
			if (isAsked) await grant();
			// refuses, and lets a refund leave that the brake holds
			return requestRefund(context, trx, order, { reason, payment });
		}
		if (leftNow !== left) return { ok: false, code: "changed" };
		const returned = await sumTowardsApproval(trx, order);
		if (mostWithoutApproval !== null && returned + amount > mostWithoutApproval) return { ok: false, code: "needs-approval" };
		const requested = await requestRefund(context, trx, order, {
			reason,
			payment,
			amount,
			cause,
			note,
			by,
		});
		if (requested.ok && isAsked) await grant();
		return requested;
	});
}
