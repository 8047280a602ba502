import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import type { Database, Trx } from "../../server/database.ts";
import type { Mails } from "../../server/database-types.gen.ts";

/** All SQL on `mails`: one row per (order, kind, document), written before the mail is sent. */

/** @returns the new row's id, or null when this mail is already written down. */
export async function insertMail(
	trx: Trx,
	{ orderId, kind, documentId, now }: { orderId: string; kind: string; documentId: string | null; now: Date },
): Promise<string | null> {
	const row = await trx
		.insertInto("mails")
		.values({ id: randomUUID(), order_id: orderId, kind, document_id: documentId, created_at: now })
		.onConflict((conflict) => conflict.columns(["order_id", "kind", "document_id"]).doNothing())
		.returning("id")
		.executeTakeFirst();
	return row?.id ?? null;
}

export async function findUnsentMail(db: Database, id: string): Promise<Selectable<Mails> | null> {
	return (await db.selectFrom("mails").selectAll().where("id", "=", id).where("sent_at", "is", null).executeTakeFirst()) ?? null;
}

/** @returns false when it was already marked. */
export async function markMailSent(trx: Trx, id: string, now: Date): Promise<boolean> {
	const { numUpdatedRows } = await trx
		.updateTable("mails")
		.set({ sent_at: now })
		.where("id", "=", id)
		.where("sent_at", "is", null)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}
