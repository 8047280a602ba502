import { sql } from "kysely";
import type { Database } from "../../server/database.ts";

/** Columns of `companies` that a test wants so; days are yyyy-mm-dd. */
export interface MadeUpUnit {
	id: number;
	siren: string;
	[column: string]: string | number | boolean | null;
}

/** Puts made-up units into the register, for tests; what they do not say is as in Danone's row. */
export async function putMadeUpUnits(db: Database, units: readonly MadeUpUnit[]): Promise<void> {
	await sql`delete from companies where siren = any(${units.map(({ siren }) => siren)}::text[])`.execute(db);
	await sql`
		insert into companies
		select made.* from companies danone, jsonb_array_elements(${JSON.stringify(units)}::jsonb) unit, jsonb_populate_record(danone, unit) made
		where danone.siren = '552032534'
	`.execute(db);
}
