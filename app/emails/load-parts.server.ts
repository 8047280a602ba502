import type { Database } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import { cents } from "../catalogue/money.ts";
import type { QueuedMail } from "../mail/mails.store.server.ts";
import { findCurrentDocument, type StoredDocument } from "../orders/documents/documents.store.server.ts";
import type { Order } from "../orders/order.ts";
import { listOrdersOfPurchase } from "../orders/orders.store.server.ts";
import { findRefund } from "../orders/refunds/refunds.store.server.ts";
import { createTrackingUrl } from "./tracking-urls.server.ts";

/** What several e-mails load. */

/** All orders of a purchase, in the order of its lines, and the page that shows them. */
export async function loadPurchase(context: Context, order: Order): Promise<{ orders: readonly Order[]; trackingUrl: string }> {
	const orders = await listOrdersOfPurchase(context.db, order.purchase_id);
	return { orders, trackingUrl: createTrackingUrl(context, orders[0] ?? order, orders.length) };
}

/** The present version of an e-mail's document. */
export const findMailDocument = async (db: Database, { document_id }: QueuedMail): Promise<StoredDocument | null> =>
	document_id === null ? null : findCurrentDocument(db, document_id);

/** What the refund of an e-mail gives back, and why. */
export async function findMailRefund(db: Database, { refund_id }: QueuedMail) {
	const refund = refund_id === null ? null : await findRefund(db, refund_id);
	return refund && { amount: cents(refund.amount_cents), reason: refund.reason };
}
