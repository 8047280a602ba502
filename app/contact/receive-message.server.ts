import { randomUUID } from "node:crypto";
import { takeEach } from "../../server/rate-limits.ts";
import type { Context } from "../../server/runtime.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import { findOrderOfMessage } from "../messages/find-order.server.ts";
import { startFormConversation } from "../messages/start-conversation.server.ts";
import { insertMessage } from "./contact.store.server.ts";
import { type AboutCompany, checkMessage, type MessageForm, type MessageValues, toContactMessage } from "./contact-message.ts";
import { forwardMessageJob } from "./jobs.ts";

interface MessageSubmission {
	form: MessageForm;
	values: MessageValues;
	/** The company's page from which the form was opened. */
	about: AboutCompany | null;
	/** An invisible field that only robots fill in. */
	honeypot: string;
	/** The key of the client. */
	client: string;
}

export type ReceiveMessageOutcome =
	| { ok: true }
	/** checkMessage returns the invalid fields. */
	| { ok: false; code: "invalid" }
	/** `retryAfter`: seconds. */
	| { ok: false; code: "limited"; retryAfter: number };

/** Per hour, both forms together: the messages of one client, and the receipts to one mailbox. */
const messagesPerClient = 20;
const messagesPerMailbox = 5;

/**
 * Stores a message and enqueues its forwarding in one transaction.
 * A robot gets the same result, but nothing is stored.
 */
export async function receiveMessage(
	{ db, jobs, now, limits }: Context,
	{ form, values, about, honeypot, client }: MessageSubmission,
): Promise<ReceiveMessageOutcome> {
	if (honeypot !== "") return { ok: true };
	if (Object.keys(checkMessage(form, values)).length > 0) return { ok: false, code: "invalid" };
	const message = toContactMessage(values, about);
	const taken = await takeEach([
		{ limit: limits("contact", messagesPerClient, 3600), subject: client },
		{ limit: limits("contact-mailbox", messagesPerMailbox, 3600), subject: normalizeEmail(message.email) },
	]);
	if (!taken.ok) return { ...taken, code: "limited" };
	const id = randomUUID();
	const order = await findOrderOfMessage(db, { text: message.message, email: message.email, now: now() });
	await db.transaction().execute(async (trx) => {
		await insertMessage(trx, { id, ...message, now: now() });
		await startFormConversation(trx, { id, ...message, order, now: now() });
		await jobs.send(trx, forwardMessageJob, { messageId: id });
	});
	return { ok: true };
}
