import type { Database } from "../../server/database/database.ts";
import type { StoredDocument } from "../documents/documents.server.ts";
import { findOrder } from "../orders/orders.server.ts";

/**
 * The public data of an extract's order, without anything of the customer: the company as the registry names it, and the delivery of the
 * extract, which for a replacement is later than the order's; null before the delivery.
 */
export async function findDocumentOrigin(
	db: Database,
	{ order_id, created_at }: Pick<StoredDocument, "order_id" | "created_at">,
): Promise<{ companyName: string; siren: string; deliveredAt: Date | null } | null> {
	const order = await findOrder(db, order_id);
	if (order === null) return null;
	const { completed_at } = order;
	const deliveredAt = completed_at && (created_at > completed_at ? created_at : completed_at);
	return { companyName: order.company_name, siren: order.siren, deliveredAt };
}
