import { randomUUID } from "node:crypto";
import { hourSeconds } from "../../../server/durations.ts";
import { type Point, takeTogether } from "../../../server/rate-limits.ts";
import type { Context } from "../../../server/runtime.ts";
import { findMail } from "../../mail/mails.store.server.ts";
import { normalizeEmail } from "../../mail/normalize-email.ts";
import { type ReceivedMail, readMail } from "../../mail/read-mail.server.ts";
import { type Notice, readNotice } from "../../mail/read-notice.server.ts";
import { findOrder } from "../../orders/orders.store.server.ts";
import { cleanLine } from "../../ui/forms/text.ts";
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
import { findReturned, getOwnId } from "./find-returned.server.ts";
import { recordReplyBounce } from "./reply.server.ts";

export type ReceiveMailOutcome =
	/**
	 * `automatic`: nobody wrote it; it is listed apart. `complaint`, `notice`: a report of a mail server that the operator has to read.
	 * `unreadable`: it names no sender. `own`: an e-mail of the shop itself, of which nothing is stored.
	 */
	| {
			ok: true;
			what: "started" | "continued" | "known" | "bounce" | "automatic" | "complaint" | "notice" | "unreadable";
			orderNumber: string | null;
	  }
	| { ok: true; what: "own"; orderNumber: null }
	/** `limited`: too many within the hour; try again later. */
	| { ok: false; code: "limited" };

/**
 * E-mails in an hour: those that begin a conversation, of all senders together, because anybody may write any sender; those that nobody
 * wrote; and those that answer one of ours, for each conversation or order, so that a flood of the former shuts no customer out.
 */
const mostMails = { begun: 200, automatic: 200, answers: 30 };

/** What stands in the conversation in place of a content that cannot be read. */
const unreadableText =
	"[Le contenu de cet e-mail n’a pas pu être lu\u00a0: sa structure est trop complexe. Il est resté dans la boîte de réception. Demandez à son auteur de l’écrire de nouveau en texte simple.]";

/** The same for an e-mail without a text, such as an encrypted one, an invitation or Outlook's winmail.dat. */
const attachedText = "[Cet e-mail n’a pas de texte\u00a0: ce qu’il dit est dans ses pièces jointes. Ouvrez-le dans la boîte de réception.]";

/**
 * Receives an e-mail that reached the shop's address. Each counts once, and each leaves a trace: what a person wrote waits for an answer,
 * a notice is recorded at the e-mail that came back, and everything else is a conversation that nobody has to answer.
 */
export async function receiveMail(context: Context, raw: Uint8Array): Promise<ReceiveMailOutcome> {
	const notice = await readNotice(raw);
	const mail = await readMail(raw);
	if (notice !== null) return receiveNotice(context, notice, mail);
	if (isOfTheShop(context, mail)) return { ok: true, what: "own", orderNumber: null };
	return storeMail(context, mail, mail.isAutomatic ? "automatic" : mail.from === null ? "unreadable" : "message");
}

async function receiveNotice(context: Context, notice: Notice, mail: ReceivedMail): Promise<ReceiveMailOutcome> {
	switch (notice.verdict) {
		case "failed": {
			const recorded = await recordReturns(context, notice);
			return recorded ?? storeMail(context, mail, "automatic");
		}
		case "delayed":
		case "received":
			return storeMail(context, mail, "automatic");
		case "complaint": {
			const [returned = null] = await findReturned(context, notice);
			const subject = cleanLine(`Plainte\u00a0: ${mail.subject}`, 200);
			return storeMail(context, { ...mail, subject, references: returned ? [`${returned.id}@`] : [] }, "complaint");
		}
		case "unreadable":
			return storeMail(context, mail, "notice");
	}
}

/** Records the e-mails of the shop that came back. @returns null when there are none. */
async function recordReturns(context: Context, notice: Notice): Promise<ReceiveMailOutcome | null> {
	let recorded: ReceiveMailOutcome | null = null;
	for (const { id, reason } of await findReturned(context, notice)) {
		const bounce = await receiveBounce(context, id, reason);
		const isRecorded = bounce.ok || (await recordReplyBounce(context, id, reason));
		if (isRecorded) recorded ??= { ok: true, what: "bounce", orderNumber: bounce.ok ? bounce.orderNumber : null };
	}
	return recorded;
}

/** The shop's own alerts and forwarded messages reach the same mailbox. */
function isOfTheShop({ environment: { shop, mailFrom } }: Context, { from }: ReceivedMail): boolean {
	return [shop.email, mailFrom.address].some((address) => from !== null && normalizeEmail(address) === normalizeEmail(from));
}

type Kind = "message" | "automatic" | "complaint" | "notice" | "unreadable";

async function storeMail(context: Context, mail: ReceivedMail, kind: Kind): Promise<ReceiveMailOutcome> {
	const text = mail.text === null ? unreadableText : mail.text === "" && mail.attachments.length > 0 ? attachedText : mail.text;
	const from = mail.from ?? "";
	const isAutomatic = kind === "automatic";
	const found = await findOrderOfMessage(context.db, { text: `${mail.subject}\n${text}`, email: from, now: context.now() });
	return context.db.transaction().execute(async (trx): Promise<ReceiveMailOutcome> => {
		const now = context.now();
		const ids = mail.references.flatMap((reference) => getOwnId(reference) ?? []);
		if (mail.messageId !== null && (await findConversationByMessage(trx, [], [mail.messageId])) !== null)
			return { ok: true, what: "known", orderNumber: null };
		const knownId = (await findConversationByMessage(trx, ids, mail.references)) ?? (await findConversationOfForm(trx, ids));
		const known = knownId === null ? null : await lockConversation(trx, knownId);
		// an answer to an e-mail about an order names the order by that e-mail
		const answered = known ?? (await findOrderOfEmails(context, ids));
		const counted = isAutomatic ? automaticMails : countMail(known?.id ?? answered?.order_id ?? null);
		if (!(await takeTogether(context, trx, [counted], { seconds: hourSeconds, now })).ok) return { ok: false, code: "limited" };
		const order = answered ?? found;
		const conversationId = known?.id ?? randomUUID();
		if (known === null)
			await insertConversation(trx, {
				id: conversationId,
				contact_message_id: null,
				refund_request_id: null,
				order_id: order.order_id,
				order_found: order.order_found,
				email: getAnswerAddress(context, mail) ?? from,
				name: mail.name,
				subject: mail.subject || "(sans objet)",
				is_automatic: isAutomatic,
				now,
			});
		const isNew = await insertConversationMessage(trx, {
			id: randomUUID(),
			conversation_id: conversationId,
			direction: "in",
			author: from,
			text,
			message_id: mail.messageId,
			attachments: mail.attachments,
			created_at: now,
		});
		// another process receives the same mail at this moment
		if (!isNew) throw new Error("a mail was received twice at the same time");
		// an absence notice answers nothing: whoever waited waits on, and a reply that is being written may leave
		if (known && !isAutomatic)
			await updateConversation(trx, known.id, { waiting_since: known.waiting_since ?? now, last_at: now, is_automatic: false });
		const orderNumber = order.order_id === null ? null : ((await findOrder(trx, order.order_id))?.order_number ?? null);
		return { ok: true, what: kind !== "message" ? kind : known ? "continued" : "started", orderNumber };
	});
}

/** Where the answer goes (RFC 5322, 3.6.2), unless the shop itself is named. */
const getAnswerAddress = ({ environment: { shop, mailFrom } }: Context, { replyTo }: ReceivedMail): string | null =>
	replyTo !== null && [shop.email, mailFrom.address].every((own) => normalizeEmail(own) !== normalizeEmail(replyTo)) ? replyTo : null;

const automaticMails: Point = { name: "incoming-automatic", subject: "all", most: mostMails.automatic };

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
