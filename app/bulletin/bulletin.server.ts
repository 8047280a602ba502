import type { Database } from "../../server/database/database.ts";
import { findReadingRow, listNoticeRows, listWithdrawalRows, type NoticeRow, type ReadingRow } from "./bulletin.store.server.ts";
import type { BulletinNotice, BulletinReading } from "./notice.ts";

/**
 * Lists the notices of a company as they stand, the newest first. A cancelled notice is not there, and a corrected one is replaced by its
 * correction. A masked or hidden company has none.
 */
export async function listNotices(db: Database, siren: string): Promise<BulletinNotice[]> {
	return (await listNoticeRows(db, [siren])).map(toNotice);
}

/** The same for several companies, by SIREN; a company without notices has no entry. */
export async function listNoticesBySiren(db: Database, sirens: readonly string[]): Promise<Map<string, BulletinNotice[]>> {
	const bySiren = Map.groupBy(await listNoticeRows(db, sirens), ({ siren }) => siren);
	return new Map([...bySiren].map(([siren, rows]) => [siren, rows.map(toNotice)]));
}

/** A notice that was told, and then corrected or cancelled by another one. Days are yyyy-mm-dd. */
export interface Withdrawal {
	/** The corrected or cancelled notice. */
	target: string;
	publishedOn: string;
	cancels: boolean;
	url: string;
}

/** Lists what corrected or cancelled some notices since they were told. */
export async function listWithdrawals(db: Database, ids: readonly string[]): Promise<Withdrawal[]> {
	const rows = await listWithdrawalRows(db, ids);
	return rows.map(({ id, target, published_on, cancels, url }) => ({
		target,
		publishedOn: published_on,
		cancels,
		url: url ?? noticeUrl(id),
	}));
}

/** Returns what was read of the bulletin; null before the first import. */
export async function findBulletinReading(db: Database): Promise<BulletinReading | null> {
	const row = await findReadingRow(db);
	return row ? toReading(row) : null;
}

export function toReading({ imported_at: importedAt, covered_from: from, covered_to: to }: ReadingRow): BulletinReading {
	return { importedAt, covered: from !== null && to !== null ? { from, to } : null };
}

export function toNotice({ id, published_on, event_on, court, kind, family, url, cancels, corrected_on }: NoticeRow): BulletinNotice {
	return {
		id,
		publishedOn: published_on,
		family,
		correction: cancels === null ? null : { cancels, publishedOn: corrected_on },
		court,
		kind,
		eventOn: event_on,
		url: url ?? noticeUrl(id),
	};
}

/** The address that the bulletin gives to a notice (its field url_complete); another one is stored with the notice. */
export const noticeUrl = (id: string): string => `https://www.bodacc.fr/pages/annonces-commerciales-detail/?q.id=id:${id}`;
