import type { Database } from "../../server/database.ts";
import { findOrder } from "./orders.store.server.ts";

/**
 * What anybody may know of the order that a document belongs to: the company it is about, as the registry names it, and when
 * it was handed over; null before. Nothing of the customer.
 */
export async function findDocumentOrigin(
	db: Database,
	orderId: string,
): Promise<{ companyName: string; siren: string; deliveredAt: Date | null } | null> {
	const order = await findOrder(db, orderId);
	return order && { companyName: order.company_name, siren: order.siren, deliveredAt: order.completed_at };
}
