import type { Selectable } from "kysely";
import type { Database, Trx } from "../../server/database.ts";
import type { PaymentSessions } from "../../server/database-types.gen.ts";
import type { PaymentSession } from "./provider.ts";

/** All SQL on `payment_sessions` and `payment_events`. */
export type KnownSession = Selectable<PaymentSessions>;

/** Keeps a session of an order; does nothing when it is already kept. */
export async function keepSession(db: Database, orderId: string, session: PaymentSession, now: Date): Promise<void> {
	await db
		.insertInto("payment_sessions")
		.values({ id: session.id, order_id: orderId, url: session.url, status: session.status, created_at: now, expires_at: session.expiresAt })
		.onConflict((conflict) => conflict.column("id").doNothing())
		.execute();
}

/** An order's sessions, newest first. */
export async function listSessions(db: Database, orderId: string): Promise<KnownSession[]> {
	return db.selectFrom("payment_sessions").selectAll().where("order_id", "=", orderId).orderBy("created_at", "desc").execute();
}

export async function findKnownSession(db: Database, id: string): Promise<KnownSession | null> {
	return (await db.selectFrom("payment_sessions").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/** Closes a session that is known here; false when that is no news. What is complete stays so. */
export async function closeSession(trx: Trx, id: string, status: "complete" | "expired"): Promise<boolean> {
	const { numUpdatedRows } = await trx
		.updateTable("payment_sessions")
		.set({ status })
		.where("id", "=", id)
		.where("status", "not in", [status, "complete"])
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

/** Notes an event as handled, in the transaction that handles it; false when it already was. */
export async function noteEvent(trx: Trx, id: string, type: string, now: Date): Promise<boolean> {
	const { numInsertedOrUpdatedRows } = await trx
		.insertInto("payment_events")
		.values({ id, event_type: type, handled_at: now })
		.onConflict((conflict) => conflict.column("id").doNothing())
		.executeTakeFirst();
	return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}
