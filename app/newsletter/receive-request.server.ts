import { takeEach } from "../../server/rate-limits.ts";
import type { Context } from "../../server/runtime.ts";
import { checkEmail } from "../mail/email-address.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import { askForNewsletter } from "./ask-for-newsletter.server.ts";

interface RequestSubmission {
	email: string;
	/** An invisible field that only robots fill in. */
	honeypot: string;
	/** The key of the client. */
	client: string;
}

export type ReceiveRequestOutcome =
	| { ok: true }
	/** checkEmail returns the sentence. */
	| { ok: false; code: "invalid" }
	/** `retryAfter`: seconds. */
	| { ok: false; code: "limited"; retryAfter: number };

/** Per hour: requests of one client, and requests for one mailbox, which recordRequest also limits to one e-mail a day. */
const requestsPerClient = 20;
const requestsPerMailbox = 5;

/**
 * Receives an address from the newsletter's form.
 * The result is the same for a new, a requested and a confirmed address, and for a robot, of which nothing is stored.
 */
export async function receiveRequest(context: Context, { email, honeypot, client }: RequestSubmission): Promise<ReceiveRequestOutcome> {
	if (honeypot !== "") return { ok: true };
	if (checkEmail(email)) return { ok: false, code: "invalid" };
	const taken = await takeEach([
		{ limit: context.limits("newsletter", requestsPerClient, 3600), subject: client },
		{ limit: context.limits("newsletter-mailbox", requestsPerMailbox, 3600), subject: normalizeEmail(email) },
	]);
	if (!taken.ok) return { ...taken, code: "limited" };
	await context.db.transaction().execute((trx) => askForNewsletter(context, trx, { email, source: "form" }));
	return { ok: true };
}
