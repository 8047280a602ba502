import type { Database } from "../../../server/database/database.ts";
import type { Siren } from "../../companies/siren.ts";
import type { StoredDocument } from "../../documents/documents.server.ts";
import { listMails } from "../../mail/mails.server.ts";
import { findOrder } from "../../orders/orders.server.ts";

/**
 * The public data of an extract's order, without anything of the customer: the company as the registry names it, and the delivery of the
 * extract, which for a replacement is later than the order's; null before the delivery.
 */
export async function findDocumentOrigin(
	db: Database,
	{ id, order_id, created_at }: Pick<StoredDocument, "id" | "order_id" | "created_at">,
): Promise<{ companyName: string; siren: Siren; deliveredAt: Date | null } | null> {
	const order = await findOrder(db, order_id);
	if (order === null) return null;
	const { completed_at } = order;
	const deliveredAt = completed_at ? (created_at > completed_at ? created_at : completed_at) : await findFirstSending(db, order_id, id);
	return { companyName: order.company_name, siren: order.siren, deliveredAt };
}

/** A second recipient may have the extract before the customer, whose mailbox refuses it for a while. */
async function findFirstSending(db: Database, orderId: string, documentId: string): Promise<Date | null> {
	const sent = (await listMails(db, orderId)).flatMap(({ document_id, sent_at }) =>
		document_id === documentId && sent_at ? [sent_at] : [],
	);
	return sent.length > 0 ? new Date(Math.min(...sent.map(Number))) : null;
}
