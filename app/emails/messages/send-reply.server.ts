import type { Database } from "../../../server/database/database.ts";
import type { ShopIdentity } from "../../../server/environment/shop-identity.ts";
import { formatLongDay } from "../../catalogue/instants.ts";
import type { EmailContent } from "../../mail/email.ts";
import type { MailContext } from "../../mail/mailer.ts";
import { listMails } from "../../mail/mails.store.server.ts";
import { renderEmail } from "../../mail/render-email.tsx";
import type { Order } from "../../orders/order.ts";
import { findOrder } from "../../orders/orders.store.server.ts";
import { nameCompany } from "../email-parts.ts";
import { createTrackingUrl } from "../tracking-urls.server.ts";
import { findUnsentReply, getWholeConversation, markReply, type StoredConversation } from "./conversations.store.server.ts";
import { toReplyBlocks } from "./fill-reply.ts";
import { isGuess } from "./find-order.server.ts";
import { recordReplyBounce } from "./reply.server.ts";
import { isAddressOfCustomer } from "./reply-values.server.ts";
import { type ThreadMessage, toThread } from "./thread.server.ts";

/** The job of a reply. A refused one is recorded, and its conversation waits again. @throws after a temporary failure. */
export async function sendReply(context: MailContext, messageId: string): Promise<void> {
	const { db, environment, mailer, now, log } = context;
	const message = await findUnsentReply(db, messageId); // a reply is sent once
	const conversation = message && (await getWholeConversation(db, message.conversation_id));
	if (message === null || conversation === null) return; // the person was erased meanwhile
	const order = await findNamedOrder(db, conversation);
	const content = composeReply(
		{
			...message,
			subject: nameSubject(conversation, order),
			order: order && { number: order.order_number, company: nameCompany(order), url: createTrackingUrl(context, order) },
			question: findQuestion(conversation, message.created_at),
		},
		environment.shop,
	);
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

/** The order of a conversation, if it is no guess and its address is the customer's: a reply says nothing of another's order. */
async function findNamedOrder(db: Database, conversation: StoredConversation): Promise<Order | null> {
	const { order_id, email } = conversation;
	const order = order_id === null || isGuess(conversation) ? null : await findOrder(db, order_id);
	return order !== null && isAddressOfCustomer(order, email) ? order : null;
}

/** The order or the message that the customer knows by its number; without either, the subject of their own e-mail. */
function nameSubject({ contact_message_id, subject }: StoredConversation, order: Order | null): string {
	if (order) return `Votre commande ${order.order_number}\u00a0: notre réponse`;
	if (contact_message_id !== null) return `Votre message ${contact_message_id.slice(0, 8).toUpperCase()}\u00a0: notre réponse`;
	return /^re\s?:/i.test(subject) ? subject : `Re: ${subject}`;
}

/** What the customer wrote last before a reply. */
function findQuestion(conversation: StoredConversation, before: Date): Question | null {
	const { messages } = toThread(conversation);
	const asked = messages.findLast(({ from, text, at }) => from === "customer" && at <= before && text.trim() !== "");
	return asked ?? null;
}

type Question = Pick<ThreadMessage, "text" | "at">;

interface ReplyEmail {
	text: string;
	/** The operator's name, of which the first signs. */
	author: string;
	subject: string;
	order: { number: string; company: string; url: string } | null;
	question: Question | null;
}

/** An operator's reply as an e-mail: the answer with its one signature, the order, then what it answers. */
export function composeReply({ text, author, subject, order, question }: ReplyEmail, shop: Pick<ShopIdentity, "name">): EmailContent {
	const answer = withoutSignature(text, author);
	const [first = ""] = answer.split("\n").filter((line) => line.trim() !== "" && !/^bonjour\b/i.test(line));
	return {
		subject,
		preheader: first.slice(0, 120),
		title: "Réponse à votre message",
		blocks: [
			...toReplyBlocks(answer),
			`${getFirstName(author)}, ${shop.name}`,
			...(order
				? [
						{
							descriptionList: [
								["Commande", order.number],
								["Entreprise", order.company],
							],
						} as const,
						{ link: "Suivre votre commande", url: order.url },
					]
				: []),
			...(question ? [{ heading: `Votre message du ${formatLongDay(question.at)}` }, { quote: quoteStart(question.text) }] : []),
		],
	};
}

const getFirstName = (author: string) => author.trim().split(/\s+/)[0] ?? "";

/** Drops the name with which an operator ended a reply from habit: the e-mail signs it. */
function withoutSignature(text: string, author: string): string {
	const lines = text.trimEnd().split("\n");
	const last = lines.at(-1)?.trim().replace(/[.,]$/, "").toLowerCase();
	const isName = [author, getFirstName(author)].some((name) => name !== "" && name.toLowerCase() === last);
	return isName && lines.length > 1 ? lines.slice(0, -1).join("\n") : text;
}

/** What a reply repeats of the question: people remember the rest, and the desk has all of it. */
const maxQuoted = { lines: 30, characters: 1500 };

/** The beginning of a customer's text, which stays plain text. */
function quoteStart(text: string): string[] {
	const short = text.trim().split("\n").slice(0, maxQuoted.lines).join("\n").slice(0, maxQuoted.characters).trimEnd();
	return [...short.split("\n"), ...(short.length < text.trim().length ? ["[…]"] : [])];
}
