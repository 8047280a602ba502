import type { MailContext } from "../mail/mailer.ts";
import { renderEmail } from "../mail/render-email.tsx";
import { findMessage, updateMessage } from "./contact.store.server.ts";
import { acknowledgementEmail, forwardedMessageEmail } from "./contact-emails.ts";

/**
 * Sends a message to the shop and a receipt to its author, each once and independently.
 * @throws after a temporary failure of either; the next try sends only the missing one.
 */
export async function forwardMessage({ db, now, log, environment, mailer }: MailContext, messageId: string): Promise<void> {
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
		if (message.acknowledged_at) return; // the rule: once; net: the same Message-ID
		const sent = await mailer.send({
			id: `${message.id}-receipt`,
			to: message.email,
			...renderEmail(acknowledgementEmail(message, shop), shop),
		});
		if (!sent.ok) log.warn({ message: messageId, reason: sent.reply }, "a receipt was refused by its mail server");
		await updateMessage(db, messageId, { acknowledged_at: now() });
	};

	const failed = (await Promise.allSettled([toShop(), toAuthor()])).find((result) => result.status === "rejected");
	if (failed) throw failed.reason;
}
