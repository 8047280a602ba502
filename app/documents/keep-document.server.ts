import { randomUUID } from "node:crypto";
import type { Trx } from "../../server/database.ts";
import type { StoredDocument } from "./documents.store.server.ts";
import type { StoredFile } from "./storage.ts";

/**
 * Records a stored file as a document of an order, in the caller's transaction.
 * @returns null when the order already has its extract: there is one per order.
 */
export async function keepDocument(
	trx: Trx,
	{ orderId, type, issuedAt, stored, now }: { orderId: string; type: "kbis"; issuedAt: Date; stored: StoredFile; now: Date },
): Promise<StoredDocument | null> {
	const row = await trx
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
		.onConflict((conflict) => conflict.column("order_id").where("doc_type", "=", "kbis").doNothing())
		.returningAll()
		.executeTakeFirst();
	return row ?? null;
}
