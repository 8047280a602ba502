import type { QueuedMail } from "../mail/mails.server.ts";
import type { Order } from "../orders/order.ts";
import { findRecipient } from "../orders/recipient.ts";
import { orderEmailKinds, orderEmails } from "./order-emails.ts";

const recipientKinds: ReadonlySet<string> = new Set(orderEmailKinds.filter((kind) => orderEmails[kind].to === "delivery"));

/**
 * The e-mails of an order that went to its second recipient. In the first versions `document-ready` went there instead of to the customer:
 * a delivered order with a recipient but without `document-ready-delivery` is of that time.
 */
export function filterRecipientMails(order: Order, mails: readonly QueuedMail[]): QueuedMail[] {
	const isOld =
		order.completed_at !== null && findRecipient(order) !== null && !mails.some(({ kind }) => kind === "document-ready-delivery");
	return mails.filter(({ kind }) => recipientKinds.has(kind) || (isOld && kind === "document-ready"));
}
