import { randomUUID } from "node:crypto";
import type { Context } from "../../../server/runtime.ts";
import { deleteIssueWithoutRecipients, type ExistingIssue, insertDeliveries, insertIssue } from "./issues.store.server.ts";
import type { ReadIssue } from "./read-issue.ts";

/** Deliveries per transaction. */
const batchSize = 500;

export type QueueIssueOutcome =
	/** `queued`: the number of new deliveries. */
	| { ok: true; queued: number }
	/** `existing`: the issue of this month, or the earlier issue with the same content. */
	| { ok: false; code: "issue-exists"; existing: ExistingIssue };

/**
 * Inserts an issue and one delivery for each confirmed subscriber. The pages promise at most one issue a month: in its month, the same
 * file continues an interrupted run and reaches new subscribers; another file is refused.
 */
export async function queueIssue(
	{ db, jobs, now }: Context,
	{ content, email }: Extract<ReadIssue, { ok: true }>,
): Promise<QueueIssueOutcome> {
	const issue = await insertIssue(db, { subject: email.subject, content, now: now() });
	if (!issue.ok) return issue;
	const { letterId } = issue;
	for (let queued = 0; ; ) {
		const insertedCount = await db.transaction().execute(async (trx) => {
			const inserted = await insertDeliveries(trx, letterId, batchSize);
			for (const subscriptionId of inserted) await jobs.send(trx, "deliver-newsletter", { letterId, subscriptionId });
			return inserted.length;
		});
		if (insertedCount === 0) {
			await deleteIssueWithoutRecipients(db, letterId);
			return { ok: true, queued };
		}
		queued += insertedCount;
	}
}

/** Sends an issue to one address, subscribed or not, and records nothing. */
export async function queueTestCopy({ db, jobs }: Context, content: string, to: string): Promise<void> {
	await db.transaction().execute((trx) => jobs.send(trx, "send-newsletter-copy", { copyId: randomUUID(), to, content }));
}
