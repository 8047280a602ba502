import type { QueuedMail } from "../mail/mails.server.ts";
import type { Order } from "../orders/order.ts";
import { findRecipient } from "../orders/recipient.ts";
import { listKindsTo } from "./order-emails.server.ts";

const recipientKinds: ReadonlySet<string> = new Set(listKindsTo("delivery"));

/**
 * The e-mails of an order that went to its second recipient. Before migration 0022, `document-ready` went there instead of to the customer:
 * an order with a recipient is of that time if no `document-ready-delivery` was written by its delivery. A later one was sent again.
 */
export function filterRecipientMails(order: Order, mails: readonly QueuedMail[]): QueuedMail[] {
	const { completed_at } = order;
	const isOld =
		completed_at !== null &&
		findRecipient(order) !== null &&
		!mails.some(({ kind, created_at }) => kind === "document-ready-delivery" && created_at <= completed_at);
	return mails.filter(({ kind }) => recipientKinds.has(kind) || (isOld && kind === "document-ready"));
}
