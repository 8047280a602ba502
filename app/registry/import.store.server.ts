import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { partnerLexemes } from "../companies/lexemes.ts";
import type { StagedBranch, StagedHeadOffice, StagedUnit } from "./sirene-rows.ts";
import type { Place } from "./stock-file.server.ts";

/** The new tables are made beside the live ones, under the same names in this schema. */
const staging = "companies_import";
const tables = ["companies", "company_words", "company_sources"];

/** The same for whoever changes the companies: imports and updates wait for one another. */
export const registryLock = "hashtext('companies import')";

type Columns<Row> = Record<keyof Row, [name: string, type: string]>;

const unitColumns: Columns<StagedUnit> = {
	siren: ["siren", 'text collate "C"'],
	importance: ["importance", "integer"],
	status: ["status", "text"],
	masked: ["masked", "boolean"],
	name: ["name", "text"],
	nameKey: ["name_key", "integer"],
	aliasKey: ["alias_key", "integer"],
	legalCategory: ["legal_category", "text"],
	nafCode: ["naf_code", "text"],
	nafNomenclature: ["naf_nomenclature", "text"],
	section: ["section", "text"],
	form: ["form", "text"],
	nic: ["nic", "text"],
	createdOn: ["created_on", "date"],
	updatedOn: ["updated_on", "date"],
	lexemes: ["lexemes", "text"],
};

const headColumns: Columns<StagedHeadOffice> = {
	siren: ["siren", 'text collate "C"'],
	nic: ["nic", "text"],
	open: ["open", "boolean"],
	updatedOn: ["updated_on", "date"],
	address: ["address", "text"],
	complement: ["address_complement", "text"],
	postalCode: ["postal_code", "text"],
	city: ["city", "text"],
	commune: ["commune", "text"],
	department: ["department", "text"],
	lexemes: ["lexemes", "text"],
};

const branchColumns: Columns<StagedBranch> = {
	siren: ["siren", 'text collate "C"'],
	lexemes: ["lexemes", "text"],
};

export const stagedTables = { units: unitColumns, heads: headColumns, branches: branchColumns };
type StagedTable = keyof typeof stagedTables;
type StagedRow<Table extends StagedTable> = { [Key in keyof (typeof stagedTables)[Table]]: unknown };

export type Counts = Record<string, number>;

/** How far a file was read by an import that may have been interrupted. */
export interface Checkpoint extends Place {
	done: boolean;
	/** SIREN or SIRET of the last row, to see whether the file is in order. */
	lastKey: string;
	counts: Counts;
}

/** Sets what an import works with. */
export async function prepareSession(client: pg.Client): Promise<void> {
	// the server notices within seconds that an import was killed, and lets go of its work; not every system can
	await client.query("set client_connection_check_interval = '2s'").catch(() => {});
	await client.query("set synchronous_commit = off; set work_mem = '256MB'; set maintenance_work_mem = '512MB'; set jit = off");
	// the planner takes rows that pass from one process to another for dearer than they are
	await client.query("set parallel_setup_cost = 0; set parallel_tuple_cost = 0.001");
}

/**
 * Waits until no other import runs, and prepares the staging tables.
 * They are unlogged, their checkpoints too: after a crash of the database all are empty, and the import begins anew.
 * @param origin tells the files apart: what was staged from others is cleared away.
 * @returns whether an interrupted import of the same files can be resumed.
 */
export async function openStaging(client: pg.Client, origin: string): Promise<boolean> {
	await prepareSession(client);
	await client.query(`select pg_advisory_lock(${registryLock})`);
	const { rows } = await client.query(`select to_regclass('${staging}.origin') is not null as there`);
	if (rows[0].there && (await client.query(`select from ${staging}.origin where files = $1`, [origin])).rowCount === 1) return true;
	await closeStaging(client);
	const declare = (columns: Record<string, [string, string]>) =>
		Object.values(columns)
			.map((column) => column.join(" "))
			.join(", ");
	await client.query(`
		begin;
		create schema ${staging};
		${Object.entries(stagedTables)
			.map(([table, columns]) => `create unlogged table ${staging}.staged_${table} (${declare(columns)});`)
			.join("\n")}
		create unlogged table ${staging}.checkpoints (file text primary key, byte bigint, line bigint, done boolean, last_key text, counts jsonb);
		create unlogged table ${staging}.origin (files text);
		insert into ${staging}.origin values ('${origin}');
		commit;
	`);
	return false;
}

export async function closeStaging(client: pg.Client): Promise<void> {
	await client.query(`set client_min_messages = warning; drop schema if exists ${staging} cascade; reset client_min_messages`);
}

export async function readCheckpoint(client: pg.Client, file: string): Promise<Checkpoint> {
	const { rows } = await client.query(
		`select byte::float8, line::float8, done, last_key as "lastKey", counts from ${staging}.checkpoints where file = $1`,
		[file],
	);
	return rows[0] ?? { byte: 0, line: 1, done: false, lastKey: "", counts: {} };
}

/** Runs what stages some rows, and records how far it then has come, in one transaction. @param reached filled in by `work`. */
export async function stageBatch(client: pg.Client, file: string, reached: Checkpoint, work: () => Promise<void>): Promise<void> {
	await client.query("begin");
	await work();
	await client.query(
		`insert into ${staging}.checkpoints values ($1, $2, $3, $4, $5, $6)
		on conflict (file) do update set
			byte = excluded.byte, line = excluded.line, done = excluded.done, last_key = excluded.last_key, counts = excluded.counts`,
		[file, reached.byte, reached.line, reached.done, reached.lastKey, reached.counts],
	);
	await client.query("commit");
}

/** Copies lines of PostgreSQL's text format (copyLine) into a staged table. */
export async function copyInto(client: pg.Client, table: StagedTable, lines: AsyncIterable<string> | Iterable<string>): Promise<void> {
	const names = Object.values(stagedTables[table]).map(([name]) => name);
	const into = client.query(copyFrom(`copy ${staging}.staged_${table} (${names.join(", ")}) from stdin`));
	await pipeline(Readable.from(lines, { objectMode: true, highWaterMark: 4 }), into);
}

/** Makes a writer of a row as a line of PostgreSQL's text format. */
export function copyLine<Table extends StagedTable>(table: Table): (row: StagedRow<Table>) => string {
	const keys = Object.keys(stagedTables[table]) as (keyof StagedRow<Table>)[];
	return (row) => {
		let line = "";
		for (let i = 0; i < keys.length; i++) line += (i === 0 ? "" : "\t") + field(row[keys[i] as keyof StagedRow<Table>]);
		return `${line}\n`;
	};
}

const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": "" }; // PostgreSQL refuses a NUL
const escaped = /[\\\t\n\r\0]/;

function field(value: unknown): string {
	if (value === null || value === undefined) return "\\N";
	const text = String(value);
	return escaped.test(text) ? text.replace(/[\\\t\n\r\0]/g, (character) => escapes[character] ?? "") : text;
}

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

/**
 * Makes the new table: units and head offices in their order of importance (active, category, staff, number of open establishments),
 * with what the RNE said.
 */
export async function joinCompanies(client: pg.Client): Promise<void> {
	const made = (name: string) => `${staging}.${name}`;
	await client.query(`
		drop table if exists ${tables.map(made).join(", ")}, ${made("ranked")};
		create table ${made("company_sources")} (like company_sources including constraints);
		create unlogged table ${made("ranked")} as
			select unit.siren, (row_number() over (
				order by importance - case when removed_on is null then 0 else 10000 end desc, coalesce(branches, 0) desc, unit.siren
			))::integer as id
			from ${made("staged_units")} unit
			left join (select siren, count(*) as branches from ${made("staged_branches")} group by siren) branch using (siren)
			left join company_registrations registration using (siren);
		analyze ${made("ranked")};
	`);
	// made as a whole, not inserted into, as only so several processes share the work; in the order of importance, as what a search
	// shows first then lies close together
	await client.query(`
		create table ${made("companies")} as
		select ranked.id, ${companyColumns}
		from ${made("ranked")} ranked join ${companySources(made)} on unit.siren = ranked.siren
		order by ranked.id
	`);
	await copyConstraints(client, "companies");
}

/** The columns of a company but for its id, from what companySources joins. */
export const companyColumns = `
	name_key, alias_key, created_on, greatest(unit.updated_on, head.updated_on) as updated_on, masked,
	case when not masked then single_partner end as single_partner, unit.siren,
	case when removed_on is null then status else 'removed' end as status, legal_category, naf_code, naf_nomenclature, section,
	coalesce(head.nic, unit.nic) as nic, commune, postal_code, name, address, address_complement, city,
	concat_ws(' ', unit.lexemes, head.lexemes, case when not masked then branch.lexemes end,
		filter_lexemes('D' || department, form, 'S' || section),
		case when masked then null when single_partner then '${partnerLexemes.single}' when not single_partner then '${partnerLexemes.several}' end
	)::tsvector as lexemes`;

/** Units with their head office, the trade signs of their branches, and what the RNE says. @param staged the name of a staged table. */
export const companySources = (staged: (table: string) => string) => `
	(${staged("staged_units")} unit
	left join ${staged("staged_heads")} head on head.siren = unit.siren and not masked
	left join (
		select siren, array_to_string((array_agg(distinct lexemes) filter (where lexemes is not null))[1:50], ' ') as lexemes
		from ${staged("staged_branches")}
		group by siren
	) branch on branch.siren = unit.siren
	left join company_registrations registration on registration.siren = unit.siren)`;

/** Gives a new table what the live one refuses: nothing in a column, a value that is none. */
async function copyConstraints(client: pg.Client, table: string): Promise<void> {
	const { rows } = await client.query<{ change: string }>(
		`select format('alter %I set not null', attname) as change from pg_attribute
		where attrelid = $1::regclass and attnum > 0 and attnotnull and not attisdropped
		union all
		select format('add constraint %I %s', conname, pg_get_constraintdef(oid)) from pg_constraint where conrelid = $1::regclass and contype = 'c'`,
		[table],
	);
	await client.query(`alter table ${staging}.${table} ${rows.map(({ change }) => change).join(", ")}`);
}

/** Which lexemes are words that typing errors are mended to: a capital starts what is no word, and digits are no letters. */
export const inVocabulary = `length(word) between 4 and 40 and (word >= 'a' collate "C" or (word < 'A' collate "C" and word ~ '[^0-9]'))`;

/** Makes the new vocabulary: every word of four letters or more, with the number of companies that have it. */
export async function buildVocabulary(client: pg.Client): Promise<void> {
	await client.query(`
		create table ${staging}.company_words as
		select word collate "C" as word, count(*)::integer as companies
		from ${staging}.companies, unnest(tsvector_to_array(lexemes)) word
		where ${inVocabulary}
		group by word
	`);
	await copyConstraints(client, "company_words");
}

/** Makes the indexes of the live tables on the new ones. @param onProgress told the fraction of them that stands. */
export async function buildIndexes(client: pg.Client, onProgress: (fraction: number) => void): Promise<void> {
	const { rows } = await client.query<{ table: string; name: string; primary: boolean; definition: string }>(
		`select tab.relname as table, ind.relname as name, indisprimary as primary, pg_get_indexdef(indexrelid) as definition
		from pg_index join pg_class ind on ind.oid = indexrelid join pg_class tab on tab.oid = indrelid
		where tab.relnamespace = current_schema()::regnamespace and tab.relname = any($1) order by ind.relname`,
		[tables],
	);
	for (const [index, { table, name, primary, definition }] of rows.entries()) {
		onProgress(index / rows.length);
		await client.query(definition.replace(/ ON \S+ USING /, ` ON ${staging}.${table} USING `));
		if (primary) await client.query(`alter table ${staging}.${table} add primary key using index ${name}`);
	}
}

/** Prepares the new tables for being read: statistics, and which of their pages all readers may see. */
export async function settle(client: pg.Client): Promise<void> {
	await client.query(`vacuum (analyze) ${tables.map((table) => `${staging}.${table}`).join(", ")}`);
}

/** Records where the data come from. */
export async function recordSources(client: pg.Client, importedAt: Date): Promise<void> {
	await client.query(
		`insert into ${staging}.company_sources (name, as_of, imported_at, companies)
		select 'sirene', max(updated_on), $1::timestamptz, count(*) from ${staging}.companies
		union all
		select 'rne', max(as_of), $1, count(*) from company_registrations having count(*) > 0`,
		[importedAt],
	);
}

/** Puts the new tables in the place of the live ones, all at once. */
export async function swap(client: pg.Client): Promise<void> {
	const { rows } = await client.query<{ schema: string }>("select current_schema() as schema");
	await client.query(`
		begin;
		drop table ${tables.join(", ")};
		${tables.map((table) => `alter table ${staging}.${table} set schema ${JSON.stringify(rows[0]?.schema)};`).join("\n")}
		commit;
	`);
}
