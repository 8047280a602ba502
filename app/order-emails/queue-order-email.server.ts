import type { Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import { insertMail } from "../mail/mails.server.ts";
import { sendOrderEmailJob } from "./jobs.ts";
import type { OrderEmailKind } from "./order-emails.ts";

interface OrderEmail {
	orderId: string;
	kind: OrderEmailKind;
	/** The document that the e-mail leads to. */
	documentId?: string | null;
	/** The refund that it is about. */
	refundId?: string | null;
	/** At once when it is not given. */
	startAfter?: Date;
}

/** Records an e-mail and sends its job, in the caller's transaction; once per order, kind, document and refund. */
export async function queueOrderEmail(
	{ jobs, now }: Context,
	trx: Trx,
	{ orderId, kind, documentId = null, refundId = null, startAfter }: OrderEmail,
): Promise<void> {
	const mailId = await insertMail(trx, { orderId, kind, documentId, refundId, now: now() });
	if (mailId !== null) await jobs.send(trx, sendOrderEmailJob, { mailId }, startAfter);
}

/** Milliseconds: a customer who is about to pay gets no e-mail. */
const reminderAfter = 600_000;

/** The way back to a payment that was not finished, later and once, if it is still not finished then. */
export async function remindToPay(context: Context, trx: Trx, orderId: string): Promise<void> {
	await queueOrderEmail(context, trx, { orderId, kind: "resume", startAfter: new Date(context.now().getTime() + reminderAfter) });
}
