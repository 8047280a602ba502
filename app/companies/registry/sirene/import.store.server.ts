import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { typedKeys } from "../../../../server/types/objects.ts";
import { companyColumns, selectBranches, selectedColumns, stagedSources } from "../staged-companies.ts";
import type { StagedBranch, StagedHeadOffice, StagedUnit } from "./sirene-rows.ts";
import type { Place } from "./stock-file.server.ts";

/** The schema of the new tables, which have the names of the live ones. */
export const staging = "companies_import";
const tables = ["companies", "company_branches", "company_words", "company_sources"];

/** The key of the advisory lock that imports and updates hold while they change companies. */
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
	acronym: ["acronym", "text"],
	staffBand: ["staff_band", "text"],
	staffYear: ["staff_year", "smallint"],
	category: ["category", "text"],
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
	nafCode: ["naf_code", "text"],
	nafNomenclature: ["naf_nomenclature", "text"],
	tradeNames: ["trade_names", "text"],
	lexemes: ["lexemes", "text"],
};

const branchColumns: Columns<StagedBranch> = {
	siren: ["siren", 'text collate "C"'],
	entry: ["entry", "text"],
	tradeName: ["trade_name", "text"],
	nafCode: ["naf_code", "text"],
	nafNomenclature: ["naf_nomenclature", "text"],
	lexemes: ["lexemes", "text"],
};

export const stagedTables = { units: unitColumns, heads: headColumns, branches: branchColumns };
type StagedTable = keyof typeof stagedTables;

export type Counts = Record<string, number>;

/** The position up to which an import has staged a file. */
export interface Checkpoint extends Place {
	done: boolean;
	/** The SIREN or SIRET of the last row, to check the order of the file. */
	lastKey: string;
	counts: Counts;
	/** The first rows that could not be read: line, reason. */
	faults: string[];
}

/** Sets the session's parameters for an import. */
export async function configureSession(client: pg.Client): Promise<void> {
	// the server ends the work of a killed import within seconds; some systems lack this setting
	await client.query("set client_connection_check_interval = '2s'").catch(() => {});
	await client.query("set synchronous_commit = off; set work_mem = '256MB'; set maintenance_work_mem = '512MB'; set jit = off");
	// the planner overestimates the cost of parallel workers
	await client.query("set parallel_setup_cost = 0; set parallel_tuple_cost = 0.001");
}

/**
 * Waits until no other import runs, and creates the staging tables. They are unlogged, as are their checkpoints: after a crash of the
 * database all are empty, and the import starts again.
 * @param origin identifies the files. Tables staged from other files are deleted.
 * @returns whether an interrupted import of the same files can be resumed.
 */
export async function openStaging(client: pg.Client, origin: string): Promise<boolean> {
	await configureSession(client);
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
		create unlogged table ${staging}.checkpoints (file text primary key, byte bigint, line bigint, done boolean, last_key text, counts jsonb, faults jsonb);
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
		`select byte::float8, line::float8, done, last_key as "lastKey", counts, faults from ${staging}.checkpoints where file = $1`,
		[file],
	);
	return rows[0] ?? { byte: 0, line: 1, done: false, lastKey: "", counts: {}, faults: [] };
}

/** Runs `work` and records its checkpoint in one transaction. @param reached the checkpoint, which `work` fills in. */
export async function stageBatch(client: pg.Client, file: string, reached: Checkpoint, work: () => Promise<void>): Promise<void> {
	await client.query("begin");
	await work();
	await client.query(
		`insert into ${staging}.checkpoints values ($1, $2, $3, $4, $5, $6, $7)
		on conflict (file) do update set
			byte = excluded.byte, line = excluded.line, done = excluded.done, last_key = excluded.last_key, counts = excluded.counts,
			faults = excluded.faults`,
		[file, reached.byte, reached.line, reached.done, reached.lastKey, reached.counts, JSON.stringify(reached.faults)],
	);
	await client.query("commit");
}

/** Copies lines in PostgreSQL's text format (see copyLine) into a staged table. */
export async function copyInto(client: pg.Client, table: StagedTable, lines: AsyncIterable<string> | Iterable<string>): Promise<void> {
	const names = Object.values(stagedTables[table]).map(([name]) => name);
	const into = client.query(copyFrom(`copy ${staging}.staged_${table} (${names.join(", ")}) from stdin`));
	await pipeline(Readable.from(lines, { highWaterMark: 4 }), into);
}

/** Creates a formatter of rows as lines in PostgreSQL's text format. @param columns of the row's table in `stagedTables`. */
export function copyLine<Key extends string>(columns: Readonly<Record<Key, unknown>>): (row: Readonly<Record<Key, unknown>>) => string {
	const keys = typedKeys(columns);
	return (row) => `${keys.map((key) => formatField(row[key])).join("\t")}\n`;
}

const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": "" }; // PostgreSQL refuses a NUL
const escapePattern = /[\\\t\n\r\0]/;

function formatField(value: unknown): string {
	if (value === null || value === undefined) return "\\N";
	const text = String(value);
	return escapePattern.test(text) ? text.replace(/[\\\t\n\r\0]/g, (character) => escapes[character] ?? "") : text;
}

/**
 * Creates the new table from units, head offices and the RNE's data, ordered by importance: active, category, staff, number of open
 * establishments; then by place, the largest first, so that companies of a city lie together; then by SIREN.
 */
export async function createCompanies(client: pg.Client): Promise<void> {
	const inStaging = (name: string) => `${staging}.${name}`;
	// `create table as` runs in parallel, unlike insert; rows are sorted by one number in place of five columns:
	// 15 bits, 12, 16 and 20 of the SIREN
	await client.query(`
		drop table if exists ${tables.map(inStaging).join(", ")}, ${inStaging("places")};
		create table ${inStaging("company_sources")} (like company_sources including constraints);
		create unlogged table ${inStaging("places")} as
			select commune, row_number() over (order by in_department desc, department, companies desc, commune) as rank
			from (
				select commune, max(department) as department, count(*) as companies, sum(count(*)) over (partition by max(department)) as in_department
				from ${inStaging("staged_heads")} where commune is not null group by commune
			) commune;
		analyze ${inStaging("places")};
		create table ${inStaging("companies")} as
			select (row_number() over (order by weight, siren))::integer as id, ${Object.keys(companyColumns).join(", ")}
			from (
				select ${selectedColumns},
					(((20000 - importance + case when removed_on is null then 0 else 10000 end)::bigint
						* 4096 + 4095 - least(coalesce(branches, 0), 4095))
						* 65536 + least(coalesce(place.rank, 65535), 65535))
						* 1048576 + unit.siren::integer / 1000 as weight
				from ${stagedSources(inStaging)} left join ${inStaging("places")} place on place.commune = head.commune
				order by weight, siren
			) company;
	`);
	await copyConstraints(client, "companies");
}

/** Creates the new table of open establishments other than head offices. */
export async function createBranches(client: pg.Client): Promise<void> {
	await client.query(`create table ${staging}.company_branches as ${selectBranches((name) => `${staging}.${name}`)}`);
	await copyConstraints(client, "company_branches");
}

/** Copies the not-null and check constraints of the live table. */
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

/** The lexemes that belong to the vocabulary: prefixes and filters start with a capital, and numbers are excluded. */
export const inVocabulary = `(word >= 'a' collate "C" or (word < 'A' collate "C" and word ~ '[^0-9]')) and length(word) between 4 and 40`;

/** Creates the new vocabulary: every word of four letters or more, with the number of its companies. */
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

/** Creates the indexes of the live tables on the new ones. @param onProgress receives the completed fraction. */
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

/** Commits the new tables, and vacuums and analyzes them. */
export async function commitAndVacuum(client: pg.Client): Promise<void> {
	// without a commit on disk, vacuum could not mark the first pages, which hold the most important companies
	await client.query("set local synchronous_commit = on; commit");
	await client.query(`vacuum (analyze) ${tables.map((table) => `${staging}.${table}`).join(", ")}`);
}

/** Records the sources of the data. */
export async function recordSources(client: pg.Client, importedAt: Date): Promise<void> {
	await client.query(
		`insert into ${staging}.company_sources (name, as_of, imported_at, companies)
		select 'sirene', max(updated_on), $1::timestamptz, count(*) from ${staging}.companies
		union all
		select 'rne', max(as_of), $1, count(*) from company_registrations having count(*) > 0
		union all
		select name, as_of, imported_at, companies from company_sources where name = 'vat'`,
		[importedAt],
	);
}

/**
 * Replaces the live tables by the new ones in one transaction.
 * @param complete runs in this transaction, while unqualified names mean the new tables.
 */
export async function replaceLiveTables(client: pg.Client, complete: () => Promise<void>): Promise<void> {
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
