import type pg from "pg";
import { changesChannel, publicPagesSubject } from "../../../server/database/changes.ts";
import { applyRegistrations } from "./rne/registrations.store.server.ts";
import { companyColumns, maskingClause } from "./staged-companies.ts";
import { updateVocabulary } from "./vocabulary.store.server.ts";

declare module "../../../server/database/column-types.ts" {
	interface ColumnTypes {
		"hidden_companies.withheld": object;
	}
}

/**
 * Locks `hidden_companies`. Every transaction that changes the table, or masks companies by it, holds this lock. It is separate from the
 * registry's lock, which an import holds for an hour.
 */
async function lockHiddenCompanies(client: pg.Client): Promise<void> {
	await client.query("select pg_advisory_xact_lock(hashtext('hidden companies'))");
}

export interface HiddenCompany {
	siren: string;
	reason: string;
	hidden_at: Date;
	/** Whether `companies` has it. */
	known: boolean;
}

/** Hides a company everywhere. After an error, the caller must close the connection. @returns when it was hidden. */
export function hideCompany(client: pg.Client, siren: string, reason: string, now: Date): Promise<HiddenCompany & { already: boolean }> {
	return inTransaction(client, async () => {
		const { rowCount } = await client.query(
			"insert into hidden_companies (siren, reason, hidden_at) values ($1, $2, $3) on conflict (siren) do nothing",
			[siren, reason, now],
		);
		// an import of the RNE may change the row
		await client.query("select from companies where siren = $1 for update", [siren]);
		if (rowCount === 1) await maskCompanies(client, [siren]);
		const [hidden] = await listHiddenCompanies(client, [siren]);
		if (!hidden) throw new Error("a hidden company was neither inserted nor found");
		return { ...hidden, already: rowCount === 0 };
	});
}

/** Shows a hidden company again with current data. After an error, the caller must close the connection. @returns false when it was not hidden. */
export function showCompany(client: pg.Client, siren: string): Promise<boolean> {
	return inTransaction(client, async () => {
		const columns = Object.keys(companyColumns);
		// a running import of the RNE has skipped the masked company, so its end must come first
		await client.query("lock table company_registrations in share row exclusive mode");
		const { rows } = await client.query<{ withheld: unknown }>("delete from hidden_companies where siren = $1 returning withheld", [siren]);
		if (rows.length === 0) return false;
		await client.query(
			"create temporary table known (like companies) on commit drop; create temporary table made (like companies) on commit drop",
		);
		await client.query("insert into known select * from companies where siren = $1", [siren]);
		await client.query("insert into made select shown.* from known, jsonb_populate_record(known, $1::jsonb) shown", [
			rows[0]?.withheld ?? {},
		]);
		await client.query(
			`update companies set (${columns.join(", ")}) = row(${columns.map((name) => `made.${name}`).join(", ")}) from made where companies.id = made.id`,
		);
		await client.query(
			"insert into company_branches select (jsonb_populate_record(null::company_branches, $1::jsonb -> 'establishments')).* where $1::jsonb ? 'establishments'",
			[rows[0]?.withheld ?? {}],
		);
		await updateVocabulary(client);
		// the RNE may have been imported since it was hidden
		await applyRegistrations(client, `(select * from company_registrations where siren in (select siren from made))`);
		return true;
	});
}

/** Lists hidden companies, the latest first. */
export async function listHiddenCompanies(client: pg.Client, sirens: readonly string[] | null = null): Promise<HiddenCompany[]> {
	const { rows } = await client.query<HiddenCompany>(
		`select siren, reason, hidden_at, exists (select from companies where companies.siren = hidden.siren) as known
		from hidden_companies hidden where $1::text[] is null or siren = any($1) order by hidden_at desc, siren`,
		[sirens],
	);
	return rows;
}

/** Masks all hidden companies in the new tables of an import, in the transaction that swaps them in. */
export async function maskHiddenCompanies(client: pg.Client): Promise<void> {
	await lockHiddenCompanies(client);
	// data that the files no longer have must not be stored either
	await client.query("update hidden_companies set withheld = null where withheld is not null");
	await maskCompanies(client, null);
}

/** Masks the hidden companies of the temporary table `made`, in the transaction that applies it. */
export async function maskStagedCompanies(client: pg.Client): Promise<void> {
	await lockHiddenCompanies(client);
	await client.query(`
		update hidden_companies hidden set withheld = to_jsonb(made) || ${withheldBranches("made_branches")} from made where made.siren = hidden.siren;
		update made set ${maskingClause} where siren in (select siren from hidden_companies);
		delete from made_branches where siren in (select siren from hidden_companies);
	`);
}

/** The establishments of a hidden company, as a part of `withheld`. */
const withheldBranches = (table: string) =>
	`coalesce((select jsonb_build_object('establishments', to_jsonb(branch)) from ${table} branch where branch.siren = hidden.siren), '{}')`;

/** Moves the data of hidden companies to `withheld` and masks them; null means all. Their names leave the vocabulary. */
async function maskCompanies(client: pg.Client, sirens: readonly string[] | null): Promise<void> {
	await client.query(
		"create temporary table known (like companies) on commit drop; create temporary table made (like companies) on commit drop",
	);
	await client.query(
		"insert into known select companies.* from companies join hidden_companies using (siren) where $1::text[] is null or siren = any($1)",
		[sirens],
	);
	await client.query(`
		update hidden_companies hidden set withheld = to_jsonb(known) - 'id' || ${withheldBranches("company_branches")} from known where known.siren = hidden.siren;
		delete from company_branches using known where company_branches.siren = known.siren;
		update companies set ${maskingClause} from known where companies.id = known.id;
		insert into made select companies.* from companies join known using (id);
	`);
	await updateVocabulary(client);
}

/** Runs `work` in a transaction that clears the page caches after the commit. After an error, the caller must close the connection. */
async function inTransaction<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
	await client.query("begin");
	await lockHiddenCompanies(client);
	const result = await work();
	await client.query("select pg_notify($1, $2)", [changesChannel, publicPagesSubject]);
	await client.query("commit");
	return result;
}
