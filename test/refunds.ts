import { type Cents, cents } from "../app/catalogue/money.ts";
import { refundByOperator } from "../app/refunds/refund-by-operator.server.ts";
import { findPayment, getRefundableAmount, listPaymentsOfOrder } from "../app/refunds/refunds.server.ts";
import type { RefundOutcome } from "../app/refunds/request-refund.server.ts";
import type { Context } from "../server/runtime.ts";

type Outcome = RefundOutcome | { ok: false; code: "changed" | "needs-approval" };

/** An operator's refund of an order's own payment. @param amount by default all that is left. */
export async function grantRefund(context: Context, orderId: string, amount?: Cents): Promise<Outcome> {
	const own = (await listPaymentsOfOrder(context.db, orderId)).find(({ role }) => role === "order");
	return own === undefined ? { ok: false, code: "nothing-left" } : refundPayment(context, own.id, amount);
}

/** An operator's refund of one payment. @param amount by default all that is left. */
export async function refundPayment(context: Context, paymentId: string, amount?: Cents): Promise<Outcome> {
	const payment = await findPayment(context.db, paymentId);
	const left = payment === null ? cents(0) : await getRefundableAmount(context.db, payment);
	return refundByOperator(context, {
		...{ orderId: payment?.order_id ?? crypto.randomUUID(), paymentId, amount: amount ?? left, left },
		...{ cause: "other", note: null, mostWithoutApproval: null },
	});
}
