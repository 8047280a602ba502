import { type Selectable, sql } from "kysely";
import { anyOf, type Database, type Trx } from "../../../server/database/database.ts";
import type { Documents } from "../../../server/database/database-types.gen.ts";

/** All SQL on `documents`, except for the insert in insert-document.server.ts. */

export type DocumentType = Documents["doc_type"];
export type StoredDocument = Selectable<Documents>;

export async function findDocument(db: Database | Trx, id: string): Promise<StoredDocument | null> {
	return (await db.selectFrom("documents").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/** Finds the current extract of an order; null before it is issued. */
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

/** Lists the current extracts of orders. */
export async function listExtracts(db: Database | Trx, orderIds: readonly string[]): Promise<StoredDocument[]> {
	const query = db.selectFrom("documents").selectAll().where("order_id", "=", anyOf(orderIds)).where("doc_type", "=", "kbis");
	return query.where("replaced_at", "is", null).execute();
}

/** Finds the current version of a document: itself, or the extract that replaced it. */
export async function findCurrentDocument(db: Database | Trx, id: string): Promise<StoredDocument | null> {
	const document = await findDocument(db, id);
	return document !== null && document.replaced_at !== null ? findExtract(db, document.order_id) : document;
}

/** Marks an extract as replaced, with the operator's reason. The caller inserts the new one. */
export async function markReplaced(trx: Trx, id: string, { because, now }: { because: string; now: Date }): Promise<void> {
	await trx.updateTable("documents").set({ replaced_at: now, replaced_because: because }).where("id", "=", id).execute();
}

/** Lists the documents of an order, the newest first. */
export async function listDocuments(db: Database | Trx, orderId: string): Promise<StoredDocument[]> {
	const query = db.selectFrom("documents").selectAll().where("order_id", "=", orderId);
	return query.orderBy("created_at", "desc").orderBy("id", "desc").execute();
}

/** Lists these documents, in no order. */
export async function listDocumentsById(db: Database | Trx, ids: readonly string[]): Promise<StoredDocument[]> {
	return ids.length === 0 ? [] : db.selectFrom("documents").selectAll().where("id", "=", anyOf(ids)).execute();
}

/** Finds the current extract with this hash in hexadecimal, even after its file was purged. Replaced extracts are ignored. */
export async function findExtractByHash(db: Database | Trx, sha256: string): Promise<StoredDocument | null> {
	const query = db.selectFrom("documents").selectAll().where("sha256", "=", sha256).where("doc_type", "=", "kbis");
	return (await query.where("replaced_at", "is", null).executeTakeFirst()) ?? null;
}

/** Lists the extracts with this hash, even replaced or purged ones: current extracts first, then the oldest. */
export async function listExtractsByHash(db: Database | Trx, sha256: string): Promise<StoredDocument[]> {
	const query = db.selectFrom("documents").selectAll().where("sha256", "=", sha256).where("doc_type", "=", "kbis");
	return query
		.orderBy("replaced_at", (by) => by.desc().nullsFirst())
		.orderBy("created_at")
		.orderBy("id")
		.limit(10)
		.execute();
}

/** Lists the documents of orders whose files are not purged. */
export async function listStoredDocuments(trx: Trx, orderIds: readonly string[]): Promise<StoredDocument[]> {
	return trx.selectFrom("documents").selectAll().where("order_id", "=", anyOf(orderIds)).where("purged_at", "is", null).execute();
}

/** Lists the paths that documents other than `exceptIds` still need. */
export async function listNeededPaths(trx: Trx, paths: readonly string[], exceptIds: readonly string[]): Promise<string[]> {
	const rows = await trx
		.selectFrom("documents")
		.select("storage_path")
		.distinct()
		.where("storage_path", "=", anyOf(paths))
		.where("purged_at", "is", null)
		.where(({ not, eb }) => not(eb("id", "=", anyOf(exceptIds))))
		.execute();
	return rows.map(({ storage_path }) => storage_path);
}

/** Marks the files of documents as purged; rows and hashes stay. A second call keeps the first date. */
export async function markPurged(trx: Trx, ids: readonly string[], now: Date): Promise<void> {
	await trx.updateTable("documents").set({ purged_at: now }).where("id", "=", anyOf(ids)).where("purged_at", "is", null).execute();
}

/** Deletes the operator's reasons for replacing extracts, because they may name a person. The dates stay. */
export async function anonymiseReplaceReasons(trx: Trx, orderIds: readonly string[]): Promise<void> {
	const query = trx.updateTable("documents").set({ replaced_because: null }).where("order_id", "=", anyOf(orderIds));
	await query.where("replaced_because", "is not", null).execute();
}

export async function deleteDocuments(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await trx.deleteFrom("documents").where("order_id", "=", anyOf(orderIds)).execute();
}

/** Counts an opening of a document by its link. */
export async function recordOpening(db: Database, documentId: string, now: Date): Promise<void> {
	await sql`
		insert into document_openings (document_id, day, first_at, last_at, count)
		values (${documentId}, (${now}::timestamptz at time zone 'Europe/Paris')::date, ${now}, ${now}, 1)
		on conflict (document_id, day) do update set last_at = excluded.last_at, count = document_openings.count + 1`.execute(db);
}

/** Deletes the days on which the documents of these orders were opened. */
export async function deleteOpenings(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await sql`
		delete from document_openings using documents
		where documents.id = document_openings.document_id and documents.order_id = any(${orderIds})`.execute(trx);
}

/** The days on which a document was opened by its link, oldest first. */
export async function listOpenings(db: Database, documentId: string): Promise<{ first_at: Date; last_at: Date; count: number }[]> {
	const query = db.selectFrom("document_openings").select(["first_at", "last_at", "count"]).where("document_id", "=", documentId);
	return query.orderBy("day").execute();
}
