import type pg from "pg";
import { typedEntries } from "../../../../server/types/objects.ts";
import { maskStagedCompanies } from "../hidden-companies.store.server.ts";
import { companyColumns, selectBranches, selectedColumns, stagedSources } from "../staged-companies.ts";
import { updateVocabulary } from "../vocabulary.store.server.ts";
import { registryLock, stagedTables } from "./import.store.server.ts";
import type { StagedBranch, StagedHeadOffice, StagedUnit } from "./sirene-rows.ts";

/** The current data of some units. */
export interface StagedCompanies {
	units: StagedUnit[];
	heads: StagedHeadOffice[];
	branches: StagedBranch[];
}

/** The result of applying changes. */
export interface AppliedChanges {
	/** Existing companies that changed, including masked and ceased ones. */
	changed: number;
	new: number;
	/** Existing companies that became masked. */
	masked: number;
	/** Existing companies that were active and ceased. */
	ceased: number;
}

export const noChanges: AppliedChanges = { changed: 0, new: 0, masked: 0, ceased: 0 };

/** Waits until no import or other update runs, and makes others wait for the end of this connection. */
export async function lockRegistry(client: pg.Client): Promise<void> {
	await client.query(`select pg_advisory_lock(${registryLock})`);
}

/**
 * Returns the day of the newest applied change, yyyy-mm-dd; null without companies or if unknown.
 * @param today later days are errors in the data and ignored.
 */
export async function findNewestChange(client: pg.Client, today: string): Promise<string | null> {
	const { rows } = await client.query<{ day: string | null }>(
		`select case when as_of <= $1 then as_of else (select max(updated_on) from companies where updated_on <= $1) end::text as day
		from company_sources where name = 'sirene'`,
		[today],
	);
	return rows[0]?.day ?? null;
}

/** Records that all changes up to a day, yyyy-mm-dd, were applied. */
export async function recordNewestChange(client: pg.Client, day: string, at: Date): Promise<void> {
	await client.query("update company_sources set as_of = $1, imported_at = $2 where name = 'sirene'", [day, at]);
}

/**
 * Builds some companies anew by the rules of the import, in one transaction. After an error, the caller must close the connection.
 * Existing companies keep their rank. New ones come last until the next import of the stock files.
 */
export async function applyChanges(client: pg.Client, staged: StagedCompanies): Promise<AppliedChanges> {
	await client.query("begin");
	for (const [table, rows] of typedEntries(staged)) await insertStaged(client, table, rows);
	await client.query(`
		create temporary table made on commit drop as select ${selectedColumns} from ${stagedSources((table) => `pg_temp.${table}`)};
		analyze made;
		create temporary table made_branches on commit drop as ${selectBranches((table) => `pg_temp.${table}`)};
	`);
	await maskStagedCompanies(client);
	await client.query(`
		create temporary table known on commit drop as select * from companies where siren in (select siren from made);
		analyze known;
	`);
	const columns = Object.keys(companyColumns);
	const made = columns.map((name) => `made.${name}`).join(", ");
	const differs = `(${columns.map((name) => `known.${name}`).join(", ")}) is distinct from (${made})`;
	const otherBranches = `(select branch from company_branches branch where branch.siren = made.siren)::text
		is distinct from (select branch from made_branches branch where branch.siren = made.siren)::text`;
	const { rows } = await client.query<AppliedChanges>(`
		select count(*) filter (where known.siren is not null and (${differs} or ${otherBranches}))::int as changed,
			count(*) filter (where known.siren is null)::int as new,
			count(*) filter (where made.masked and not known.masked)::int as masked,
			count(*) filter (where made.status = 'ceased' and known.status = 'active')::int as ceased
		from made left join known using (siren)
	`);
	const [applied = noChanges] = rows;
	await client.query(`
		update companies set (${columns.join(", ")}) = row(${made}) from made join known using (siren) where companies.siren = made.siren and ${differs};
		insert into companies (id, ${columns.join(", ")})
			select (select coalesce(max(id), 0) from companies) + row_number() over (order by made.siren), ${made}
			from made left join known using (siren) where known.siren is null;
		delete from company_branches branch using made where branch.siren = made.siren and ${otherBranches};
		insert into company_branches select * from made_branches on conflict (siren) do nothing;
		update company_sources set companies = companies + ${applied.new} where name = 'sirene';
	`);
	await updateVocabulary(client);
	await client.query("commit");
	return applied;
}

/** Inserts rows into a temporary table like the staged one of an import. */
async function insertStaged(client: pg.Client, table: keyof StagedCompanies, rows: StagedCompanies[keyof StagedCompanies]): Promise<void> {
	const columns = Object.entries(stagedTables[table]);
	const formatColumns = (write: (key: string, name: string, type: string) => string) =>
		columns.map(([key, [name, type]]) => write(key, name, type)).join(", ");
	await client.query(`create temporary table staged_${table} (${formatColumns((_, name, type) => `${name} ${type}`)}) on commit drop`);
	await client.query(
		`insert into pg_temp.staged_${table} (${formatColumns((_, name) => name)})
		select ${formatColumns((key) => `"${key}"`)} from json_to_recordset($1) as row (${formatColumns((key, _, type) => `"${key}" ${type}`)})`,
		[JSON.stringify(rows)],
	);
}
