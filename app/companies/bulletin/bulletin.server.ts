import type { Database, Trx } from "../../../server/database/database.ts";
import { findReadingRow, listNoticeRows, type NoticeRow, type ReadingRow } from "./bulletin.store.server.ts";
import { type BulletinNotice, type BulletinReading, noticeUrl } from "./notice.ts";

export { isStanding } from "./bulletin.store.server.ts";

/**
 * Lists the notices of a company as they stand, the newest first. A cancelled notice is not there, and a corrected one is replaced by its
 * correction. A masked or hidden company has none.
 */
export async function listBulletinNotices(db: Database, siren: string): Promise<BulletinNotice[]> {
	return (await listNoticeRows(db, siren)).map(toNotice);
}

/** Returns what was read of the bulletin; null before the first import. */
export async function findBulletinReading(db: Database | Trx): Promise<BulletinReading | null> {
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
