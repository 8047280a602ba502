import type { Database } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import { cents } from "../catalogue/money.ts";
import { findCurrentDocument, type StoredDocument } from "../documents/documents.server.ts";
import type { QueuedMail } from "../mail/mails.server.ts";
import type { Order } from "../orders/order.ts";
import { listOrdersOfPurchase } from "../orders/orders.server.ts";
import { findRefund } from "../refunds/refunds.server.ts";
import { createPurchaseUrl, createTrackingUrl } from "./tracking-urls.server.ts";

/** What several e-mails load. */

/** All orders of a purchase, in the order of its lines, and the page that shows them: that of the order when it was bought alone. */
export async function loadPurchase(context: Context, order: Order): Promise<{ orders: readonly Order[]; trackingUrl: string }> {
	const orders = await listOrdersOfPurchase(context.db, order.purchase_id);
	const [first] = orders;
	return first && orders.length > 1
		? { orders, trackingUrl: createPurchaseUrl(context, first) }
		: { orders: [order], trackingUrl: createTrackingUrl(context, order) };
}

/** The present version of an e-mail's document. */
export const findMailDocument = async (db: Database, { document_id }: QueuedMail): Promise<StoredDocument | null> =>
	document_id === null ? null : findCurrentDocument(db, document_id);

/** What the refund of an e-mail gives back, and why. */
export async function findMailRefund(db: Database, { refund_id }: QueuedMail) {
	const refund = refund_id === null ? null : await findRefund(db, refund_id);
	return refund && { amount: cents(refund.amount_cents), reason: refund.reason };
}
