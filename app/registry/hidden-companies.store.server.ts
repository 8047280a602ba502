import type pg from "pg";
import { channel, publicPages } from "../../server/database/changes.ts";
import { applyRegistrations } from "./rne/registrations.store.server.ts";
import { companyColumns, masking } from "./staged-companies.ts";
import { updateVocabulary } from "./vocabulary.store.server.ts";

/**
 * All SQL on `hidden_companies` but the page's own question whether a company is in it. What is withheld is read here alone.
 * Whoever changes the table or masks companies by it holds its lock until the end of their transaction. It is not the registry's lock:
 * an import takes an hour, and who objects does not wait for it.
 */
async function lockHidden(client: pg.Client): Promise<void> {
	await client.query("select pg_advisory_xact_lock(hashtext('hidden companies'))");
}

export interface HiddenCompany {
	siren: string;
	reason: string;
	hidden_at: Date;
	/** Whether the companies have it. */
	known: boolean;
}

/** Hides a company at once, everywhere. Where it fails, the caller ends the connection. @returns since when it is hidden, and whether it already was. */
export function hideCompany(client: pg.Client, siren: string, reason: string, now: Date): Promise<HiddenCompany & { already: boolean }> {
	return inTransaction(client, async () => {
		const { rowCount } = await client.query(
			"insert into hidden_companies (siren, reason, hidden_at) values ($1, $2, $3) on conflict (siren) do nothing",
			[siren, reason, now],
		);
		// an import of the RNE may be about to change it
		await client.query("select from companies where siren = $1 for update", [siren]);
		if (rowCount === 1) await mask(client, [siren]);
		const [hidden] = await listHidden(client, [siren]);
		if (!hidden) throw new Error("a hidden company was neither inserted nor found");
		return { ...hidden, already: rowCount === 0 };
	});
}

/** Shows a hidden company again, with what imports and updates have brought meanwhile. Where it fails, the caller ends the connection. @returns false where it was not hidden. */
export function showCompany(client: pg.Client, siren: string): Promise<boolean> {
	return inTransaction(client, async () => {
		const columns = Object.keys(companyColumns);
		// an import of the RNE that is under way passed the company by, as it was masked
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
		await updateVocabulary(client);
		// the RNE may have been imported since
		await applyRegistrations(client, `(select * from company_registrations where siren in (select siren from made))`);
		return true;
	});
}

/** Those that are hidden, the latest first. */
export async function listHidden(client: pg.Client, sirens: readonly string[] | null = null): Promise<HiddenCompany[]> {
	const { rows } = await client.query<HiddenCompany>(
		`select siren, reason, hidden_at, exists (select from companies where companies.siren = hidden.siren) as known
		from hidden_companies hidden where $1::text[] is null or siren = any($1) order by hidden_at desc, siren`,
		[sirens],
	);
	return rows;
}

/** Masks all hidden companies in tables that an import has made, in the transaction that swaps them in. */
export async function maskHidden(client: pg.Client): Promise<void> {
	await lockHidden(client);
	// what is no longer in the files is not kept either
	await client.query("update hidden_companies set withheld = null where withheld is not null");
	await mask(client, null);
}

/** Masks the hidden ones among the companies of the temporary table `made`, in the transaction that applies it. */
export async function maskMade(client: pg.Client): Promise<void> {
	await lockHidden(client);
	await client.query(`
		update hidden_companies hidden set withheld = to_jsonb(made) from made where made.siren = hidden.siren;
		update made set ${masking} where siren in (select siren from hidden_companies);
	`);
}

/** Withholds and masks companies that are hidden: some, or null for all. Their names leave the vocabulary. */
async function mask(client: pg.Client, sirens: readonly string[] | null): Promise<void> {
	await client.query(
		"create temporary table known (like companies) on commit drop; create temporary table made (like companies) on commit drop",
	);
	await client.query(
		"insert into known select companies.* from companies join hidden_companies using (siren) where $1::text[] is null or siren = any($1)",
		[sirens],
	);
	await client.query(`
		update hidden_companies hidden set withheld = to_jsonb(known) - 'id' from known where known.siren = hidden.siren;
		update companies set ${masking} from known where companies.id = known.id;
		insert into made select companies.* from companies join known using (id);
	`);
	await updateVocabulary(client);
}

/** Tells every web process, once it is committed, to drop the pages that it keeps. Where the work fails, the transaction ends with the connection. */
async function inTransaction<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
	await client.query("begin");
	await lockHidden(client);
	const result = await work();
	await client.query("select pg_notify($1, $2)", [channel, publicPages]);
	await client.query("commit");
	return result;
}
