import { formatLongDay } from "../../catalogue/instants.ts";
import { isRecipientRefused } from "../../mail/is-recipient-refused.ts";
import type { MailContext } from "../../mail/mailer.ts";
import { renderEmail } from "../../mail/render-email.tsx";
import { findUnsentDelivery, updateDelivery } from "./issues.store.server.ts";
import { unsubscribeUrl } from "./links.server.ts";
import { unsubscribeFooter } from "./newsletter-emails.ts";
import { readIssue } from "./read-issue.ts";
import { markEnded } from "./subscriptions.store.server.ts";

/**
 * Sends an issue to a subscriber once, unless the subscription has ended. An address that no longer exists ends its subscription.
 * @throws after a temporary failure; the job tries again with the same Message-ID.
 */
export async function deliverIssue(context: MailContext, letterId: string, subscriptionId: string): Promise<void> {
	const delivery = await findUnsentDelivery(context.db, letterId, subscriptionId);
	if (delivery === null) return; // the rule: once; net: the same Message-ID
	const url = unsubscribeUrl(context, subscriptionId);
	const mail = renderIssue(context, delivery.content, url, delivery.confirmedAt);
	const sent = await context.mailer.send({ id: `${letterId}-${subscriptionId}`, to: delivery.email, unsubscribeUrl: url, ...mail });
	if (sent.ok) return updateDelivery(context.db, letterId, subscriptionId, { sent_at: context.now() });
	const { reply } = sent;
	context.log.warn({ subscription: subscriptionId, reason: reply }, "a newsletter was refused by its mail server");
	await context.db.transaction().execute(async (trx) => {
		await updateDelivery(trx, letterId, subscriptionId, { refused_reason: reply.slice(0, 500) });
		if (isRecipientRefused(reply)) await markEnded(trx, subscriptionId, context.now());
	});
}

/** No subscription has this id: the link of a test copy opens its page, but ends nothing. */
const testSubscriptionId = "00000000-0000-0000-0000-000000000000";

/** Sends a draft of an issue to one address, as subscribers would receive it. */
export async function sendTestCopy(
	context: MailContext,
	{ copyId, to, content }: { copyId: string; to: string; content: string },
): Promise<void> {
	const url = unsubscribeUrl(context, testSubscriptionId);
	const sent = await context.mailer.send({ id: copyId, to, unsubscribeUrl: url, ...renderIssue(context, content, url, context.now()) });
	if (!sent.ok) context.log.error({ reason: sent.reply }, "the test copy of a newsletter was refused");
}

function renderIssue({ environment }: MailContext, content: string, url: string, since: Date) {
	const issue = readIssue(content, environment.baseUrl);
	if (!issue.ok) throw new Error(`a stored issue cannot be read: ${issue.problems.join(" ")}`);
	return renderEmail(
		{ ...issue.email, blocks: [...issue.email.blocks, ...unsubscribeFooter(url, formatLongDay(since))] },
		environment.shop,
	);
}
