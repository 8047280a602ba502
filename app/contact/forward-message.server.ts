import type { Runtime } from "../../server/runtime.ts";
import type { Mailer } from "../mail/mailer.ts";
import { renderEmail } from "../mail/render-email.tsx";
import { findMessage, markMessage } from "./contact.store.server.ts";
import { acknowledgementEmail, forwardedMessageEmail } from "./contact-emails.ts";

/**
 * Sends a message to the shop and a receipt to its author, each once and independently.
 * @throws when one of them could not be handed over: the job is tried again, for that one alone.
 */
export async function forwardMessage(
	{ db, now, log, environment, mailer }: Pick<Runtime, "db" | "now" | "log" | "environment"> & { mailer: Mailer },
	messageId: string,
): Promise<void> {
	const message = await findMessage(db, messageId);
	if (message === null) return; // erased meanwhile
	const { shop } = environment;

	const toShop = async () => {
		if (message.forwarded_at) return; // the rule: once; net: the same Message-ID
		const email = renderEmail(forwardedMessageEmail(message), shop);
		const sent = await mailer.send({ id: message.id, to: shop.email, replyTo: message.email, ...email });
		// our own mailbox: once it works again, it needs the message
		if (!sent.ok) throw new Error(`the shop's mailbox refuses a message: ${sent.reason}`);
		await markMessage(db, messageId, { forwarded_at: now() });
	};

	const toAuthor = async () => {
		if (message.acknowledged_at) return; // the same
		const sent = await mailer.send({
			id: `${message.id}-receipt`,
			to: message.email,
			...renderEmail(acknowledgementEmail(message, shop), shop),
		});
		if (!sent.ok) log.warn({ message: messageId, reason: sent.reason }, "a receipt was refused by its mail server");
		await markMessage(db, messageId, { acknowledged_at: now() });
	};

	const failed = (await Promise.allSettled([toShop(), toAuthor()])).find((result) => result.status === "rejected");
	if (failed) throw failed.reason;
}
