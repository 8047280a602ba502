import type { Context } from "../../server/runtime.ts";
import { findCurrentDocument } from "../documents/documents.server.ts";
import { listMails } from "../mail/mails.server.ts";
import { lockOrder, recordEvent, updateOrder } from "../orders/orders.server.ts";
import { type OrderEmailKind, orderEmails, parseOrderEmailKind } from "./order-emails.ts";
import { queueOrderEmail, requeueMail } from "./queue-order-email.server.ts";
import { filterRecipientMails } from "./recipient-mails.ts";

export type ResendOutcome =
	| { ok: true }
	/** `never-written`: the order has no such mail. `purged`: the mail's document is purged. `kinds`: the order's mails. */
	| { ok: false; code: "never-written" | "erased" | "purged" | "operators-own"; kinds: string[] };

/**
 * Sends the mails of one kind again.
 * @param by the operator's name, for the event of a correction.
 * @param to the corrected address: the second address for the e-mail to the recipient, the customer's otherwise.
 */
export async function resendEmail(
	context: Context,
	{ orderId, kind, to, by }: { orderId: string; kind: OrderEmailKind; to?: string | undefined; by?: string },
): Promise<ResendOutcome> {
	return context.db.transaction().execute(async (trx): Promise<ResendOutcome> => {
		const order = await lockOrder(trx, orderId);
		const all = (await listMails(trx, orderId)).filter((mail) => orderEmails[parseOrderEmailKind(mail.kind)].to !== "previous");
		const toResend = all.filter((mail) => mail.kind === kind);
		// before migration 0022, the recipient's e-mail had another kind
		if (order && toResend.length === 0 && kind === "document-ready-delivery")
			toResend.push(...filterRecipientMails(order, all).filter((mail) => mail.kind === "document-ready"));
		const kinds = [...new Set(all.map((mail) => mail.kind))];
		const refuse = (code: Extract<ResendOutcome, { ok: false }>["code"]): ResendOutcome => ({ ok: false, code, kinds });
		if (order === null || toResend.length === 0) return refuse("never-written");
		if (order.erased_at) return refuse("erased"); // the rule; net: sendOrderEmail
		const recipient = orderEmails[kind].to;
		if (to !== undefined && recipient === "operator") return refuse("operators-own");
		for (const { document_id } of toResend)
			if (document_id && (await findCurrentDocument(trx, document_id))?.purged_at) return refuse("purged");
		if (to !== undefined) {
			await updateOrder(trx, orderId, recipient === "delivery" ? { delivery_email: to } : { customer_email: to });
			await recordEvent(trx, {
				orderId,
				type: "address_corrected",
				payload: { address: recipient, ...(by && { by }) },
				now: context.now(),
			});
		}
		for (const mail of toResend)
			if (mail.kind === kind) await requeueMail(context, trx, mail);
			else await queueOrderEmail(context, trx, { orderId, kind, documentId: mail.document_id });
		return { ok: true };
	});
}
