import { randomUUID } from "node:crypto";
import type { Context } from "../../../server/runtime.ts";
import { alertLinkSpacing } from "../../catalogue/link-lifetimes.ts";
import {
	describeUnsent,
	type EmailRequest,
	type EmailSpacing,
	mayAskForEmail,
	type RequestOutcome,
	receiveRequest,
	sendAskedEmail,
} from "../../mail/asked-emails.server.ts";
import { isEmail } from "../../mail/email-address.ts";
import type { MailContext } from "../../mail/mailer.ts";
import { renderEmail } from "../../mail/render-email.tsx";
import { findFollower, hasRunningAlert } from "./alerts.store.server.ts";
import { type AlertLinkReason, linkEmail } from "./link-emails.ts";
import { alertsUrl } from "./links.server.ts";

/** Of e-mails that send the link to a mailbox's alerts again (docs/rules.md, R141). */
export const linkSpacing: EmailSpacing = { name: "company-alerts-link", minutes: alertLinkSpacing };

/** Requests of a client in an hour. */
const requestsPerClient = 10;

/**
 * Receives an address whose owner wants the link to its alerts. A job looks for them, so that result and time are the same with and
 * without alerts. A mailbox that just had its e-mail gets the same result.
 */
export function askForLink(context: Context, request: EmailRequest): Promise<RequestOutcome> {
	const { db, jobs } = context;
	const { email, client } = request;
	return receiveRequest(context, { ...request, isValid: isEmail(email) }, ["company-alerts-link", requestsPerClient], () =>
		db.transaction().execute(async (trx) => {
			if (await mayAskForEmail(context, trx, { email, client, spacing: linkSpacing }))
				await jobs.send(trx, "send-company-alert-link", { mailId: randomUUID(), email, reason: "asked" });
		}),
	);
}

/**
 * Sends an address the link to its alerts; nothing when it has none.
 * @throws after a temporary failure: the job tries again, with the same Message-ID.
 */
export async function sendAlertLink(
	context: MailContext,
	{ mailId, email, reason }: { mailId: string; email: string; reason: AlertLinkReason },
): Promise<void> {
	const { db, environment, log } = context;
	const follower = await findFollower(db, { email });
	if (follower === null || !(await hasRunningAlert(db, follower.id))) return;
	const content = linkEmail(reason, alertsUrl(context, follower.id));
	// to the stored address, not to the typed one
	const sent = await sendAskedEmail(context, { id: mailId, to: follower.email, ...renderEmail(content, environment.shop) });
	if (!sent.ok) log.warn({ reason: describeUnsent(sent) }, "an e-mail with the link to a mailbox's alerts was not sent");
}
