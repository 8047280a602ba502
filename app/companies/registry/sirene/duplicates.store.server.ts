import type pg from "pg";
import { staging } from "./import.store.server.ts";

export interface DuplicateCounts {
	/** Duplicate rows of a SIREN; the newest is kept. */
	units: number;
	/** Duplicate rows of a SIRET. */
	headOffices: number;
	/** Former head offices. */
	formerHeadOffices: number;
	/** Head offices of units that are missing from the file. */
	orphans: number;
}

/**
 * Deletes duplicates, so that each unit has one row and one head office at most.
 * @param sorted the files that are sorted and hence have no duplicates. @returns the numbers of deleted rows.
 */
export async function deleteDuplicates(client: pg.Client, sorted: { units: boolean; headOffices: boolean }): Promise<DuplicateCounts> {
	await client.query(`analyze ${staging}.staged_units, ${staging}.staged_heads, ${staging}.staged_branches`);
	const units = sorted.units ? 0 : await deleteAllButFirst(client, "staged_units", "siren");
	const headOffices = sorted.headOffices ? 0 : await deleteAllButFirst(client, "staged_heads", "siren, nic");
	// a file may still hold former head offices: the unit names the current one
	const formerHeadOffices = sorted.headOffices
		? 0
		: await deleteAllButFirst(client, "staged_heads", "siren", "double.nic = named.nic desc, open desc,");
	const { rows } = await client.query(`
		select count(*)::int as orphans
		from ${staging}.staged_heads head left join ${staging}.staged_units unit using (siren)
		where unit.siren is null
	`);
	return { units, headOffices, formerHeadOffices, orphans: rows[0].orphans };
}

/** Deletes all rows of a key except the first in the given order, then the newest. */
async function deleteAllButFirst(client: pg.Client, table: string, key: string, order = ""): Promise<number> {
	const { rowCount } = await client.query(`
		with double as materialized (
			select row.ctid as place, row.* from ${staging}.${table} row
			where (${key}) in (select ${key} from ${staging}.${table} group by ${key} having count(*) > 1)
		), named as (
			select siren, max(nic) as nic from ${staging}.staged_units where siren in (select siren from double) group by siren
		), ranked as (
			select place, row_number() over (
				partition by ${key.replace(/\w+/g, "double.$&")} order by ${order} double.updated_on desc nulls last, place
			) as rank
			from double left join named using (siren)
		)
		delete from ${staging}.${table} using ranked where ${table}.ctid = place and rank > 1
	`);
	return rowCount ?? 0;
}
