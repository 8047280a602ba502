import type pg from "pg";
import { typedEntries } from "../../../server/types/objects.ts";
import { maskMade } from "../hidden-companies.store.server.ts";
import { companyColumns, selectedColumns, stagedSources } from "../staged-companies.ts";
import { updateVocabulary } from "../vocabulary.store.server.ts";
import { registryLock, stagedTables } from "./import.store.server.ts";
import type { StagedBranch, StagedHeadOffice, StagedUnit } from "./sirene-rows.ts";

/** All that is known now of some units: a unit without a head office has none. */
export interface Staged {
	units: StagedUnit[];
	heads: StagedHeadOffice[];
	branches: StagedBranch[];
}

/** What became of companies. */
export interface Applied {
	/** Known ones that are no longer as they were, those below among them. */
	changed: number;
	new: number;
	/** Known ones of which nothing may be said any longer. */
	masked: number;
	/** Known ones that were active. */
	ceased: number;
}

/** Waits until no import and no other update runs; theirs wait for the end of this connection. */
export async function lockRegistry(client: pg.Client): Promise<void> {
	await client.query(`select pg_advisory_lock(${registryLock})`);
}

/**
 * The newest change that the companies know, yyyy-mm-dd; null where there are no companies, or their age is unknown.
 * @param today what lies after it is a mistake in the data.
 */
export async function knownUntil(client: pg.Client, today: string): Promise<string | null> {
	const { rows } = await client.query<{ day: string | null }>(
		`select case when as_of <= $1 then as_of else (select max(updated_on) from companies where updated_on <= $1) end::text as day
		from company_sources where name = 'sirene'`,
		[today],
	);
	return rows[0]?.day ?? null;
}

/** Records that all changes until a day, yyyy-mm-dd, were applied, and when. */
export async function recordKnownUntil(client: pg.Client, day: string, at: Date): Promise<void> {
	await client.query("update company_sources set as_of = $1, imported_at = $2 where name = 'sirene'", [day, at]);
}

/**
 * Makes some companies anew, each as an import would, in one transaction, which ends with the connection where it fails.
 * A known company keeps its place in the order of importance. A new one comes last, whatever it is: the next import of the
 * stock files puts it in its place.
 */
export async function applyChanges(client: pg.Client, staged: Staged): Promise<Applied> {
	await client.query("begin");
	for (const [table, rows] of typedEntries(staged)) await stage(client, table, rows);
	await client.query(`
		create temporary table made on commit drop as select ${selectedColumns} from ${stagedSources((table) => `pg_temp.${table}`)};
		analyze made;
	`);
	await maskMade(client);
	await client.query(`
		create temporary table known on commit drop as select * from companies where siren in (select siren from made);
		analyze known;
	`);
	const columns = Object.keys(companyColumns);
	const made = columns.map((name) => `made.${name}`).join(", ");
	const differs = `(${columns.map((name) => `known.${name}`).join(", ")}) is distinct from (${made})`;
	const { rows } = await client.query<Applied>(`
		select count(*) filter (where known.siren is not null and ${differs})::int as changed,
			count(*) filter (where known.siren is null)::int as new,
			count(*) filter (where made.masked and not known.masked)::int as masked,
			count(*) filter (where made.status = 'ceased' and known.status = 'active')::int as ceased
		from made left join known using (siren)
	`);
	await client.query(`
		update companies set (${columns.join(", ")}) = row(${made}) from made join known using (siren) where companies.siren = made.siren and ${differs};
		insert into companies (id, ${columns.join(", ")})
			select (select coalesce(max(id), 0) from companies) + row_number() over (order by made.siren), ${made}
			from made left join known using (siren) where known.siren is null;
		update company_sources set companies = companies + ${Number(rows[0]?.new)} where name = 'sirene';
	`);
	await updateVocabulary(client);
	await client.query("commit");
	return rows[0] as Applied;
}

/** Puts rows into a temporary table like the one that an import stages. */
async function stage(client: pg.Client, table: keyof Staged, rows: Staged[keyof Staged]): Promise<void> {
	const columns = Object.entries(stagedTables[table]);
	const list = (write: (key: string, name: string, type: string) => string) =>
		columns.map(([key, [name, type]]) => write(key, name, type)).join(", ");
	await client.query(`create temporary table staged_${table} (${list((_, name, type) => `${name} ${type}`)}) on commit drop`);
	await client.query(
		`insert into pg_temp.staged_${table} (${list((_, name) => name)})
		select ${list((key) => `"${key}"`)} from json_to_recordset($1) as row (${list((key, _, type) => `"${key}" ${type}`)})`,
		[JSON.stringify(rows)],
	);
}
