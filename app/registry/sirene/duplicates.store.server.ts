import type pg from "pg";
import { staging } from "./import.store.server.ts";

export interface Doubles {
	/** Rows of a SIREN that the file holds twice; the newest stays. */
	units: number;
	/** Rows of a SIRET that the file holds twice. */
	headOffices: number;
	/** Head offices that the unit no longer names as such. */
	formerHeadOffices: number;
	/** Head offices of units that are not in the file. */
	orphans: number;
}

/**
 * Leaves one row of each unit and one head office of each unit.
 * @param inOrder of which files it is known that no key stands there twice. @returns how many rows went.
 */
export async function setAsideDoubles(client: pg.Client, inOrder: { units: boolean; heads: boolean }): Promise<Doubles> {
	await client.query(`analyze ${staging}.staged_units, ${staging}.staged_heads, ${staging}.staged_branches`);
	const units = inOrder.units ? 0 : await keepBest(client, "staged_units", "siren");
	const headOffices = inOrder.heads ? 0 : await keepBest(client, "staged_heads", "siren, nic");
	// the unit names its head office; a file may still hold former ones
	const formerHeadOffices = inOrder.heads ? 0 : await keepBest(client, "staged_heads", "siren", "double.nic = named.nic desc, open desc,");
	const { rows } = await client.query(`
		select count(*)::int as orphans
		from ${staging}.staged_heads head left join ${staging}.staged_units unit using (siren)
		where unit.siren is null
	`);
	return { units, headOffices, formerHeadOffices, orphans: rows[0].orphans };
}

/** Of the rows that share a key, keeps the first in some order, then the newest. */
async function keepBest(client: pg.Client, table: string, key: string, order = ""): Promise<number> {
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
