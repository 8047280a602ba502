import type { Trx } from "../../../server/database/database.ts";
import { takeEach } from "../../../server/rate-limits.ts";
import type { Context } from "../../../server/runtime.ts";
import { isPosted } from "../../catalogue/services.ts";
import { findExtract } from "../../documents/documents.server.ts";
import { isEmail } from "../../mail/email-address.ts";
import { deleteMailsOfKind, listMails } from "../../mail/mails.server.ts";
import { normalizeEmail } from "../../mail/normalize-email.ts";
import { orderEmails, parseOrderEmailKind } from "../../order-emails/order-emails.ts";
import { queueOrderEmail, requeueMail } from "../../order-emails/queue-order-email.server.ts";
import { isInProgress } from "../../orders/lifecycle.ts";
import type { Order } from "../../orders/order.ts";
import { lockOrder, recordEvent, updateOrder } from "../../orders/orders.server.ts";
import { findRecipient } from "../../orders/recipient.ts";
import type { CorrectedAddresses } from "./corrected-notice.ts";

export interface Addresses {
	email: string;
	/** The second address for the PDF; empty for none. */
	recipient: string;
}

/** `too-late`: something was delivered since. `unchanged`: both addresses are the order's. */
export type AddressCorrectionOutcome =
	| { ok: true; order: Order; corrected: CorrectedAddresses }
	| { ok: false; code: "invalid-email" | "invalid-recipient" | "too-late" | "unchanged" }
	| { ok: false; code: "limited"; retryAfter: number };

/** An order may be corrected five times a day, and corrections send ten e-mails a day to one mailbox. */
const correctionsPerOrder = 5;
const correctionsPerMailbox = 10;
const day = 86_400;

/** Whether the customer may still correct the addresses: paid, and nothing delivered. A bounced delivery counts as none. */
export const mayCorrectAddresses = (order: Order): boolean => isInProgress(order.status) && order.erased_at === null;

/**
 * Corrects the addresses of an order (docs/rules.md, R61). The new address gets the confirmation, and the e-mails that the previous one
 * refused; the previous one is told. Earlier tracking links and cookies end with the address that they were signed for.
 * An e-mail that is being sent is sent again by its own job, which compares the addresses under the same lock (decision 0024).
 */
export async function correctAddresses(context: Context, orderId: string, typed: Addresses): Promise<AddressCorrectionOutcome> {
	if (!isEmail(typed.email)) return { ok: false, code: "invalid-email" };
	if (typed.recipient !== "" && !isEmail(typed.recipient)) return { ok: false, code: "invalid-recipient" };
	const taken = await takeEach([
		{ limit: context.limits("correct-order", correctionsPerOrder, day), subject: orderId },
		{ limit: context.limits("correct-mailbox", correctionsPerMailbox, day), subject: normalizeEmail(typed.email) },
	]);
	if (!taken.ok) return { ...taken, code: "limited" };
	return context.db.transaction().execute(async (trx): Promise<AddressCorrectionOutcome> => {
		const order = await lockOrder(trx, orderId);
		if (order === null || !mayCorrectAddresses(order)) return { ok: false, code: "too-late" };
		const columns = await findChanges(trx, order, typed);
		if (Object.keys(columns).length === 0) return { ok: false, code: "unchanged" };
		await updateOrder(trx, orderId, columns);
		const corrected = { ...order, ...columns };
		await recordEvent(trx, { orderId, type: "address_corrected", now: context.now() });
		if (columns.customer_email !== undefined) await writeToNewAddress(context, trx, order);
		if (findRecipient(corrected) !== null && columns.delivery_email !== undefined) await writeToNewRecipient(context, trx, orderId);
		const { customer_email, delivery_email } = columns;
		return { ok: true, order: corrected, corrected: nameCorrected(customer_email !== undefined, delivery_email !== undefined) };
	});
}

const nameCorrected = (email: boolean, recipient: boolean): CorrectedAddresses =>
	email && recipient ? "both" : email ? "email" : "recipient";

/** The columns that differ. The second address stays once its e-mail is sent, and a posted order has none. */
async function findChanges(trx: Trx, order: Order, { email, recipient }: Addresses) {
	const changes: Partial<Pick<Order, "customer_email" | "delivery_email">> = {};
	if (normalizeEmail(email) !== normalizeEmail(order.customer_email)) changes.customer_email = email;
	const isSent = (await listMails(trx, order.id)).some(({ kind, sent_at }) => kind === "document-ready-delivery" && sent_at !== null);
	if (isPosted(order.product_code) || isSent) return changes;
	if (normalizeEmail(recipient) !== normalizeEmail(order.delivery_email ?? "")) changes.delivery_email = recipient || null;
	return changes;
}

/** Sends the confirmation again, with what the previous address refused, and tells the previous address. */
async function writeToNewAddress(context: Context, trx: Trx, { id: orderId, customer_email }: Order): Promise<void> {
	const mails = await listMails(trx, orderId);
	for (const mail of mails) {
		if (orderEmails[parseOrderEmailKind(mail.kind)].to !== "customer") continue;
		// an unsent one goes to the new address by itself
		if (mail.bounced_at !== null || (mail.kind === "confirmation" && mail.sent_at !== null)) await requeueMail(context, trx, mail);
	}
	// an order has one notice at most: that of an earlier correction, once it has left, makes room for this one
	const notices = mails.filter(({ kind }) => kind === "address-corrected");
	if (notices.every(({ sent_at, bounced_at }) => sent_at !== null || bounced_at !== null))
		await deleteMailsOfKind(trx, orderId, "address-corrected");
	await queueOrderEmail(context, trx, { orderId, kind: "address-corrected", recipient: customer_email });
}

/** Queues the recipient's e-mail once the extract is there, again when the previous address refused it. */
async function writeToNewRecipient(context: Context, trx: Trx, orderId: string): Promise<void> {
	const refused = (await listMails(trx, orderId)).find(({ kind, bounced_at }) => kind === "document-ready-delivery" && bounced_at !== null);
	if (refused) return requeueMail(context, trx, refused);
	const mails = await listMails(trx, orderId);
	const extract = await findExtract(trx, orderId);
	const ready = mails.find(({ kind }) => kind === "document-ready");
	if (extract && ready) await queueOrderEmail(context, trx, { orderId, kind: "document-ready-delivery", documentId: ready.document_id });
}
