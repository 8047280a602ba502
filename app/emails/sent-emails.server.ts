import { createHash } from "node:crypto";
import { replaceTokens } from "../../server/signing.ts";
import type { OutgoingMail } from "../mail/mailer.ts";
import { findMail, listMails } from "../mail/mails.store.server.ts";
import { type EmailText, packContent } from "../mail/pack-content.server.ts";
import { renderEmail } from "../mail/render-email.tsx";
import { findSentEmail, listSentEmails, type SentEmail } from "../mail/sent-emails.store.server.ts";
import type { StorageContext } from "../orders/documents/storage.ts";
import type { Order } from "../orders/order.ts";
import { getOrderEmail, type OrderEmail, type OrderEmailKind } from "./order-emails.server.ts";

// An e-mail as it left: what is stored of it, and what operators read.

/** Stands where a signed link had its token: the link then opens nothing. */
export const removedToken = "lien-retire";

const removeTokens = ({ subject, text, html }: EmailText): EmailText => ({
	subject: replaceTokens(subject, removedToken),
	text: replaceTokens(text, removedToken),
	html: replaceTokens(html, removedToken),
});

/**
 * Describes an e-mail that is about to leave as it is stored, in the transaction that marks it as sent: without signed links, and with
 * the hashes of its files. After a crash before that, the e-mail that is sent again counts.
 */
export async function describeSentEmail(order: Order, email: OrderEmail, outgoing: OutgoingMail) {
	const named = [order.customer_email, order.delivery_email].filter((address) => address !== null);
	return {
		mailId: outgoing.id,
		orderId: order.id,
		kind: email.name,
		recipient: outgoing.to,
		// an operator is not a person of the order
		addresses: [...(email.to === "operator" ? [] : [outgoing.to]), ...named.filter((address) => outgoing.text.includes(address))],
		content: await packContent(removeTokens(outgoing)),
		attachments: (outgoing.attachments ?? []).map(({ fileName, content: bytes }) => ({
			name: fileName,
			bytes: bytes.length,
			sha256: createHash("sha256").update(bytes).digest("hex"),
		})),
	};
}

/** An e-mail as an operator reads it. */
export interface ShownEmail extends EmailText {
	kind: OrderEmailKind;
	/** Null when nothing was stored: the e-mail is composed again from the present order. */
	sent: Pick<SentEmail, "sentAt" | "recipient" | "attachments"> | null;
}

/**
 * Finds an e-mail that has left, to be read at the desk: as it left, without what the links of its customer open. An e-mail of which
 * nothing is stored, because it was refused, is composed again and says what the order says today.
 * @returns null when the order has no such e-mail, its customer is erased, or nothing is left that it would tell today.
 */
export async function showOrderEmail(context: StorageContext, order: Order, mailId: string): Promise<ShownEmail | null> {
	if (order.erased_at !== null) return null;
	const sent = await findSentEmail(context.db, mailId);
	if (sent === null) return composeAgain(context, order, mailId);
	if (sent.orderId !== order.id) return null;
	const { subject, text, html } = sent;
	return { kind: getOrderEmail(sent.kind).name, subject, text, html, sent };
}

async function composeAgain(context: StorageContext, order: Order, mailId: string): Promise<ShownEmail | null> {
	const mail = await findMail(context.db, mailId);
	const hasLeft = mail !== null && (mail.sent_at !== null || mail.bounced_at !== null);
	if (!hasLeft || mail.order_id !== order.id) return null;
	const email = getOrderEmail(mail.kind);
	const written = await email.write(context, { mail, order });
	return written && { kind: email.name, ...removeTokens(renderEmail(written.content, context.environment.shop)), sent: null };
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
		sent_at === null ? [] : { id, kind: getOrderEmail(kind).name, sentAt: sent_at, bouncedAt: bounced_at },
	);
	const replaced = stored
		.filter(({ mailId }) => mails.every(({ id }) => id !== mailId))
		.map(({ mailId, kind, sentAt, bouncedAt }) => ({ id: mailId, kind: getOrderEmail(kind).name, sentAt, bouncedAt }));
	return [...mails, ...replaced].sort((a, b) => a.sentAt.getTime() - b.sentAt.getTime());
}
