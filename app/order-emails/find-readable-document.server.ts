import type { Database } from "../../server/database/database.ts";
import { findCurrentDocument, type StoredDocument } from "../documents/documents.server.ts";
import type { Order } from "../orders/order.ts";
import { findOrder } from "../orders/orders.server.ts";

/**
 * Finds the document of a link, or the extract that replaced it, and whether it may be read. `expired`: it is purged, or its customer is
 * erased. `frozen`: the payment is disputed.
 */
export async function findReadableDocument(
	db: Database,
	id: string,
): Promise<{ ok: true; document: StoredDocument; order: Order } | { ok: false; code: "expired" | "frozen" }> {
	const document = await findCurrentDocument(db, id);
	const order = document && (await findOrder(db, document.order_id));
	if (document === null || order === null || document.purged_at !== null || order.erased_at !== null) return { ok: false, code: "expired" };
	return order.disputed_at === null ? { ok: true, document, order } : { ok: false, code: "frozen" };
}
