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
	/** `other`: the issue that this month already has, or the month that already had this one. */
	| { ok: false; other: { subject: string; created_at: Date } };

/**
 * Inserts an issue and its deliveries: one to each confirmed subscriber. Within its month, the same file again continues an interrupted run and
 * reaches new subscribers: nobody gets more than the one issue a month that the pages promise.
 */
export async function queueIssue({ db, jobs, now }: Deps, { content, email }: Extract<ReadIssue, { ok: true }>): Promise<QueuedIssue> {
	const issue = await insertIssue(db, { subject: email.subject, content, now: now() });
	if (!issue.ok) return issue;
	const { letterId } = issue;
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

/** Sends an issue to one address, subscribed or not, and records nothing. */
export async function queueTestCopy({ db, jobs }: Deps, content: string, to: string): Promise<void> {
	await db.transaction().execute((trx) => jobs.send(trx, sendTestCopyJob, { copyId: randomUUID(), to, content }));
}
