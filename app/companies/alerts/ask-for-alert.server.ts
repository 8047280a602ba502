import { randomUUID } from "node:crypto";
import type { Trx } from "../../../server/database/database.ts";
import { daySeconds } from "../../../server/durations.ts";
import type { Context } from "../../../server/runtime.ts";
import { maxFollowedCompanies } from "../../catalogue/link-lifetimes.ts";
import { textVersions } from "../../catalogue/text-versions.ts";
import { type EmailRequest, mayAskForEmail, type RequestOutcome, receiveRequest } from "../../mail/asked-emails.server.ts";
import { isEmail } from "../../mail/email-address.ts";
import { normalizeEmail } from "../../mail/normalize-email.ts";
import type { Siren } from "../siren.ts";
import type { AlertChoices } from "./alert-choices.ts";
import {
	countFollowedCompanies,
	findOpenAlert,
	listUnsentRequests,
	lockFollowerByEmail,
	recordAlertRequest,
} from "./alerts.store.server.ts";
import type { AlertLinkReason } from "./link-emails.ts";
import { linkSpacing } from "./send-link.server.ts";

interface AlertSubmission extends EmailRequest {
	siren: Siren;
	choices: AlertChoices;
}

/** Requests of one client in an hour. */
const requestsPerClient = 20;

/** Requests that are recorded for one mailbox in a day. */
const requestsPerMailbox = 20;

/**
 * Receives the form that follows a company. Its owner must confirm by e-mail, because anybody may have typed the address. The result is
 * the same for a new mailbox, one that follows the company already, one that follows as many as it may or had its e-mails of the day, and
 * for a robot, of which nothing is stored: only the e-mail tells (docs/rules.md, R141).
 */
export function askForAlert(context: Context, submission: AlertSubmission): Promise<RequestOutcome> {
	const { email, choices } = submission;
	const isValid = isEmail(email) && choices.topics.length > 0;
	return receiveRequest(context, { ...submission, isValid }, ["company-alerts", requestsPerClient], async () => {
		const recorded = await context.limits("company-alerts-mailbox-day", requestsPerMailbox, daySeconds).take(normalizeEmail(email));
		if (recorded.ok) await context.db.transaction().execute((trx) => recordAlert(context, trx, submission));
	});
}

async function recordAlert(context: Context, trx: Trx, { siren, email, choices, client }: AlertSubmission): Promise<void> {
	const { jobs, now } = context;
	const sendLink = async (reason: AlertLinkReason) => {
		if (await mayAskForEmail(context, trx, { email, client, spacing: linkSpacing }))
			await jobs.send(trx, "send-company-alert-link", { mailId: randomUUID(), email, reason });
	};
	const { id: followerId, confirmAfter } = await lockFollowerByEmail(trx, email, now());
	if ((await findOpenAlert(trx, followerId, siren))?.confirmed_at) return sendLink("followed");
	if ((await countFollowedCompanies(trx, followerId)) >= maxFollowedCompanies) return sendLink("full");
	const hasJob = (await listUnsentRequests(trx, followerId, 1)).length > 0;
	// a request that joins the e-mail of another costs no further one
	if (!hasJob && !(await mayAskForEmail(context, trx, { email, client }))) return;
	const request = { followerId, siren, choices, textVersion: textVersions.companyAlerts.date, now: now() };
	const alertId = await recordAlertRequest(trx, request);
	if (alertId === null) return;
	const later = confirmAfter !== null && confirmAfter > now() ? confirmAfter : undefined;
	await jobs.send(trx, "send-company-alert-confirmation", { alertId, followerId, after: confirmAfter?.getTime() ?? 0 }, later);
}
