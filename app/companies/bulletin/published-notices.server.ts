import type { Database } from "../../../server/database/database.ts";
import { toParisDay } from "../../catalogue/settings/days-off.ts";
import { type ArrangedNotices, arrangeNotices, maxLatest, startOfInsolvency } from "./arrange-notices.ts";
import { toNotice, toReading } from "./bulletin.server.ts";
import { listPageRows } from "./bulletin.store.server.ts";
import type { BulletinReading } from "./notice.ts";

/** What the page of a company says about the bulletin. */
export interface PublishedNoticesData extends ArrangedNotices {
	siren: string;
	reading: BulletinReading;
}

/**
 * Finds what the bulletin published about a company, for its page (docs/rules.md, R99).
 * @returns null when nothing can be said: nothing was read yet, or only single notices and none of this company.
 */
export async function findPublishedNotices(db: Database, siren: string, now: Date): Promise<PublishedNoticesData | null> {
	const today = toParisDay(now);
	const rows = await listPageRows(db, siren, { latest: maxLatest, insolvencySince: startOfInsolvency(today) });
	const [row] = rows;
	if (row === undefined) return null;
	const reading = toReading(row);
	if (row.id === null) return reading.covered && { siren, reading, ...arrangeNotices([], 0, today) };
	const notices = rows.flatMap((found) => (found.id === null ? [] : toNotice(found)));
	return { siren, reading, ...arrangeNotices(notices, row.total, today) };
}
