import type { JobKind } from "../../server/jobs.ts";
import type { Context } from "../../server/runtime.ts";
import { typedKeys } from "../../server/types/objects.ts";
import { queueReadyEmailsJob, sendBulkEmailJob, sendOrderEmailJob } from "../order-emails/jobs.ts";
import { carryOutRefundJob } from "../refunds/jobs.ts";
import { checkPromiseJob, creditRefundJob, fulfilOrderJob, invoiceOrderJob } from "./jobs.ts";
import { listStalled } from "./stalled-orders.store.server.ts";

/** How long a job has before it is sent again, in milliseconds. */
const jobTimeout = 120_000;

/** The most jobs of a kind per run: after an outage there may be many thousands. */
const batch = 500;

const jobsToSend = {
	orders: (id: string) => toJob(fulfilOrderJob, { orderId: id, because: "paid" }),
	promises: (id: string) => toJob(checkPromiseJob, { orderId: id }),
	invoices: (id: string) => toJob(invoiceOrderJob, { orderId: id }),
	refunds: (id: string) => toJob(carryOutRefundJob, { refundId: id }),
	creditNotes: (id: string) => toJob(creditRefundJob, { refundId: id }),
	readyEmails: (id: string) => toJob(queueReadyEmailsJob, { orderId: id }),
	mails: (id: string) => toJob(sendOrderEmailJob, { mailId: id }),
	bulkMails: (id: string) => toJob(sendBulkEmailJob, { mailId: id }),
} as const;

/**
 * Sends the jobs of stalled work again: a job may have given up after a long outage, or been lost with a restored database. A job that is
 * still queued is not sent twice.
 * @param limit the most jobs of a kind per run, oldest first; the rest waits for the next minute.
 */
export async function requeueStalledOrders({ db, jobs, now }: Context, limit = batch): Promise<void> {
	const before = new Date(now().getTime() - jobTimeout);
	for (const kind of typedKeys(jobsToSend)) {
		for (const id of await listStalled(db, kind, { before, now: now(), limit })) {
			const job = jobsToSend[kind](id);
			await db.transaction().execute((trx) => jobs.send(trx, job.kind, job.data));
		}
	}
}

const toJob = <Data extends object>(kind: JobKind<Data>, data: Data) => ({ kind: kind as JobKind<object>, data });
