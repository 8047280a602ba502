import { randomUUID } from "node:crypto";
import { hourSeconds } from "../../../../server/durations.ts";
import type { Context } from "../../../../server/runtime.ts";
import { lostNumberMinutes } from "../../../catalogue/link-lifetimes.ts";
import { type EmailSpacing, mayAskForEmail } from "../../../mail/asked-emails.server.ts";
import { checkEmail } from "../../../mail/email-address.ts";

/** Requests of a client in an hour. */
const requestsPerClient = 10;

const spacing: EmailSpacing = { name: "lost-number", minutes: lostNumberMinutes };

/** `retryAfter`: seconds. */
export type AskForNumbersOutcome = { ok: true } | { ok: false; code: "invalid" } | { ok: false; code: "limited"; retryAfter: number };

/**
 * Receives an address whose order numbers are lost. A job looks for its orders, so that result and time are the same with and without
 * orders (docs/rules.md, R62). A mailbox that had its e-mail, or a client beyond its limit for the mailbox, gets the same result.
 * @param client the client's key.
 */
export async function askForNumbers(context: Context, { email, client }: { email: string; client: string }): Promise<AskForNumbersOutcome> {
	const { db, jobs, limits } = context;
	if (checkEmail(email)) return { ok: false, code: "invalid" };
	const taken = await limits("lost-number", requestsPerClient, hourSeconds).take(client);
	if (!taken.ok) return { ...taken, code: "limited" };
	await db.transaction().execute(async (trx) => {
		if (await mayAskForEmail(context, trx, { email, client, spacing }))
			await jobs.send(trx, "send-order-numbers", { mailId: randomUUID(), email });
	});
	return { ok: true };
}
