import type { Trx } from "../../server/database/database.ts";
import { day } from "../../server/durations.ts";
import { cents } from "../catalogue/money.ts";
import { alertOperator } from "../emails/alert-operator.server.ts";
import { queueOrderEmail } from "../emails/queue-order-email.server.ts";
import { deleteMailsOfKind, listMails, lockMailKind, wasMailQueued, wasMailWrittenSince } from "../mail/mails.store.server.ts";
import { copyOrder } from "../orders/copies/copy-order.server.ts";
import { listUncopiedOrders } from "../orders/copies/order-copies.store.server.ts";
import { listDeclaredTogether } from "../orders/customer-requests.store.server.ts";
import { insertDocument } from "../orders/documents/insert-document.server.ts";
import type { StorageContext } from "../orders/documents/storage.ts";
import {
	type IssuedInvoice,
	isWithdrawalCreditAwaited,
	listInvoices,
	listInvoicesOfPurchase,
	setInvoiceDocument,
} from "../orders/invoices/invoices.store.server.ts";
import { issueCreditNote, issueInvoice } from "../orders/invoices/issue-invoice.server.ts";
import { NumberIssuedElsewhere, recordIssuedNumber } from "../orders/invoices/issued-numbers.server.ts";
import { createInvoicePdf } from "../orders/invoices/make-invoice.server.ts";
import { findOrder, lockOrderWithPurchase } from "../orders/orders.store.server.ts";
import { findPayment, findRefund, listRefunds } from "../orders/refunds/refunds.store.server.ts";
import { toCreditNoteDraft, toInvoiceDraft } from "./invoice-draft.server.ts";

export type InvoicingContext = StorageContext & {
	/** For tests: a faster way to make the PDF. */
	makePdf?: typeof createInvoicePdf;
};

/**
 * Issues the invoice of a paid order's purchase, stores its PDF and queues the confirmation with it. Then it does the same for an invoice
 * that replaces it, after its credit note, which the e-mail also has. It may be repeated after any step: the number is taken in the
 * transaction of its invoice, and the PDF is made from the issued invoice. The e-mails are those of the purchase's first order.
 * @throws when the PDF cannot be stored, or no number can be taken: the job is tried again.
 */
export async function invoiceOrder(context: InvoicingContext, orderId: string): Promise<void> {
	const invoice = await issueNumbered(context, orderId, async (trx) => {
		const found = await lockOrderWithPurchase(trx, orderId);
		const paidAt = found?.order.paid_at;
		if (!found || !paidAt) return null;
		const draft = toInvoiceDraft(context, found.purchase, paidAt);
		return issueInvoice(getNumbering(context), trx, { purchaseId: found.order.purchase_id, draft, now: context.now() });
	});
	if (invoice === null) return;
	const purchaseId = invoice.order_id;
	// creditRefund stores the credit notes of refunds
	const missing = (await listInvoicesOfPurchase(context.db, purchaseId))
		.filter(({ document_id, refund_id }) => document_id === null && refund_id === null)
		.sort((one, other) => Number(one.kind === "invoice") - Number(other.kind === "invoice"));
	for (const each of missing)
		await storePdf(context, each, async (trx, documentId) => {
			const email = each.replaces === null ? "confirmation" : "invoice-corrected";
			if (each.kind === "invoice") await queueOrderEmail(context, trx, { orderId: purchaseId, kind: email, documentId });
			if (each === missing.at(-1)) await context.jobs.complete(trx, "invoice-order");
		});
}

/**
 * Issues the credit note of a refund that succeeded (CGI art. 272, 1), with the line of the refunded order, stores its PDF and sends the
 * e-mail. The refunds of a withdrawal from several orders have one e-mail, once the last has ended (docs/rules.md, R182).
 * The refund of a duplicate payment has no credit note, as that payment was not invoiced. A refund that the bank returned keeps its credit
 * note: its replacements are credited only for what exceeds it.
 */
export async function creditRefund(context: InvoicingContext, refundId: string): Promise<void> {
	const { db, now } = context;
	const found = await findRefund(db, refundId);
	if (found === null) return;
	const queueEmail = (kind: "refunded" | "surplus-refunded") => (trx: Trx, documentId: string | null) =>
		queueOrderEmail(context, trx, { orderId: found.order_id, kind, documentId, refundId });
	const queueRefunded = queueEmail("refunded");
	const creditNote = await issueNumbered(context, found.order_id, async (trx) => {
		const locked = await lockOrderWithPurchase(trx, found.order_id);
		// read again: the bank may have returned it since
		const refund = await findRefund(trx, refundId);
		if (locked === null || refund?.status !== "succeeded") return null;
		const { order, purchase } = locked;
		const payment = await findPayment(trx, refund.payment_id);
		if (payment?.role !== "order") return void (await queueEmail("surplus-refunded")(trx, null));
		if (!order.paid_at) return null; // net: an order with such a payment has paid_at
		// the credit note of a replaced invoice has no refund
		const credits = (await listInvoices(trx, order)).filter(({ refund_id }) => refund_id !== null);
		const issued = credits.find(({ refund_id }) => refund_id === refundId);
		if (issued) return issued;
		// this refund's e-mail was sent without a credit note: the uncredited amount belongs to another refund
		if ((await listMails(trx, order.id)).some((mail) => mail.kind === "refunded" && mail.refund_id === refundId)) return null;
		const succeeded = (await listRefunds(trx, order.id)).filter((each) => each.payment_id === payment.id && each.status === "succeeded");
		const uncredited = sum(succeeded.map(({ amount_cents }) => amount_cents)) - sum(credits.map(({ total_cents }) => total_cents));
		const total = cents(Math.min(refund.amount_cents, uncredited));
		if (total <= 0) return void (await queueRefunded(trx, null));
		const invoiceDraft = toInvoiceDraft(context, purchase, order.paid_at);
		const corrected = await issueInvoice(getNumbering(context), trx, { purchaseId: order.purchase_id, draft: invoiceDraft, now: now() });
		const draft = toCreditNoteDraft(corrected.data, order, { total, refundedAt: refund.settled_at ?? now() });
		return issueCreditNote(getNumbering(context), trx, { refundId, orderId: order.id, corrected, draft, now: now() });
	});
	const together = found.reason === "withdrawal" ? await listDeclaredTogether(db, found.order_id) : [];
	const [first] = together;
	// of two refunds that end at once, neither sees the other's credit note: the next run writes about both
	if (creditNote?.document_id) await db.transaction().execute((trx) => queueRefundedTogether(context, trx, together));
	else if (creditNote)
		await storePdf(context, creditNote, async (trx, documentId) => {
			if (first === undefined || (await wasMailQueued(trx, first, ["withdrawal-refunded"]))) await queueRefunded(trx, documentId);
			else await queueRefundedTogether(context, trx, together);
			await context.jobs.complete(trx, "credit-refund");
		});
}

/** Queues the e-mail about the refunds of orders that were declared together, unless one is still awaited, or its credit note. */
async function queueRefundedTogether(context: InvoicingContext, trx: Trx, orderIds: readonly string[]): Promise<void> {
	const [orderId] = orderIds;
	if (orderId === undefined || (await isWithdrawalCreditAwaited(trx, orderIds))) return;
	await queueOrderEmail(context, trx, { orderId, kind: "withdrawal-refunded" });
}

/**
 * Runs a transaction that may take an invoice number. If the number was already issued before a restore or failover, all issuing stops:
 * the operator receives an alert once a day, and runs `orders recreate` or `orders move-invoices`.
 */
export async function issueNumbered<Result>(
	context: InvoicingContext,
	orderId: string,
	work: (trx: Trx) => Promise<Result>,
): Promise<Result> {
	// the transaction reads the storage with the series locked: a storage that does not answer would block connections
	if (!(await context.storage.ready())) throw new Error("the storage does not answer: no number is taken");
	try {
		return await context.db.transaction().execute(work);
	} catch (error) {
		if (error instanceof NumberIssuedElsewhere) await alertOnce(context, orderId, error);
		throw error;
	}
}

async function alertOnce(context: InvoicingContext, orderId: string, { number }: NumberIssuedElsewhere): Promise<void> {
	await context.db.transaction().execute(async (trx) => {
		await lockMailKind(trx, "alert-invoices-stopped");
		if (await wasMailWrittenSince(trx, "alert-invoices-stopped", new Date(context.now().getTime() - day))) return;
		// an e-mail of a kind is recorded once per order: yesterday's must go first
		await deleteMailsOfKind(trx, orderId, "alert-invoices-stopped");
		await alertOperator(context, trx, { orderId, kind: "alert-invoices-stopped", details: { number } });
	});
}

export const getNumbering = ({ storage, environment }: InvoicingContext) => ({ storage, demo: !environment.production });

const sum = (amounts: number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/**
 * Copies the orders and the invoice number out of the database before the invoice is sent, so that a restore loses neither: all orders of
 * the purchase before its invoice; before the credit note of an order, that order and the first one, which has the invoice. The transaction
 * of the last copy also makes the PDF visible and queues its e-mail: it holds the lock of the copy, for which an erasure waits.
 */
async function storePdf(context: InvoicingContext, invoice: IssuedInvoice, then: (trx: Trx, documentId: string) => Promise<void>) {
	const { db, storage, now, makePdf = createInvoicePdf } = context;
	if (invoice.document_id !== null) return; // the rule: one PDF per invoice
	const stored = await storage.put(await makePdf(invoice.data));
	const order = await findOrder(db, invoice.order_id);
	if (order === null) return;
	// a credit note may be sent before its invoice has a PDF
	for (const issued of (await listInvoices(db, order)).filter(({ document_id }) => document_id === null))
		await recordIssuedNumber(getNumbering(context), db, issued, issued.id === invoice.id ? stored.path : null);
	const uncopied = invoice.refund_id === null ? await listUncopiedOrders(db, order.purchase_id) : [];
	for (const id of new Set([order.purchase_id, ...uncopied])) if (id !== order.id) await copyOrder(context, id);
	await copyOrder(context, order.id, async (trx) => {
		const { order_id: orderId, kind: type, issued_at: issuedAt } = invoice;
		const document = await insertDocument(trx, { orderId, type, issuedAt, stored, now: now() });
		// net: another run has stored the PDF
		if (!(await setInvoiceDocument(trx, invoice.id, document.id))) throw new Error("the invoice has its PDF already");
		await then(trx, document.id);
	});
}
