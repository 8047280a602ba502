import { type Selectable, sql } from "kysely";
import { changeNotification, deskSubject } from "../../../server/database/changes.ts";
import { toJson } from "../../../server/database/column-types.ts";
import type { Database, Trx } from "../../../server/database/database.ts";
import type { DeskActs } from "../../../server/database/database-types.gen.ts";

/** All SQL on `desk_acts`. */

type Fields = Readonly<Record<string, string>>;

declare module "../../../server/database/column-types.ts" {
	interface ColumnTypes {
		"desk_acts.fields": Fields;
	}
}

export type RequestedAct = Selectable<DeskActs>;

const selectActs = (db: Database | Trx) => db.selectFrom("desk_acts").selectAll();

/** It was neither undone nor done. */
const isOpen = sql<boolean>`(undone_at is null and ended_at is null)`;

/** @returns null when a form with the same key was sent before. */
export async function insertAct(
	trx: Trx,
	act: Pick<
		RequestedAct,
		"key" | "act" | "order_id" | "operator_id" | "operator_name" | "origin" | "requested_at" | "due_at" | "needs_approval"
	> & {
		fields: Fields;
	},
): Promise<RequestedAct | null> {
	const row = await trx
		.insertInto("desk_acts")
		.values({ ...act, fields: toJson(act.fields) })
		.onConflict((conflict) => conflict.column("key").doNothing())
		.returningAll()
		.returning(changeNotification(deskSubject))
		.executeTakeFirst();
	return row ?? null;
}

export async function findAct(db: Database | Trx, key: string): Promise<RequestedAct | null> {
	return (await selectActs(db).where("key", "=", key).executeTakeFirst()) ?? null;
}

/** Milliseconds after which a run that has not ended counts as crashed: its job tries again, and other acts may go on. */
const crashTime = 600_000;

/** Finds an act of an order that can still be undone, or that runs now. @param key of the act that asks, which does not count. */
export async function findPendingAct(
	db: Database | Trx,
	{ orderId, key, now }: { orderId: string; key?: string; now: Date },
): Promise<RequestedAct | null> {
	const query = selectActs(db)
		.where("order_id", "=", orderId)
		.where("key", "!=", key ?? "")
		.where(isOpen);
	const row = await query
		.where("due_at", "is not", null)
		.where("needs_approval", "=", false)
		.where(({ eb, or }) => or([eb("started_at", "is", null), eb("started_at", ">", new Date(now.getTime() - crashTime))]))
		.executeTakeFirst();
	return row ?? null;
}

/** Marks the start of an act. @returns null when it was undone or has ended. A crashed run starts again. */
export async function startAct(db: Database, key: string, now: Date): Promise<RequestedAct | null> {
	const query = db.updateTable("desk_acts").set({ started_at: now }).where("key", "=", key);
	const row = await query
		.where(isOpen)
		.where(sql<boolean>`(not needs_approval or approved_by is not null)`)
		.returningAll()
		.executeTakeFirst();
	return row ?? null;
}

/** Records the result, and deletes the fields. */
export async function endAct(db: Database, key: string, result: { ok: boolean; sentence: string; now: Date }): Promise<void> {
	await db
		.updateTable("desk_acts")
		.set({ ended_at: result.now, ok: result.ok, sentence: result.sentence, fields: null })
		.where("key", "=", key)
		.returning(changeNotification(deskSubject))
		.execute();
}

/** Records that an operator took note of the refusal of their act. */
export async function markSeen(db: Database, seen: { key: string; operatorId: string; now: Date }): Promise<void> {
	const query = db.updateTable("desk_acts").set({ seen_at: seen.now }).where("key", "=", seen.key);
	await query
		.where("operator_id", "=", seen.operatorId)
		.where("ok", "=", false)
		.where("seen_at", "is", null)
		.returning(changeNotification(deskSubject))
		.execute();
}

/** Undoes an act that has not started. @returns null when it has. */
export async function undoAct(db: Database, key: string, now: Date): Promise<RequestedAct | null> {
	const query = db.updateTable("desk_acts").set({ undone_at: now, fields: null }).where("key", "=", key);
	const row = await query
		.where(isOpen)
		.where("started_at", "is", null)
		.returningAll()
		.returning(changeNotification(deskSubject))
		.executeTakeFirst();
	return row ?? null;
}

/** Undoes all acts of an operator that have not started, also those that wait for a second person. @returns how many. */
export async function undoActsOf(trx: Trx, operatorId: string, now: Date): Promise<number> {
	const query = trx.updateTable("desk_acts").set({ undone_at: now, fields: null }).where("operator_id", "=", operatorId);
	const rows = await query.where(isOpen).where("started_at", "is", null).returning(changeNotification(deskSubject)).execute();
	return rows.length;
}

/** Approves an act of another person. @returns null when it no longer waits, or is the person's own. */
export async function approveAct(trx: Trx, key: string, operatorId: string): Promise<RequestedAct | null> {
	const query = trx.updateTable("desk_acts").set({ approved_by: operatorId }).where("key", "=", key);
	const row = await query
		.where(isOpen)
		.where("needs_approval", "=", true)
		.where("approved_by", "is", null)
		.where("operator_id", "!=", operatorId)
		.returningAll()
		.returning(changeNotification(deskSubject))
		.executeTakeFirst();
	return row ?? null;
}

/**
 * The acts of an order that can still be undone or approved, or run now, and the scheduled ones that were refused when they began since
 * `since`; oldest first.
 */
export async function listOpenActs(db: Database, orderId: string, since: Date): Promise<RequestedAct[]> {
	const query = selectActs(db).where("order_id", "=", orderId).where("undone_at", "is", null);
	return query
		.where(({ eb, and, or }) =>
			or([eb("ended_at", "is", null), and([eb("ended_at", ">=", since), eb("ok", "=", false), eb("due_at", "is not", null)])]),
		)
		.orderBy("requested_at")
		.execute();
}

/** The acts that wait for a second person, oldest first. */
export async function listActsToApprove(db: Database): Promise<RequestedAct[]> {
	const query = selectActs(db).where(isOpen).where("needs_approval", "=", true).where("approved_by", "is", null);
	return query.orderBy("requested_at").execute();
}

/** @returns the number of deleted rows. */
export async function deleteOldActs(db: Database, before: Date): Promise<number> {
	return Number((await db.deleteFrom("desk_acts").where("requested_at", "<", before).executeTakeFirst()).numDeletedRows);
}
