import type pg from "pg";
import { partnerLexemes } from "../../companies/search/lexemes.ts";
import { registryLock } from "../sirene/import.store.server.ts";
import type { Registration } from "./registrations.ts";

/** What became of the entries of the files. */
export interface Merged {
	/** SIRENs of which the files now say the last word. */
	kept: number;
	/** SIRENs of which they now say that nothing may be said. */
	withheld: number;
	/** Those of both that are not among the companies: SIRENE may come later. */
	unknown: number;
	/** Companies that changed: their form, or that they are removed. */
	companies: number;
}

const columns = "siren, registered_on, removed_on, capital, capital_currency, duration_years, single_partner, as_of";

/** Makes room for the entries of the files, until the transaction ends. */
export async function openIncoming(client: pg.Client): Promise<void> {
	await client.query(`
		create temporary table incoming on commit drop as select * from company_registrations with no data;
		alter table incoming add withheld boolean, add place integer generated always as identity;
	`);
}

/** Puts entries where openIncoming made room. */
export async function addIncoming(client: pg.Client, registrations: Registration[]): Promise<void> {
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
 * Takes over the newest entry of each SIREN, where the table has no newer one, and brings the companies in line.
 * A company that is no longer removed stays so until SIRENE, which alone knows whether it is active, is imported again; so does its
 * place in the order of importance. Masked units are left alone. Waits for imports of SIRENE, which wait for the end of this transaction.
 */
export async function mergeIncoming(client: pg.Client): Promise<Merged> {
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
 * Brings companies in line with what the RNE says of them; masked ones are left alone.
 * @param registrations a table like company_registrations, or a query in brackets. @returns how many changed.
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
