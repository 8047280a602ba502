import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { type Coverage, extendCoverage, joinCoverage } from "./coverage.ts";

/** Where rows are collected before they are stored: a schema that outlives an interrupted import, or the temporary tables of a connection. */
export type Staging = "bulletin_import" | "pg_temp";

/** What an import has counted. */
export interface Counts {
	/** Records, with the broken ones. */
	read: number;
	/** Notices about legal persons. */
	kept: number;
	/** Notices that correct or cancel another one. */
	corrections: number;
	skipped: Record<string, number>;
	broken: number;
	/** The first few broken records: file, line, reason. */
	faults: string[];
}

/** The position up to which files were staged. */
export interface Checkpoint {
	/** The file, from 0, and the records of it that were read. */
	file: number;
	records: number;
	/** Whether the first records of the file were recognised as notices. */
	recognised: boolean;
	counts: Counts;
}

export const emptyCounts = (): Counts => ({ read: 0, kept: 0, corrections: 0, skipped: {}, broken: 0, faults: [] });

/** Lines of a batch in PostgreSQL's text format. */
export interface Batch {
	notices: string;
	corrections: string;
	texts: string;
}

const noticeColumns = "number, id, siren, published_on, event_on, court, kind, family, url";
const correctionColumns = "number, id, target, published_on, cancels, url";

/** Sets the session's parameters, and waits until no other import of the bulletin runs. The lock lasts until the end of the connection. */
export async function lockBulletin(client: pg.Client): Promise<void> {
	// the server ends the work of a killed import within seconds; some systems lack this setting
	await client.query("set client_connection_check_interval = '2s'").catch(() => {});
	await client.query("set synchronous_commit = off; set work_mem = '128MB'; set jit = off; set client_min_messages = warning");
	await client.query("select pg_advisory_lock(hashtext('bulletin import'))");
}

/** Creates empty tables for the rows of an import. Those of a schema are unlogged: after a crash of the database they are empty. */
export async function createStaging(client: pg.Client, staging: Staging, origin: string): Promise<void> {
	const kind = staging === "pg_temp" ? "temporary" : "unlogged";
	const name = (table: string) => (staging === "pg_temp" ? table : `${staging}.${table}`);
	await client.query(`
		begin;
		${staging === "pg_temp" ? "" : `drop schema if exists ${staging} cascade; create schema ${staging};`}
		create ${kind} table ${name("staged_notices")} (
			number bigint not null, id text collate "C" not null, siren text collate "C",
			published_on date, event_on date, court integer, kind integer, family bulletin_family, url text
		);
		create ${kind} table ${name("staged_corrections")} (
			number bigint not null, id text collate "C" not null, target text collate "C", published_on date, cancels boolean, url text
		);
		create ${kind} table ${name("staged_texts")} (number integer, text text);
		create ${kind} table ${name("checkpoint")} (origin text, state jsonb);
		insert into ${name("checkpoint")} (origin) values ('${origin}');
		commit;
	`);
}

/** Empties the temporary tables of a connection. */
export async function clearStaging(client: pg.Client): Promise<void> {
	await client.query("truncate pg_temp.staged_notices, pg_temp.staged_corrections, pg_temp.staged_texts");
}

export async function dropStaging(client: pg.Client): Promise<void> {
	await client.query("drop schema if exists bulletin_import cascade");
}

/** Finds what an interrupted import of the same files has staged. @returns null when there is nothing of it. */
export async function findStaged(client: pg.Client, origin: string): Promise<{ checkpoint: Checkpoint; texts: string[] } | null> {
	const { rows } = await client.query("select to_regclass('bulletin_import.checkpoint') is not null as there");
	if (!rows[0].there) return null;
	const found = await client.query<{ state: Checkpoint | null }>("select state from bulletin_import.checkpoint where origin = $1", [
		origin,
	]);
	const checkpoint = found.rows[0]?.state;
	if (!checkpoint) return null;
	const texts = await client.query<{ text: string }>("select text from bulletin_import.staged_texts order by number");
	return { checkpoint, texts: texts.rows.map(({ text }) => text) };
}

/** Stores a batch and how far it reaches, in one transaction. */
export async function stageBatch(client: pg.Client, staging: Staging, batch: Batch, reached: Checkpoint): Promise<void> {
	await client.query("begin");
	await copyInto(client, `${staging}.staged_texts (number, text)`, batch.texts);
	await copyInto(client, `${staging}.staged_notices (${noticeColumns})`, batch.notices);
	await copyInto(client, `${staging}.staged_corrections (${correctionColumns})`, batch.corrections);
	await client.query(`update ${staging}.checkpoint set state = $1`, [JSON.stringify(reached)]);
	await client.query("commit");
}

async function copyInto(client: pg.Client, table: string, lines: string): Promise<void> {
	if (lines === "") return;
	await pipeline(Readable.from([lines]), client.query(copyFrom(`copy ${table} from stdin`)));
}

/**
 * A line in PostgreSQL's text format. Its values need no escapes: all are checked, or of a fixed vocabulary (see escapeText).
 * Written for speed, because an import of all years writes fifty million.
 */
export function copyLine(values: readonly (string | number | boolean | null)[]): string {
	let line = "";
	for (const value of values) line += line === "" ? String(value) : `\t${value ?? "\\N"}`;
	return `${line}\n`;
}

/** A text for copyLine. */
export const escapeText = (text: string): string => text.replace(/[\\\t\n\r\0]/g, " ");

/** What storing the staged rows changed: rows of notices, one for each company. */
export interface Stored {
	added: number;
	changed: number;
	removed: number;
	coverage: Coverage | null;
	/** False when the days of this import are apart from those that were read before, and fewer. */
	isExtended: boolean;
}

/** What a reading says of itself. */
interface Reading {
	at: Date;
	/** The days of which it has every notice; null for single notices. */
	covers: Coverage | null;
	/** Whether more of it follows: then its days count once they touch those read before, and its time once they end later. */
	goesOn?: boolean;
}

/**
 * Stores the staged rows in one transaction: of a notice that was read several times the last reading counts, and it replaces what is stored.
 */
export async function storeStaged(client: pg.Client, staging: Staging, { at, covers, goesOn = false }: Reading): Promise<Stored> {
	const [notices, corrections] = [`${staging}.staged_notices`, `${staging}.staged_corrections`];
	await client.query("begin");
	await client.query(`analyze ${notices}; analyze ${corrections}`);
	await client.query(`
		delete from ${notices} old using (
			select id, max(number) as number from ${notices} group by id having min(number) < max(number)
		) newest where old.id = newest.id and old.number < newest.number;
		delete from ${corrections} old using ${notices} newest where newest.id = old.id and old.number < newest.number;
		insert into bulletin_texts (text)
			select distinct text from ${staging}.staged_texts staged
			where not exists (select from bulletin_texts known where known.text = staged.text);
	`);
	const { rowCount: removed } = await client.query(`
		delete from bulletin_notices stored using (select distinct id from ${notices}) staged
		where stored.id = staged.id
			and not exists (select from ${notices} kept where kept.id = stored.id and kept.siren = stored.siren)
	`);
	const { rows } = await client.query<{ added: number; changed: number }>(`
		with current as (
			select siren, staged.id, published_on, event_on, court.id as court_id, kind.id as kind_id, family, url
			from ${notices} staged
			left join (${textIds(staging)}) court on court.number = staged.court
			left join (${textIds(staging)}) kind on kind.number = staged.kind
			where siren is not null
		), written as (
			insert into bulletin_notices (siren, id, published_on, event_on, court_id, kind_id, family, url)
			select current.* from current left join bulletin_notices stored on stored.id = current.id and stored.siren = current.siren
			where stored is distinct from current
			order by current.siren, current.published_on
			on conflict (id, siren) do update set published_on = excluded.published_on, event_on = excluded.event_on, court_id = excluded.court_id,
				kind_id = excluded.kind_id, family = excluded.family, url = excluded.url
			returning xmax = 0 as is_new
		)
		select count(*) filter (where is_new)::float8 as added, count(*) filter (where not is_new)::float8 as changed from written
	`);
	await client.query(`
		delete from bulletin_corrections stored using (select distinct id from ${notices}) staged
		where stored.id = staged.id and not exists (select from ${corrections} kept where kept.id = stored.id);
		insert into bulletin_corrections (id, target, published_on, cancels, url)
			select staged.* from (select id, target, published_on, cancels, url from ${corrections}) staged
			left join bulletin_corrections stored on stored.id = staged.id
			where stored is distinct from staged
			on conflict (id) do update set target = excluded.target, published_on = excluded.published_on, cancels = excluded.cancels, url = excluded.url;
	`);
	const known = await findCoverage(client);
	const { coverage, isExtended } = (goesOn ? joinCoverage : extendCoverage)(known, covers);
	const isLater = coverage !== null && (known === null || coverage.to > known.to);
	if (!goesOn || isLater) await recordReadingTime(client, at);
	await client.query("update bulletin_readings set covered_from = $1, covered_to = $2", [coverage?.from, coverage?.to]);
	await client.query("commit");
	return { added: rows[0]?.added ?? 0, changed: rows[0]?.changed ?? 0, removed: removed ?? 0, coverage, isExtended };
}

/** The id of each staged text. */
const textIds = (staging: Staging) =>
	`select staged_text.number, known.id from ${staging}.staged_texts staged_text join bulletin_texts known on known.text = staged_text.text`;

/** Returns the days of which every notice was read; null when only single notices were, or none. */
export async function findCoverage(client: pg.Client): Promise<Coverage | null> {
	const { rows } = await client.query<Coverage>(
		`select covered_from::text as "from", covered_to::text as "to" from bulletin_readings where covered_from is not null`,
	);
	return rows[0] ?? null;
}

/** Records that a reading came to its own day: nothing is left to read today. */
export async function recordReached(client: pg.Client, at: Date): Promise<void> {
	await recordReadingTime(client, at);
	await client.query("update bulletin_readings set reached_at = $1", [at]);
}

/** Records when the bulletin was last read; what is covered stays. */
async function recordReadingTime(client: pg.Client, at: Date): Promise<void> {
	await client.query(
		"insert into bulletin_readings (imported_at) values ($1) on conflict (only_row) do update set imported_at = excluded.imported_at",
		[at],
	);
}

/** After a large import, so that statements on notices are planned well at once. */
export async function analyzeNotices(client: pg.Client): Promise<void> {
	await client.query("analyze bulletin_notices, bulletin_corrections, bulletin_texts");
}
