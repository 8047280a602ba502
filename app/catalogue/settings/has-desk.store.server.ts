import { sql } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";

/** Whether orders are served at the desk: it exists once somebody was invited, and stays also when all have left. */
export async function hasDesk(db: Database | Trx): Promise<boolean> {
	const { rows } = await sql<{ there: boolean }>`
		select exists (select from operators.invitation) or exists (select from operators.member) as there`.execute(db);
	return rows[0]?.there === true;
}
