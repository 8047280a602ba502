import { describeUnsent, sendAskedEmail } from "../mail/asked-emails.server.ts";
import type { MailContext } from "../mail/mailer.ts";
import { renderEmail } from "../mail/render-email.tsx";
import { findMessage, updateMessage } from "./contact.store.server.ts";
import { acknowledgementEmail, forwardedMessageEmail } from "./contact-emails.ts";

/**
 * Sends a message to the shop and a receipt to its author, each once and independently. A mailbox that had the e-mails of a day gets no
 * receipt: anybody may have typed its address.
 * @param withReceipt false: none was to be sent.
 * @throws after a temporary failure of either; the next try sends only the missing one.
 */
export async function forwardMessage(
	context: MailContext,
	messageId: string,
	{ withReceipt = true }: { withReceipt?: boolean } = {},
): Promise<void> {
	const { db, now, log, environment, mailer } = context;
	const message = await findMessage(db, messageId);
	if (message === null) return; // the person was erased meanwhile
	const { shop } = environment;

	const toShop = async () => {
		if (message.forwarded_at) return; // the rule: once; net: the same Message-ID
		const email = renderEmail(forwardedMessageEmail(message), shop);
		const sent = await mailer.send({ id: message.id, to: shop.email, replyTo: message.email, ...email });
		// the shop must receive the message, so the job tries again after a refusal
		if (!sent.ok) throw new Error(`the shop's mailbox refuses a message: ${sent.reply}`);
		await updateMessage(db, messageId, { forwarded_at: now() });
	};

	const toAuthor = async () => {
		if (!withReceipt || message.acknowledged_at) return; // the rule: once; net: the same Message-ID
		const sent = await sendAskedEmail(context, {
			id: `${message.id}-receipt`,
			to: message.email,
			...renderEmail(acknowledgementEmail(message, shop), shop),
		});
		if (!sent.ok) log.warn({ message: messageId, reason: describeUnsent(sent) }, "a receipt was not sent");
		if (sent.ok || sent.code === "refused") await updateMessage(db, messageId, { acknowledged_at: now() });
	};

	const failed = (await Promise.allSettled([toShop(), toAuthor()])).find((result) => result.status === "rejected");
	if (failed) throw failed.reason;
}
