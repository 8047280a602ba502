import { randomUUID } from "node:crypto";
import type { Trx } from "../../server/database/database.ts";
import { daySeconds, hourSeconds } from "../../server/durations.ts";
import type { Context } from "../../server/runtime.ts";
import { textVersions } from "../catalogue/text-versions.ts";
import { maxFollowedCompanies } from "../companies/can-follow.ts";
import type { Siren } from "../companies/siren.ts";
import { mayAskForEmail } from "../mail/asked-emails.server.ts";
import { checkEmail } from "../mail/email-address.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import type { AlertChoices } from "./alert-choices.ts";
import {
	countFollowedCompanies,
	findOpenAlert,
	listUnsentRequests,
	lockFollowerByEmail,
	recordAlertRequest,
} from "./alerts.store.server.ts";
import type { AlertLinkReason } from "./link-emails.ts";
import { linkSpacing } from "./link-spacing.ts";

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

/** Requests of one client in an hour. */
const requestsPerClient = 20;

/** Requests that are recorded for one mailbox in a day. */
const requestsPerMailbox = 20;

/**
 * Receives the form that follows a company. Its owner must confirm by e-mail, because anybody may have typed the address. The result is
 * the same for a new mailbox, one that follows the company already, one that follows as many as it may or had its e-mails of the day, and
 * for a robot, of which nothing is stored: only the e-mail tells (docs/rules.md, R141).
 */
export async function askForAlert(context: Context, submission: AlertSubmission): Promise<AskForAlertOutcome> {
	const { email, choices, honeypot, client } = submission;
	if (honeypot !== "") return { ok: true };
	if (checkEmail(email) || choices.topics.length === 0) return { ok: false, code: "invalid" };
	const taken = await context.limits("company-alerts", requestsPerClient, hourSeconds).take(client);
	if (!taken.ok) return { ...taken, code: "limited" };
	const recorded = await context.limits("company-alerts-mailbox-day", requestsPerMailbox, daySeconds).take(normalizeEmail(email));
	if (recorded.ok) await context.db.transaction().execute((trx) => recordRequest(context, trx, submission));
	return { ok: true };
}

async function recordRequest(context: Context, trx: Trx, { siren, email, choices, client }: AlertSubmission): Promise<void> {
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
