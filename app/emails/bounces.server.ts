import type { Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import { findMail, listMails, markMailBounced, type QueuedMail } from "../mail/mails.store.server.ts";
import { findSentEmail, markSentEmailBounced } from "../mail/sent-emails.store.server.ts";
import { findCurrentDocument } from "../orders/documents/documents.store.server.ts";
import { findOrder, lockOrderWithPurchase, recordEvent, updateOrder } from "../orders/orders.store.server.ts";
import { findOwnAddress } from "../orders/resends.server.ts";
import { alertOperator } from "./alert-operator.server.ts";
import { getOrderEmail } from "./order-emails.server.ts";
import { requeueMail } from "./queue-order-email.server.ts";

export type BounceOutcome =
	/** `known`: it was recorded before, and nothing changed. */
	{ ok: true; orderNumber: string; kind: string; reason: string; known: boolean } | { ok: false; code: "unknown-mail" };

/**
 * Handles a notice that a mail of an order came back. Idempotent. A mail that was sent again meanwhile is only marked as
 * returned: the operator is alerted when its successor comes back too.
 */
export async function receiveBounce(context: Context, mailId: string, reason: string): Promise<BounceOutcome> {
	return context.db.transaction().execute(async (trx): Promise<BounceOutcome> => {
		const returned = await recordBounceById(context, trx, mailId, reason);
		const order = returned && (await findOrder(trx, returned.orderId));
		if (returned === null || order === null) return { ok: false, code: "unknown-mail" };
		return { ok: true, orderNumber: order.order_number, kind: returned.kind, reason, known: returned.known };
	});
}

/** Records a bounce. @returns null for an e-mail that the shop does not know. */
async function recordBounceById(context: Context, trx: Trx, mailId: string, reason: string) {
	const mail = await findMail(trx, mailId);
	if (mail && (await recordBounce(context, trx, mail, reason))) return { orderId: mail.order_id, kind: mail.kind, known: false };
	// sent again before, or at this moment
	const known = !(await markSentEmailBounced(trx, mailId, context.now()));
	if (mail) return { orderId: mail.order_id, kind: mail.kind, known };
	const sent = await findSentEmail(trx, mailId);
	return sent && { orderId: sent.orderId, kind: sent.kind, known };
}

/**
 * Records a permanent bounce in the caller's transaction, and alerts the operator unless the mail was theirs.
 * @returns false when it was recorded before.
 */
export async function recordBounce(context: Context, trx: Trx, { id, order_id, kind }: QueuedMail, reason: string): Promise<boolean> {
	const now = context.now();
	if (!(await markMailBounced(trx, id, reason, now))) return false;
	await markSentEmailBounced(trx, id, now);
	const { to } = getOrderEmail(kind);
	if (to === "previous") return true; // a mistyped address: its customer has corrected it
	if (to === "operator") {
		context.log.error({ order: order_id, alert: kind }, "a mail to the operator was refused");
		return true;
	}
	await recordEvent(trx, { orderId: order_id, type: "mail_bounced", payload: { kind }, now });
	await alertOperator(context, trx, { orderId: order_id, kind: "alert-bounce", details: { kind } });
	return true;
}

export type CorrectBouncedOutcome =
	| { ok: true; before: string; resent: number }
	/** `nothing-bounced`: no e-mail to this reader is refused any more. `purged`: what they sent is no longer stored. */
	| { ok: false; code: "unknown" | "erased" | "nothing-bounced" | "purged" };

/**
 * Corrects an address that refused e-mails, in all orders of the purchase, and sends those again. The previous address stays in the
 * order's history until the customer is erased.
 * @param reader whose address: the customer's, or the second one for the PDF.
 */
export async function correctBounced(
	context: Context,
	{ orderId, reader, to, by }: { orderId: string; reader: "customer" | "delivery"; to: string; by: string },
): Promise<CorrectBouncedOutcome> {
	return context.db.transaction().execute(async (trx): Promise<CorrectBouncedOutcome> => {
		const locked = await lockOrderWithPurchase(trx, orderId);
		if (locked === null) return { ok: false, code: "unknown" };
		const { order, purchase } = locked;
		if (order.erased_at) return { ok: false, code: "erased" };
		const mails = await listMails(trx, ...purchase.map(({ id }) => id));
		const bounced = mails.filter(({ kind, bounced_at }) => bounced_at !== null && getOrderEmail(kind).to === reader);
		if (bounced.length === 0) return { ok: false, code: "nothing-bounced" };
		const toResend = [];
		for (const mail of bounced)
			if (mail.document_id === null || !(await findCurrentDocument(trx, mail.document_id))?.purged_at) toResend.push(mail);
		if (toResend.length === 0) return { ok: false, code: "purged" };
		const own = reader === "customer" ? await findOwnAddress(trx, order) : null;
		const before = own ?? (reader === "delivery" ? order.delivery_email : order.customer_email) ?? "";
		for (const { id } of purchase) {
			await updateOrder(trx, id, reader === "delivery" ? { delivery_email: to } : { customer_email: to });
			await recordEvent(trx, { orderId: id, type: "address_corrected", payload: { address: reader, by, before }, now: context.now() });
		}
		for (const mail of toResend) await requeueMail(context, trx, mail);
		return { ok: true, before, resent: toResend.length };
	});
}
