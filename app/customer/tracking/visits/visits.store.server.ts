import type { Database } from "../../../../server/database/database.ts";

/** All SQL on `ended_visits`. */

export async function insertEndedVisit(db: Database, { id, now }: { id: string; now: Date }): Promise<void> {
	await db
		.insertInto("ended_visits")
		.values({ id, ended_at: now })
		.onConflict((conflict) => conflict.column("id").doUpdateSet({ ended_at: now }))
		.execute();
}

export async function hasEndedVisit(db: Database, id: string, { since }: { since: Date }): Promise<boolean> {
	const query = db.selectFrom("ended_visits").select("id").where("id", "=", id).where("ended_at", ">=", since);
	return (await query.executeTakeFirst()) !== undefined;
}

export async function deleteEndedVisits(db: Database, before: Date): Promise<void> {
	await db.deleteFrom("ended_visits").where("ended_at", "<", before).execute();
}
