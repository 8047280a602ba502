import { sql } from "kysely";
import type { Database } from "./database.ts";

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
