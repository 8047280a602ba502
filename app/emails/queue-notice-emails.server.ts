import { describeFault } from "../../server/observability/log.ts";
import { inContext } from "../../server/observability/request-context.ts";
import type { Context } from "../../server/runtime.ts";
import { isRecipientRefused } from "../mail/is-recipient-refused.ts";
import { listMails, type QueuedMail } from "../mail/mails.store.server.ts";
import { lockOrder } from "../orders/orders.store.server.ts";
import { listUnsentNotices } from "../orders/watch/email-notices.server.ts";
import { listOrdersToTell } from "../orders/watch/extract-watch.store.server.ts";
import { getOrderEmail } from "./order-emails.server.ts";
import { queueOrderEmail } from "./queue-order-email.server.ts";

const pageSize = 1000;

/**
 * Queues the e-mails about what was published since delivered extracts: one an order, with all notices that none told (docs/rules.md, R131).
 * May run twice: the notices of an e-mail are in its row, which is inserted under the lock of its order.
 * @throws after the last order when one failed; the job is tried again.
 */
export async function queueNoticeEmails(context: Context): Promise<void> {
	const { db, now, log } = context;
	let queued = 0;
	let fault: unknown;
	for (let after = "00000000-0000-0000-0000-000000000000"; ; ) {
		const ids = await listOrdersToTell(db, now(), { after, limit: pageSize });
		for (const id of ids)
			try {
				if (await inContext({ order: id }, () => queueNoticeEmail(context, id))) queued += 1;
			} catch (error) {
				log.error({ order: id, error: describeFault(error) }, "the notices of an order could not be told");
				fault ??= error;
			}
		const last = ids.at(-1);
		if (last === undefined) break;
		after = last;
	}
	log.info({ queued }, "the notices published since delivered extracts are queued");
	if (fault !== undefined) throw fault;
}

async function queueNoticeEmail(context: Context, orderId: string): Promise<boolean> {
	const { db, now } = context;
	return db.transaction().execute(async (trx) => {
		const order = await lockOrder(trx, orderId);
		const mails = await listMails(trx, orderId);
		if (order === null || mails.some(isRefusedByCustomer)) return false;
		const notices = await listUnsentNotices(trx, order, mails, now());
		if (notices.length > 0) await queueOrderEmail(context, trx, { orderId, kind: "extract-notices", notices });
		return notices.length > 0;
	});
}

/** Whether the customer's address does not exist, and nobody has corrected it since: that would have replaced the row. */
const isRefusedByCustomer = ({ kind, bounced_at, bounce_reason }: QueuedMail) =>
	bounced_at !== null && isRecipientRefused(bounce_reason ?? "") && getOrderEmail(kind).to === "customer";
