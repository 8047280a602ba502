import { randomUUID } from "node:crypto";
import type { Trx } from "../../server/database/database.ts";
import { takeEach } from "../../server/rate-limits.ts";
import type { Context } from "../../server/runtime.ts";
import { textVersions } from "../catalogue/text-versions.ts";
import { maxFollowedCompanies } from "../companies/can-follow.ts";
import type { Siren } from "../companies/siren.ts";
import { checkEmail } from "../mail/email-address.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import { takeEmailPoints } from "../mail/take-email-points.server.ts";
import type { AlertChoices } from "./alert-choices.ts";
import { countFollowedCompanies, findOpenAlert, lockFollowerByEmail, recordAlertRequest } from "./alerts.store.server.ts";
import { type AlertLinkReason, sendAlertConfirmationJob, sendAlertLinkJob } from "./jobs.ts";
import { linkEmailLimit } from "./link-email-limit.ts";

interface AlertSubmission {
	siren: Siren;
	email: string;
	choices: AlertChoices;
	/** An invisible field that only robots fill in. */
	honeypot: string;
	/** The key of the client. */
	client: string;
}

export type AskForAlertOutcome =
	| { ok: true }
	/** The address is wrong, or no topic was chosen: the form lists both errors. */
	| { ok: false; code: "invalid" }
	/** `retryAfter`: seconds. */
	| { ok: false; code: "limited"; retryAfter: number };

/** Requests of one client in an hour, and for one mailbox in an hour and in a day. */
const requestsPerClient = 20;
const requestsPerMailbox = { hour: 10, day: 20 };

/**
 * Receives the form that follows a company. Its owner must confirm by e-mail, because anybody may have typed the address. The result is
 * the same for a new mailbox, one that follows the company already, one that follows as many as it may, and for a robot, of which nothing
 * is stored: only the e-mail tells (docs/rules.md, R141).
 */
export async function askForAlert(context: Context, submission: AlertSubmission): Promise<AskForAlertOutcome> {
	const { email, choices, honeypot, client } = submission;
	if (honeypot !== "") return { ok: true };
	if (checkEmail(email) || choices.topics.length === 0) return { ok: false, code: "invalid" };
	const mailbox = normalizeEmail(email);
	const taken = await takeEach([
		{ limit: context.limits("company-alerts", requestsPerClient, 3600), subject: client },
		{ limit: context.limits("company-alerts-mailbox", requestsPerMailbox.hour, 3600), subject: mailbox },
		{ limit: context.limits("company-alerts-mailbox-day", requestsPerMailbox.day, 86_400), subject: mailbox },
	]);
	if (!taken.ok) return { ...taken, code: "limited" };
	await context.db.transaction().execute((trx) => recordRequest(context, trx, submission));
	return { ok: true };
}

async function recordRequest({ jobs, now }: Context, trx: Trx, { siren, email, choices, client }: AlertSubmission): Promise<void> {
	const sendLink = async (reason: AlertLinkReason) => {
		if (await takeEmailPoints(trx, linkEmailLimit, { email, client, now: now() }))
			await jobs.send(trx, sendAlertLinkJob, { mailId: randomUUID(), email, reason });
	};
	const followerId = await lockFollowerByEmail(trx, email, now());
	if ((await findOpenAlert(trx, followerId, siren))?.confirmed_at) return sendLink("followed");
	if ((await countFollowedCompanies(trx, followerId)) >= maxFollowedCompanies) return sendLink("full");
	const request = { followerId, siren, choices, textVersion: textVersions.companyAlerts.date, now: now() };
	const alertId = await recordAlertRequest(trx, request);
	if (alertId !== null) await jobs.send(trx, sendAlertConfirmationJob, { alertId });
}
