import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import type { StagedEstablishment, StagedUnit } from "./sirene-rows.ts";

/** The new tables are made beside the live ones, under the same names in this schema. */
const staging = "companies_import";
const tables = ["companies", "company_words", "company_sources"];

type Columns<Row> = Record<keyof Row, [name: string, type: string]>;

const unitColumns: Columns<StagedUnit> = {
	siren: ["siren", 'text collate "C"'],
	importance: ["importance", "integer"],
	status: ["status", "text"],
	masked: ["masked", "boolean"],
	name: ["name", "text"],
	exactName: ["exact_name", "text"],
	legalCategory: ["legal_category", "text"],
	singlePartner: ["single_partner", "boolean"],
	nafCode: ["naf_code", "text"],
	nafNomenclature: ["naf_nomenclature", "text"],
	nic: ["nic", "text"],
	createdOn: ["created_on", "date"],
	registeredOn: ["registered_on", "date"],
	capital: ["capital", "numeric"],
	capitalCurrency: ["capital_currency", "text"],
	updatedOn: ["updated_on", "date"],
	lexemes: ["lexemes", "text"],
};

const establishmentColumns: Columns<StagedEstablishment> = {
	siren: ["siren", 'text collate "C"'],
	siret: ["siret", 'text collate "C"'],
	head: ["head", "boolean"],
	open: ["open", "boolean"],
	updatedOn: ["updated_on", "date"],
	address: ["address", "text"],
	complement: ["address_complement", "text"],
	postalCode: ["postal_code", "text"],
	city: ["city", "text"],
	lexemes: ["lexemes", "text"],
	signs: ["signs", "text"],
};

/** Waits until no other import runs, and clears away what an interrupted one left. */
export async function openStaging(client: pg.Client): Promise<void> {
	await client.query("set synchronous_commit = off; set work_mem = '128MB'; set maintenance_work_mem = '256MB'");
	await client.query("select pg_advisory_lock(hashtext('companies import'))");
	await closeStaging(client);
	const declare = (columns: Record<string, [string, string]>) =>
		Object.values(columns)
			.map((column) => column.join(" "))
			.join(", ");
	await client.query(`
		create schema ${staging};
		create unlogged table ${staging}.units (${declare(unitColumns)});
		create unlogged table ${staging}.establishments (${declare(establishmentColumns)});
		${tables.map((table) => `create table ${staging}.${table} (like ${table} including constraints);`).join("\n")}
	`);
}

export async function closeStaging(client: pg.Client): Promise<void> {
	await client.query(`set client_min_messages = warning; drop schema if exists ${staging} cascade; reset client_min_messages`);
}

export const copyUnits = (client: pg.Client, rows: AsyncIterable<StagedUnit>) => copy(client, "units", unitColumns, rows);
export const copyEstablishments = (client: pg.Client, rows: AsyncIterable<StagedEstablishment>) =>
	copy(client, "establishments", establishmentColumns, rows);

async function copy<Row extends object>(client: pg.Client, table: string, columns: Columns<Row>, rows: AsyncIterable<Row>): Promise<void> {
	const keys = Object.keys(columns) as (keyof Row)[];
	const into = client.query(copyFrom(`copy ${staging}.${table} (${keys.map((key) => columns[key][0]).join(", ")}) from stdin`));
	await pipeline(Readable.from(lines(keys, rows), { objectMode: false }), into);
}

/** PostgreSQL's text format, in pieces large enough not to be dear. */
async function* lines<Row>(keys: (keyof Row)[], rows: AsyncIterable<Row>): AsyncGenerator<string> {
	let piece = "";
	for await (const row of rows) {
		piece += `${keys.map((key) => field(row[key])).join("\t")}\n`;
		if (piece.length < 1 << 16) continue;
		yield piece;
		piece = "";
	}
	yield piece;
}

const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": "" }; // PostgreSQL refuses a NUL

function field(value: unknown): string {
	if (value === null || value === undefined) return "\\N";
	return String(value).replace(/[\\\t\n\r\0]/g, (character) => escapes[character] ?? "");
}

/**
 * Joins units and head offices in their order of importance: active, category, staff, number of open establishments.
 * @returns how many companies there are.
 */
export async function joinCompanies(client: pg.Client): Promise<number> {
	await client.query(`analyze ${staging}.units, ${staging}.establishments`);
	const { rowCount } = await client.query(`
		insert into ${staging}.companies (
			id, siren, status, masked, name, exact_name, legal_category, single_partner, naf_code, naf_nomenclature,
			siret, address, address_complement, postal_code, city,
			created_on, registered_on, capital, capital_currency, updated_on, lexemes)
		select row_number() over (order by unit.importance desc, coalesce(every.open, 0) desc, unit.siren) as id,
			unit.siren, status, masked, name, exact_name, legal_category, single_partner, naf_code, naf_nomenclature,
			coalesce(siret, unit.siren || nic), address, address_complement, postal_code, city,
			created_on, registered_on, capital, capital_currency, greatest(unit.updated_on, head.updated_on),
			concat_ws(' ', unit.lexemes, head.lexemes, array_to_string(every.signs[1:50], ' '))::tsvector
		from ${staging}.units unit
		left join (
			select distinct on (siren) establishment.*
			from ${staging}.establishments establishment join ${staging}.units using (siren)
			where head and not masked
			-- the unit names its head office; a file may still hold former ones
			order by siren, right(siret, 5) is not distinct from nic desc, open desc, establishment.updated_on desc nulls last
		) head on head.siren = unit.siren
		left join (
			select siren, count(*) filter (where open) as open, array_agg(distinct signs) filter (where signs is not null and not masked) as signs
			from ${staging}.establishments join ${staging}.units using (siren)
			group by siren
		) every on every.siren = unit.siren
		order by id
	`);
	return rowCount ?? 0;
}

/** Every word of four letters or more, how many companies have it, and what is left of it without one of its letters. */
export async function buildVocabulary(client: pg.Client): Promise<void> {
	await client.query(`
		insert into ${staging}.company_words (word, companies, rests)
		select word, ndoc, array(
			select word union select left(word, letter - 1) || substr(word, letter + 1) from generate_series(1, length(word)) letter
		)
		from ts_stat('select lexemes from ${staging}.companies')
		where length(word) between 4 and 40 and word collate "C" !~ '^[A-Z]' and word ~ '[^0-9]'
	`);
}

/** Makes the indexes of the live tables on the new ones. */
export async function buildIndexes(client: pg.Client): Promise<void> {
	const { rows } = await client.query<{ table: string; name: string; primary: boolean; definition: string }>(
		`select tab.relname as table, ind.relname as name, indisprimary as primary, pg_get_indexdef(indexrelid) as definition
		from pg_index join pg_class ind on ind.oid = indexrelid join pg_class tab on tab.oid = indrelid
		where tab.relnamespace = current_schema()::regnamespace and tab.relname = any($1)`,
		[tables],
	);
	for (const { table, name, primary, definition } of rows) {
		await client.query(definition.replace(/ ON \S+ USING /, ` ON ${staging}.${table} USING `));
		if (primary) await client.query(`alter table ${staging}.${table} add primary key using index ${name}`);
	}
	await client.query(`analyze ${tables.map((table) => `${staging}.${table}`).join(", ")}`);
}

/** Records where the data come from. @param rneAsOf null without data of the RNE. */
export async function recordSources(
	client: pg.Client,
	importedAt: Date,
	rne: { asOf: string | null; companies: number } | null,
): Promise<void> {
	await client.query(
		`insert into ${staging}.company_sources (name, as_of, imported_at, companies)
		select 'sirene', max(updated_on), $1, count(*) from ${staging}.companies`,
		[importedAt],
	);
	if (rne)
		await client.query(`insert into ${staging}.company_sources (name, as_of, imported_at, companies) values ('rne', $1, $2, $3)`, [
			rne.asOf,
			importedAt,
			rne.companies,
		]);
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
