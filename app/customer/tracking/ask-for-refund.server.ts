import { day } from "../../../server/durations.ts";
import type { Context } from "../../../server/runtime.ts";
import { guaranteeDays } from "../../catalogue/after-sale.ts";
import { maxDaysToReceipt } from "../../catalogue/withdrawal.ts";
import { alertOperator } from "../../emails/alert-operator.server.ts";
import { startRefundConversation } from "../../emails/messages/start-conversation.server.ts";
import { queueOrderEmail } from "../../emails/queue-order-email.server.ts";
import { type AccessKey, mayAsk } from "../../orders/access.ts";
import { findRefundRequest, insertRefundRequest } from "../../orders/customer-requests.store.server.ts";
import type { Order } from "../../orders/order.ts";
import { lockOrder, recordEvent } from "../../orders/orders.store.server.ts";
import { hideCardNumbers } from "../../ui/forms/card-numbers.ts";
import { checkText, type FieldRule, fieldRequired } from "../../ui/forms/form-rules.ts";

const messageRule: FieldRule = { required: "Dites-nous ce qui ne va pas avec votre extrait.", lines: true, maxLength: 2000 };

/** @returns the error of a refund request's message, or undefined when it is valid. */
export const checkRefundMessage = (message: string) => checkText(messageRule, message);

/** `too-late`: the customer may no longer ask for a refund of this order. */
export type RefundRequestRefusal = "invalid-message" | "too-late";

const sentences: Record<RefundRequestRefusal, (message: string) => string> = {
	"invalid-message": (message) => checkRefundMessage(message) ?? fieldRequired,
	"too-late": () => "Cette commande ne peut plus faire l’objet d’une demande de remboursement.",
};

/** The sentence for a customer whose request is refused. */
export const describeRefundRequestRefusal = (code: RefundRequestRefusal, message: string) => sentences[code](message);

/** Whether the customer may ask for a refund now: the extract was received at most 30 days ago, and nothing is disputed or fully refunded. */
export function mayAskForRefund(order: Order, now: Date): boolean {
	if (order.status !== "completed" || order.completed_at === null || order.disputed_at !== null) return false;
	const days = guaranteeDays + maxDaysToReceipt(order.product_code);
	return order.refunded_cents < order.price_cents && now.getTime() <= order.completed_at.getTime() + days * day;
}

/** Records a customer's request for the refund of a wrong or unusable extract. The operator decides on it. */
export async function askForRefund(
	context: Context,
	orderId: string,
	access: AccessKey,
	message: string,
): Promise<{ ok: true } | { ok: false; code: RefundRequestRefusal | "no-access" }> {
	if (!mayAsk(access, "ask-refund")) return { ok: false, code: "no-access" };
	if (checkRefundMessage(message)) return { ok: false, code: "invalid-message" };
	return context.db.transaction().execute(async (trx) => {
		const order = await lockOrder(trx, orderId);
		if (order === null || !mayAskForRefund(order, context.now())) return { ok: false, code: "too-late" };
		const previous = await findRefundRequest(trx, orderId);
		if (previous && previous.decided_at === null) return { ok: true }; // the rule; net: the index refund_requests_one_open
		const requestId = await insertRefundRequest(trx, orderId, hideCardNumbers(message), context.now());
		await startRefundConversation(trx, order, requestId, context.now());
		await recordEvent(trx, { orderId, type: "refund_requested", now: context.now() });
		await queueOrderEmail(context, trx, { orderId, kind: "refund-request-received" });
		await alertOperator(context, trx, { orderId, kind: "alert-refund-request" });
		return { ok: true };
	});
}
