import type { Trx } from "../../../server/database/database.ts";
import { describeUnsent, sendAskedEmail } from "../../mail/asked-emails.server.ts";
import type { MailContext } from "../../mail/mailer.ts";
import { renderEmail } from "../../mail/render-email.tsx";
import {
	type Alert,
	findAlert,
	listUnsentRequests,
	lockFollower,
	markConfirmationSent,
	updateConfirmAfter,
} from "./alerts.store.server.ts";
import { findFollowableCompany } from "./followable-company.server.ts";
import { confirmationEmail } from "./link-emails.ts";
import { confirmationUrl } from "./links.server.ts";

/** The most alerts that one e-mail asks to confirm. */
const maxTogether = 20;

/** Milliseconds between two such e-mails to a mailbox: alerts that are asked for meanwhile share the second one. */
const spacing = 5 * 60_000;

/**
 * Asks the owner of an alert's mailbox to confirm it, with the other alerts that wait for such an e-mail; not where the company was masked
 * since. When the mailbox had the e-mails of a day, they wait for the next one.
 * @throws after a temporary failure; the job tries again.
 */
export async function sendAlertConfirmation(context: MailContext, alertId: string): Promise<void> {
	const { db, environment, log, now } = context;
	const alert = await findAlert(db, alertId);
	if (alert === null) return;
	const requests = await listFollowable(context, await listUnsentRequests(db, alert.follower_id, maxTogether));
	const [first] = requests;
	if (first === undefined) return; // the rule: once; net: the same Message-ID
	const content = confirmationEmail({
		requests: requests.map(({ company, request }) => ({ company, siren: request.siren, choices: request })),
		url: confirmationUrl(context, first.request.id, first.request.requested_at),
		shopName: environment.shop.name,
	});
	const id = `${first.request.id}-${first.request.requested_at.getTime()}`;
	const sent = await sendAskedEmail(context, { id, to: alert.email, ...renderEmail(content, environment.shop) });
	// a refused request stays unconfirmed until the purge deletes it
	if (!sent.ok) log.warn({ alert: alertId, reason: describeUnsent(sent) }, "the confirmation of a company's alert was not sent");
	await db.transaction().execute(async (trx) => {
		if (!(await lockFollower(trx, alert.follower_id))) return; // the person was erased meanwhile
		if (!sent.ok && sent.code === "limited")
			return queueNext(context, trx, first.request, new Date(now().getTime() + sent.retryAfter * 1000));
		await markConfirmationSent(
			trx,
			requests.map(({ request }) => request),
			{ mailId: id, now: now() },
		);
		const after = new Date(now().getTime() + spacing);
		// asked for while this e-mail was being sent: its job was the same
		const [next] = await listUnsentRequests(trx, alert.follower_id, 1);
		if (next) await queueNext(context, trx, next, after);
		else await updateConfirmAfter(trx, alert.follower_id, after);
	});
}

async function queueNext({ jobs }: MailContext, trx: Trx, { id, follower_id }: Alert, after: Date): Promise<void> {
	await updateConfirmAfter(trx, follower_id, after);
	await jobs.send(trx, "send-company-alert-confirmation", { alertId: id, followerId: follower_id, after: after.getTime() }, after);
}

/** With the name of each company. */
async function listFollowable({ db }: MailContext, requests: readonly Alert[]): Promise<{ company: string; request: Alert }[]> {
	const found = [];
	for (const request of requests) {
		const company = await findFollowableCompany(db, request.siren);
		if (company) found.push({ company: company.name ?? `SIREN ${request.siren}`, request });
	}
	return found;
}
