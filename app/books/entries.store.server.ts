import { sql } from "kysely";
import { advisoryLocks } from "../../server/database/advisory-locks.ts";
import { toJson } from "../../server/database/column-types.ts";
import { anyOf, type Database, type Trx } from "../../server/database/database.ts";
import { type Cents, cents } from "../catalogue/money.ts";
import { type Entry, type EntryDraft, type EntryLine, formatEntryNumber, type Journal } from "./entry.ts";
import { type Day, getDay, getFirstDay, getLastDay, getMonth, getMonthOfDay, getNextMonth, type Month } from "./month.ts";

/** SQL on `account_entries`. */

declare module "../../server/database/column-types.ts" {
	interface ColumnTypes {
		"account_entries.lines": EntryLine[];
	}
}

/** Waits for other postings and closings, until the end of the transaction. */
export async function lockAccounts(trx: Trx): Promise<void> {
	await sql`select pg_advisory_xact_lock(${advisoryLocks.accounts})`.execute(trx);
}

/** The last closed month; null before the first. */
export async function findLastClosed(db: Database | Trx): Promise<Month | null> {
	const { rows } = await sql<{ month: Month | null }>`select to_char(max(month), 'YYYY-MM') as month from account_closings`.execute(db);
	return rows[0]?.month ?? null;
}

/**
 * Numbers entries and inserts them. What belongs to a closed month is booked on the first day of the next one.
 * The caller holds the lock of the accounts.
 */
export async function insertEntries(
	trx: Trx,
	drafts: readonly EntryDraft[],
	{ lastClosed, now }: { lastClosed: Month | null; now: Date },
): Promise<void> {
	const places = await findLastPlaces(trx);
	const open = lastClosed && getNextMonth(lastClosed);
	const rows = drafts.map((draft) => {
		const pieceDay = getDay(draft.at);
		const day = open && getMonthOfDay(pieceDay) < open ? getFirstDay(open) : pieceDay;
		const series = `${draft.journal}${day.slice(0, 4)}`;
		const place = (places.get(series) ?? 0) + 1;
		places.set(series, place);
		return {
			fact: draft.fact,
			journal: draft.journal,
			year: Number(day.slice(0, 4)),
			number_in_year: place,
			entry_date: day,
			piece_ref: draft.pieceRef,
			piece_date: pieceDay,
			label: draft.label,
			subject: draft.subject,
			lines: toJson(draft.lines),
			...(draft.vat && toVatColumns(draft.vat, open)),
			posted_at: now,
		};
	});
	for (let from = 0; from < rows.length; from += 500)
		await trx
			.insertInto("account_entries")
			.values(rows.slice(from, from + 500))
			.execute();
}

function toVatColumns({ dueAt, rate, net, vat }: NonNullable<EntryDraft["vat"]>, open: Month | null) {
	const due = getMonth(dueAt);
	return { vat_month: getFirstDay(open && due < open ? open : due), vat_rate: rate, net_cents: net, vat_cents: vat };
}

/** The last number of each journal and year. */
async function findLastPlaces(trx: Trx): Promise<Map<string, number>> {
	const { rows } = await sql<{ series: string; place: number }>`
		select journal || year as series, max(number_in_year) as place from account_entries group by journal, year`.execute(trx);
	return new Map(rows.map(({ series, place }) => [series, place]));
}

interface EntryRow {
	id: string;
	fact: string;
	journal: Journal;
	year: number;
	number_in_year: number;
	day: Day;
	piece_ref: string;
	piece_day: Day;
	label: string;
	subject: string;
	lines: EntryLine[];
	vat_month: Month | null;
	vat_rate: string | null;
	net_cents: number | null;
	vat_cents: number | null;
	posted_on: Day;
}

const columns = sql`id, fact, journal, year, number_in_year, to_char(entry_date, 'YYYY-MM-DD') as day, piece_ref,
	to_char(piece_date, 'YYYY-MM-DD') as piece_day, label, subject, lines, to_char(vat_month, 'YYYY-MM') as vat_month, vat_rate, net_cents, vat_cents,
	to_char(posted_at at time zone 'Europe/Paris', 'YYYY-MM-DD') as posted_on`;

const toEntry = (row: EntryRow): Entry => ({
	id: Number(row.id),
	fact: row.fact,
	journal: row.journal,
	number: formatEntryNumber(row.journal, row.year, row.number_in_year),
	day: row.day,
	pieceRef: row.piece_ref,
	pieceDay: row.piece_day,
	label: row.label,
	subject: row.subject,
	lines: row.lines,
	vat:
		row.vat_month === null
			? null
			: { month: row.vat_month, rate: Number(row.vat_rate), net: cents(row.net_cents ?? 0), vat: cents(row.vat_cents ?? 0) },
	postedOn: row.posted_on,
});

/** The entries of a month, in the order of their posting. */
export async function listEntries(db: Database | Trx, month: Month): Promise<Entry[]> {
	const { rows } = await sql<EntryRow>`
		select ${columns} from account_entries where entry_date between ${getFirstDay(month)} and ${getLastDay(month)} order by id`.execute(db);
	return rows.map(toEntry);
}

/** The next entries of several months, in the order of their posting. @param after the id of the last one that is known. */
export async function listEntriesBetween(
	db: Database | Trx,
	{ first, last, after, limit }: { first: Month; last: Month; after: number; limit: number },
): Promise<Entry[]> {
	const { rows } = await sql<EntryRow>`
		select ${columns} from account_entries
		where entry_date between ${getFirstDay(first)} and ${getLastDay(last)} and id > ${after} order by id limit ${limit}`.execute(db);
	return rows.map(toEntry);
}

/** The entries about these orders and payouts up to the end of a month, in the order of their posting. */
export async function listEntriesOfSubjects(db: Database | Trx, subjects: readonly string[], until: Month): Promise<Entry[]> {
	const { rows } = await sql<EntryRow>`
		select ${columns} from account_entries where subject = ${anyOf(subjects)} and entry_date <= ${getLastDay(until)} order by id`.execute(
		db,
	);
	return rows.map(toEntry);
}

/** The sales and credit notes whose VAT belongs to a month. */
export async function listVatEntries(db: Database | Trx, month: Month): Promise<Entry[]> {
	const { rows } = await sql<EntryRow>`
		select ${columns} from account_entries where vat_month = ${getFirstDay(month)} order by id`.execute(db);
	return rows.map(toEntry);
}

/** The sales and credit notes that are booked in one month and declared in another, where one of the two is this month. */
export async function listShiftedEntries(db: Database | Trx, month: Month): Promise<Entry[]> {
	const { rows } = await sql<EntryRow>`
		select ${columns} from account_entries
		where vat_month is not null and date_trunc('month', entry_date)::date <> vat_month
			and (vat_month = ${getFirstDay(month)} or entry_date between ${getFirstDay(month)} and ${getLastDay(month)})
		order by id`.execute(db);
	return rows.map(toEntry);
}

/** The VAT of a month in cents: on its account, and declared but not yet on it when the month begins and when it ends. */
export async function sumBookedVat(db: Database | Trx, month: Month): Promise<{ booked: Cents; opening: Cents; ending: Cents }> {
	const [first, last] = [getFirstDay(month), getLastDay(month)];
	const { rows } = await sql<{ booked: number; opening: number; ending: number }>`
		select (
			select coalesce(sum((line->>'credit')::integer - (line->>'debit')::integer), 0)::integer
			from account_entries cross join jsonb_array_elements(lines) line
			where entry_date between ${first} and ${last} and line->>'account' = 'vat'
		) as booked, coalesce(sum(vat_cents) filter (where vat_month < ${first}), 0)::integer as opening,
			coalesce(sum(vat_cents) filter (where entry_date > ${last}), 0)::integer as ending
		from account_entries where vat_month <= ${first} and entry_date >= ${first}`.execute(db);
	const { booked = 0, opening = 0, ending = 0 } = rows[0] ?? {};
	return { booked: cents(booked), opening: cents(opening), ending: cents(ending) };
}

/** The number and the last id of the entries up to the end of a month, on which the files of the month depend. */
export async function describeEntriesUntil(db: Database | Trx, month: Month): Promise<string> {
	const { rows } = await sql<{ count: string; last: string | null }>`
		select count(*) as count, max(id) as last from account_entries where entry_date <= ${getLastDay(month)}`.execute(db);
	return `${rows[0]?.count} ${rows[0]?.last}`;
}
