import { type Selectable, sql } from "kysely";
import { toJson } from "../../../server/database/column-types.ts";
import type { Database } from "../../../server/database/database.ts";
import type { DeskLog, JsonObject } from "../../../server/database/database-types.gen.ts";

/** All SQL on `desk_log`. */

declare module "../../../server/database/column-types.ts" {
	interface ColumnTypes {
		"desk_log.change": { before?: JsonObject; after?: JsonObject };
	}
}

export type DeskLogEntry = Selectable<DeskLog>;
export type DeskOutcome = DeskLogEntry["outcome"];

export async function insertDeskLog(db: Database, entry: Omit<DeskLogEntry, "id">): Promise<void> {
	await db
		.insertInto("desk_log")
		.values({ ...entry, change: entry.change && toJson(entry.change) })
		.execute();
}

export interface DeskLogFilter {
	/** An order also has the runs that name it among several orders, such as the printing of letters. */
	subject?: string | null;
	who?: string | null;
	/** The id of a row: only older ones. */
	before?: string | null;
}

/** The latest runs, newest first, each by its last row. A run that stays `begun` is in progress or was interrupted. */
export async function listDeskLog(db: Database, limit: number, { subject, who, before }: DeskLogFilter = {}): Promise<DeskLogEntry[]> {
	// read by the index of ids, newest first: a row is the last of its run when no later one has the same run
	const isLast = sql<boolean>`not exists (select from desk_log as later where later.run = desk_log.run and later.id > desk_log.id)`;
	return db
		.selectFrom("desk_log")
		.selectAll()
		.where(isLast)
		.$if(Boolean(subject), (select) => select.where(isAbout(subject ?? "")))
		.$if(Boolean(who), (select) => select.where("who", "=", who ?? ""))
		.$if(Boolean(before), (select) => select.where("id", "<", before ?? ""))
		.orderBy("id", "desc")
		.limit(limit)
		.execute();
}

const isAbout = (subject: string) =>
	sql<boolean>`(subject = ${subject} or (jsonb_typeof(change->'after'->'orders') = 'string' and ${subject} = any(string_to_array(change->'after'->>'orders', ', '))))`;

/** Whether an operator has an entry of this kind since an instant. */
export async function wasRecordedSince(
	db: Database,
	{ operatorId, verb, subject, since }: { operatorId: string; verb: string; subject: string | null; since: Date },
): Promise<boolean> {
	const query = db
		.selectFrom("desk_log")
		.select("id")
		.where("subject", subject === null ? "is" : "=", subject)
		.where("verb", "=", verb);
	return (await query.where("operator_id", "=", operatorId).where("at", ">=", since).limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Deletes entries before `before` that are also older than a year by the database's clock: its trigger refuses any other deletion.
 * @returns the number of deleted rows.
 */
export async function deleteOldDeskLog(db: Database, before: Date): Promise<number> {
	return db.transaction().execute(async (trx) => {
		await sql`set local shop.purging_desk_log = 'on'`.execute(trx);
		const old = trx.deleteFrom("desk_log").where("at", "<", before).where("at", "<", sql<Date>`now() - interval '1 year'`);
		return Number((await old.executeTakeFirst()).numDeletedRows);
	});
}
