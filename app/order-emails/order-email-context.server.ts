import type { Database } from "../../server/database/database.ts";
import { isFrenchHoliday } from "../catalogue/holidays.ts";
import { maxAttachedBytes } from "../catalogue/link-lifetimes.ts";
import { cents } from "../catalogue/money.ts";
import { findNextOpening, parseOpeningHours } from "../catalogue/opening-hours.ts";
import { isPosted } from "../catalogue/services.ts";
import { documentToken } from "../documents/document-token.server.ts";
import { findCurrentDocument, findDocument, listExtracts, type StoredDocument } from "../documents/documents.server.ts";
import type { StorageContext } from "../documents/storage.ts";
import { describeEmailNotices } from "../extract-watch/email-notices.server.ts";
import { findInvoiceOfDocument, findInvoiceOfPurchase, listInvoicesOfPurchase } from "../invoices/invoices.server.ts";
import type { OutgoingMail } from "../mail/mailer.ts";
import type { QueuedMail } from "../mail/mails.server.ts";
import { hasDesk } from "../operators/operators.server.ts";
import { findRefundRequest, findWithdrawal, listDeclaration } from "../orders/customer-requests.server.ts";
import { describeRequests } from "../orders/describe-request.ts";
import { type NotFoundReason, notFoundReasons } from "../orders/lifecycle.ts";
import type { Order } from "../orders/order.ts";
import { findOrder, listEvents, listOrdersOfPurchase } from "../orders/orders.server.ts";
import { signResumeToken } from "../orders/resume-token.server.ts";
import { findRefund, isHeld, listRefunds } from "../refunds/refunds.server.ts";
import { toCalendar } from "../shop-settings/days-off.ts";
import { readSettings } from "../shop-settings/settings.server.ts";
import { findTermsOfOrder, type TermsFile } from "../terms/terms-of-order.server.ts";
import { absoluteUrl } from "../ui/absolute-url.ts";
import { createTrackingUrl } from "./create-tracking-url.server.ts";
import type { DeclaredWithdrawal } from "./email-parts.ts";
import { findOrderedCompany, getDocumentFileName, isSoleTrader } from "./name-document.server.ts";
import { type OrderEmailContext, type OrderEmailKind, orderEmails } from "./order-emails.ts";
import { describePurchaseForEmail, findLatestRefundDue } from "./purchases/purchase-context.server.ts";
import { readDocument } from "./read-document.server.ts";

interface Subject {
	mail: QueuedMail;
	kind: OrderEmailKind;
	order: Order;
	document: StoredDocument | null;
	/** With an invoice that replaces another: the credit note of that one. */
	creditNote: StoredDocument | null;
	/** With a confirmation: the terms as they were accepted. */
	terms: TermsFile | null;
}

/**
 * Finds the documents of an e-mail.
 * @throws when the invoice of an unsent confirmation has no PDF yet: the job tries again.
 */
export async function findEmailSubject(db: Database, mail: QueuedMail, kind: OrderEmailKind, order: Order): Promise<Subject> {
	const document = await findEmailDocument(db, mail, order);
	const creditNote = document?.doc_type === "invoice" ? await findCancellingDocument(db, document) : null;
	const terms = kind === "confirmation" ? await findTermsOfOrder(db, order) : null;
	return { mail, kind, order, document, creditNote, terms };
}

/** Finds the present version of an e-mail's document: the extract that replaced another, and for a confirmation the invoice in force. */
async function findEmailDocument(
	db: Database,
	{ kind, document_id, sent_at, bounced_at }: QueuedMail,
	order: Order,
): Promise<StoredDocument | null> {
	if (document_id === null) return null;
	const invoice = kind === "confirmation" ? await findInvoiceOfPurchase(db, order.purchase_id) : null;
	// an e-mail that has left is composed again with its own invoice while a corrected one has no PDF
	if (invoice === null || (invoice.document_id === null && (sent_at ?? bounced_at) !== null)) return findCurrentDocument(db, document_id);
	if (invoice.document_id === null) throw new Error(`the invoice ${invoice.number} has no PDF yet`);
	return findDocument(db, invoice.document_id);
}

/** Gathers the data of an e-mail beside its order. */
export async function getEmailContext(
	context: StorageContext,
	{ mail, kind, order, document, creditNote, terms }: Subject,
): Promise<OrderEmailContext> {
	const { db, now, environment, signer } = context;
	const { baseUrl, shop } = environment;
	const refund = mail.refund_id === null ? null : await findRefund(db, mail.refund_id);
	const request = kind === "refund-request-refused" ? await findRefundRequest(db, order.id) : null;
	const purchase = await describePurchaseForEmail(context, kind, order);
	return {
		baseUrl,
		shop,
		deskOrderUrl: await findDeskOrderUrl(context, kind, order),
		refundDueBy: await findRefundDueBy(db, kind, order, now()),
		request: kind === "confirmation" ? await findRequestSentence(context, purchase?.orders ?? [order]) : null,
		promiseMoved: kind === "confirmation" && (await hasPromiseMoved(db, order)),
		happenedAt: mail.created_at,
		// a recipient or the operator gets nothing that opens the order
		trackingUrl:
			orderEmails[kind].to === "customer"
				? createTrackingUrl(context, order)
				: absoluteUrl(baseUrl, "/suivi/:number", { number: order.order_number }),
		documentId: document?.id ?? null,
		documentUrl: document && absoluteUrl(baseUrl, "/documents/:token", { token: documentToken.sign(signer, document.id, now()) }),
		extractFile: document?.doc_type === "kbis" ? choosePlaceOfExtract(kind, order, document) : null,
		invoiceCorrected: creditNote !== null,
		termsUrl: terms && absoluteUrl(baseUrl, "/cgv/version/:version", { version: terms.sha256 }),
		soleTrader: orderEmails[kind].attaches === "kbis" || kind === "posted" ? isSoleTrader(await findOrderedCompany(db, order)) : false,
		resumeUrl: kind === "resume" ? absoluteUrl(baseUrl, "/paiement/reprendre/:token", { token: signResumeToken(signer, order) }) : null,
		refund: refund && { amount: cents(refund.amount_cents), reason: refund.reason },
		withdrawal: kind === "withdrawal-receipt" ? await findDeclaredWithdrawal(db, order) : null,
		notFoundBecause: kind === "failed" ? await findNotFoundReason(db, order.id) : null,
		answer: request?.answer ?? null,
		purchase,
		emailNotices: kind === "extract-notices" ? await describeEmailNotices(context, order, mail) : null,
	};
}

async function findRequestSentence({ db, environment, now }: StorageContext, orders: readonly Order[]): Promise<string | null> {
	const extracts = await listExtracts(
		db,
		orders.map(({ id }) => id),
	);
	const base = { ...parseOpeningHours(environment.openingHours), isHoliday: isFrenchHoliday };
	// as the pages: the demo's issuer asks at any hour
	const nextOpening = environment.issuer === "specimen" ? null : findNextOpening(now(), toCalendar(base, await readSettings(db), now()));
	return describeRequests(orders, new Set(extracts.map(({ order_id }) => order_id)), nextOpening);
}

/** The withdrawal that a receipt is about, with the other orders of its declaration. */
async function findDeclaredWithdrawal(db: Database, order: Order): Promise<DeclaredWithdrawal | null> {
	const withdrawal = await findWithdrawal(db, order.id);
	if (withdrawal === null) return null;
	const declared = withdrawal.declaration_id === null ? [] : await listDeclaration(db, withdrawal.declaration_id);
	const first = declared.length > 1 ? await findOrder(db, order.purchase_id) : null;
	const toOutcome = ({ outcome, reason, refund_cents }: typeof withdrawal) => ({
		...{ outcome, reason, refund: refund_cents === null ? null : cents(refund_cents) },
	});
	const lines = declared.map((each) => ({ ...toOutcome(each.withdrawal), order: each.order }));
	return {
		declaredAt: withdrawal.declared_at,
		...toOutcome(withdrawal),
		several: first && { number: first.order_number, lines },
	};
}

/** Whether the promise of a service of the purchase is later than the payment page may have shown. */
async function hasPromiseMoved(db: Database, { purchase_id }: Order): Promise<boolean> {
	for (const { id } of await listOrdersOfPurchase(db, purchase_id)) {
		const paid = (await listEvents(db, id)).find(({ event_type }) => event_type === "paid");
		if (paid?.payload.promise_moved === true) return true;
	}
	return false;
}

/** Why the registry has no extract: stated in the event that failed the order. */
async function findNotFoundReason(db: Database, orderId: string): Promise<NotFoundReason | null> {
	const failure = (await listEvents(db, orderId)).findLast(({ event_type }) => event_type === "failed");
	return notFoundReasons.find((reason) => reason === failure?.payload.because) ?? null;
}

async function findDeskOrderUrl(
	{ db, environment }: StorageContext,
	kind: OrderEmailKind,
	{ order_number }: Order,
): Promise<string | null> {
	if (orderEmails[kind].to !== "operator" || !(await hasDesk(db))) return null;
	return `${absoluteUrl(environment.deskUrl, "/bureau/commandes")}/${order_number}`;
}

/** Until when the refunds of what the e-mail says is late wait for a person; null when none waits. */
async function findRefundDueBy(db: Database, kind: OrderEmailKind, order: Order, now: Date): Promise<Date | null> {
	if (kind === "late") return (await listRefunds(db, order.id)).find((refund) => isHeld(refund, now))?.held_until ?? null;
	return kind === "purchase-problem" ? findLatestRefundDue(db, order, now) : null;
}

/** A posted order has no PDF, and a dispute stops downloads (docs/rules.md, R25 and R32). */
function choosePlaceOfExtract(kind: OrderEmailKind, order: Order, { bytes, purged_at }: StoredDocument): OrderEmailContext["extractFile"] {
	if (orderEmails[kind].attaches !== "kbis" || isPosted(order.product_code)) return null;
	if (order.disputed_at !== null || purged_at !== null) return null;
	return bytes > maxAttachedBytes ? "too-large" : "attached";
}

/**
 * Reads the files that an e-mail has: its document, and with it the credit note and the terms. Each try attaches the same bytes: the storage verifies
 * them by their hash.
 * @throws when a file cannot be read: the job tries again.
 */
export async function readAttachments(
	context: StorageContext,
	{ kind, order, document, creditNote, terms }: Subject,
	{ extractFile }: OrderEmailContext,
): Promise<OutgoingMail["attachments"]> {
	if (document === null || orderEmails[kind].attaches !== document.doc_type) return undefined;
	if (document.doc_type === "kbis" && extractFile !== "attached") return undefined;
	const files = await Promise.all([document, ...(creditNote ? [creditNote] : [])].map((each) => readAttachment(context, order, each)));
	return terms ? [...files, { fileName: terms.fileName, contentType: "application/pdf", content: terms.bytes }] : files;
}

async function readAttachment(context: StorageContext, order: Order, document: StoredDocument) {
	const read = await readDocument(context, document);
	if (!read.ok) throw new Error(`the document ${document.id} cannot be attached: it is ${read.code}`);
	return { fileName: await getDocumentFileName(context.db, order, document), contentType: "application/pdf", content: read.bytes };
}

/** Finds the credit note that cancels the invoice in whose place this one is; null for the first invoice of an order. */
async function findCancellingDocument(db: Database, { id }: StoredDocument): Promise<StoredDocument | null> {
	const invoice = await findInvoiceOfDocument(db, id);
	const replaced = invoice?.replaces;
	if (!invoice || !replaced) return null;
	const invoices = await listInvoicesOfPurchase(db, invoice.order_id);
	const creditNote = invoices.find(({ corrects, refund_id }) => corrects === replaced && refund_id === null);
	return creditNote?.document_id ? findDocument(db, creditNote.document_id) : null;
}
