import type { StorageContext } from "../documents/storage.ts";
import { findMail, listMails } from "../mail/mails.server.ts";
import { renderEmail } from "../mail/render-email.tsx";
import { type EmailText, findSentEmail, listSentEmails, type SentEmail } from "../mail/sent-emails.server.ts";
import type { Order } from "../orders/order.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";
import { findEmailSubject, getEmailContext } from "./order-email-context.server.ts";
import { composeOrderEmail, type OrderEmailKind, parseOrderEmailKind } from "./order-emails.ts";

/** An e-mail as an operator reads it. */
export interface ShownEmail extends EmailText {
	kind: OrderEmailKind;
	/** Null when nothing was stored: the e-mail is composed again from the present order. */
	sent: Pick<SentEmail, "sentAt" | "recipient" | "attachments"> | null;
}

/**
 * Finds an e-mail that has left, to be read at the desk: as it left, without what the links of its customer open. An e-mail of which
 * nothing is stored, because it was refused or left before migration 0046, is composed again and says what the order says today.
 * @returns null when the order has no such e-mail, or its customer is erased.
 */
export async function showOrderEmail(context: StorageContext, order: Order, mailId: string): Promise<ShownEmail | null> {
	if (order.erased_at !== null) return null;
	const sent = await findSentEmail(context.db, mailId);
	if (sent !== null) {
		if (sent.orderId !== order.id) return null;
		const { subject, text, html } = sent;
		return { kind: parseOrderEmailKind(sent.kind), subject, text, html, sent };
	}
	return composeAgain(context, order, mailId);
}

async function composeAgain(context: StorageContext, order: Order, mailId: string): Promise<ShownEmail | null> {
	const mail = await findMail(context.db, mailId);
	const hasLeft = mail !== null && (mail.sent_at !== null || mail.bounced_at !== null);
	if (!hasLeft || mail.order_id !== order.id) return null;
	const kind = parseOrderEmailKind(mail.kind);
	const emailContext = await getEmailContext(context, await findEmailSubject(context.db, mail, kind, order));
	const { baseUrl, shop } = context.environment;
	const home = absoluteUrl(baseUrl, "/");
	const withoutSecrets = {
		...emailContext,
		trackingUrl: absoluteUrl(baseUrl, "/suivi/:number", { number: order.order_number }),
		documentUrl: emailContext.documentUrl && home,
		resumeUrl: emailContext.resumeUrl && home,
		purchase: emailContext.purchase && { ...emailContext.purchase, url: home, filesUrl: emailContext.purchase.filesUrl && home },
		emailNotices: emailContext.emailNotices && { ...emailContext.emailNotices, endUrl: home },
	};
	return { kind, ...renderEmail(composeOrderEmail(kind, order, withoutSecrets), shop), sent: null };
}

/** An e-mail that a mail server accepted. */
export interface LeftEmail {
	id: string;
	kind: OrderEmailKind;
	sentAt: Date;
	bouncedAt: Date | null;
}

/** The e-mails of an order that a mail server accepted, oldest first, also those that were sent again since. */
export async function listLeftEmails({ db }: Pick<StorageContext, "db">, orderId: string): Promise<LeftEmail[]> {
	const stored = await listSentEmails(db, orderId);
	const mails = (await listMails(db, orderId)).flatMap(({ id, kind, sent_at, bounced_at }) =>
		sent_at === null ? [] : { id, kind: parseOrderEmailKind(kind), sentAt: sent_at, bouncedAt: bounced_at },
	);
	const replaced = stored
		.filter(({ mailId }) => mails.every(({ id }) => id !== mailId))
		.map(({ mailId, kind, sentAt, bouncedAt }) => ({ id: mailId, kind: parseOrderEmailKind(kind), sentAt, bouncedAt }));
	return [...mails, ...replaced].sort((a, b) => a.sentAt.getTime() - b.sentAt.getTime());
}
