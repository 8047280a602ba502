import type { Context } from "../../../server/runtime.ts";
import { findBulletinReading } from "../bulletin/bulletin.server.ts";
import type { AlertFrequency } from "./alert-choices.ts";
import { findSentReading, insertMails, listFollowers, recordSentReading } from "./alert-mails.store.server.ts";

/** Mailboxes per transaction. */
const batchSize = 200;

type QueueContext = Pick<Context, "db" | "jobs" | "log" | "now">;

/** Tells of new notices at once, when the bulletin was read since the last time. A run that was interrupted is done again. */
export async function queueAlertsAtOnce(context: QueueContext): Promise<void> {
	const reading = await findBulletinReading(context.db);
	const told = await findSentReading(context.db);
	if (reading === null || (told !== null && reading.importedAt <= told)) return;
	await queueAlerts(context, "at-once");
	// the reading from before: notices that came meanwhile have a later one
	await recordSentReading(context.db, reading.importedAt);
}

/** Tells of the notices of the week. */
export const queueWeeklyAlerts = (context: QueueContext): Promise<void> => queueAlerts(context, "weekly");

/** Inserts one e-mail for each mailbox with news, and its job in the same transaction. A second run at the same time tells nothing twice. */
async function queueAlerts({ db, jobs, log, now }: QueueContext, frequency: AlertFrequency): Promise<void> {
	let mails = 0;
	for (let after: string | null = null; ; ) {
		const followerIds: string[] = await listFollowers(db, { frequency, after, limit: batchSize });
		if (followerIds.length > 0) {
			mails += await db.transaction().execute(async (trx) => {
				const mailIds = await insertMails(trx, { followerIds, frequency, now: now() });
				for (const mailId of mailIds) await jobs.send(trx, "deliver-company-alerts", { mailId });
				return mailIds.length;
			});
		}
		if (followerIds.length < batchSize) break;
		after = followerIds.at(-1) ?? null;
	}
	if (mails > 0) log.info({ frequency, mails }, "alerts of companies are queued");
}
