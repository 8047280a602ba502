import type { Runtime } from "../../server/runtime.ts";
import type { Mailer } from "../mail/mailer.ts";
import { renderEmail } from "../mail/render-email.tsx";
import { confirmationUrl } from "./links.server.ts";
import { confirmationEmail } from "./newsletter-emails.ts";
import { findSubscription, markConfirmationSent } from "./subscriptions.store.server.ts";

/**
 * Asks an address to confirm, once for each request.
 * @throws when the mail could not be handed over: the job is tried again.
 */
export async function sendConfirmation(
	deps: Pick<Runtime, "db" | "now" | "log" | "environment" | "signer"> & { mailer: Mailer },
	subscriptionId: string,
): Promise<void> {
	const asked = await findSubscription(deps.db, subscriptionId);
	if (asked === null || asked.confirmed_at) return;
	const { email, requested_at, confirmation_sent_at } = asked;
	if (confirmation_sent_at && confirmation_sent_at >= requested_at) return; // the rule; net: the same Message-ID
	const { shop } = deps.environment;
	const content = confirmationEmail(confirmationUrl(deps, subscriptionId, requested_at), shop.name);
	const id = `${subscriptionId}-${requested_at.getTime()}`;
	const sent = await deps.mailer.send({ id, to: email, ...renderEmail(content, shop) });
	// nobody will confirm, and the purge deletes the request
	if (!sent.ok) deps.log.warn({ subscription: subscriptionId, reason: sent.reason }, "a newsletter's confirmation was refused");
	await markConfirmationSent(deps.db, subscriptionId, requested_at, deps.now());
}
