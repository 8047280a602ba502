import type { StorageContext } from "../documents/storage.ts";
import { findMail } from "../mail/mails.server.ts";
import { renderEmail } from "../mail/render-email.tsx";
import type { Order } from "../orders/order.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";
import { findEmailSubject, getEmailContext } from "./order-email-context.server.ts";
import { composeOrderEmail, type OrderEmailKind, parseOrderEmailKind } from "./order-emails.ts";

/** An e-mail as an operator reads it. */
export interface ShownEmail {
	kind: OrderEmailKind;
	subject: string;
	text: string;
	html: string;
}

/**
 * Composes an e-mail that has left once more, to be read at the desk. It says what the order says today, and its links open nothing:
 * the customer's own links carry secrets. @returns null when the order has no such e-mail, or its customer is erased.
 */
export async function showOrderEmail(context: StorageContext, order: Order, mailId: string): Promise<ShownEmail | null> {
	const mail = await findMail(context.db, mailId);
	const hasLeft = mail !== null && (mail.sent_at !== null || mail.bounced_at !== null);
	if (!hasLeft || mail.order_id !== order.id || order.erased_at !== null) return null;
	const kind = parseOrderEmailKind(mail.kind);
	const emailContext = await getEmailContext(context, await findEmailSubject(context.db, mail, kind, order));
	const { baseUrl, shop } = context.environment;
	const home = absoluteUrl(baseUrl, "/");
	const withoutSecrets = {
		...emailContext,
		trackingUrl: absoluteUrl(baseUrl, "/suivi/:number", { number: order.order_number }),
		documentUrl: emailContext.documentUrl && home,
		resumeUrl: emailContext.resumeUrl && home,
	};
	return { kind, ...renderEmail(composeOrderEmail(kind, order, withoutSecrets), shop) };
}
