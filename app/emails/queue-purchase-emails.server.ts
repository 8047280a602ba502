import type { Database, Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import { isPosted } from "../catalogue/services.ts";
import type { Order } from "../orders/order.ts";
import { findOrder, listOrdersOfPurchase, lockOrder } from "../orders/orders.store.server.ts";
import { isBoughtWithOthers } from "../orders/purchases.store.server.ts";
import { listOrdersToSameRecipient } from "../orders/recipient.ts";
import { hasServiceEnded, listOfService } from "./email-parts.ts";
import { queueOrderEmail } from "./queue-order-email.server.ts";

/**
 * Queues the e-mails of a service of a purchase if all its orders have ended. An order that has ended stays so, hence the lock of the first
 * one is enough.
 * @param orderId of any order of the service.
 */
export async function queueReadyEmails(context: Context, orderId: string): Promise<void> {
	const ofService = await listService(context.db, orderId);
	const [first] = ofService;
	if (first === undefined || !hasServiceEnded(first, ofService)) return;
	await context.db.transaction().execute(async (trx) => {
		await lockOrder(trx, first.id);
		// read again, because a correction of the addresses may have had the lock
		await queueEmailsOfEnd(context, trx, await listService(trx, orderId));
	});
}

/** The orders of one service of a purchase of several; none of an order that was bought alone. */
async function listService(db: Database | Trx, orderId: string): Promise<Order[]> {
	const order = await findOrder(db, orderId);
	const purchase = order === null ? [] : await listOrdersOfPurchase(db, order.purchase_id);
	return order === null || purchase.length === 1 ? [] : listOfService(order, purchase);
}

/**
 * Queues the e-mail that all orders of one service of a purchase have ended, once: its row names the first order of that service. The
 * second address has its own e-mail. Does nothing before all of them have ended.
 * @param ofService as they are under the lock of the first one.
 */
export async function queueEmailsOfEnd(context: Context, trx: Trx, ofService: readonly Order[]): Promise<void> {
	const [first] = ofService;
	if (first === undefined || first.erased_at !== null || !hasServiceEnded(first, ofService)) return;
	// the customer has a receipt of each cancellation
	if (ofService.every(({ failure_reason }) => failure_reason === "cancelled")) return;
	const delivered = ofService.filter(({ status }) => status === "completed");
	const hasLetters = isPosted(first.product_code) && delivered.length > 0;
	await queueOrderEmail(context, trx, { orderId: first.id, kind: hasLetters ? "posted" : "document-ready" });
	for (const order of delivered)
		if (listOrdersToSameRecipient(order, delivered)[0] === order)
			await queueOrderEmail(context, trx, { orderId: order.id, kind: "document-ready-delivery" });
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
