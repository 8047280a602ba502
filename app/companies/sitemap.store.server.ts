import { sql } from "kysely";
import type { Database } from "../../server/database/database.ts";

/** A company that search engines may know of. */
export interface ListedRow {
	siren: string;
	/** yyyy-mm-dd */
	updated_on: string | null;
}

// search engines hear neither of units that are gone nor of those that asked not to be diffused
const listed = sql`status = 'active' and not masked`;

/** The companies to list among ids above `after` and up to `last`, in the order of importance. */
export async function listedCompanies(db: Database, after: number, last: number): Promise<ListedRow[]> {
	const { rows } = await sql<ListedRow>`
		select siren, updated_on::text from companies where id > ${after} and id <= ${last} and ${listed} order by id
	`.execute(db);
	return rows;
}

/** Whether there is any company to list among ids above `after` and up to `last`. */
export async function hasListedCompany(db: Database, after: number, last: number): Promise<boolean> {
	const { rows } = await sql`select from companies where id > ${after} and id <= ${last} and ${listed} limit 1`.execute(db);
	return rows.length > 0;
}

/**
 * How many ranges of `size` ids, from the first on, have a company to list. A range costs one look at its first row:
 * the import gives the lowest ids to active units, so that the ranges without any are all at the end, and only one of them is read.
 */
export async function countListedRanges(db: Database, size: number): Promise<number> {
	const { rows } = await sql<{ ranges: number }>`
		with recursive range (number) as (
			select 0
			union all
			select number + 1 from range where exists (
				select from companies where id > number * ${size}::int and id <= (number + 1) * ${size}::int and ${listed}
			)
		)
		select max(number) as ranges from range
	`.execute(db);
	return rows[0]?.ranges ?? 0;
}
