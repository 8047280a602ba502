import { sql } from "kysely";
import type { Database } from "../../server/database/database.ts";

/** A company in a sitemap. */
export interface ListedRow {
	siren: string;
	/** yyyy-mm-dd */
	updated_on: string | null;
}

// sitemaps omit companies that ceased, and masked ones
const isIndexable = sql`status = 'active' and not masked`;

/** Lists the companies with ids above `after` and up to `last`, by importance. */
export async function listIndexableCompanies(db: Database, after: number, last: number): Promise<ListedRow[]> {
	const { rows } = await sql<ListedRow>`
		select siren, updated_on::text from companies where id > ${after} and id <= ${last} and ${isIndexable} order by id
	`.execute(db);
	return rows;
}

/** Whether any company with an id above `after` and up to `last` is listed. */
export async function hasIndexableCompany(db: Database, after: number, last: number): Promise<boolean> {
	const { rows } = await sql`select from companies where id > ${after} and id <= ${last} and ${isIndexable} limit 1`.execute(db);
	return rows.length > 0;
}

/**
 * Counts the leading ranges of `size` ids that have a company to list, and stops at the first range without any.
 * The import gives active units the lowest ids, so each range is decided by its first row.
 */
export async function countIndexableRanges(db: Database, size: number): Promise<number> {
	const { rows } = await sql<{ ranges: number }>`
		with recursive range (number) as (
			select 0
			union all
			select number + 1 from range where exists (
				select from companies where id > number * ${size}::int and id <= (number + 1) * ${size}::int and ${isIndexable}
			)
		)
		select max(number) as ranges from range
	`.execute(db);
	return rows[0]?.ranges ?? 0;
}
