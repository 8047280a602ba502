import type { Database } from "../../server/database/database.ts";
import { listDocuments } from "../documents/documents.server.ts";
import { findRequest } from "../fulfilment/extract-requests.server.ts";
import { listNotes } from "../fulfilment/notes/notes.server.ts";
import { listInvoices } from "../invoices/invoices.server.ts";
import { listMails } from "../mail/mails.server.ts";
import { listSentEmails } from "../mail/sent-emails.server.ts";
import { findWithdrawal, listRefundRequests } from "../orders/customer-requests.server.ts";
import type { Order } from "../orders/order.ts";
import { listEvents } from "../orders/orders.server.ts";
import { listSessions } from "../payments/payment-sessions.server.ts";
import { listPaymentsOfPurchase, listRefunds } from "../refunds/refunds.server.ts";

export type OrderFile = Awaited<ReturnType<typeof readOrderFile>>;

/** Reads all stored data of an order. Sessions, payments and invoice are those of its purchase; refunds and their credit notes its own. */
export async function readOrderFile(db: Database, order: Order) {
	return {
		order,
		events: await listEvents(db, order.id),
		sessions: await listSessions(db, order.purchase_id),
		payments: await listPaymentsOfPurchase(db, order.purchase_id),
		refunds: await listRefunds(db, order.id),
		invoices: await listInvoices(db, order),
		documents: await listDocuments(db, order.id),
		mails: await listMails(db, order.id),
		sentEmails: await listSentEmails(db, order.id),
		refundRequests: await listRefundRequests(db, order.id),
		withdrawal: await findWithdrawal(db, order.id),
		extractRequest: await findRequest(db, order.id),
		notes: await listNotes(db, order.id),
	};
}
