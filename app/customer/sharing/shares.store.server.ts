import { type Selectable, sql } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";
import type { DocumentShareOpenings, DocumentShares } from "../../../server/database/database-types.gen.ts";
import { maxCodeFailures } from "./share-rules.ts";

/** All SQL on `document_shares` and `document_share_openings`. A trigger ends shares with the address of their order. */

export type Share = Selectable<DocumentShares>;
export type OpeningKind = DocumentShareOpenings["kind"];
export type ShareOpening = Pick<Selectable<DocumentShareOpenings>, "share_id" | "kind" | "first_at" | "last_at" | "count">;

export async function insertShare(
	trx: Trx,
	{
		id,
		documentId,
		label,
		sender,
		purpose,
		codeHash,
		now,
		expiresAt,
	}: Record<"id" | "documentId", string> &
		Record<"label" | "sender" | "purpose" | "codeHash", string | null> &
		Record<"now" | "expiresAt", Date>,
): Promise<void> {
	const values = { id, document_id: documentId, label, sender, purpose, code_hash: codeHash, created_at: now, expires_at: expiresAt };
	await trx.insertInto("document_shares").values(values).execute();
}

export async function findShare(db: Database | Trx, id: string): Promise<Share | null> {
	return (await db.selectFrom("document_shares").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/** The shares of an order's documents, also replaced ones, the newest first. */
export async function listShares(db: Database | Trx, orderId: string): Promise<Share[]> {
	return db
		.selectFrom("document_shares")
		.innerJoin("documents", "documents.id", "document_shares.document_id")
		.selectAll("document_shares")
		.where("documents.order_id", "=", orderId)
		.orderBy("document_shares.created_at", "desc")
		.orderBy("document_shares.id")
		.execute();
}

/** The days on which the shares of an order's documents were opened, oldest first. */
export async function listShareOpenings(db: Database, orderId: string): Promise<ShareOpening[]> {
	return db
		.selectFrom("document_share_openings as openings")
		.innerJoin("document_shares", "document_shares.id", "openings.share_id")
		.innerJoin("documents", "documents.id", "document_shares.document_id")
		.select(["openings.share_id", "openings.kind", "openings.first_at", "openings.last_at", "openings.count"])
		.where("documents.order_id", "=", orderId)
		.orderBy("openings.day")
		.execute();
}

/** Revokes a share of an order; a second call keeps the first date. */
export async function revokeShare(db: Database, { id, orderId, now }: { id: string; orderId: string; now: Date }): Promise<void> {
	await db
		.updateTable("document_shares")
		.from("documents")
		.set({ revoked_at: now })
		.whereRef("documents.id", "=", "document_shares.document_id")
		.where("documents.order_id", "=", orderId)
		.where("document_shares.id", "=", id)
		.where("revoked_at", "is", null)
		.execute();
}

/** Counts a wrong passcode. @returns false when the link is blocked already. */
export async function countWrongCode(db: Database, id: string): Promise<boolean> {
	const query = db.updateTable("document_shares").set({ code_failures: sql`code_failures + 1` });
	const { numUpdatedRows } = await query.where("id", "=", id).where("code_failures", "<", maxCodeFailures).executeTakeFirst();
	return numUpdatedRows > 0n;
}

export async function recordShareOpening(db: Database, id: string, kind: OpeningKind, now: Date): Promise<void> {
	await sql`
		insert into document_share_openings (share_id, kind, day, first_at, last_at, count)
		values (${id}, ${kind}, (${now}::timestamptz at time zone 'Europe/Paris')::date, ${now}, ${now}, 1)
		on conflict (share_id, kind, day) do update set last_at = excluded.last_at, count = document_share_openings.count + 1`.execute(db);
}

/** Deletes the shares that ended before `before`, with their openings. @returns their number. */
export async function deleteOldShares(db: Database, before: Date): Promise<number> {
	const query = db.deleteFrom("document_shares").where(sql<boolean>`least(expires_at, revoked_at) < ${before}`);
	return Number((await query.executeTakeFirst()).numDeletedRows);
}
