import { randomUUID } from "node:crypto";
import type { Trx } from "../../../server/database/database.ts";
import { giveBack, takeTogether } from "../../../server/rate-limits.ts";
import type { Context } from "../../../server/runtime.ts";
import { checkEmail } from "../../mail/email-address.ts";
import { normalizeEmail } from "../../mail/normalize-email.ts";
import { sendOrderNumbersJob } from "./jobs.ts";
import { lostNumberMinutes } from "./lost-number-minutes.ts";

/** Requests of a client in an hour. */
const requestsPerClient = 10;

/** E-mails to a mailbox in a day: for one client few, so that no client alone uses up those of a mailbox that is not theirs. */
const emailsPerClient = 3;
const emailsPerMailbox = 12;

/** Seconds. */
const day = 86_400;

/** `retryAfter`: seconds. */
export type AskForNumbersOutcome = { ok: true } | { ok: false; code: "invalid" } | { ok: false; code: "limited"; retryAfter: number };

/**
 * Receives an address whose order numbers are lost. A job looks for its orders, so that result and time are the same with and without
 * orders (docs/rules.md, R62). A mailbox that had its e-mail, or a client beyond its limit for the mailbox, gets the same result.
 * @param client the client's key.
 */
export async function askForNumbers(
	{ db, jobs, limits, now }: Context,
	{ email, client }: { email: string; client: string },
): Promise<AskForNumbersOutcome> {
	if (checkEmail(email)) return { ok: false, code: "invalid" };
	const taken = await limits("lost-number", requestsPerClient, 3600).take(client);
	if (!taken.ok) return { ...taken, code: "limited" };
	await db.transaction().execute(async (trx) => {
		if (await mayWriteNow(trx, { email, client, now: now() })) await jobs.send(trx, sendOrderNumbersJob, { mailId: randomUUID(), email });
	});
	return { ok: true };
}

/** Takes the points of an e-mail, or none of them: a request without an e-mail must not use up the mailbox's next one. */
async function mayWriteNow(trx: Trx, { email, client, now }: { email: string; client: string; now: Date }): Promise<boolean> {
	const mailbox = normalizeEmail(email);
	const daily = [
		{ name: "lost-number-client-mailbox", subject: `${client} ${mailbox}`, most: emailsPerClient },
		{ name: "lost-number-mailbox", subject: mailbox, most: emailsPerMailbox },
	];
	if (!(await takeTogether(trx, daily, { seconds: day, now })).ok) return false;
	const spacing = [{ name: "lost-number-spacing", subject: mailbox, most: 1 }];
	if ((await takeTogether(trx, spacing, { seconds: lostNumberMinutes * 60, now })).ok) return true;
	await giveBack(trx, daily);
	return false;
}
