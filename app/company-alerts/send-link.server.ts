import { describeUnsent, sendAskedEmail } from "../mail/asked-emails.server.ts";
import type { MailContext } from "../mail/mailer.ts";
import { renderEmail } from "../mail/render-email.tsx";
import { findFollower, hasRunningAlert } from "./alerts.store.server.ts";
import type { AlertLinkReason } from "./link-emails.ts";
import { linkEmail } from "./link-emails.ts";
import { alertsUrl } from "./links.server.ts";

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
