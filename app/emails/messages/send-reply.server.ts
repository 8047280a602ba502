import type { Database } from "../../../server/database/database.ts";
import type { ShopIdentity } from "../../../server/environment/shop-identity.ts";
import type { EmailContent } from "../../mail/email.ts";
import type { MailContext } from "../../mail/mailer.ts";
import { listMails } from "../../mail/mails.store.server.ts";
import { renderEmail } from "../../mail/render-email.tsx";
import { findOrder } from "../../orders/orders.store.server.ts";
import { findUnsentReply, getWholeConversation, markReply, type StoredConversation } from "./conversations.store.server.ts";
import { toReplyBlocks } from "./fill-reply.ts";
import { recordReplyBounce } from "./reply.server.ts";

/** The job of a reply. A refused one is recorded, and its conversation waits again. @throws after a temporary failure. */
export async function sendReply(context: MailContext, messageId: string): Promise<void> {
	const { db, environment, mailer, now, log } = context;
	const message = await findUnsentReply(db, messageId); // a reply is sent once
	const conversation = message && (await getWholeConversation(db, message.conversation_id));
	if (message === null || conversation === null) return; // the person was erased meanwhile
	const content = composeReply({ text: message.text, subject: await nameSubject(db, conversation) }, environment.shop);
	const sent = await mailer.send({
		id: message.id,
		to: conversation.email,
		...renderEmail(content, environment.shop),
		references: await listReferences(db, conversation, message.id),
		isPersonal: true,
	});
	if (sent.ok) await markReply(db, messageId, { sent_at: now() });
	else {
		log.warn({ reply: messageId, reason: sent.reply }, "a reply was refused by its mail server");
		await recordReplyBounce(context, messageId, sent.reply);
	}
}

/** The Message-IDs of the conversation before a reply: the receipt that the customer has, then the mails of both sides. */
async function listReferences(db: Database, conversation: StoredConversation, replyId: string): Promise<string[]> {
	const { contact_message_id, refund_request_id, order_id, messages } = conversation;
	const begun = contact_message_id !== null ? [`${contact_message_id}-receipt`] : [];
	if (refund_request_id !== null && order_id !== null) {
		const receipt = (await listMails(db, order_id)).find(({ kind }) => kind === "refund-request-received");
		if (receipt) begun.push(receipt.id);
	}
	const before = messages.slice(
		0,
		Math.max(
			0,
			messages.findIndex(({ id }) => id === replyId),
		),
	);
	const ids = before.flatMap(({ direction, id, message_id }) => (direction === "out" ? id : (message_id ?? [])));
	// mailboxes look at the first one and the latest
	return [...begun, ...ids].slice(-20);
}

/** The subject that mailboxes join with what the customer has. */
async function nameSubject(db: Database, conversation: StoredConversation): Promise<string> {
	const { contact_message_id, refund_request_id, order_id, subject } = conversation;
	if (contact_message_id !== null) return `Nous avons reçu votre message (${contact_message_id.slice(0, 8).toUpperCase()})`;
	const order = refund_request_id !== null && order_id !== null ? await findOrder(db, order_id) : null;
	return order ? `Votre demande de remboursement — commande ${order.order_number}` : subject;
}

/** An operator's reply as an e-mail. It repeats nothing that the customer typed. */
export function composeReply({ text, subject }: { text: string; subject: string }, shop: Pick<ShopIdentity, "name">): EmailContent {
	const [first = ""] = text.split("\n").filter((line) => line.trim() !== "" && !/^bonjour\b/i.test(line));
	return {
		subject: /^re\s?:/i.test(subject) ? subject : `Re: ${subject}`,
		preheader: first.slice(0, 120),
		title: "Réponse à votre message",
		blocks: [...toReplyBlocks(text), `L’équipe ${shop.name}`],
	};
}
