import { logOrderEvent } from "../../server/database/log-after-commit.ts";
import type { Context } from "../../server/runtime.ts";
import { findCurrentDocument } from "../documents/documents.server.ts";
import { deleteMail, listMails } from "../mail/mails.server.ts";
import { lockOrder, updateOrder } from "../orders/orders.server.ts";
import { type OrderEmailKind, orderEmails } from "./order-emails.ts";
import { queueOrderEmail } from "./queue-order-email.server.ts";

export type ResentEmail =
	| { ok: true }
	/** `never-written`: the order has no such mail. `purged`: what it leads to is no longer kept. `kinds`: the mails that it has. */
	| { ok: false; code: "never-written" | "erased" | "purged" | "operators-own"; kinds: string[] };

/**
 * Sends the mails of one kind again, as new ones: their old rows go, so that mail servers that know the old Message-ID take them.
 * @param to where from now on: it corrects the order's delivery address for the mail with the document, the customer's otherwise.
 */
export async function resendEmail(context: Context, orderId: string, kind: OrderEmailKind, to?: string): Promise<ResentEmail> {
	return context.db.transaction().execute(async (trx): Promise<ResentEmail> => {
		const order = await lockOrder(trx, orderId);
		const all = await listMails(trx, orderId);
		const again = all.filter((mail) => mail.kind === kind);
		const kinds = [...new Set(all.map((mail) => mail.kind))];
		const refuse = (code: Extract<ResentEmail, { ok: false }>["code"]): ResentEmail => ({ ok: false, code, kinds });
		if (order === null || again.length === 0) return refuse("never-written");
		if (order.erased_at) return refuse("erased"); // the rule; net: sendOrderEmail
		const recipient = orderEmails[kind].to;
		if (to !== undefined && recipient === "operator") return refuse("operators-own");
		for (const { document_id } of again)
			if (document_id && (await findCurrentDocument(trx, document_id))?.purged_at) return refuse("purged");
		if (to !== undefined) {
			await updateOrder(trx, orderId, recipient === "delivery" ? { delivery_email: to } : { customer_email: to });
			logOrderEvent(trx, orderId, "address_changed", { address: recipient });
		}
		for (const { id, document_id, refund_id, created_at } of again) {
			await deleteMail(trx, id);
			// with the date of the first one: the text says when the event happened
			await queueOrderEmail({ ...context, now: () => created_at }, trx, { orderId, kind, documentId: document_id, refundId: refund_id });
		}
		return { ok: true };
	});
}
