import type { Database } from "../../server/database/database.ts";
import { describeFault } from "../../server/observability/log.ts";
import { findCurrentDocument, type StoredDocument } from "../orders/documents/documents.store.server.ts";
import { LostFile, type StorageContext } from "../orders/documents/storage.ts";
import type { Order } from "../orders/order.ts";
import { findOrder } from "../orders/orders.store.server.ts";
import { alertOperator } from "./alert-operator.server.ts";

/** `lost`: the file is missing, and the operator receives an alert. `unavailable`: the storage does not answer. */
export type DocumentReadFailure = { ok: false; code: "lost" | "unavailable" };

/** Reads the file of a document. */
export async function readDocument(
	context: StorageContext,
	{ id, order_id, storage_path }: StoredDocument,
): Promise<{ ok: true; bytes: Uint8Array<ArrayBuffer> } | DocumentReadFailure> {
	try {
		return { ok: true, bytes: new Uint8Array(await context.storage.get(storage_path)) };
	} catch (error) {
		const code = error instanceof LostFile ? "lost" : "unavailable";
		context.log.error({ order: order_id, document: id, reason: code, error: describeFault(error) }, "a document cannot be read");
		if (code === "lost")
			await context.db
				.transaction()
				.execute((trx) => alertOperator(context, trx, { orderId: order_id, kind: "alert-document-lost", details: { document: id } }));
		return { ok: false, code };
	}
}

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
