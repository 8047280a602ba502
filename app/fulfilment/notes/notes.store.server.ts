import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { anyOf, type Database, type Trx } from "../../../server/database/database.ts";
import type { OrderNotes } from "../../../server/database/database-types.gen.ts";

/** All SQL on `order_notes`. */

export type OrderNote = Selectable<OrderNotes>;

export async function insertNote(
	db: Database | Trx,
	{ orderId, operator, text, now }: { orderId: string; operator: string; text: string; now: Date },
): Promise<void> {
	await db.insertInto("order_notes").values({ id: randomUUID(), order_id: orderId, operator, text, created_at: now }).execute();
}

/** The notes of an order, oldest first. */
export async function listNotes(db: Database | Trx, orderId: string): Promise<OrderNote[]> {
	return db.selectFrom("order_notes").selectAll().where("order_id", "=", orderId).orderBy("created_at").orderBy("id").execute();
}

export async function deleteNotes(trx: Trx, orderIds: readonly string[]): Promise<void> {
	await trx.deleteFrom("order_notes").where("order_id", "=", anyOf(orderIds)).execute();
}
