import type pg from "pg";
import { partnerLexemes } from "../../search/lexemes.ts";
import { registryLock } from "../sirene/import.store.server.ts";
import type { Registration } from "./registrations.ts";

/** The result of a merge. */
export interface MergeResult {
	/** SIRENs whose newest data came from the files. */
	kept: number;
	/** SIRENs whose data the files withhold. */
	withheld: number;
	/** Those of both without a company; a later import of SIRENE may bring it. */
	unknown: number;
	/** Companies whose form or status changed. */
	companies: number;
}

const columns = "siren, registered_on, removed_on, capital, capital_currency, duration_years, single_partner, as_of";

/** Creates a temporary table for the entries of the files, which lasts until the end of the transaction. */
export async function createIncoming(client: pg.Client): Promise<void> {
	await client.query(`
		create temporary table incoming on commit drop as select * from company_registrations with no data;
		alter table incoming add withheld boolean, add place integer generated always as identity;
	`);
}

/** Inserts entries into the temporary table. */
export async function insertIncoming(client: pg.Client, registrations: Registration[]): Promise<void> {
	await client.query(
		`insert into incoming (${columns}, withheld)
		select siren, "registeredOn", "removedOn", capital, currency, "durationYears", "singlePartner", "asOf", withheld
		from json_to_recordset($1) as entry(
			siren text, "registeredOn" date, "removedOn" date, capital numeric, currency text, "durationYears" smallint,
			"singlePartner" boolean, "asOf" date, withheld boolean)`,
		[JSON.stringify(registrations)],
	);
}

/**
 * Stores the newest entry of each SIREN, unless the table has a newer one, and updates the companies, except masked ones. A company that
 * is no longer removed keeps its status and rank until the next import of SIRENE. Waits for running imports of SIRENE, which wait for it.
 */
export async function mergeIncoming(client: pg.Client): Promise<MergeResult> {
	await client.query(`select pg_advisory_xact_lock(${registryLock})`);
	await client.query(`
		create temporary table current on commit drop as
			select newest.* from (select distinct on (siren) * from incoming order by siren, as_of desc, place desc) newest
			left join company_registrations known on known.siren = newest.siren
			where known.as_of is null or known.as_of <= newest.as_of;
		analyze current;
		insert into company_registrations (${columns}) select ${columns} from current
		on conflict (siren) do update set registered_on = excluded.registered_on, removed_on = excluded.removed_on, capital = excluded.capital,
			capital_currency = excluded.capital_currency, duration_years = excluded.duration_years, single_partner = excluded.single_partner,
			as_of = excluded.as_of
		where company_registrations is distinct from excluded;
	`);
	const companies = await applyRegistrations(client, "current");
	await client.query(`
		delete from company_sources where name = 'rne';
		insert into company_sources (name, as_of, imported_at, companies)
			select 'rne', max(as_of), now(), count(*) from company_registrations having count(*) > 0;
	`);
	const { rows } = await client.query(`
		select count(*) filter (where not withheld)::int as kept, count(*) filter (where withheld)::int as withheld,
			count(*) filter (where not exists (select from companies where companies.siren = current.siren))::int as unknown
		from current
	`);
	return { ...rows[0], companies };
}

/**
 * Updates companies from the RNE's data, except masked ones.
 * @param registrations a table like company_registrations, or a query in brackets. @returns the number of changed companies.
 */
export async function applyRegistrations(client: pg.Client, registrations: string): Promise<number> {
	const { rowCount } = await client.query(`
		update companies set
			single_partner = current.single_partner,
			status = case when current.removed_on is null then status else 'removed' end,
			lexemes = ts_delete(lexemes, '{${partnerLexemes.single},${partnerLexemes.several}}'::text[]) || case
				when current.single_partner then '${partnerLexemes.single}'
				when not current.single_partner then '${partnerLexemes.several}'
				else ''
			end::tsvector
		from ${registrations} current
		where companies.siren = current.siren and not masked
			and (companies.single_partner is distinct from current.single_partner or (current.removed_on is not null and status <> 'removed'))
	`);
	return rowCount ?? 0;
}
