import type { Trx } from "../../server/database/database.ts";
import type { Runtime } from "../../server/runtime.ts";
import { insertMail } from "../mail/mails.server.ts";
import { sendOrderEmailJob } from "./jobs.ts";
import type { OrderEmailKind } from "./order-emails.ts";

/** Writes a mail down and asks for its sending, in the caller's transaction; once per order, kind, document and refund. */
export async function queueOrderEmail(
	{ jobs, now }: Pick<Runtime, "jobs" | "now">,
	trx: Trx,
	orderId: string,
	kind: OrderEmailKind,
	{ documentId = null, refundId = null, startAfter }: { documentId?: string | null; refundId?: string | null; startAfter?: Date } = {},
): Promise<void> {
	const mailId = await insertMail(trx, { orderId, kind, documentId, refundId, now: now() });
	if (mailId !== null) await jobs.send(trx, sendOrderEmailJob, { mailId }, startAfter);
}

/** Milliseconds: whoever is about to pay anyway gets no mail. */
const reminderAfter = 600_000;

/** The way back to a payment that was not finished, later and once, if it is still not finished then. */
export async function remindToPay(deps: Pick<Runtime, "jobs" | "now">, trx: Trx, orderId: string): Promise<void> {
	await queueOrderEmail(deps, trx, orderId, "resume", { startAfter: new Date(deps.now().getTime() + reminderAfter) });
}
