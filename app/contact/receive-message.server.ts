import { randomUUID } from "node:crypto";
import { takeEach } from "../../server/rate-limits.ts";
import type { Context } from "../../server/runtime.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import { insertMessage } from "./contact.store.server.ts";
import { type AboutCompany, checkMessage, type MessageForm, type MessageValues, messageOf } from "./contact-message.ts";
import { forwardMessageJob } from "./jobs.ts";

interface Incoming {
	form: MessageForm;
	values: MessageValues;
	/** The company's page that it was reached from. */
	about: AboutCompany | null;
	/** A field that people do not see: only a robot fills it in. */
	trap: string;
	/** Who writes: the key of a client. */
	from: string;
}

export type ReceivedMessage =
	| { ok: true }
	/** checkMessage says which fields do not hold. */
	| { ok: false; code: "invalid" }
	/** `retryAfter`: seconds. */
	| { ok: false; code: "limited"; retryAfter: number };

/** Per hour, by whichever form: what one place may send, and what one mailbox may be told of. */
const messagesPerPlace = 20;
const messagesPerMailbox = 5;

/**
 * Keeps a message of one of the forms and asks for it to be mailed, in one transaction.
 * The answer is the same for a robot, of whom nothing is kept.
 */
export async function receiveMessage(
	{ db, jobs, now, limits }: Context,
	{ form, values, about, trap, from }: Incoming,
): Promise<ReceivedMessage> {
	if (trap !== "") return { ok: true };
	if (Object.keys(checkMessage(form, values)).length > 0) return { ok: false, code: "invalid" };
	const message = messageOf(values, about);
	const taken = await takeEach([
		{ limit: limits("contact", messagesPerPlace, 3600), subject: from },
		{ limit: limits("contact-mailbox", messagesPerMailbox, 3600), subject: normalizeEmail(message.email) },
	]);
	if (!taken.ok) return { ...taken, code: "limited" };
	const id = randomUUID();
	await db.transaction().execute(async (trx) => {
		await insertMessage(trx, { id, ...message, now: now() });
		await jobs.send(trx, forwardMessageJob, { messageId: id });
	});
	return { ok: true };
}
