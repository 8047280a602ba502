import type { Runtime } from "../../server/runtime.ts";
import { formatDay } from "../catalogue/instants.ts";
import type { Mailer } from "../mail/mailer.ts";
import { renderEmail } from "../mail/render-email.tsx";
import { isRecipientRefused } from "./is-recipient-refused.ts";
import { findDelivery, markDelivery } from "./issues.store.server.ts";
import { endUrl } from "./links.server.ts";
import { unsubscribeFooter } from "./newsletter-emails.ts";
import { readIssue } from "./read-issue.ts";
import { markEnded } from "./subscriptions.store.server.ts";

type Deps = Pick<Runtime, "db" | "now" | "log" | "environment" | "signer"> & { mailer: Mailer };

/**
 * Sends one issue to one subscriber, once, unless the subscription has ended. An address that no longer exists ends its subscription.
 * @throws when the mail could not be handed over: the job is tried again, under the same Message-ID.
 */
export async function deliverIssue(deps: Deps, letterId: string, subscriptionId: string): Promise<void> {
	const found = await findDelivery(deps.db, letterId, subscriptionId); // the rule: once; net: the same Message-ID
	if (found === null) return;
	const url = endUrl(deps, subscriptionId);
	const mail = renderIssue(deps, found.content, url, found.confirmedAt);
	const sent = await deps.mailer.send({ id: `${letterId}-${subscriptionId}`, to: found.email, unsubscribeUrl: url, ...mail });
	if (sent.ok) return markDelivery(deps.db, letterId, subscriptionId, { sent_at: deps.now() });
	const { reason } = sent;
	deps.log.warn({ subscription: subscriptionId, reason }, "a newsletter was refused by its mail server");
	await deps.db.transaction().execute(async (trx) => {
		await markDelivery(trx, letterId, subscriptionId, { refused_reason: reason.slice(0, 500) });
		if (isRecipientRefused(reason)) await markEnded(trx, subscriptionId, deps.now());
	});
}

/** The id of no subscription: the link of a test copy opens its page, and ends nothing. */
const nobody = "00000000-0000-0000-0000-000000000000";

/** Sends a draft of an issue to one address, as subscribers would get it. */
export async function sendTestCopy(deps: Deps, { copyId, to, content }: { copyId: string; to: string; content: string }): Promise<void> {
	const url = endUrl(deps, nobody);
	const sent = await deps.mailer.send({ id: copyId, to, unsubscribeUrl: url, ...renderIssue(deps, content, url, deps.now()) });
	if (!sent.ok) deps.log.error({ reason: sent.reason }, "the test copy of a newsletter was refused");
}

function renderIssue({ environment }: Deps, content: string, url: string, since: Date) {
	const read = readIssue(content, environment.baseUrl);
	if (!read.ok) throw new Error(`a stored issue cannot be read: ${read.problems.join(" ")}`);
	return renderEmail({ ...read.email, blocks: [...read.email.blocks, ...unsubscribeFooter(url, formatDay(since))] }, environment.shop);
}
