import type { Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import { isPosted } from "../catalogue/services.ts";
import type { Order } from "../orders/order.ts";
import { changeState } from "../orders/orders.store.server.ts";
import { isBoughtWithOthers } from "../orders/purchases.store.server.ts";

/** What has just happened to an extract: its file is stored, the e-mail that carries it has left, or its letter is posted. */
export type DeliveryStep = "issued" | "sent" | "posted";

/**
 * Completes an order after the step that delivers it, in the transaction of that step: the one way in which orders complete
 * (docs/decisions/0057-one-way-to-complete.md).
 * @returns the completed order, and whether it was bought with others, whose service has one e-mail; null: this step does not deliver it,
 * or the order has ended.
 */
export async function completeAfter(
	context: Context,
	trx: Trx,
	order: Order,
	step: DeliveryStep,
): Promise<{ order: Order; isOneOfSeveral: boolean } | null> {
	if (isPosted(order.product_code) !== (step === "posted")) return null;
	const isOneOfSeveral = await isBoughtWithOthers(trx, order);
	// bought alone, an extract is delivered by its own e-mail; with others, on the page of the purchase, as soon as it is stored
	if (step !== "posted" && isOneOfSeveral !== (step === "issued")) return null;
	const now = context.now();
	const completed = await changeState(trx, order.id, "completed", { set: { completed_at: now }, now });
	if (completed === null) return null;
	if (isOneOfSeveral) await announceEnd(context, trx, order);
	return { order: completed, isOneOfSeveral };
}

/** As `announceEnd`, for an order that may have been bought alone: then nothing else has to end. */
export async function announceEndInPurchase(context: Context, trx: Trx, order: Order): Promise<void> {
	if (await isBoughtWithOthers(trx, order)) await announceEnd(context, trx, order);
}

/**
 * Sends, in the transaction that ends a paid order, the job that looks whether its service has ended. The transaction cannot look itself:
 * of two that end the last two orders, neither sees the other. The job of the one that commits last sees both.
 */
const announceEnd = ({ jobs }: Context, trx: Trx, { id: orderId }: Order): Promise<void> =>
	jobs.send(trx, "queue-ready-mails", { orderId });
