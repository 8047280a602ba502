import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { companyColumns, selectedColumns, stagedSources } from "../staged-companies.ts";
import type { StagedBranch, StagedHeadOffice, StagedUnit } from "./sirene-rows.ts";
import type { Place } from "./stock-file.server.ts";

/** The new tables are made beside the live ones, under the same names in this schema. */
export const staging = "companies_import";
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
	await pipeline(Readable.from(lines, { highWaterMark: 4 }), into);
}

/** Makes a writer of a row as a line of PostgreSQL's text format. */
export function copyLine<Table extends StagedTable>(table: Table): (row: StagedRow<Table>) => string {
	const keys = Object.keys(stagedTables[table]) as (keyof StagedRow<Table>)[];
	return (row) => `${keys.map((key) => field(row[key])).join("\t")}\n`;
}

const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": "" }; // PostgreSQL refuses a NUL
const escaped = /[\\\t\n\r\0]/;

function field(value: unknown): string {
	if (value === null || value === undefined) return "\\N";
	const text = String(value);
	return escaped.test(text) ? text.replace(/[\\\t\n\r\0]/g, (character) => escapes[character] ?? "") : text;
}

/**
 * Makes the new table: units and head offices with what the RNE said, in their order of importance: active, category, staff, number of
 * open establishments; among equals by place, where most companies are first, then by SIREN. What is searched in a town or a department
 * thus lies together, in the table and in its indexes.
 */
export async function joinCompanies(client: pg.Client): Promise<void> {
	const made = (name: string) => `${staging}.${name}`;
	// made as a whole, not inserted into, as only so several processes share the work; they sort by one number, not by five columns:
	// 15 bits, 12, 16 and 20 of the SIREN
	await client.query(`
		drop table if exists ${tables.map(made).join(", ")}, ${made("places")};
		create table ${made("company_sources")} (like company_sources including constraints);
		create unlogged table ${made("places")} as
			select commune, row_number() over (order by in_department desc, department, companies desc, commune) as rank
			from (
				select commune, max(department) as department, count(*) as companies, sum(count(*)) over (partition by max(department)) as in_department
				from ${made("staged_heads")} where commune is not null group by commune
			) commune;
		analyze ${made("places")};
		create table ${made("companies")} as
			select (row_number() over (order by weight, siren))::integer as id, ${Object.keys(companyColumns).join(", ")}
			from (
				select ${selectedColumns},
					(((20000 - importance + case when removed_on is null then 0 else 10000 end)::bigint
						* 4096 + 4095 - least(coalesce(branches, 0), 4095))
						* 65536 + least(coalesce(place.rank, 65535), 65535))
						* 1048576 + unit.siren::integer / 1000 as weight
				from ${stagedSources(made)} left join ${made("places")} place on place.commune = head.commune
				order by weight, siren
			) company;
	`);
	await copyConstraints(client, "companies");
}

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
export const inVocabulary = `(word >= 'a' collate "C" or (word < 'A' collate "C" and word ~ '[^0-9]')) and length(word) between 4 and 40`;

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

/** Ends the transaction that made the new tables, and prepares them for being read: statistics, and which of their pages all readers may see. */
export async function settle(client: pg.Client): Promise<void> {
	// a commit that is not yet on disk keeps vacuum from marking the first pages, which hold the companies most looked for
	await client.query("set local synchronous_commit = on; commit");
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

/**
 * Puts the new tables in the place of the live ones, all at once.
 * @param complete the last change of the new ones, in the same transaction: while it runs, unqualified names mean them.
 */
export async function swap(client: pg.Client, complete: () => Promise<void>): Promise<void> {
	const { rows } = await client.query<{ schema: string }>("select current_schema() as schema");
	const live = JSON.stringify(rows[0]?.schema);
	await client.query(`begin; set local search_path = ${staging}, ${live}`);
	await complete();
	await client.query(`
		set local search_path = ${live};
		drop table ${tables.join(", ")};
		${tables.map((table) => `alter table ${staging}.${table} set schema ${live};`).join("\n")}
		commit;
	`);
}
