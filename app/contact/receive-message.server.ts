import { randomUUID } from "node:crypto";
import { hourSeconds } from "../../server/durations.ts";
import type { Context } from "../../server/runtime.ts";
import { mayAskForEmail } from "../mail/asked-emails.server.ts";
import { findOrderOfMessage } from "../messages/find-order.server.ts";
import { startFormConversation } from "../messages/start-conversation.server.ts";
import { insertMessage } from "./contact.store.server.ts";
import { type AboutCompany, checkMessage, type MessageForm, type MessageValues, toContactMessage } from "./contact-message.ts";

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

/** Per hour, both forms together. A mailbox has no limit: its owner could else be shut out by others who type its address. */
const messagesPerClient = 20;

/**
 * Stores a message and enqueues its forwarding in one transaction.
 * A robot gets the same result, but nothing is stored.
 */
export async function receiveMessage(
	context: Context,
	{ form, values, about, honeypot, client }: MessageSubmission,
): Promise<ReceiveMessageOutcome> {
	const { db, jobs, now, limits } = context;
	if (honeypot !== "") return { ok: true };
	if (Object.keys(checkMessage(form, values)).length > 0) return { ok: false, code: "invalid" };
	const message = toContactMessage(values, about);
	const taken = await limits("contact", messagesPerClient, hourSeconds).take(client);
	if (!taken.ok) return { ...taken, code: "limited" };
	const id = randomUUID();
	const order = await findOrderOfMessage(db, { text: message.message, email: message.email, now: now() });
	await db.transaction().execute(async (trx) => {
		await insertMessage(trx, { id, ...message, now: now() });
		await startFormConversation(trx, { id, ...message, order, now: now() });
		const withReceipt = await mayAskForEmail(context, trx, { email: message.email, client });
		await jobs.send(trx, "pass-on-message", { messageId: id, withReceipt });
	});
	return { ok: true };
}
