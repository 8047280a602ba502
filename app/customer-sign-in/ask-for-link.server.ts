import { randomUUID } from "node:crypto";
import { hourSeconds } from "../../server/durations.ts";
import type { Context } from "../../server/runtime.ts";
import { customerLinkSpacing } from "../catalogue/link-lifetimes.ts";
import { type EmailSpacing, mayAskForEmail } from "../mail/asked-emails.server.ts";
import { checkEmail } from "../mail/email-address.ts";

/** Requests of a client in an hour. */
const requestsPerClient = 10;

const spacing: EmailSpacing = { name: "customer-link", minutes: customerLinkSpacing };

/** `retryAfter`: seconds. */
export type AskForLinkOutcome = { ok: true } | { ok: false; code: "invalid" } | { ok: false; code: "limited"; retryAfter: number };

/**
 * Receives an address whose owner wants to see its orders. A job looks for them, so that result and time are the same with and without
 * orders (docs/rules.md, R170). A mailbox that just had its e-mail gets the same result.
 * @param honeypot an invisible field that only robots fill in. @param client the client's key.
 */
export async function askForCustomerLink(
	context: Context,
	{ email, honeypot, client }: { email: string; honeypot: string; client: string },
): Promise<AskForLinkOutcome> {
	const { db, jobs, limits } = context;
	if (honeypot !== "") return { ok: true };
	if (checkEmail(email)) return { ok: false, code: "invalid" };
	const taken = await limits("customer-link", requestsPerClient, hourSeconds).take(client);
	if (!taken.ok) return { ...taken, code: "limited" };
	await db.transaction().execute(async (trx) => {
		if (await mayAskForEmail(context, trx, { email, client, spacing }))
			await jobs.send(trx, "send-customer-link", { mailId: randomUUID(), email });
	});
	return { ok: true };
}
