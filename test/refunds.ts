import { type Cents, cents } from "../app/catalogue/money.ts";
import { findOrder } from "../app/orders/orders.store.server.ts";
import { refundByOperator } from "../app/orders/refunds/refund-by-operator.server.ts";
import { findPayment, getRefundableAmount, listPaymentsOfPurchase } from "../app/orders/refunds/refunds.store.server.ts";
import type { RefundOutcome } from "../app/orders/refunds/request-refund.server.ts";
import type { Context } from "../server/runtime.ts";

type Outcome = RefundOutcome | { ok: false; code: "changed" | "needs-approval" };

/** An operator's refund of an order from the payment of its purchase. @param amount by default all that is left. */
export async function grantRefund(context: Context, orderId: string, amount?: Cents): Promise<Outcome> {
	const order = await findOrder(context.db, orderId);
	const own = order && (await listPaymentsOfPurchase(context.db, order.purchase_id)).find(({ role }) => role === "order");
	return own ? refundPayment(context, own.id, { amount, orderId }) : { ok: false, code: "nothing-left" };
}

/** An operator's refund of one payment. @param amount by default all that is left. @param orderId by default the first of the purchase. */
export async function refundPayment(
	context: Context,
	paymentId: string,
	{ amount, orderId }: { amount?: Cents | undefined; orderId?: string } = {},
): Promise<Outcome> {
	const payment = await findPayment(context.db, paymentId);
	const order = payment && (await findOrder(context.db, orderId ?? payment.order_id));
	const left = payment && order ? await getRefundableAmount(context.db, payment, order) : cents(0);
	return refundByOperator(context, {
		...{ orderId: order?.id ?? crypto.randomUUID(), paymentId, amount: amount ?? left, left },
		...{ cause: "other", note: null, by: "Ada", mostWithoutApproval: null },
	});
}
