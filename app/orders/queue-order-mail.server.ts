import type { Trx } from "../../server/database.ts";
import { foldAddress } from "../../server/fold-address.ts";
import { takeTogether } from "../../server/rate-limits.ts";
import type { Runtime } from "../../server/runtime.ts";
import { insertMail } from "../mail/mails.store.server.ts";
import { sendOrderMailJob } from "./jobs.ts";
import type { Order } from "./order.ts";
import type { OrderMailKind } from "./order-letters.ts";

/** Writes a mail down and asks for its sending, in the caller's transaction; once per order, kind, document and refund. */
export async function queueOrderMail(
	{ jobs, now }: Pick<Runtime, "jobs" | "now">,
	trx: Trx,
	orderId: string,
	kind: OrderMailKind,
	{ documentId = null, refundId = null, startAfter }: { documentId?: string | null; refundId?: string | null; startAfter?: Date } = {},
): Promise<void> {
	const mailId = await insertMail(trx, { orderId, kind, documentId, refundId, now: now() });
	if (mailId !== null) await jobs.send(trx, sendOrderMailJob, { mailId }, startAfter);
}

/** Milliseconds: whoever is about to pay anyway gets no mail. */
const reminderAfter = 600_000;

const day = 86_400;

/**
 * A mail about an order that was never paid: one a day for a mailbox, whatever is ordered in its name, as nobody has shown yet that it
 * is theirs. Beyond that nothing is written; the page has told the customer.
 */
export async function queueUnpaidOrderMail(
	deps: Pick<Runtime, "jobs" | "now">,
	trx: Trx,
	order: Order,
	kind: OrderMailKind,
	startAfter?: Date,
): Promise<void> {
	const subject = foldAddress(order.customer_email);
	const taken = await takeTogether(trx, [{ name: "unpaid-mail", subject, most: 1 }], { seconds: day, now: deps.now() });
	if (taken.ok) await queueOrderMail(deps, trx, order.id, kind, { ...(startAfter && { startAfter }) });
}

/** The way back to a payment that was not finished, later and once, if it is still not finished then. */
export async function remindToPay(deps: Pick<Runtime, "jobs" | "now">, trx: Trx, order: Order): Promise<void> {
	await queueUnpaidOrderMail(deps, trx, order, "resume", new Date(deps.now().getTime() + reminderAfter));
}
