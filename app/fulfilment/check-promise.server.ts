import type { Context } from "../../server/runtime.ts";
import { isPosted, services } from "../catalogue/services.ts";
import { alertOperator } from "../emails/alert-operator.server.ts";
import { queueProblemEmail } from "../emails/queue-purchase-emails.server.ts";
import { findExtract } from "../orders/documents/documents.store.server.ts";
import { isInProgress } from "../orders/lifecycle.ts";
import { hasSamePromise } from "../orders/order.ts";
import { listOrdersOfPurchase, lockOrder, recordEvent, updateOrder } from "../orders/orders.store.server.ts";
import { requestLateRefund } from "../orders/refunds/request-late-refund.server.ts";

/**
 * Checks, at the deadline or later, whether an order was delivered in time. A late order is refunded in full once, if its service promises
 * that; while the document is owed, the customer and the operator receive an e-mail (docs/rules.md, R24).
 */
export async function checkPromise(context: Context, orderId: string): Promise<void> {
	await context.db.transaction().execute(async (trx) => {
		const order = await lockOrder(trx, orderId);
		// the rule: late once; nets: one refund per reason (insertRefund), one mail per kind (insertMail)
		if (!order?.promised_at || order.late_at || context.now() < order.promised_at) return;
		const delivered = order.status === "completed";
		if (!delivered && !isInProgress(order.status)) return;
		if (order.completed_at && order.completed_at <= order.promised_at) return;
		const byMail = !isPosted(order.product_code);
		const extract = await findExtract(trx, orderId);
		// the extract was ready in time: its e-mail bounced or is delayed
		if (byMail && extract && extract.created_at <= order.promised_at) return;
		await updateOrder(trx, orderId, { late_at: context.now() });
		await recordEvent(trx, { orderId, type: "late", payload: { promised_at: order.promised_at.toISOString() }, now: context.now() });
		if (services[order.product_code].refundedWhenLate) {
			const { isFirstHeld } = await requestLateRefund(context, trx, order);
			if (isFirstHeld) await alertOperator(context, trx, { orderId, kind: "alert-refunds-held" });
		}
		// a customer who has the document gets no e-mail about the delay: the refund's e-mail explains it
		if (delivered) return;
		await queueProblemEmail(context, trx, order, "late");
		// all orders of a purchase with this deadline are late at once: one e-mail for them
		const lines = await listOrdersOfPurchase(trx, order.purchase_id);
		const first = lines.find((line) => hasSamePromise(line, order));
		await alertOperator(context, trx, { orderId, kind: "alert-late", mailedFor: first?.id });
	});
}
