import { describeUnsent, sendAskedEmail } from "../../mail/asked-emails.server.ts";
import type { MailContext } from "../../mail/mailer.ts";
import { renderEmail } from "../../mail/render-email.tsx";
import { confirmationUrl } from "./links.server.ts";
import { confirmationEmail } from "./newsletter-emails.ts";
import { findSubscription, markConfirmationSent } from "./subscriptions.store.server.ts";

/**
 * Asks an address to confirm, once for each request.
 * @throws after a temporary failure; the job tries again.
 */
export async function sendConfirmation(context: MailContext, subscriptionId: string): Promise<void> {
	const subscription = await findSubscription(context.db, subscriptionId);
	if (subscription === null || subscription.confirmed_at) return;
	const { email, requested_at, confirmation_sent_at } = subscription;
	if (confirmation_sent_at && confirmation_sent_at >= requested_at) return; // the rule: once; net: the same Message-ID
	const { shop } = context.environment;
	const content = confirmationEmail(confirmationUrl(context, subscriptionId, requested_at), shop.name);
	const id = `${subscriptionId}-${requested_at.getTime()}`;
	const sent = await sendAskedEmail(context, { id, to: email, ...renderEmail(content, shop) });
	// a refused request stays unconfirmed until the purge deletes it
	if (!sent.ok)
		context.log.warn({ subscription: subscriptionId, reason: describeUnsent(sent) }, "a newsletter's confirmation was not sent");
	if (sent.ok || sent.code === "refused") await markConfirmationSent(context.db, subscriptionId, requested_at, context.now());
}
