import { takeEach } from "../../server/rate-limits.ts";
import type { Context } from "../../server/runtime.ts";
import { checkEmail } from "../mail/email-address.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import { askForNewsletter } from "./ask-for-newsletter.server.ts";

interface Incoming {
	email: string;
	/** A field that people do not see: only a robot fills it in. */
	trap: string;
	/** Who asks: the key of a client. */
	from: string;
}

export type ReceivedRequest =
	| { ok: true }
	/** checkEmail says why. */
	| { ok: false; code: "invalid" }
	/** `retryAfter`: seconds. */
	| { ok: false; code: "limited"; retryAfter: number };

/** Per hour: what one place may send, and how often one mailbox may be named. Net: recordRequest asks a mailbox once a day. */
const requestsPerPlace = 20;
const requestsPerMailbox = 5;

/**
 * Takes an address from the newsletter's form.
 * The answer is the same whether the address is new, asked already or confirmed, and for a robot, of whom nothing is kept.
 */
export async function receiveRequest(context: Context, { email, trap, from }: Incoming): Promise<ReceivedRequest> {
	if (trap !== "") return { ok: true };
	if (checkEmail(email)) return { ok: false, code: "invalid" };
	const taken = await takeEach([
		{ limit: context.limits("newsletter", requestsPerPlace, 3600), subject: from },
		{ limit: context.limits("newsletter-mailbox", requestsPerMailbox, 3600), subject: normalizeEmail(email) },
	]);
	if (!taken.ok) return { ...taken, code: "limited" };
	await context.db.transaction().execute((trx) => askForNewsletter(context, trx, { email, source: "form" }));
	return { ok: true };
}
