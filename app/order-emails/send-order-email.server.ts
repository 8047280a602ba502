import type { Trx } from "../../server/database/database.ts";
import { logOrderEvent } from "../../server/database/log-after-commit.ts";
import { describeFault } from "../../server/observability/log.ts";
import { giveBack, type Point, takeTogether } from "../../server/rate-limits.ts";
import { cents } from "../catalogue/money.ts";
import { documentToken } from "../documents/document-token.server.ts";
import { findCurrentDocument, type StoredDocument } from "../documents/documents.server.ts";
import type { StorageContext } from "../documents/storage.ts";
import type { MailContext, OutgoingMail } from "../mail/mailer.ts";
import { deleteMail, findUnsentMail, markMailSent, type QueuedMail } from "../mail/mails.server.ts";
import { normalizeEmail } from "../mail/normalize-email.ts";
import { renderEmail } from "../mail/render-email.tsx";
import { copyOrder } from "../order-copies/copy-order.server.ts";
import { findRefundRequest, findWithdrawal } from "../orders/customer-requests.server.ts";
import type { Order } from "../orders/order.ts";
import { changeState, findOrder, recordEvent } from "../orders/orders.server.ts";
import { resumeToken } from "../orders/resume-token.server.ts";
import { findRefund } from "../refunds/refunds.server.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";
import { composeOrderEmail, type OrderEmailKind, orderEmails, parseOrderEmailKind } from "./order-emails.ts";
import { readDocument } from "./read-document.server.ts";
import { recordBounce } from "./record-bounce.server.ts";

type SendingContext = StorageContext & MailContext;

/**
 * Sends a queued e-mail. The e-mail with the document completes the order.
 * A permanent refusal is recorded on the order, and the operator receives an alert.
 * @throws after a temporary failure: the job tries again.
 */
export async function sendOrderEmail(context: SendingContext, mailId: string): Promise<void> {
	const { db, now, environment, mailer } = context;
	const mail = await findUnsentMail(db, mailId); // the rule: sent once
	const order = mail && (await findOrder(db, mail.order_id));
	if (mail === null || order === null) return;
	const kind = parseOrderEmailKind(mail.kind);
	if (isOutOfDate(kind, order)) return deleteMail(db, mail.id);
	const document = mail.document_id === null ? null : await findCurrentDocument(db, mail.document_id);
	const content = composeOrderEmail(kind, order, await getEmailContext(context, { mail, order, document }));
	const outgoing = {
		id: mail.id,
		to: getRecipient(context, kind, order),
		...renderEmail(content, environment.shop),
		attachments: document && orderEmails[kind].attaches ? [await readAttachment(context, document)] : undefined,
	};
	const points = unpaidMailPoints(kind, order);
	const inTransaction = (work: (trx: Trx) => Promise<unknown>) => db.transaction().execute(work);
	// last step before sending: an earlier error must not take a point
	const taken = await db.transaction().execute((trx) => takeTogether(trx, points, { seconds: day, now: now() }));
	if (!taken.ok) {
		context.log.info({ order: order.id, kind }, "a mail of an unpaid order is dropped: its mailbox had one today");
		return deleteMail(db, mail.id);
	}
	const outcome = await mailer.send(outgoing).catch(async (error: unknown) => {
		await inTransaction((trx) => giveBack(trx, points));
		throw error;
	});
	await inTransaction(async (trx) => {
		if (!outcome.ok) return void (await recordBounce(context, trx, mail, outcome.reply));
		// net: another run may have sent it meanwhile
		if (!(await markMailSent(trx, mail.id, now()))) return;
		if (orderEmails[kind].to === "operator") return logOrderEvent(trx, order.id, "mail_sent", { kind });
		await recordEvent(trx, { orderId: order.id, type: "mail_sent", payload: { kind }, now: now() });
		if (kind !== "document-ready") return;
		await recordEvent(trx, { orderId: order.id, type: "document_sent", payload: { document_id: document?.id ?? null }, now: now() });
		await changeState(trx, order.id, "completed", { set: { completed_at: now() }, now: now() });
	});
	if (orderEmails[kind].to === "operator") return;
	// copied at once, so that a recreated order does not send this e-mail again; a failed copy is retried within a minute
	await copyOrder(context, order.id).catch((error) =>
		context.log.warn({ order: order.id, error: describeFault(error) }, "an order could not be copied at once"),
	);
}

/** Seconds. */
const day = 86_400;

/** Daily limits per mailbox for e-mails about unpaid orders: the address may be a stranger's. */
const unpaidMailLimits: Partial<Record<OrderEmailKind, { name: string; most: number }>> = {
	resume: { name: "unpaid-reminder", most: 1 },
	cancelled: { name: "unpaid-receipt", most: 3 },
	"withdrawal-receipt": { name: "unpaid-receipt", most: 3 },
};

/** The points that a mail must take; none once there is a payment, even a mismatched one. */
function unpaidMailPoints(kind: OrderEmailKind, order: Order): Point[] {
	const limit = order.paid_at === null && order.set_aside_at === null ? unpaidMailLimits[kind] : undefined;
	return limit ? [{ ...limit, subject: normalizeEmail(order.customer_email) }] : [];
}

/** Whether a mail must not be sent any more: a reminder of an order that is paid or cancelled, or a mail to an erased customer. */
function isOutOfDate(kind: OrderEmailKind, order: Order): boolean {
	// net: an erasure deletes unsent mails (anonymiseMails)
	if (order.erased_at !== null && orderEmails[kind].to !== "operator") return true;
	return kind === "resume" && order.status !== "pending" && order.failure_reason !== "expired";
}

function getRecipient({ environment }: SendingContext, kind: OrderEmailKind, order: Order): string {
	const { to } = orderEmails[kind];
	if (to === "operator") return environment.shop.email;
	return to === "delivery" ? (order.delivery_email ?? order.customer_email) : order.customer_email;
}

async function getEmailContext(
	{ db, now, environment, signer }: SendingContext,
	{ mail, order, document }: { mail: QueuedMail; order: Order; document: StoredDocument | null },
): Promise<Parameters<typeof composeOrderEmail>[2]> {
	const { baseUrl, shop } = environment;
	const refund = mail.refund_id === null ? null : await findRefund(db, mail.refund_id);
	const withdrawal = mail.kind === "withdrawal-receipt" ? await findWithdrawal(db, order.id) : null;
	const request = mail.kind === "refund-request-refused" ? await findRefundRequest(db, order.id) : null;
	return {
		baseUrl,
		shop,
		happenedAt: mail.created_at,
		documentId: document?.id ?? null,
		documentUrl: document && absoluteUrl(baseUrl, "/documents/:token", { token: documentToken.sign(signer, document.id, now()) }),
		resumeUrl:
			mail.kind === "resume"
				? absoluteUrl(baseUrl, "/paiement/reprendre/:token", { token: resumeToken.sign(signer, order.id, now()) })
				: null,
		refund: refund && { amount: cents(refund.amount_cents), reason: refund.reason },
		withdrawal: withdrawal && { declaredAt: withdrawal.declared_at, outcome: withdrawal.outcome, reason: withdrawal.reason },
		answer: request?.answer ?? null,
	};
}

async function readAttachment(
	context: SendingContext,
	document: StoredDocument,
): Promise<NonNullable<OutgoingMail["attachments"]>[number]> {
	const name = document.doc_type === "invoice" ? "facture" : "avoir";
	const read = await readDocument(context, document);
	if (!read.ok) throw new Error(`the document ${document.id} cannot be attached: it is ${read.code}`);
	return { fileName: `${name}.pdf`, contentType: "application/pdf", content: read.bytes };
}
