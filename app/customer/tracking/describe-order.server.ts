import { inSnapshot } from "../../../server/database/database.ts";
import type { Context } from "../../../server/runtime.ts";
import { checkCorrectableInvoice } from "../../fulfilment/invoice-correction/correct-invoice.server.ts";
import { maskEmail } from "../../mail/email-address.ts";
import { type AccessKey, mayAsk } from "../../orders/access.ts";
import { findRefundRequest } from "../../orders/customer-requests.store.server.ts";
import { listDocuments, listDocumentsById, type StoredDocument } from "../../orders/documents/documents.store.server.ts";
import { toPublicPayload } from "../../orders/event-payloads.ts";
import { isOfOrder, listInvoicesOfPurchase } from "../../orders/invoices/invoices.store.server.ts";
import { createDocumentPath } from "../../orders/keys.server.ts";
import { type EventType, getProgress, isCancelled, isRefundDue } from "../../orders/lifecycle.ts";
import { isDownloadable, type Order } from "../../orders/order.ts";
import { findOrder, listEvents, listOrdersOfPurchase } from "../../orders/orders.store.server.ts";
import { isHeld, listOpenRefunds, type Refund } from "../../orders/refunds/refunds.store.server.ts";
import { mayAskForRefund } from "./ask-for-refund.server.ts";
import { isCancellable } from "./cancel-order.server.ts";
import { mayWithdraw } from "./withdraw.server.ts";

export type DescribedOrder = Awaited<ReturnType<typeof describeOrder>>;

/** Events whose labels name amounts or invoices. */
const moneyEvents = new Set<EventType>(["refund_requested", "refunded", "disputed", "invoice_corrected"]);

/**
 * An order as who opened it with this key may see it (docs/rules.md, R180), with its documents (newest first, with links for one day) and its
 * events (oldest first). The API documents this shape, so it must not change; what the key does not open is null. Instants are ISO 8601 in UTC.
 * @param found the order as it was found: it is read again.
 */
export async function describeOrder(context: Context, found: Order, access: AccessKey) {
	const { now } = context;
	const may = (request: Parameters<typeof mayAsk>[1]) => mayAsk(access, request);
	const seesPrice = may("read-money") || may("read-price");
	const { order, documents, invoices, events, cancellable, request, correctable, refunds } = await readOrder(context, found);
	const isReplaced = (id: string) => invoices.some(({ replaces }) => replaces === id);
	const cancelled = isCancelled(order);
	return {
		order: {
			id: order.id,
			order_number: order.order_number,
			customer_email: may("read-email") ? order.customer_email : maskEmail(order.customer_email),
			status: order.status,
			product_code: order.product_code,
			price_cents: seesPrice ? order.price_cents : null,
			created_at: order.created_at.toISOString(),
			siren: order.siren,
			company_name: order.company_name,
			promised_at: order.promised_at?.toISOString() ?? null,
			/** When the registry was asked for the extract. */
			extract_requested_at: order.extract_requested_at?.toISOString() ?? null,
			completed_at: order.completed_at?.toISOString() ?? null,
			refunded_cents: seesPrice ? order.refunded_cents : null,
			disputed: order.disputed_at !== null,
			late: order.late_at !== null,
			tracking_number: order.tracking_number,
		},
		documents: documents
			.filter((document) => isDownloadable(order, document))
			.filter(({ doc_type }) => doc_type === "kbis" || may("read-invoice"))
			.map((document) => ({ document, invoice: invoices.find(({ document_id }) => document_id === document.id) }))
			.map(({ document, invoice }) => ({
				id: document.id,
				order_id: document.order_id,
				doc_type: document.doc_type,
				issued_at: document.issued_at.toISOString(),
				created_at: document.created_at.toISOString(),
				sha256: document.sha256,
				/** The number of an invoice or a credit note, and whether another invoice took its place. */
				number: invoice?.number ?? null,
				replaced: invoice !== undefined && isReplaced(invoice.id),
				url: createDocumentPath(context, document.id),
			})),
		events: events
			.filter(({ event_type }) => may("read-money") || !moneyEvents.has(event_type))
			.map((event) => ({
				id: event.id,
				order_id: event.order_id,
				event_type: event.event_type,
				payload: may("read-email") ? toPublicPayload(event.event_type, event.payload) : {},
				created_at: event.created_at.toISOString(),
			})),
		/** The requests that the page offers; the rules are cancelLocked's, askForRefund's and correctInvoice's. */
		may: {
			// who was refunded for the delay has nothing to gain by it
			cancel: may("cancel") && cancellable && order.paid_at !== null && !isRefundedInFull(order),
			withdraw: mayWithdraw(order, access) && !cancelled && order.refunded_cents < order.price_cents,
			askForRefund: may("ask-refund") && mayAskForRefund(order, now()) && (request === null || request.decided_at !== null),
			correctInvoice: may("correct-invoice") && correctable.ok,
		},
		/** The customer corrected the invoice, and the PDF of the new one is being made. */
		invoiceAwaited: may("read-invoice") && invoices.some(({ replaces, document_id }) => replaces !== null && document_id === null),
		/** The instant of the open refund request; null once nothing is left to be refunded, whatever the refund was for. */
		refundAskedAt: request && request.decided_at === null && leftToRefund(order, refunds) > 0 ? request.created_at.toISOString() : null,
		...describeRefunds(order, refunds, { access, now: now() }),
		paid: order.paid_at !== null,
		/** Failed because the customer cancelled it. */
		cancelled,
		extractPurged: documents.some((document) => document.doc_type === "kbis" && document.purged_at !== null),
		/** When each of the four steps was over, in ISO 8601. The second one is when the third begins, and has no time. */
		stepTimes: [
			order.paid_at,
			null,
			documents.findLast(({ doc_type }) => doc_type === "kbis")?.created_at,
			order.status === "completed" ? order.completed_at : null,
		].map((time) => time?.toISOString() ?? null),
		progress: getProgress(order, { documentIssued: documents.some((document) => document.doc_type === "kbis") }),
	};
}

const leftToRefund = ({ price_cents, refunded_cents }: Order, refunds: readonly Refund[]): number =>
	refunds.reduce((left, { amount_cents }) => left - amount_cents, price_cents - refunded_cents);

export const isRefundedInFull = ({ refunded_cents, price_cents }: Order): boolean => refunded_cents >= price_cents;

/**
 * Reads an order with what belongs to it, at one instant: a refund or an invoice that is done between two reads would be neither awaited nor
 * there, and the page would stop being live without it.
 */
const readOrder = ({ db, now }: Context, found: Order) =>
	inSnapshot(db, async (trx) => {
		const order = (await findOrder(trx, found.id)) ?? found;
		const own = (await listDocuments(trx, order.id)).filter(({ replaced_at }) => replaced_at === null);
		const orders = await listOrdersOfPurchase(trx, order.purchase_id);
		const allInvoices = await listInvoicesOfPurchase(trx, order.purchase_id);
		const invoices = allInvoices.filter((invoice) => isOfOrder(invoice, order));
		// the invoice of a purchase is a document of its first order
		const ofPurchase = invoices.flatMap(({ order_id, document_id }) => (order_id !== order.id && document_id ? [document_id] : []));
		return {
			order,
			documents: [...own, ...(await listDocumentsById(trx, ofPurchase))].sort(byNewest),
			invoices,
			events: await listEvents(trx, order.id),
			cancellable: await isCancellable(trx, order),
			request: await findRefundRequest(trx, order.id),
			correctable: await checkCorrectableInvoice(trx, { orders, invoices: allInvoices, now: now() }),
			refunds: await listOpenRefunds(trx, [order.id]),
		};
	});

/**
 * What is still to be refunded of an order, as far as a key shows it; nothing while it is disputed. @param refunds open ones, also of other
 * orders.
 */
export function describeRefunds(order: Order, refunds: readonly Refund[], { access, now }: { access: AccessKey; now: Date }) {
	const own = order.disputed_at === null ? refunds.filter(({ order_id }) => order_id === order.id) : [];
	const seesSums = mayAsk(access, "read-money");
	const underWay = own.filter((refund) => !isHeld(refund, now)).reduce((sum, { amount_cents }) => sum + amount_cents, 0);
	const awaited = isRefundDue(order) ? order.price_cents - order.refunded_cents : seesSums ? underWay : 0;
	return {
		/** The refund of a failed order is on its way, or another one that was asked for. Its cents are null for a key that reads no sums. */
		refundAwaited: awaited > 0 ? { cents: seesSums ? awaited : null } : null,
		/** A refund of the late order waits for a person, and leaves then at the latest, in ISO 8601. */
		refundDueBy: own.find((refund) => isHeld(refund, now))?.held_until?.toISOString() ?? null,
	};
}

const byNewest = (one: StoredDocument, other: StoredDocument) =>
	other.created_at.getTime() - one.created_at.getTime() || (one.id < other.id ? 1 : -1);
