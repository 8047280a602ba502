import type { Trx } from "../../server/database/database.ts";
import type { Jobs } from "../../server/jobs.ts";
import type { Context } from "../../server/runtime.ts";
import { typedKeys } from "../../server/types/objects.ts";
import { listStalled } from "./stalled-orders.store.server.ts";

/** How long a job has before it is sent again, in milliseconds. */
const jobTimeout = 120_000;

/** The most jobs of a kind per run: after an outage there may be many thousands. */
const batch = 500;

const sendJob = {
	orders: (jobs, trx, id) => jobs.send(trx, "fulfil-order", { orderId: id, because: "paid" }),
	promises: (jobs, trx, id) => jobs.send(trx, "check-promise", { orderId: id }),
	invoices: (jobs, trx, id) => jobs.send(trx, "invoice-order", { orderId: id }),
	refunds: (jobs, trx, id) => jobs.send(trx, "carry-out-refund", { refundId: id }),
	creditNotes: (jobs, trx, id) => jobs.send(trx, "credit-refund", { refundId: id }),
	readyEmails: (jobs, trx, id) => jobs.send(trx, "queue-ready-mails", { orderId: id }),
	mails: (jobs, trx, id) => jobs.send(trx, "send-order-mail", { mailId: id }),
	bulkMails: (jobs, trx, id) => jobs.send(trx, "send-bulk-mail", { mailId: id }),
} satisfies Record<string, (jobs: Jobs, trx: Trx, id: string) => Promise<void>>;

/**
 * Sends the jobs of stalled work again: a job may have given up after a long outage, or been lost with a restored database. A job that is
 * still queued is not sent twice.
 * @param limit the most jobs of a kind per run, oldest first; the rest waits for the next minute.
 */
export async function requeueStalledOrders({ db, jobs, now }: Context, limit = batch): Promise<void> {
	const before = new Date(now().getTime() - jobTimeout);
	for (const kind of typedKeys(sendJob)) {
		for (const id of await listStalled(db, kind, { before, now: now(), limit })) {
			await db.transaction().execute((trx) => sendJob[kind](jobs, trx, id));
		}
	}
}
