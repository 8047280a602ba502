import type { JobKind } from "../../server/jobs.ts";
import type { Context } from "../../server/runtime.ts";
import { typedKeys } from "../../server/types/objects.ts";
import { sendOrderEmailJob } from "../order-emails/jobs.ts";
import { carryOutRefundJob } from "../refunds/jobs.ts";
import { checkPromiseJob, creditRefundJob, fulfilOrderJob, invoiceOrderJob } from "./jobs.ts";
import { listStalled } from "./stalled-orders.store.server.ts";

/** How long a job has before it is sent again, in milliseconds. */
const jobTimeout = 120_000;

/** After an outage there may be many thousands. */
const batch = 500;

const jobsToSend = {
	orders: (id: string) => job(fulfilOrderJob, { orderId: id, because: "paid" }),
	promises: (id: string) => job(checkPromiseJob, { orderId: id }),
	invoices: (id: string) => job(invoiceOrderJob, { orderId: id }),
	refunds: (id: string) => job(carryOutRefundJob, { refundId: id }),
	creditNotes: (id: string) => job(creditRefundJob, { refundId: id }),
	mails: (id: string) => job(sendOrderEmailJob, { mailId: id }),
} as const;

/**
 * Sends a job again for what was begun and has stalled: its first job gave up after a long outage, or was lost with a restored
 * database. A job that is still queued is not sent twice.
 * @param limit how many of a kind are sent in one run, the oldest first; the rest waits for the next minute.
 */
export async function requeueStalledOrders({ db, jobs, now }: Context, limit = batch): Promise<void> {
	const before = new Date(now().getTime() - jobTimeout);
	for (const what of typedKeys(jobsToSend)) {
		for (const id of await listStalled(db, what, { before, now: now(), limit })) {
			const { kind, data } = jobsToSend[what](id);
			await db.transaction().execute((trx) => jobs.send(trx, kind, data));
		}
	}
}

const job = <Data extends object>(kind: JobKind<Data>, data: Data) => ({ kind: kind as JobKind<object>, data });
