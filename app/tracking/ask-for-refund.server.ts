import type { Context } from "../../server/runtime.ts";
import { guaranteeDays } from "../catalogue/guarantee.ts";
import type { Cents } from "../catalogue/money.ts";
import { maxDaysToReceipt } from "../catalogue/withdrawal.ts";
import { alertOperator } from "../order-emails/alert-operator.server.ts";
import { queueOrderEmail } from "../order-emails/queue-order-email.server.ts";
import { answerRefundRequest, findRefundRequest, insertRefundRequest, listRefundRequests } from "../orders/customer-requests.server.ts";
import type { Order } from "../orders/order.ts";
import { lockOrder, recordEvent } from "../orders/orders.server.ts";
import { type RequestedRefund, requestRefund } from "../refunds/request-refund.server.ts";
import { checkRefundMessage, type RefundRequestRefusal } from "./refund-request.ts";

/** Whether the customer may ask for a refund of an order now: delivered within 30 days, a letter from its receipt, and not given back yet. */
export function mayAskForRefund(order: Order, now: Date): boolean {
	if (order.status !== "completed" || order.completed_at === null || order.disputed_at !== null) return false;
	const days = guaranteeDays + maxDaysToReceipt(order.product_code);
	return order.refunded_cents < order.price_cents && now.getTime() <= order.completed_at.getTime() + days * 86_400_000;
}

/** Receives a customer's request for the refund of a wrong or unusable extract. The operator confirms it. */
export async function askForRefund(
	context: Context,
	orderId: string,
	message: string,
): Promise<{ ok: true } | { ok: false; code: RefundRequestRefusal }> {
	if (checkRefundMessage(message)) return { ok: false, code: "invalid-message" };
	return context.db.transaction().execute(async (trx) => {
		const order = await lockOrder(trx, orderId);
		if (order === null || !mayAskForRefund(order, context.now())) return { ok: false, code: "too-late" };
		const known = await findRefundRequest(trx, orderId);
		if (known && known.decided_at === null) return { ok: true }; // the rule; net: the index refund_requests_one_open
		await insertRefundRequest(trx, orderId, message, context.now());
		await recordEvent(trx, { orderId, type: "refund_requested", now: context.now() });
		await queueOrderEmail(context, trx, { orderId, kind: "refund-request-received" });
		await alertOperator(context, trx, { orderId, kind: "alert-refund-request" });
		return { ok: true };
	});
}

/** The operator's refund of an order, whole or in part; a customer's open request is granted by it. */
export async function grantRefund(context: Context, orderId: string, amount?: Cents): Promise<RequestedRefund> {
	return context.db.transaction().execute(async (trx) => {
		await lockOrder(trx, orderId);
		const asked = (await listRefundRequests(trx, orderId)).some(({ decided_at }) => decided_at === null);
		const requested = await requestRefund(context, trx, orderId, { reason: asked ? "guarantee" : "operator", amount });
		// an amount that was refused answers nobody: the request stays open
		if (requested.ok || requested.code === "nothing-left")
			await answerRefundRequest(trx, orderId, { granted: true, answer: null, now: context.now() });
		return requested;
	});
}

/** The operator's reasoned no to a customer's open request; false when there is none. */
export async function refuseRefund(context: Context, orderId: string, answer: string): Promise<boolean> {
	return context.db.transaction().execute(async (trx) => {
		if (!(await answerRefundRequest(trx, orderId, { granted: false, answer, now: context.now() }))) return false;
		await queueOrderEmail(context, trx, { orderId, kind: "refund-request-refused" });
		return true;
	});
}
