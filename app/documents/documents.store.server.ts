import type { Selectable } from "kysely";
import type { Database, Trx } from "../../server/database.ts";
import type { Documents } from "../../server/database-types.gen.ts";

/** All SQL that reads `documents`; keep-document.server.ts writes them. */
export type StoredDocument = Selectable<Documents>;

export async function findDocument(db: Database, id: string): Promise<StoredDocument | null> {
	return (await db.selectFrom("documents").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/** The extract of an order, once it is issued. */
export async function findExtract(db: Database, orderId: string): Promise<StoredDocument | null> {
	return (
		(await db.selectFrom("documents").selectAll().where("order_id", "=", orderId).where("doc_type", "=", "kbis").executeTakeFirst()) ?? null
	);
}

/** Newest first. */
export async function listDocuments(db: Database, orderId: string): Promise<StoredDocument[]> {
	return db.selectFrom("documents").selectAll().where("order_id", "=", orderId).orderBy("created_at", "desc").execute();
}

/** An extract with this hash (hexadecimal), whatever its order, also after its file is gone. */
export async function findExtractByHash(db: Database | Trx, sha256: string): Promise<StoredDocument | null> {
	return (
		(await db.selectFrom("documents").selectAll().where("sha256", "=", sha256).where("doc_type", "=", "kbis").executeTakeFirst()) ?? null
	);
}
