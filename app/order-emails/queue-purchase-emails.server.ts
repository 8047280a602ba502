import type { Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import { isPosted } from "../catalogue/services.ts";
import { isFinal } from "../orders/lifecycle.ts";
import type { Order } from "../orders/order.ts";
import { findOrder, isBoughtWithOthers, listOrdersOfPurchase, lockOrder } from "../orders/orders.server.ts";
import { listOrdersToSameRecipient } from "../orders/recipient.ts";
import { queueOrderEmail } from "./queue-order-email.server.ts";

/**
 * Sends, in the transaction that ends a paid order, the job that looks whether its service has ended. The transaction cannot look itself:
 * of two that end the last two orders, neither sees the other. The job of the one that commits last sees both.
 * @returns false when the order was bought alone.
 */
export async function announceEndInPurchase({ jobs }: Context, trx: Trx, order: Order): Promise<boolean> {
	if (!(await isBoughtWithOthers(trx, order))) return false;
	await jobs.send(trx, "queue-ready-mails", { orderId: order.id });
	return true;
}

/**
 * Queues the e-mail that all orders of one service of a purchase have ended, once: its row names the first order of that service. The
 * second address has its own e-mail. An order that has ended stays so, hence nothing needs the locks of the others.
 * @param orderId of any order of the service.
 */
export async function queueReadyEmails(context: Context, orderId: string): Promise<void> {
	const order = await findOrder(context.db, orderId);
	const purchase = order === null ? [] : await listOrdersOfPurchase(context.db, order.purchase_id);
	const ofService = purchase.filter(({ product_code }) => product_code === order?.product_code);
	const [first] = ofService;
	// the customer has a receipt of each cancellation
	const isTold = ofService.every(({ failure_reason }) => failure_reason === "cancelled");
	if (first === undefined || purchase.length === 1 || isTold || !ofService.every(({ status }) => isFinal(status))) return;
	const delivered = ofService.filter(({ status }) => status === "completed");
	await context.db.transaction().execute(async (trx) => {
		if ((await lockOrder(trx, first.id))?.erased_at !== null) return;
		const hasLetters = isPosted(first.product_code) && delivered.length > 0;
		await queueOrderEmail(context, trx, { orderId: first.id, kind: hasLetters ? "purchase-posted" : "purchase-ready" });
		for (const order of delivered)
			if (listOrdersToSameRecipient(order, delivered)[0] === order)
				await queueOrderEmail(context, trx, { orderId: order.id, kind: "purchase-ready-delivery" });
	});
}

/**
 * Queues the e-mail about a late or failed order, in the transaction of its cause. The orders of a purchase of several have one: the first
 * delay or failure sends it, and the page and the e-mail at the end of the service tell of the others.
 */
export async function queueProblemEmail(context: Context, trx: Trx, order: Order, kind: "late" | "failed"): Promise<void> {
	const isOneOfSeveral = await isBoughtWithOthers(trx, order);
	await queueOrderEmail(
		context,
		trx,
		isOneOfSeveral ? { orderId: order.purchase_id, kind: "purchase-problem" } : { orderId: order.id, kind },
	);
}
