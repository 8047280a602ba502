import type { Trx } from "../../server/database/database.ts";
import { daySeconds, hourSeconds } from "../../server/durations.ts";
import { giveBack, type Point, takeTogether } from "../../server/rate-limits.ts";
import type { Context } from "../../server/runtime.ts";
import type { MailContext, MailOutcome, OutgoingMail } from "./mailer.ts";
import { normalizeEmail } from "./normalize-email.ts";

/**
 * E-mails to an address that somebody typed and nobody proved (docs/rules.md, R186): receipts of messages, confirmations, links, order
 * numbers, and what an order that is not paid brings. All forms together count, so that nobody floods a stranger's mailbox by turns.
 */

/** E-mails to a mailbox in a day. */
const mostPerMailbox = 5;

/** Those of a day that one client may ask for: no client alone uses up the e-mails of a mailbox that is not theirs. */
const mostPerClient = 4;

/** Minutes between two e-mails of one kind to one mailbox. */
export interface EmailSpacing {
	/** The prefix of the count. */
	name: string;
	minutes: number;
}

/** What a form with an e-mail address receives. */
export interface EmailRequest {
	email: string;
	/** An invisible field that only robots fill in. */
	honeypot: string;
	/** The key of the client. */
	client: string;
}

/** `invalid`: the form says which field is wrong. `retryAfter`: seconds. */
export type RequestOutcome = { ok: true } | { ok: false; code: "invalid" } | { ok: false; code: "limited"; retryAfter: number };

/**
 * Receives a form with an address that anybody may have typed. The result must tell nothing of the address, so it is the same for a robot,
 * for which nothing is done.
 * @param limit what is counted of a client, and how many an hour. @param record what a valid request does.
 */
export async function receiveRequest(
	{ limits }: Pick<Context, "limits">,
	{ honeypot, client, isValid }: Pick<EmailRequest, "honeypot" | "client"> & { isValid: boolean },
	[name, perHour]: readonly [name: string, perHour: number],
	record: () => Promise<unknown>,
): Promise<RequestOutcome> {
	if (honeypot !== "") return { ok: true };
	if (!isValid) return { ok: false, code: "invalid" };
	const taken = await limits(name, perHour, hourSeconds).take(client);
	if (!taken.ok) return { ...taken, code: "limited" };
	await record();
	return { ok: true };
}

/**
 * Counts that a client asks for an e-mail to a mailbox, or does not: a request without an e-mail must not put off the next one. The form
 * answers the same in both cases. `sendAskedEmail` counts what is sent.
 * @param client the client's key. @returns whether the job of the e-mail is to be sent.
 */
export async function mayAskForEmail(
	context: Pick<Context, "signer" | "now">,
	trx: Trx,
	{ email, client, spacing }: { email: string; client: string; spacing?: EmailSpacing },
): Promise<boolean> {
	const now = context.now();
	const mailbox = normalizeEmail(email);
	const ofClient = [{ name: "asked-emails-client", subject: [client, mailbox], most: mostPerClient }];
	if (!(await takeTogether(context, trx, ofClient, { seconds: daySeconds, now })).ok) return false;
	if (spacing === undefined) return true;
	const last = [{ name: `${spacing.name}-spacing`, subject: mailbox, most: 1 }];
	if ((await takeTogether(context, trx, last, { seconds: spacing.minutes * 60, now })).ok) return true;
	await giveBack(context, trx, ofClient);
	return false;
}

/** `retryAfter`: seconds until the mailbox may get an e-mail again. */
export type AskedOutcome = MailOutcome | { ok: false; code: "limited"; retryAfter: number };

/**
 * Sends an e-mail to an address that somebody typed, unless its mailbox had as many today as it may.
 * @param points further counts per day of this kind of e-mail.
 * @throws after a temporary failure, which counts nothing: the caller's job tries again.
 */
export async function sendAskedEmail(context: MailContext, mail: OutgoingMail, points: readonly Point[] = []): Promise<AskedOutcome> {
	const { db, mailer, now } = context;
	const all = [{ name: "asked-emails", subject: normalizeEmail(mail.to), most: mostPerMailbox }, ...points];
	const taken = await db.transaction().execute((trx) => takeTogether(context, trx, all, { seconds: daySeconds, now: now() }));
	if (!taken.ok) return { ok: false, code: "limited", retryAfter: taken.retryAfter };
	return mailer.send(mail).catch(async (error: unknown) => {
		await db.transaction().execute((trx) => giveBack(context, trx, all));
		throw error;
	});
}

/** Why an asked e-mail was not sent, for the log. */
export const describeUnsent = (outcome: Exclude<AskedOutcome, { ok: true }>): string =>
	outcome.code === "limited" ? "its mailbox had the e-mails of a day" : outcome.reply;
