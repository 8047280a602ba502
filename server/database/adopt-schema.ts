import { sql } from "kysely";
import type { Database, Trx } from "./database.ts";
import { SchemaError } from "./schema-error.ts";

/** The last of the migrations that make at once what the replaced ones made. */
const lastReplacement = "0011_operation";

/** The migrations that `lastReplacement` and those before it replace (docs/decisions/0054-one-migration-per-concept.md). */
export const replacedMigrations: readonly string[] = `
	0001_orders 0002_companies 0003_contact 0004_registry 0005_search 0006_money 0007_newsletter 0008_status 0009_disputes 0010_limits
	0011_search_spellings 0012_objections 0013_refunds_again 0014_readiness 0015_order_copies 0016_corrections
	0017_copy_requests_have_a_time 0018_figures 0019_purge_lists 0020_sweepers 0021_billing_and_delivery 0022_mail_recipients
	0023_search_by_kind 0024_order_forms 0025_corrected_invoices 0026_extracts_first 0027_operators 0028_serving 0029_order_claims
	0029_order_words 0029_order_words_of_old_orders 0029_queue_indexes 0030_defending 0031_accounts 0032_messages 0033_demo_desk
	0034_orders_of_a_company 0035_money_of_the_desk 0036_safe_doors 0037_trail_of_letters 0038_both_factors_of_a_session
	0040_refused_acts_are_seen 0042_letter_runs 0044_trail_kept_a_year 0046_sent_emails 0048_bulletin 0052_extract_watch
	0053_notices_of_emails 0054_company_alerts 0058_establishments_and_vat 0059_purchases 0060_purchases_of_past_orders
	0061_every_order_has_a_purchase 0062_copies_of_purchases 0065_search_by_reference 0066_customer_sign_in 0067_document_shares
	0068_invoices_of_erased_customers 0069_ended_visits 0070_refreshed_sessions 0072_withdrawals_of_purchases 0074_granted_roles
	0075_points_of_limits 0076_grouped_confirmations 0077_attempts_have_a_client 0080_extract_requested 0081_bulletin_read_daily
	0082_terms_as_accepted 0083_archived_contracts`
	.trim()
	.split(/\s+/);

/** What only programs of earlier versions used, and constraints that did not hold for rows before them. */
const finishingTouches = `
	drop trigger if exists orders_have_a_purchase on orders;
	drop function if exists set_purchase, search_companies, tier_floor, take_points(text[], integer[], integer[], bigint, bigint);
	alter table withdrawals alter declaration_id set not null, alter refund_cents set not null;
	alter table extract_requests validate constraint extract_requests_not_found_because_check;
	alter table invoices validate constraint invoices_check`;

/** How many differences a message names. */
const maxDifferences = 5;
const maxDifferenceLength = 200;

/** @returns whether a database was made by the replaced migrations, all or some of them. */
export const hasReplacedMigrations = (applied: readonly string[]): boolean => applied.some((name) => replacedMigrations.includes(name));

/** @throws SchemaError when a database that the replaced migrations made is not in their last state. */
export function assertAdoptable(applied: readonly string[]): void {
	const missing = replacedMigrations.filter((name) => !applied.includes(name));
	if (missing.length > 0)
		throw new SchemaError(
			`An older version made the database, and it lacks ${formatMigrations(missing)} of that version.`,
			`Run npm run db:migrate of the last version that has db/migrations/${replacedMigrations.at(-1)}.sql, then this version again.`,
		);
	const unknown = applied.filter((name) => !replacedMigrations.includes(name));
	if (unknown.length > 0) throw new SchemaError(`The database has ${formatMigrations(unknown)}, which this program lacks.`, unknownTodo);
}

/** For a database with a migration that is not of this program. */
export const unknownTodo = "Start the program that made it, or set DATABASE_URL to another database.";

export function formatMigrations(names: readonly string[]): string {
	const rest = names.length > 3 ? ` and ${names.length - 3} more` : "";
	return `the migration${names.length > 1 ? "s" : ""} ${names.slice(0, 3).join(", ")}${rest}`;
}

/**
 * Records a database in the last state of the replaced migrations as one of their replacements, in one transaction. Nothing changes
 * when its schema is another one. Rows are neither read nor written.
 * @param replacements the names and the SQL of this program's migrations, in their order.
 * @throws SchemaError names the differences.
 */
export async function adoptSchema(
	db: Database,
	replacements: ReadonlyMap<string, string>,
	{ lockTimeoutMs }: { lockTimeoutMs: number },
): Promise<void> {
	await db.transaction().execute(async (trx) => {
		await sql.raw(`set local lock_timeout = ${lockTimeoutMs}`).execute(trx);
		await sql`lock table kysely_migration in exclusive mode`.execute(trx);
		const applied = await sql<{ name: string }>`select name from kysely_migration`.execute(trx);
		const names = applied.rows.map(({ name }) => name);
		// another process was faster
		if (!hasReplacedMigrations(names)) return;
		assertAdoptable(names);
		const made = listReplacements(replacements);
		const expected = await describeReplacements(trx, made);
		await sql.raw(finishingTouches).execute(trx);
		const actual = await describeSchema(trx);
		const differences = [
			...expected.filter((line) => !actual.includes(line)).map((line) => `- ${line}`),
			...actual.filter((line) => !expected.includes(line)).map((line) => `+ ${line}`),
		];
		if (differences.length > 0) throw new SchemaError(...describeDifferences(differences));
		await sql`delete from kysely_migration`.execute(trx);
		const timestamp = new Date().toISOString();
		for (const [name] of made) await sql`insert into kysely_migration (name, timestamp) values (${name}, ${timestamp})`.execute(trx);
	});
}

/** The migrations that make what the replaced ones made: the later ones run after the adoption. */
export const listReplacements = (migrations: ReadonlyMap<string, string>) => [...migrations].filter(([name]) => name <= lastReplacement);

/** Makes the schemas of the replacements beside those of the database, describes them, and rolls them back. No table is locked. */
async function describeReplacements(trx: Trx, replacements: [name: string, text: string][]): Promise<string[]> {
	await sql`savepoint aside`.execute(trx);
	for (const schema of shopSchemas) await sql.raw(`alter schema ${schema} rename to ${schema}_aside`).execute(trx);
	await sql`create schema public`.execute(trx);
	for (const [, text] of replacements) await sql.raw(text).execute(trx);
	const description = await describeSchema(trx);
	await sql`rollback to savepoint aside`.execute(trx);
	return description;
}

function describeDifferences(differences: string[]): [message: string, todo: string] {
	const shown = differences
		.sort((a, b) => a.slice(2).localeCompare(b.slice(2)))
		.slice(0, maxDifferences)
		.map((line) => (line.length > maxDifferenceLength ? `${line.slice(0, maxDifferenceLength)}…` : line));
	const rest = differences.length > shown.length ? [`… and ${differences.length - shown.length} more`] : [];
	return [
		["The schema of the database is not that of this program, which has the lines with - and not those with +:", ...shown, ...rest].join(
			"\n",
		),
		"Change the database so that both are equal, then start again.",
	];
}

/** The schemas that the migrations make. That of the job queue belongs to pg-boss. */
export const shopSchemas = ["public", "sandbox", "operators", "customers"] as const;

/**
 * Describes all that matters of the shop's schemas, one sorted line for each thing: two databases with equal descriptions serve the
 * shop equally. The order of columns, line breaks in functions, privileges and objects of extensions do not count.
 */
export async function describeSchema(db: Database): Promise<string[]> {
	const { rows } = await sql<{ line: string }>`
		with
		shop as (select oid, nspname from pg_namespace where nspname = any(${[...shopSchemas]}::text[])),
		of_extensions as (select classid, objid from pg_depend where deptype = 'e'),
		relations as (
			select pg_class.*, format('%I.%I', nspname, relname) as name
			from pg_class join shop on shop.oid = relnamespace
			where relkind <> 'c' and not starts_with(relname, 'kysely_migration')
				and not exists (select from of_extensions where classid = 'pg_class'::regclass and objid = pg_class.oid)
		),
		lines as (
			select format('schema %I', nspname) as line from shop
			union all
			select format('type %I.%I %s', nspname, typname, (select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder) from pg_enum where enumtypid = pg_type.oid))
			from pg_type join shop on shop.oid = typnamespace where typtype in ('e', 'd', 'r')
			union all
			select concat_ws(' ', 'relation', name, relkind, relpersistence, case when relrowsecurity then 'row security' end, reloptions::text)
			from relations where relkind not in ('i', 't')
			union all
			select concat_ws(' ', 'column', name || '.' || quote_ident(attname), format_type(atttypid, atttypmod),
				'collate ' || (select collname from pg_collation where oid = attcollation and collname <> 'default'),
				case when attnotnull then 'not null' end,
				case attgenerated when 's' then 'generated' when 'v' then 'virtual' else 'default' end || ' ' || pg_get_expr(adbin, adrelid),
				case attidentity when 'a' then 'identity always' when 'd' then 'identity by default' end,
				'storage ' || attstorage::text, 'compression ' || nullif(attcompression::text, ''), 'statistics ' || nullif(attstattarget, -1), attoptions::text)
			from pg_attribute join relations on relations.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
			where attnum > 0 and not attisdropped and relkind not in ('i', 't', 'S')
			union all
			-- PostgreSQL 18 also lists NOT NULL, which is said of the column
			select format('constraint %s.%I %s', name, conname, pg_get_constraintdef(pg_constraint.oid))
			from pg_constraint join relations on relations.oid = conrelid where contype not in ('n', 't')
			union all
			select format('index %s', pg_get_indexdef(indexrelid)) || case when indisvalid then '' else ' invalid' end
			from pg_index join relations on relations.oid = indexrelid
			union all
			select format('trigger %s %s', tgenabled, pg_get_triggerdef(pg_trigger.oid))
			from pg_trigger join relations on relations.oid = tgrelid where not tgisinternal
			union all
			select concat_ws(' ', 'function', prokind, proname || '(' || pg_get_function_arguments(pg_proc.oid) || ')', pg_get_function_result(pg_proc.oid), lanname,
				provolatile, proparallel, case when proisstrict then 'strict' end, case when prosecdef then 'security definer' end,
				case when proleakproof then 'leakproof' end, proconfig::text, nspname,
				regexp_replace(coalesce(pg_get_function_sqlbody(pg_proc.oid), prosrc), '\\s+', ' ', 'g'))
			from pg_proc join shop on shop.oid = pronamespace join pg_language on pg_language.oid = prolang
			where not exists (select from of_extensions where classid = 'pg_proc'::regclass and objid = pg_proc.oid)
			union all
			select format('statistics %s', pg_get_statisticsobjdef(pg_statistic_ext.oid))
			from pg_statistic_ext join shop on shop.oid = stxnamespace
		)
		select line from lines order by line collate "C"`.execute(db);
	return rows.map(({ line }) => line);
}
