import type { Trx } from "../../server/database/database.ts";
import { giveBack, takeTogether } from "../../server/rate-limits.ts";
import { normalizeEmail } from "./normalize-email.ts";

/** Seconds. */
const day = 86_400;

/** How many e-mails of one kind a mailbox gets when anybody may ask for them. */
export interface EmailLimit {
	/** The prefix of the counts. */
	name: string;
	/** E-mails in a day at the request of one client: few, so that no client alone uses up those of a mailbox that is not theirs. */
	perClient: number;
	/** E-mails in a day. */
	perMailbox: number;
	/** Minutes between two e-mails. */
	spacing: number;
}

/**
 * Takes the points of an e-mail, or none of them: a request without an e-mail must not use up the mailbox's next one (docs/rules.md, R62).
 * @param client the client's key. @returns whether the e-mail may be sent.
 */
export async function takeEmailPoints(
	trx: Trx,
	{ name, perClient, perMailbox, spacing }: EmailLimit,
	{ email, client, now }: { email: string; client: string; now: Date },
): Promise<boolean> {
	const mailbox = normalizeEmail(email);
	const daily = [
		{ name: `${name}-client-mailbox`, subject: `${client} ${mailbox}`, most: perClient },
		{ name: `${name}-mailbox`, subject: mailbox, most: perMailbox },
	];
	if (!(await takeTogether(trx, daily, { seconds: day, now })).ok) return false;
	const last = [{ name: `${name}-spacing`, subject: mailbox, most: 1 }];
	if ((await takeTogether(trx, last, { seconds: spacing * 60, now })).ok) return true;
	await giveBack(trx, daily);
	return false;
}
