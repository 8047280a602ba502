import { randomUUID } from "node:crypto";
import { hourSeconds } from "../../server/durations.ts";
import type { Context } from "../../server/runtime.ts";
import { mayAskForEmail } from "../mail/asked-emails.server.ts";
import { checkEmail } from "../mail/email-address.ts";
import { linkSpacing } from "./link-spacing.ts";

/** Requests of a client in an hour. */
const requestsPerClient = 10;

/** `retryAfter`: seconds. */
export type AskForLinkOutcome = { ok: true } | { ok: false; code: "invalid" } | { ok: false; code: "limited"; retryAfter: number };

/**
 * Receives an address whose owner wants the link to its alerts. A job looks for them, so that result and time are the same with and
 * without alerts. A mailbox that just had its e-mail gets the same result.
 * @param honeypot an invisible field that only robots fill in. @param client the client's key.
 */
export async function askForLink(
	context: Context,
	{ email, honeypot, client }: { email: string; honeypot: string; client: string },
): Promise<AskForLinkOutcome> {
	const { db, jobs, limits } = context;
	if (honeypot !== "") return { ok: true };
	if (checkEmail(email)) return { ok: false, code: "invalid" };
	const taken = await limits("company-alerts-link", requestsPerClient, hourSeconds).take(client);
	if (!taken.ok) return { ...taken, code: "limited" };
	await db.transaction().execute(async (trx) => {
		if (await mayAskForEmail(context, trx, { email, client, spacing: linkSpacing }))
			await jobs.send(trx, "send-company-alert-link", { mailId: randomUUID(), email, reason: "asked" });
	});
	return { ok: true };
}
