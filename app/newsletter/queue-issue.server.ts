import { randomUUID } from "node:crypto";
import type { Runtime } from "../../server/runtime.ts";
import { deleteIssueWithoutRecipients, insertDeliveries, insertIssue } from "./issues.store.server.ts";
import { deliverIssueJob, sendTestCopyJob } from "./jobs.ts";
import type { ReadIssue } from "./read-issue.ts";

type Deps = Pick<Runtime, "db" | "jobs" | "now">;

/** How many deliveries one transaction writes down. */
const batch = 500;

export type QueuedIssue =
	/** `queued`: how many deliveries are new. */
	| { ok: true; queued: number }
	/** `other`: the letter of this month, or of another one where this is the same. */
	| { ok: false; other: { subject: string; created_at: Date } };

/**
 * Writes down a letter and whom it goes to: everybody who has confirmed, each once. The same file again goes to those who came since,
 * and goes on where it was interrupted, within its month: nobody gets more than the one a month that the pages promise.
 */
export async function queueIssue({ db, jobs, now }: Deps, { content, email }: Extract<ReadIssue, { ok: true }>): Promise<QueuedIssue> {
	const kept = await insertIssue(db, { subject: email.subject, content, now: now() });
	if (!kept.ok) return kept;
	const { letterId } = kept;
	for (let queued = 0; ; ) {
		const readers = await db.transaction().execute(async (trx) => {
			const inserted = await insertDeliveries(trx, letterId, batch);
			for (const subscriptionId of inserted) await jobs.send(trx, deliverIssueJob, { letterId, subscriptionId });
			return inserted.length;
		});
		if (readers === 0) {
			await deleteIssueWithoutRecipients(db, letterId);
			return { ok: true, queued };
		}
		queued += readers;
	}
}

/** Has a letter sent to one address, whether it is a subscriber's or not; nothing is noted of it. */
export async function queueTestCopy({ db, jobs }: Deps, content: string, to: string): Promise<void> {
	await db.transaction().execute((trx) => jobs.send(trx, sendTestCopyJob, { copyId: randomUUID(), to, content }));
}
