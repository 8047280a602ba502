import type { Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import { deleteMail, insertMail, type QueuedMail, wasMailQueued } from "../mail/mails.store.server.ts";
import { getOrderEmail, type OrderEmail, type OrderEmailKind, orderEmails } from "./order-emails.server.ts";

interface EmailToQueue {
	orderId: string;
	kind: OrderEmailKind;
	/** The document that the e-mail links to or attaches. */
	documentId?: string | null;
	/** The refund that the e-mail announces. */
	refundId?: string | null;
	/** The notices of the bulletin that the e-mail tells, sorted. */
	notices?: string[] | null;
	/** The address, for an e-mail to neither address of the order. */
	recipient?: string;
}

export type QueueOrderEmail = (context: Context, trx: Trx, email: EmailToQueue) => Promise<void>;

/** Records an e-mail and sends its job, in the caller's transaction; once per order, kind, document, refund and notices. */
export async function queueOrderEmail(
	{ jobs, now }: Context,
	trx: Trx,
	{ orderId, kind, documentId = null, refundId = null, notices = null, recipient }: EmailToQueue,
): Promise<void> {
	const email: OrderEmail = orderEmails[kind];
	// an earlier version may have written its row
	if (email.formerNames && (await wasMailQueued(trx, orderId, email.formerNames))) return;
	const mailId = await insertMail(trx, { orderId, kind, documentId, refundId, notices, recipient, now: now() });
	const startAfter = email.delay === undefined ? undefined : new Date(now().getTime() + email.delay);
	if (mailId !== null) await jobs.send(trx, getSendingJob(email), { mailId }, startAfter);
}

/** The kind of the job that sends an e-mail. */
export const getSendingJob = ({ isBulk }: OrderEmail) => (isBulk ? "send-bulk-mail" : "send-order-mail");

/** Queues an e-mail again, as a new row because a mail server may drop a Message-ID that it knows. Its event keeps its date. */
export async function requeueMail(context: Context, trx: Trx, mail: QueuedMail): Promise<void> {
	const { id, order_id, kind, document_id, refund_id, notices, created_at } = mail;
	await deleteMail(trx, id);
	const email = { orderId: order_id, kind: getOrderEmail(kind).name, documentId: document_id, refundId: refund_id, notices };
	await queueOrderEmail({ ...context, now: () => created_at }, trx, email);
}
