import type { Database } from "../../server/database.ts";
import { listDocuments } from "../documents/documents.store.server.ts";
import { listInvoices } from "../invoices/invoices.store.server.ts";
import { findOnDesk } from "../issuing/issuing.store.server.ts";
import { listMails } from "../mail/mails.store.server.ts";
import type { Order } from "../orders/order.ts";
import { listEvents } from "../orders/orders.store.server.ts";
import { listPaymentsOfOrder, listRefunds } from "../orders/refunds.store.server.ts";
import { findWithdrawal, listRefundRequests } from "../orders/requests.store.server.ts";
import { listSessions } from "../payment/payment.store.server.ts";

export type OrderFile = Awaited<ReturnType<typeof readOrderFile>>;

/** Everything that is known of an order. */
export async function readOrderFile(db: Database, order: Order) {
	return {
		order,
		events: await listEvents(db, order.id),
		sessions: await listSessions(db, order.id),
		payments: await listPaymentsOfOrder(db, order.id),
		refunds: await listRefunds(db, order.id),
		invoices: await listInvoices(db, order.id),
		documents: await listDocuments(db, order.id),
		mails: await listMails(db, order.id),
		refundRequests: await listRefundRequests(db, order.id),
		withdrawal: await findWithdrawal(db, order.id),
		onDesk: await findOnDesk(db, order.id),
	};
}
