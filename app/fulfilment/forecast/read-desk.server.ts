import type { Database, Trx } from "../../../server/database/database.ts";
import { hour } from "../../../server/durations.ts";
import { type Desk, listSlots } from "../../catalogue/forecast.ts";
import type { OpeningCalendar } from "../../catalogue/opening-hours.ts";
import { measureOpenTime } from "../../catalogue/promise.ts";
import { maxLines } from "../../catalogue/settings/capacity.ts";
import { toCalendar } from "../../catalogue/settings/days-off.ts";
import type { ShopSettings } from "../../catalogue/settings/shop-settings.ts";
import { countServed, type Load, readLoad } from "./load.store.server.ts";

interface DeskParts {
	settings: ShopSettings;
	openingHours: OpeningCalendar;
	now: Date;
}

export interface ReadDesk extends Desk {
	/** The pace was measured within the last hour; else it is the one that is set. */
	isMeasured: boolean;
}

/**
 * Reads what waits for the desk, and its pace: the measured one, else the one that is set.
 * @returns null when neither is known.
 */
export async function readDesk(db: Database | Trx, { settings, openingHours, now }: DeskParts): Promise<ReadDesk | null> {
	const calendar = toDeskCalendar(openingHours, settings, now);
	const load = await readLoad(db);
	const measured = await measurePace(db, load, now, calendar);
	const pace = measured ?? settings.pace;
	return pace === null ? null : { load: load.due, pace, now, calendar, isMeasured: measured !== null };
}

/**
 * Finds the hours that the desk can keep for the lines of a further purchase, beside all that is paid or was offered. It sells by the pace
 * that is set; a slower desk sells later hours, down to half of it.
 * @param but a purchase that does not count. @returns empty when no pace is set.
 */
export async function readSlots(
	db: Database | Trx,
	{ settings, openingHours, now, but = null }: DeskParts & { but?: string | null },
): Promise<Date[]> {
	if (settings.pace === null) return [];
	const calendar = toDeskCalendar(openingHours, settings, now);
	const load = await readLoad(db, { now, but });
	const measured = (await measurePace(db, load, now, calendar)) ?? settings.pace;
	const pace = Math.min(Math.max(measured, settings.pace / 2), settings.pace);
	return listSlots({ load: load.due, pace, now, calendar }, maxLines);
}

/** Paid orders are served during a closure. */
const toDeskCalendar = (openingHours: OpeningCalendar, settings: ShopSettings, now: Date) =>
	toCalendar(openingHours, { ...settings, closure: null }, now);

/** What the desk served within the last hour; null when it was closed or idle for a part of it, or served nothing. */
async function measurePace(db: Database | Trx, { oldest }: Load, now: Date, calendar: OpeningCalendar): Promise<number | null> {
	const since = new Date(now.getTime() - hour);
	const wasOpen = measureOpenTime(since, [now], calendar)[0] === hour;
	if (!wasOpen || oldest === null || oldest > since) return null;
	return (await countServed(db, since)) || null;
}
