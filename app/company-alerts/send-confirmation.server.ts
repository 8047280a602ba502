import type { MailContext } from "../mail/mailer.ts";
import { renderEmail } from "../mail/render-email.tsx";
import { findAlert, markConfirmationSent } from "./alerts.store.server.ts";
import { findFollowableCompany } from "./followable-company.server.ts";
import { confirmationEmail } from "./link-emails.ts";
import { confirmationUrl } from "./links.server.ts";

/**
 * Asks the owner of a mailbox to confirm an alert, once for each request; not when the company was masked since.
 * @throws after a temporary failure; the job tries again.
 */
export async function sendAlertConfirmation(context: MailContext, alertId: string): Promise<void> {
	const { db, environment, log, mailer, now } = context;
	const alert = await findAlert(db, alertId);
	if (alert === null || alert.confirmed_at) return;
	const { email, siren, requested_at, confirmation_sent_at } = alert;
	if (confirmation_sent_at && confirmation_sent_at >= requested_at) return; // the rule: once; net: the same Message-ID
	const company = await findFollowableCompany(db, siren);
	if (company === null) return;
	const url = confirmationUrl(context, alertId, requested_at);
	const content = confirmationEmail({
		company: company.name ?? `SIREN ${siren}`,
		siren,
		choices: alert,
		url,
		shopName: environment.shop.name,
	});
	const id = `${alertId}-${requested_at.getTime()}`;
	const sent = await mailer.send({ id, to: email, ...renderEmail(content, environment.shop) });
	// a refused request stays unconfirmed until the purge deletes it
	if (!sent.ok) log.warn({ alert: alertId, reason: sent.reply }, "the confirmation of a company's alert was refused");
	await markConfirmationSent(db, alertId, requested_at, now());
}
