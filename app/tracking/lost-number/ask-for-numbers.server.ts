import { randomUUID } from "node:crypto";
import type { Context } from "../../../server/runtime.ts";
import { checkEmail } from "../../mail/email-address.ts";
import { normalizeEmail } from "../../mail/normalize-email.ts";
import { sendOrderNumbersJob } from "./jobs.ts";

/** Per hour for a client, and per day for a mailbox, which may belong to somebody else. */
const requestsPerClient = 10;
const requestsPerMailbox = 3;

/** `retryAfter`: seconds. */
export type AskForNumbersOutcome = { ok: true } | { ok: false; code: "invalid" } | { ok: false; code: "limited"; retryAfter: number };

/**
 * Receives an address whose order numbers are lost. A job looks for its orders, so that result and time are the same with and without
 * orders (docs/rules.md, R62). A mailbox beyond its limit gets nothing more, with the same result.
 * @param client the client's key.
 */
export async function askForNumbers(
	{ db, jobs, limits }: Context,
	{ email, client }: { email: string; client: string },
): Promise<AskForNumbersOutcome> {
	if (checkEmail(email)) return { ok: false, code: "invalid" };
	const taken = await limits("lost-number", requestsPerClient, 3600).take(client);
	if (!taken.ok) return { ...taken, code: "limited" };
	const mailbox = await limits("lost-number-mailbox", requestsPerMailbox, 86_400).take(normalizeEmail(email));
	if (mailbox.ok) await db.transaction().execute((trx) => jobs.send(trx, sendOrderNumbersJob, { mailId: randomUUID(), email }));
	return { ok: true };
}
