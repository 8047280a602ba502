import type { Trx } from "../../server/database/database.ts";
import type { Context } from "../../server/runtime.ts";
import { listMails } from "../mail/mails.store.server.ts";
import { findCurrentDocument } from "../orders/documents/documents.store.server.ts";
import type { Order } from "../orders/order.ts";
import { lockOrder, lockOrderWithPurchase, recordEvent, updateOrder } from "../orders/orders.store.server.ts";
import { getOrderEmail, type OrderEmailKind, orderEmails } from "./order-emails.server.ts";
import { requeueMail } from "./queue-order-email.server.ts";

export type ResendOutcome =
	| { ok: true }
	/** `never-written`: there is no such mail. `purged`: the mail's document is purged. */
	| { ok: false; code: "never-written" | "erased" | "purged" | "operators-own" };

/** One for each service of a purchase: an address that is corrected gets those of all its services. */
const readyKinds: ReadonlySet<OrderEmailKind> = new Set(["document-ready", "posted"]);

/**
 * Sends the mails of one kind again.
 * @param by the operator's name, for the event of a correction.
 * @param to the corrected address of all orders of the purchase, whose mails are then all sent again: the second address for an e-mail to
 * the recipient, the customer's otherwise.
 */
export async function resendEmail(
	context: Context,
	{ orderId, kind, to, by }: { orderId: string; kind: OrderEmailKind; to?: string | undefined; by?: string },
): Promise<ResendOutcome> {
	return context.db.transaction().execute(async (trx): Promise<ResendOutcome> => {
		const orders = await lockConcerned(trx, orderId, { withPurchase: to !== undefined });
		const order = orders.find(({ id }) => id === orderId);
		const mails = await listMails(trx, ...orders.map(({ id }) => id));
		const all = mails.filter((mail) => getOrderEmail(mail.kind).to !== "previous");
		const resent = to !== undefined && readyKinds.has(kind) ? readyKinds : new Set([kind]);
		const toResend = all.filter((mail) => resent.has(getOrderEmail(mail.kind).name));
		const refuse = (code: Extract<ResendOutcome, { ok: false }>["code"]): ResendOutcome => ({ ok: false, code });
		if (!order || toResend.length === 0) return refuse("never-written");
		if (order.erased_at) return refuse("erased"); // the rule; net: sendOrderEmail
		const recipient = orderEmails[kind].to;
		if (to !== undefined && recipient === "operator") return refuse("operators-own");
		for (const { document_id } of toResend)
			if (document_id && (await findCurrentDocument(trx, document_id))?.purged_at) return refuse("purged");
		if (to !== undefined)
			for (const { id } of orders) {
				await updateOrder(trx, id, recipient === "delivery" ? { delivery_email: to } : { customer_email: to });
				const payload = { address: recipient, ...(by && { by }) };
				await recordEvent(trx, { orderId: id, type: "address_corrected", payload, now: context.now() });
			}
		for (const mail of toResend) await requeueMail(context, trx, mail);
		return { ok: true };
	});
}

async function lockConcerned(trx: Trx, orderId: string, { withPurchase }: { withPurchase: boolean }): Promise<Order[]> {
	if (withPurchase) return (await lockOrderWithPurchase(trx, orderId))?.purchase ?? [];
	const order = await lockOrder(trx, orderId);
	return order === null ? [] : [order];
}
