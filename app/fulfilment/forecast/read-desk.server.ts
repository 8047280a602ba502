import type { Database, Trx } from "../../../server/database/database.ts";
import { hour } from "../../../server/durations.ts";
import type { Desk } from "../../catalogue/forecast.ts";
import type { OpeningCalendar } from "../../catalogue/opening-hours.ts";
import { measureOpenTime } from "../../catalogue/promise.ts";
import { toCalendar } from "../../catalogue/settings/days-off.ts";
import type { ShopSettings } from "../../catalogue/settings/shop-settings.ts";
import { countServed, type Load, readLoad } from "./load.store.server.ts";

export interface ReadDesk extends Desk {
	/** The pace was measured within the last hour; else it is the one that is set. */
	isMeasured: boolean;
}

/**
 * Reads what waits for the desk, and its pace: the measured one, else the one that is set.
 * @returns null when neither is known.
 */
export async function readDesk(
	db: Database | Trx,
	{ settings, openingHours, now }: { settings: ShopSettings; openingHours: OpeningCalendar; now: Date },
): Promise<ReadDesk | null> {
	// paid orders are served during a closure
	const calendar = toCalendar(openingHours, { ...settings, closure: null }, now);
	const load = await readLoad(db);
	const measured = await measurePace(db, load, now, calendar);
	const pace = measured ?? settings.pace;
	return pace === null ? null : { load: load.due, pace, now, calendar, isMeasured: measured !== null };
}

/** What the desk served within the last hour; null when it was closed or idle for a part of it, or served nothing. */
async function measurePace(db: Database | Trx, { oldest }: Load, now: Date, calendar: OpeningCalendar): Promise<number | null> {
	const since = new Date(now.getTime() - hour);
	const wasOpen = measureOpenTime(since, [now], calendar)[0] === hour;
	if (!wasOpen || oldest === null || oldest > since) return null;
	return (await countServed(db, since)) || null;
}
