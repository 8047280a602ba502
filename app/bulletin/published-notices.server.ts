import type { Database } from "../../server/database/database.ts";
import { toParisDay } from "../shop-settings/days-off.ts";
import { type ArrangedNotices, arrangeNotices } from "./arrange-notices.ts";
import { findBulletinReading, listNotices } from "./bulletin.server.ts";
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
	const [notices, reading] = await Promise.all([listNotices(db, siren), findBulletinReading(db)]);
	if (reading === null || (notices.length === 0 && reading.covered === null)) return null;
	return { siren, reading, ...arrangeNotices(notices, toParisDay(now)) };
}
