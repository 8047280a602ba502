import type { Selectable } from "kysely";
import { anyOf, type Database, type Trx } from "../../server/database/database.ts";
import type { Documents } from "../../server/database/database-types.gen.ts";

/** All SQL on `documents` but for the insert of keep-document.server.ts. */

export type DocumentType = Documents["doc_type"];
export type StoredDocument = Selectable<Documents>;

export async function findDocument(db: Database | Trx, id: string): Promise<StoredDocument | null> {
	return (await db.selectFrom("documents").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/** The extract of an order, once it is issued: of several, the one that replaced the others. */
export async function findExtract(db: Database | Trx, orderId: string): Promise<StoredDocument | null> {
	const row = await db
		.selectFrom("documents")
		.selectAll()
		.where("order_id", "=", orderId)
		.where("doc_type", "=", "kbis")
		.where("replaced_at", "is", null)
		.executeTakeFirst();
	return row ?? null;
}

/** What stands for a document today: itself, or the extract that replaced it. */
export async function findCurrentDocument(db: Database | Trx, id: string): Promise<StoredDocument | null> {
	const document = await findDocument(db, id);
	return document !== null && document.replaced_at !== null ? findExtract(db, document.order_id) : document;
}

/** Notes that an extract no longer stands, and why, in the operator's words; the caller inserts the one that does. */
export async function markReplaced(trx: Trx, id: string, { because, now }: { because: string; now: Date }): Promise<void> {
	await trx.updateTable("documents").set({ replaced_at: now, replaced_because: because }).where("id", "=", id).execute();
}

/** Newest first. */
export async function listDocuments(db: Database | Trx, orderId: string): Promise<StoredDocument[]> {
	const query = db.selectFrom("documents").selectAll().where("order_id", "=", orderId);
	return query.orderBy("created_at", "desc").orderBy("id", "desc").execute();
}

/** The extract of some order with this hash (hexadecimal), also after its file is gone. A replaced one does not count: it may be another order's own. */
export async function findExtractByHash(db: Database | Trx, sha256: string): Promise<StoredDocument | null> {
	const query = db.selectFrom("documents").selectAll().where("sha256", "=", sha256).where("doc_type", "=", "kbis");
	return (await query.where("replaced_at", "is", null).executeTakeFirst()) ?? null;
}

/** The documents of these orders whose file is still kept. */
export async function listStoredDocuments(trx: Trx, orderIds: readonly string[]): Promise<StoredDocument[]> {
	return trx.selectFrom("documents").selectAll().where("order_id", "=", anyOf(orderIds)).where("purged_at", "is", null).execute();
}

/** Those of these paths that a kept document needs, other than the documents `but`. */
export async function listNeededPaths(trx: Trx, paths: readonly string[], but: readonly string[]): Promise<string[]> {
	const rows = await trx
		.selectFrom("documents")
		.select("storage_path")
		.distinct()
		.where("storage_path", "=", anyOf(paths))
		.where("purged_at", "is", null)
		.where(({ not, eb }) => not(eb("id", "=", anyOf(but))))
		.execute();
	return rows.map(({ storage_path }) => storage_path);
}

/** Notes that the files of documents are gone; their rows and hashes stay. Net: the first day stays; listStoredDocuments leaves out what is gone. */
export async function markPurged(trx: Trx, ids: readonly string[], now: Date): Promise<void> {
	await trx.updateTable("documents").set({ purged_at: now }).where("id", "=", anyOf(ids)).where("purged_at", "is", null).execute();
}

/** Why the operator replaced extracts goes: their words may name somebody. That they were replaced, and when, stays. */
export async function anonymiseReplaceReasons(trx: Trx, orderIds: readonly string[]): Promise<void> {
	const query = trx.updateTable("documents").set({ replaced_because: null }).where("order_id", "=", anyOf(orderIds));
	await query.where("replaced_because", "is not", null).execute();
}

export async function deleteDocuments(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await trx.deleteFrom("documents").where("order_id", "=", anyOf(orderIds)).execute();
}
