import { hourSeconds } from "../../server/durations.ts";
import type { Context } from "../../server/runtime.ts";
import { mayAskForEmail } from "../mail/asked-emails.server.ts";
import { checkEmail } from "../mail/email-address.ts";
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

/** Per hour. A mailbox gets one confirmation a day (recordRequest), and few e-mails that it did not ask for (sendAskedEmail). */
const requestsPerClient = 20;

/**
 * Receives an address from the newsletter's form.
 * The result is the same for a new, a requested and a confirmed address, and for a robot, of which nothing is stored.
 */
export async function receiveRequest(context: Context, { email, honeypot, client }: RequestSubmission): Promise<ReceiveRequestOutcome> {
	if (honeypot !== "") return { ok: true };
	if (checkEmail(email)) return { ok: false, code: "invalid" };
	const taken = await context.limits("newsletter", requestsPerClient, hourSeconds).take(client);
	if (!taken.ok) return { ...taken, code: "limited" };
	await context.db.transaction().execute(async (trx) => {
		if (await mayAskForEmail(context, trx, { email, client })) await askForNewsletter(context, trx, { email, source: "form" });
	});
	return { ok: true };
}
