import type { Context } from "../../../server/runtime.ts";
import { findCurrentDocument } from "../../documents/documents.server.ts";
import { listMails } from "../../mail/mails.server.ts";
import { lockOrderWithPurchase, recordEvent, updateOrder } from "../../orders/orders.server.ts";
import { orderEmails, parseOrderEmailKind } from "../order-emails.ts";
import { requeueMail } from "../queue-order-email.server.ts";

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
		const mails = [];
		for (const { id } of purchase) mails.push(...(await listMails(trx, id)));
		const bounced = mails.filter(({ kind, bounced_at }) => bounced_at !== null && orderEmails[parseOrderEmailKind(kind)].to === reader);
		if (bounced.length === 0) return { ok: false, code: "nothing-bounced" };
		const toResend = [];
		for (const mail of bounced)
			if (mail.document_id === null || !(await findCurrentDocument(trx, mail.document_id))?.purged_at) toResend.push(mail);
		if (toResend.length === 0) return { ok: false, code: "purged" };
		const before = (reader === "delivery" ? order.delivery_email : order.customer_email) ?? "";
		for (const { id } of purchase) {
			await updateOrder(trx, id, reader === "delivery" ? { delivery_email: to } : { customer_email: to });
			await recordEvent(trx, { orderId: id, type: "address_corrected", payload: { address: reader, by, before }, now: context.now() });
		}
		for (const mail of toResend) await requeueMail(context, trx, mail);
		return { ok: true, before, resent: toResend.length };
	});
}
