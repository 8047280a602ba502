import { randomUUID } from "node:crypto";
import type { Trx } from "../../../server/database/database.ts";
import type { DocumentType, StoredDocument } from "./documents.store.server.ts";
import type { StoredFile } from "./storage.ts";

/**
 * Inserts a stored file as a document of an order.
 * An order has one current extract: the caller checks it under the lock of the order, and the index documents_one_extract_per_order enforces it.
 */
export async function insertDocument(
	trx: Trx,
	{ orderId, type, issuedAt, stored, now }: { orderId: string; type: DocumentType; issuedAt: Date; stored: StoredFile; now: Date },
): Promise<StoredDocument> {
	return trx
		.insertInto("documents")
		.values({
			id: randomUUID(),
			order_id: orderId,
			doc_type: type,
			issued_at: issuedAt,
			storage_path: stored.path,
			sha256: stored.sha256,
			bytes: stored.bytes,
			created_at: now,
		})
		.returningAll()
		.executeTakeFirstOrThrow();
}
