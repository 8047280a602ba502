import { type Selectable, sql } from "kysely";
import type { Database } from "../../server/database/database.ts";
import type { DeskLog } from "../../server/database/database-types.gen.ts";

/** All SQL on `desk_log`. */

export type DeskLogEntry = Selectable<DeskLog>;
export type DeskOutcome = DeskLogEntry["outcome"];

export async function insertDeskLog(db: Database, entry: Omit<DeskLogEntry, "id">): Promise<void> {
	await db.insertInto("desk_log").values(entry).execute();
}

/** The latest runs, newest first, each by its last row. A run that stays `begun` is in progress or was interrupted. */
export async function listDeskLog(db: Database, limit: number): Promise<DeskLogEntry[]> {
	const last = db.selectFrom("desk_log").selectAll().distinctOn("run").orderBy("run").orderBy("id", "desc");
	return db.selectFrom(last.as("last")).selectAll().orderBy("id", "desc").limit(limit).execute();
}

/** Deletes entries before `before`; the table's trigger refuses any other deletion. @returns the number of deleted rows. */
export async function deleteOldDeskLog(db: Database, before: Date): Promise<number> {
	return db.transaction().execute(async (trx) => {
		await sql`set local shop.purging_desk_log = 'on'`.execute(trx);
		return Number((await trx.deleteFrom("desk_log").where("at", "<", before).executeTakeFirst()).numDeletedRows);
	});
}
