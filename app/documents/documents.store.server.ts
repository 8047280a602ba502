import type { Selectable } from "kysely";
import type { Database, Trx } from "../../server/database.ts";
import type { Documents } from "../../server/database-types.gen.ts";

/** All SQL on `documents` but for the insert of keep-document.server.ts. */

export type DocumentType = "kbis" | "invoice" | "credit_note";
export type StoredDocument = Omit<Selectable<Documents>, "doc_type"> & { doc_type: DocumentType };

export async function findDocument(db: Database | Trx, id: string): Promise<StoredDocument | null> {
	return ((await db.selectFrom("documents").selectAll().where("id", "=", id).executeTakeFirst()) as StoredDocument | undefined) ?? null;
}

/** The extract of an order, once it is issued. */
export async function findExtract(db: Database | Trx, orderId: string): Promise<StoredDocument | null> {
	const row = await db
		.selectFrom("documents")
		.selectAll()
		.where("order_id", "=", orderId)
		.where("doc_type", "=", "kbis")
		.executeTakeFirst();
	return (row as StoredDocument | undefined) ?? null;
}

/** Newest first. */
export async function listDocuments(db: Database | Trx, orderId: string): Promise<StoredDocument[]> {
	return (await db
		.selectFrom("documents")
		.selectAll()
		.where("order_id", "=", orderId)
		.orderBy("created_at", "desc")
		.orderBy("id", "desc")
		.execute()) as StoredDocument[];
}

/** An extract with this hash (hexadecimal), whatever its order, also after its file is gone. */
export async function findExtractByHash(db: Database | Trx, sha256: string): Promise<StoredDocument | null> {
	const row = await db.selectFrom("documents").selectAll().where("sha256", "=", sha256).where("doc_type", "=", "kbis").executeTakeFirst();
	return (row as StoredDocument | undefined) ?? null;
}

/** Whether some document's file is still kept under this path. */
export async function isFileNeeded(trx: Trx, path: string): Promise<boolean> {
	const query = trx.selectFrom("documents").select("id").where("storage_path", "=", path).where("purged_at", "is", null).limit(1);
	return (await query.executeTakeFirst()) !== undefined;
}

/** Notes that the file of a document is gone; its row and hash stay. Net: the first day stays; forgetExtractLocked looks first. */
export async function markPurged(trx: Trx, id: string, now: Date): Promise<void> {
	await trx.updateTable("documents").set({ purged_at: now }).where("id", "=", id).where("purged_at", "is", null).execute();
}

export async function deleteDocuments(trx: Trx, orderId: string): Promise<void> {
	await trx.deleteFrom("documents").where("order_id", "=", orderId).execute();
}
