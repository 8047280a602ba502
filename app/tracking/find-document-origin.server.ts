import type { Database } from "../../server/database/database.ts";
import type { StoredDocument } from "../documents/documents.server.ts";
import { findOrder } from "../orders/orders.server.ts";

/**
 * What anybody may know of the order that an extract belongs to: the company it is about, as the registry names it, and when the extract
 * was handed over, with its order or, if it replaced another one, later; null before. Nothing of the customer.
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
