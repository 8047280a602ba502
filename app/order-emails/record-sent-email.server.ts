import { createHash } from "node:crypto";
import type { Trx } from "../../server/database/database.ts";
import { replaceTokens } from "../../server/signing.ts";
import type { OutgoingMail } from "../mail/mailer.ts";
import { insertSentEmail, packContent } from "../mail/sent-emails.server.ts";
import type { Order } from "../orders/order.ts";
import { type OrderEmailKind, orderEmails } from "./order-emails.ts";

/** Stands where a signed link had its token: the link then opens nothing. */
export const removedToken = "lien-retire";

type SentEmailToRecord = Awaited<ReturnType<typeof describeSentEmail>>;

/** Describes an e-mail that is about to leave as it is stored: without signed links, and with the hashes of its files. */
export async function describeSentEmail(order: Order, kind: OrderEmailKind, { id, to, subject, text, html, attachments }: OutgoingMail) {
	const content = {
		subject: replaceTokens(subject, removedToken),
		text: replaceTokens(text, removedToken),
		html: replaceTokens(html, removedToken),
	};
	const named = [order.customer_email, order.delivery_email].filter((address) => address !== null);
	return {
		...{ mailId: id, orderId: order.id, kind, recipient: to },
		// an operator is not a person of the order
		addresses: [...(orderEmails[kind].to === "operator" ? [] : [to]), ...named.filter((address) => text.includes(address))],
		content: await packContent(content),
		attachments: (attachments ?? []).map(({ fileName, content: bytes }) => ({
			name: fileName,
			bytes: bytes.length,
			sha256: createHash("sha256").update(bytes).digest("hex"),
		})),
	};
}

/** Records an e-mail as it left, in the transaction that marks it as sent. After a crash before it, the mail that is sent again counts. */
export async function recordSentEmail(trx: Trx, email: SentEmailToRecord, now: Date): Promise<void> {
	await insertSentEmail(trx, { ...email, sentAt: now });
}
