import { type RawBuilder, sql } from "kysely";
import type { Database, Trx } from "../../../server/database/database.ts";
import { prepared } from "../../../server/database/dialect.ts";
import type { NoticeFamily } from "./notice.ts";

/** Days are yyyy-mm-dd. */
export interface NoticeRow {
	siren: string;
	id: string;
	published_on: string;
	event_on: string | null;
	court: string | null;
	kind: string | null;
	family: NoticeFamily;
	url: string | null;
	/** Null for a notice that corrects nothing. */
	cancels: boolean | null;
	corrected_on: string | null;
}

/**
 * Whether a notice stands, beside `notice` and `own`, its row among the corrections: no other one cancels it, or corrects it and has taken
 * its place, and it does not itself cancel one that we have.
 */
export const isStanding = sql<boolean>`not exists (
		select from bulletin_corrections later where later.target = notice.id
			and (later.cancels or exists (select from bulletin_notices successor where successor.id = later.id))
	) and (own.cancels is not true or not exists (select from bulletin_notices cancelled where cancelled.id = own.target))`;

/**
 * Selects the notices of companies as they stand: see isStanding. A masked or hidden company has none, nor has a
 * sole trader, because notices about natural persons are not imported.
 * @param ofCompanies a condition beside `notice`.
 */
const selectNotices = (ofCompanies: RawBuilder<unknown>) => sql`
	select notice.siren, notice.id, notice.published_on::text, event_on::text, court.text as court, kind.text as kind, family, notice.url,
		own.cancels, target.published_on::text as corrected_on
	from bulletin_notices notice
	left join bulletin_texts court on court.id = court_id
	left join bulletin_texts kind on kind.id = kind_id
	left join bulletin_corrections own on own.id = notice.id
	left join lateral (select published_on from bulletin_notices where id = own.target limit 1) target on true
	where ${ofCompanies}
		and exists (select from companies where companies.siren = notice.siren and not masked and legal_category <> '1000')
		and ${isStanding}
`;

const isOf = (siren: string) => sql`notice.siren = ${siren}`;

/** Lists the notices of a company as they stand, the newest first. */
export async function listNoticeRows(db: Database, siren: string): Promise<NoticeRow[]> {
	const { rows } = await sql<NoticeRow>`${selectNotices(isOf(siren))}
		order by notice.published_on desc, substr(notice.id, 10)::integer desc, notice.id
	`.execute(prepared(db));
	return rows;
}

/** The columns of what was read. */
export interface ReadingRow {
	imported_at: Date;
	covered_from: string | null;
	covered_to: string | null;
}

/** A notice among all notices of its company, beside what was read; without an id for a company without notices. */
export type PageRow = ReadingRow & ((NoticeRow & { total: number }) | { id: null });

/**
 * Lists the notices that a company's page may show, the newest first: the latest, and those of insolvency published after a day.
 * One statement also finds what was read; without any reading there is no row.
 */
export async function listPageRows(
	db: Database,
	siren: string,
	{ latest, insolvencySince }: { latest: number; insolvencySince: string },
): Promise<PageRow[]> {
	const { rows } = await sql<PageRow>`
		with numbered as (
			select notice.*, count(*) over ()::integer as total,
				row_number() over (order by published_on desc, substr(id, 10)::integer desc, id) as place
			from (${selectNotices(isOf(siren))}) notice
		)
		select imported_at, covered_from::text, covered_to::text, numbered.*
		from bulletin_readings
		left join numbered on place <= ${latest} or (family = 'collective' and published_on > ${insolvencySince})
		order by place
	`.execute(prepared(db));
	return rows;
}

/**
 * Lists what a customer should know before paying: of each company the newest notice of insolvency, the newest removal, and the newest of
 * all others, in this order. A cancelling notice is one of the others.
 * @param since yyyy-mm-dd: the first day of the others, and the day after which insolvency counts. A removal always counts.
 */
export async function listRowsBeforePayment(
	db: Database,
	sirens: readonly string[],
	since: { others: string; insolvency: string },
): Promise<(NoticeRow & { imported_at: Date | null })[]> {
	const { rows } = await sql<NoticeRow & { imported_at: Date | null }>`
		with told as (
			select *, case when cancels or family not in ('collective', 'radiation') then 'z' else family::text end as reason
			from (${selectNotices(sql`notice.siren = any(${sirens})`)}) notice
		)
		select distinct on (siren, reason) told.*, imported_at
		from told left join bulletin_readings on true
		where reason = 'radiation' or (reason = 'collective' and published_on > ${since.insolvency}) or published_on >= ${since.others}
		order by siren, reason, published_on desc, substr(id, 10)::integer desc, id
	`.execute(prepared(db));
	return rows;
}

/** When a reading last came to its own day; null when none did. */
export async function findReachedAt(db: Database | Trx): Promise<Date | null> {
	const row = await db.selectFrom("bulletin_readings").select("reached_at").executeTakeFirst();
	return row?.reached_at ?? null;
}

export async function findReadingRow(db: Database | Trx): Promise<ReadingRow | undefined> {
	const { rows } = await sql<ReadingRow>`
		select imported_at, covered_from::text, covered_to::text from bulletin_readings
	`.execute(prepared(db));
	return rows[0];
}
