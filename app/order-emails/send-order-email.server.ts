import type { Trx } from "../../server/database/database.ts";
import { logOrderEvent } from "../../server/database/log-after-commit.ts";
import { describeFault } from "../../server/observability/log.ts";
import type { StorageContext } from "../documents/storage.ts";
import { type AskedOutcome, sendAskedEmail } from "../mail/asked-emails.server.ts";
import type { MailContext, OutgoingMail } from "../mail/mailer.ts";
import { deleteUnsentMail, findUnsentMail, markMailSent, type QueuedMail, updateMailNotices } from "../mail/mails.server.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import { renderEmail } from "../mail/render-email.tsx";
import { copyOrder } from "../order-copies/copy-order.server.ts";
import type { Order } from "../orders/order.ts";
import { changeState, findOrder, lockOrder, recordEvent } from "../orders/orders.server.ts";
import { findRecipient } from "../orders/recipient.ts";
import { recordBounce } from "./bounces/record-bounce.server.ts";
import { findEmailSubject, getEmailContext, readAttachments } from "./order-email-context.server.ts";
import { composeOrderEmail, type OrderEmailKind, orderEmails, parseOrderEmailKind } from "./order-emails.ts";
import { hasProblem } from "./purchases/problem-email.ts";
import { queueOrderEmail, requeueMail } from "./queue-order-email.server.ts";
import { describeSentEmail, recordSentEmail } from "./record-sent-email.server.ts";

type SendingContext = StorageContext & MailContext;

/**
 * Sends a queued e-mail. The e-mail with the document completes the order.
 * A permanent refusal is recorded on the order, and the operator receives an alert.
 * @throws after a temporary failure: the job tries again.
 */
export async function sendOrderEmail(context: SendingContext, mailId: string): Promise<void> {
	const { db, now, environment } = context;
	const mail = await findUnsentMail(db, mailId); // an e-mail is sent once
	const order = mail && (await findOrder(db, mail.order_id));
	if (mail === null || order === null) return;
	const kind = parseOrderEmailKind(mail.kind);
	if (isOutOfDate(kind, order)) return deleteUnsentMail(db, mail.id);
	const to = findAddress(context, mail, order);
	if (to === null) return deleteUnsentMail(db, mail.id);
	const subject = await findEmailSubject(db, mail, kind, order);
	const emailContext = await getEmailContext(context, subject);
	// nothing is left to tell: the watch was ended, or the notices were cancelled
	if (kind === "extract-notices" && emailContext.emailNotices === null) return deleteUnsentMail(db, mail.id);
	// what it told is cancelled meanwhile: the next delay or failure of the purchase has its e-mail
	if (kind === "purchase-problem" && !hasProblem(order, emailContext)) return deleteUnsentMail(db, mail.id);
	const outgoing = {
		id: mail.id,
		to,
		...renderEmail(composeOrderEmail(kind, order, emailContext), environment.shop),
		attachments: await readAttachments(context, subject, emailContext),
		...(emailContext.emailNotices && { unsubscribeUrl: emailContext.emailNotices.endUrl }),
	};
	const sentEmail = await describeSentEmail(order, kind, outgoing);
	const outcome = await sendWithinLimits(context, kind, order, outgoing);
	if (!outcome.ok && outcome.code === "limited") {
		context.log.info({ order: order.id, kind }, "an e-mail about an unpaid order is dropped: its mailbox had those of a day");
		return deleteUnsentMail(db, mail.id);
	}
	await db.transaction().execute(async (trx) => {
		const present = await lockOrder(trx, order.id);
		// the address was corrected during the sending: nothing was delivered, and the new address gets the e-mail
		const newAddress = present && findAddress(context, mail, present);
		// a recipient who was removed meanwhile does not count: one who is added later gets the e-mail
		if (newAddress === null) return deleteUnsentMail(trx, mail.id);
		if (newAddress && normalizeEmail(newAddress) !== normalizeEmail(to)) return requeueMail(context, trx, mail);
		if (!outcome.ok) return void (await recordBounce(context, trx, mail, outcome.reply));
		// net: another run may have sent it meanwhile
		if (!(await markMailSent(trx, mail.id, now()))) return;
		// a notice that was cancelled meanwhile is not in the e-mail
		if (emailContext.emailNotices) await updateMailNotices(trx, mail.id, emailContext.emailNotices.entries.map(({ id }) => id).sort());
		await recordSentEmail(trx, sentEmail, now());
		if (orderEmails[kind].to === "operator") return logOrderEvent(trx, order.id, "mail_sent", { kind });
		await recordEvent(trx, { orderId: order.id, type: "mail_sent", payload: { kind }, now: now() });
		if (kind === "document-ready") await recordDelivery(context, trx, mail, subject.document?.id ?? null);
	});
	if (orderEmails[kind].to === "operator") return;
	// copied at once, so that a recreated order does not send this e-mail again; a failed copy is retried within a minute
	await copyOrder(context, order.id).catch((error) =>
		context.log.warn({ order: order.id, error: describeFault(error) }, "an order could not be copied at once"),
	);
}

/** E-mails of a day about orders that are not paid, to one mailbox: the address may be a stranger's. */
const unpaidMailLimits: Partial<Record<OrderEmailKind, { name: string; most: number }>> = {
	resume: { name: "unpaid-reminder", most: 1 },
	cancelled: { name: "unpaid-receipt", most: 3 },
	"withdrawal-receipt": { name: "unpaid-receipt", most: 3 },
};

/** Once there is a payment, even a mismatched one, the e-mails of its customer are not limited. */
function sendWithinLimits(context: SendingContext, kind: OrderEmailKind, order: Order, mail: OutgoingMail): Promise<AskedOutcome> {
	const limit = order.paid_at === null && order.set_aside_at === null ? unpaidMailLimits[kind] : undefined;
	return limit ? sendAskedEmail(context, mail, [{ ...limit, subject: normalizeEmail(mail.to) }]) : context.mailer.send(mail);
}

/** Whether a mail must not be sent any more: a reminder of an order that is paid or cancelled, or a mail to an erased customer. */
function isOutOfDate(kind: OrderEmailKind, order: Order): boolean {
	// net: an erasure deletes unsent mails (anonymiseMails)
	if (order.erased_at !== null && orderEmails[kind].to !== "operator") return true;
	return kind === "resume" && order.status !== "pending" && order.failure_reason !== "expired";
}

/** Records that the extract was sent, which completes the order. */
async function recordDelivery(context: SendingContext, trx: Trx, { order_id: orderId, document_id }: QueuedMail, sentId: string | null) {
	const now = context.now();
	await recordEvent(trx, { orderId, type: "document_sent", payload: { document_id: sentId }, now });
	const completed = await changeState(trx, orderId, "completed", { set: { completed_at: now }, now });
	// usually queued with this e-mail; here also for a recipient that the customer added since
	if (completed && findRecipient(completed))
		await queueOrderEmail({ ...context, now: () => now }, trx, { orderId, kind: "document-ready-delivery", documentId: document_id });
}

/** @returns the address of an e-mail; null when it has none any more. */
function findAddress({ environment }: SendingContext, { kind, recipient }: QueuedMail, order: Order): string | null {
	switch (orderEmails[parseOrderEmailKind(kind)].to) {
		case "operator":
			return environment.operatorEmail;
		case "delivery":
			return findRecipient(order);
		case "previous":
			return recipient;
		case "customer":
			return order.customer_email;
	}
}
