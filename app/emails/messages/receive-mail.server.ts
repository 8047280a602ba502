import { randomUUID } from "node:crypto";
import { hourSeconds } from "../../../server/durations.ts";
import { type Point, takeTogether } from "../../../server/rate-limits.ts";
import type { Context } from "../../../server/runtime.ts";
import { isUuid } from "../../../server/uuid.ts";
import { findMail } from "../../mail/mails.store.server.ts";
import { normalizeEmail } from "../../mail/normalize-email.ts";
import { readBounce } from "../../mail/read-bounce.server.ts";
import { type ReceivedMail, readMail } from "../../mail/read-mail.server.ts";
import { findOrder } from "../../orders/orders.store.server.ts";
import { receiveBounce } from "../bounces.server.ts";
import {
	findConversationByMessage,
	findConversationOfForm,
	insertConversation,
	insertConversationMessage,
	lockConversation,
	updateConversation,
} from "./conversations.store.server.ts";
import { type FoundOrder, findOrderOfMessage } from "./find-order.server.ts";
import { recordReplyBounce } from "./reply.server.ts";

export type ReceiveMailOutcome =
	| { ok: true; what: "started" | "continued" | "known" | "bounce"; orderNumber: string | null }
	/** Nothing to answer: an automatic e-mail, one of the shop itself, or one without a sender. */
	| { ok: true; what: "automatic" | "own" | "unreadable"; orderNumber: null }
	/** `limited`: too many within the hour; try again later. */
	| { ok: false; code: "limited" };

/**
 * E-mails in an hour: those that begin a conversation, of all senders together, because anybody may write any sender; and those that
 * answer one of ours, for each conversation or order, so that a flood of the former shuts no customer out.
 */
const mostMails = { begun: 200, answers: 30 };

/** What stands in the conversation in place of a content that cannot be read. */
const unreadableText =
	"[Le contenu de cet e-mail n’a pas pu être lu\u00a0: sa structure est trop complexe. Il est resté dans la boîte de réception. Demandez à son auteur de l’écrire de nouveau en texte simple.]";

/** Receives an e-mail that a customer wrote to the shop's address, or a notice that one of the shop came back. Each counts once. */
export async function receiveMail(context: Context, raw: Uint8Array): Promise<ReceiveMailOutcome> {
	if ((await readBounce(raw)).ok) return receiveBounceNotice(context, raw);
	const mail = await readMail(raw);
	if (mail === null) {
		context.log.warn({ bytes: raw.byteLength }, "an e-mail that came in has no sender that can be read: nothing of it is stored");
		return { ok: true, what: "unreadable", orderNumber: null };
	}
	if (isOfTheShop(context, mail)) return { ok: true, what: "own", orderNumber: null };
	if (mail.isAutomatic) return { ok: true, what: "automatic", orderNumber: null };
	return storeMail(context, mail);
}

async function receiveBounceNotice(context: Context, raw: Uint8Array): Promise<ReceiveMailOutcome> {
	const received = await receiveBounce(context, raw);
	if (received.ok) return { ok: true, what: "bounce", orderNumber: received.orderNumber };
	const bounce = await readBounce(raw);
	const id = bounce.ok ? getOwnId(bounce.messageId) : null;
	const isReply = id !== null && bounce.ok && (await recordReplyBounce(context, id, bounce.reason));
	return { ok: true, what: isReply ? "bounce" : "automatic", orderNumber: null };
}

/** The shop's own alerts and forwarded messages reach the same mailbox. */
function isOfTheShop({ environment: { shop, mailFrom } }: Context, { from }: ReceivedMail): boolean {
	return [shop.email, mailFrom.address].some((address) => normalizeEmail(address) === normalizeEmail(from));
}

async function storeMail(context: Context, mail: ReceivedMail): Promise<ReceiveMailOutcome> {
	const text = mail.text ?? unreadableText;
	const found = await findOrderOfMessage(context.db, { text: `${mail.subject}\n${text}`, email: mail.from, now: context.now() });
	return context.db.transaction().execute(async (trx): Promise<ReceiveMailOutcome> => {
		const now = context.now();
		const ids = mail.references.flatMap((reference) => getOwnId(reference) ?? []);
		if (mail.messageId !== null && (await findConversationByMessage(trx, [], [mail.messageId])) !== null)
			return { ok: true, what: "known", orderNumber: null };
		const knownId = (await findConversationByMessage(trx, ids, mail.references)) ?? (await findConversationOfForm(trx, ids));
		const known = knownId === null ? null : await lockConversation(trx, knownId);
		// an answer to an e-mail about an order names the order by that e-mail
		const answered = known ?? (await findOrderOfEmails(context, ids));
		if (!(await takeTogether(context, trx, [countMail(known?.id ?? answered?.order_id ?? null)], { seconds: hourSeconds, now })).ok)
			return { ok: false, code: "limited" };
		const order = answered ?? found;
		const conversationId = known?.id ?? randomUUID();
		if (known === null)
			await insertConversation(trx, {
				id: conversationId,
				contact_message_id: null,
				refund_request_id: null,
				order_id: order.order_id,
				order_found: order.order_found,
				email: mail.from,
				name: mail.name,
				subject: mail.subject || "(sans objet)",
				now,
			});
		const isNew = await insertConversationMessage(trx, {
			id: randomUUID(),
			conversation_id: conversationId,
			direction: "in",
			author: mail.from,
			text,
			message_id: mail.messageId,
			attachments: mail.attachments,
			created_at: now,
		});
		// another process receives the same mail at this moment
		if (!isNew) throw new Error("a mail was received twice at the same time");
		if (known) await updateConversation(trx, known.id, { waiting_since: known.waiting_since ?? now, last_at: now });
		const orderNumber = order.order_id === null ? null : ((await findOrder(trx, order.order_id))?.order_number ?? null);
		return { ok: true, what: known ? "continued" : "started", orderNumber };
	});
}

/** @param answered the conversation, or the order, of our e-mail that this one answers: nobody else knows its id. */
const countMail = (answered: string | null): Point =>
	answered === null
		? { name: "incoming-mail", subject: "all", most: mostMails.begun }
		: { name: "incoming-answers", subject: answered, most: mostMails.answers };

async function findOrderOfEmails({ db }: Context, ids: readonly string[]): Promise<FoundOrder | null> {
	for (const id of ids.toReversed()) {
		const mail = await findMail(db, id);
		if (mail) return { order_id: mail.order_id, order_found: "request" };
	}
	return null;
}

/** The id of an e-mail of the shop in its Message-ID: « <uuid>@… », or of a receipt: « <uuid>-receipt@… ». */
function getOwnId(messageId: string): string | null {
	const id =
		messageId
			.split("@")[0]
			?.toLowerCase()
			.replace(/-receipt$/, "") ?? "";
	return isUuid(id) ? id : null;
}
