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

/** The columns that each field of an entry fills; the first one's `…_as_of` says when the register said so. */
const fields = [
	["registered_on"],
	["removed_on"],
	["capital", "capital_currency"],
	["duration_years"],
	["single_partner"],
	["purpose"],
	["year_end"],
	["ends_in"],
] as const;
/** Those of before migration 0016, with which a row had one day for all. */
const firstFields: readonly Field[] = fields.slice(0, 5);
type Field = (typeof fields)[number];

const asOf = ([column]: Field) => `${column}_as_of`;
const fieldColumns = fields.flatMap((field) => [...field, asOf(field)]);
const columns = ["siren", "as_of", ...fieldColumns].join(", ");

/** Creates a temporary table for the entries of the files, which lasts until the end of the transaction. */
export async function createIncoming(client: pg.Client): Promise<void> {
	await client.query(`
		create temporary table incoming on commit drop as select siren, ${fieldColumns.join(", ")} from company_registrations with no data;
		alter table incoming add withheld boolean, add at timestamptz, add place integer generated always as identity;
	`);
}

/** Inserts entries into the temporary table. What an entry does not say has no `…_as_of`. */
export async function insertIncoming(client: pg.Client, registrations: Registration[]): Promise<void> {
	await client.query(
		`insert into incoming (siren, withheld, at, ${fieldColumns.join(", ")})
		select siren, withheld, at,
			"registeredOn", case when entry ? 'registeredOn' then at end,
			"removedOn", case when entry ? 'removedOn' then at end,
			capital, currency, case when entry ? 'capital' then at end,
			"durationYears", case when entry ? 'durationYears' then at end,
			"singlePartner", case when entry ? 'singlePartner' then at end,
			purpose, case when entry ? 'purpose' then at end,
			"yearEnd", case when entry ? 'yearEnd' then at end,
			"endsIn", case when entry ? 'endsIn' then at end
		from jsonb_array_elements($1::jsonb) entry, jsonb_to_record(entry) as said (
			siren text, withheld boolean, at timestamptz, "registeredOn" date, "removedOn" date, capital numeric, currency text,
			"durationYears" smallint, "singlePartner" boolean, purpose text, "yearEnd" smallint, "endsIn" smallint)`,
		[JSON.stringify(registrations)],
	);
}

/**
 * Stores of each field what the newest entry says that says it, unless the table has a newer one, and updates the companies, except masked ones.
 * A company that is no longer removed keeps its status and rank until the next import of SIRENE. Waits for running imports of SIRENE, which wait
 * for it.
 */
export async function mergeIncoming(client: pg.Client): Promise<MergeResult> {
	const newestOf = (column: string, field: Field) =>
		`(array_agg(${column} order by at desc, place desc) filter (where ${asOf(field)} is not null))[1] as ${column}`;
	// rows of before migration 0016 have one day for all the fields that they had
	const oldDay = `case when num_nonnulls(${firstFields.map((field) => `known.${asOf(field)}`).join(", ")}) = 0 then known.as_of at time zone 'Europe/Paris' end`;
	const knownAsOf = (field: Field) => (firstFields.includes(field) ? `coalesce(known.${asOf(field)}, ${oldDay})` : `known.${asOf(field)}`);
	const isNew = (field: Field) => `coalesce(newest.${asOf(field)} >= coalesce(${knownAsOf(field)}, '-infinity'), false)`;
	const merged = fields.flatMap((field) => [
		...field.map((column) => `case when ${isNew(field)} then newest.${column} else known.${column} end as ${column}`),
		`case when ${isNew(field)} then newest.${asOf(field)} else ${knownAsOf(field)} end as ${asOf(field)}`,
	]);
	await client.query(`select pg_advisory_xact_lock(${registryLock})`);
	await client.query(`
		create temporary table current on commit drop as
			select newest.siren, ${merged.join(", ")}, newest.withheld,
				greatest(known.as_of, ${fields.map((field) => `case when ${isNew(field)} then (newest.${asOf(field)} at time zone 'Europe/Paris')::date end`).join(", ")}) as as_of
			from (
				select siren, (array_agg(withheld order by at desc, place desc))[1] as withheld,
					${fields.flatMap((field) => [...field, asOf(field)].map((column) => newestOf(column, field))).join(", ")}
				from incoming group by siren
			) newest
			left join company_registrations known on known.siren = newest.siren
			where ${fields.map(isNew).join(" or ")};
		analyze current;
		insert into company_registrations (${columns}) select ${columns} from current
		on conflict (siren) do update set ${["as_of", ...fieldColumns].map((column) => `${column} = excluded.${column}`).join(", ")}
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
