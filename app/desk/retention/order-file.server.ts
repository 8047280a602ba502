import type { Database } from "../../../server/database/database.ts";
import { findRequest } from "../../fulfilment/extract-requests.store.server.ts";
import { listNotes } from "../../fulfilment/notes/notes.store.server.ts";
import { listMails } from "../../mail/mails.store.server.ts";
import { listSentEmails } from "../../mail/sent-emails.store.server.ts";
import { findWithdrawal, listRefundRequests } from "../../orders/customer-requests.store.server.ts";
import { listDocuments, type StoredDocument } from "../../orders/documents/documents.store.server.ts";
import { type IssuedInvoice, listInvoices } from "../../orders/invoices/invoices.store.server.ts";
import type { Order } from "../../orders/order.ts";
import { listEvents, listOrdersOfPurchase } from "../../orders/orders.store.server.ts";
import { listPaymentsOfPurchase, listRefunds } from "../../orders/refunds/refunds.store.server.ts";
import { listSessions } from "../../payments/payments.store.server.ts";

export type OrderFile = Awaited<ReturnType<typeof readOrderFile>>;

/** Reads all stored data of an order. Sessions, payments and invoice are those of its purchase; refunds and their credit notes its own. */
export async function readOrderFile(db: Database, order: Order) {
	const invoices = await listInvoices(db, order);
	return {
		order,
		/** The orders of its purchase, itself included. */
		lines: await listOrdersOfPurchase(db, order.purchase_id),
		events: await listEvents(db, order.id),
		sessions: await listSessions(db, order.purchase_id),
		payments: await listPaymentsOfPurchase(db, order.purchase_id),
		refunds: await listRefunds(db, order.id),
		invoices,
		documents: await listDocuments(db, order.id),
		/** The invoices of its purchase that are documents of the first order. */
		sharedDocuments: await listSharedDocuments(db, order, invoices),
		mails: await listMails(db, order.id),
		sentEmails: await listSentEmails(db, order.id),
		refundRequests: await listRefundRequests(db, order.id),
		withdrawal: await findWithdrawal(db, order.id),
		extractRequest: await findRequest(db, order.id),
		notes: await listNotes(db, order.id),
	};
}

async function listSharedDocuments(db: Database, order: Order, invoices: readonly IssuedInvoice[]): Promise<StoredDocument[]> {
	if (order.id === order.purchase_id) return [];
	const ids = new Set(invoices.map(({ document_id }) => document_id));
	return (await listDocuments(db, order.purchase_id)).filter(({ id }) => ids.has(id));
}
