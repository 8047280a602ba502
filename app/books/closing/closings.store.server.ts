import { sql } from "kysely";
import { toJson } from "../../../server/database/column-types.ts";
import type { Database, Trx } from "../../../server/database/database.ts";
import { getBounds, getFirstDay, type Month } from "../month.ts";

/** SQL on `account_closings`, and the deletion of old books. */

/** A file that was stored when its month was closed. */
export interface ClosedFile {
	key: string;
	name: string;
	/** The object of the document storage. */
	object: string;
	/** Hexadecimal. */
	sha256: string;
	bytes: number;
}

declare module "../../../server/database/column-types.ts" {
	interface ColumnTypes {
		"account_closings.files": ClosedFile[];
	}
}

export interface Closing {
	month: Month;
	closedAt: Date;
	closedBy: string;
	files: ClosedFile[];
}

export async function findClosing(db: Database | Trx, month: Month): Promise<Closing | null> {
	const { rows } = await sql<Closing>`
		select to_char(month, 'YYYY-MM') as month, closed_at as "closedAt", closed_by as "closedBy", files
		from account_closings where month = ${getFirstDay(month)}`.execute(db);
	return rows[0] ?? null;
}

export async function insertClosing(trx: Trx, { month, closedAt, closedBy, files }: Closing): Promise<void> {
	await trx
		.insertInto("account_closings")
		.values({ month: getFirstDay(month), closed_at: closedAt, closed_by: closedBy, files: toJson(files) })
		.execute();
}

/** The first month with an entry or a declared VAT after the last closed one; null without any. */
export async function findFirstOpen(db: Database | Trx): Promise<Month | null> {
	const { rows } = await sql<{ month: Month | null }>`
		select to_char(least(
			(select min(entry_date) from account_entries where entry_date >= open.day),
			(select min(vat_month) from account_entries where vat_month >= open.day)
		), 'YYYY-MM') as month
		from (select coalesce((select max(month) + interval '1 month' from account_closings), '-infinity')::date as day) open`.execute(db);
	return rows[0]?.month ?? null;
}

/** The closed months before a month, with their files. */
export async function listOldClosings(db: Database, before: Month): Promise<Pick<Closing, "month" | "files">[]> {
	const { rows } = await sql<Pick<Closing, "month" | "files">>`
		select to_char(month, 'YYYY-MM') as month, files from account_closings where month < ${getFirstDay(before)} order by month`.execute(db);
	return rows;
}

/** Deletes entries, closings and costs before a month. The triggers refuse any other deletion. @returns how many entries. */
export async function deleteBooks(trx: Trx, before: Month): Promise<number> {
	const first = getFirstDay(before);
	await sql`set local shop.purging_accounts = 'on'`.execute(trx);
	const deleted = await sql`delete from account_entries where entry_date < ${first}`.execute(trx);
	await sql`delete from account_closings where month < ${first}`.execute(trx);
	await sql`delete from extract_costs where recorded_at < ${getBounds(before).since}`.execute(trx);
	await sql`delete from e_reports where period_end < ${first}`.execute(trx);
	await sql`set local shop.purging_accounts = 'off'`.execute(trx);
	return Number(deleted.numAffectedRows ?? 0n);
}
