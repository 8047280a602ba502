import { Temporal } from "temporal-polyfill";
import { inParis, zone } from "./instants.ts";

/** When the shop is open, in Europe/Paris. */
export interface OpeningCalendar {
	/** ISO weekdays, 1 = Monday. */
	weekdays: readonly number[];
	/** Minutes since midnight. */
	opens: number;
	closes: number;
	/** @param day an ISO date, 2026-05-01 */
	isHoliday: (day: string) => boolean;
	/** Closed until then, also in the opening hours. */
	closedUntil?: Date;
}

const weekdayCodes = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];
const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/**
 * Parses « Mo-Fr 08:00-18:00 », the format of OpenStreetMap's opening_hours for one range of days.
 * @throws RangeError for any other text. The environment checks it first.
 */
export function parseOpeningHours(text: string): Pick<OpeningCalendar, "weekdays" | "opens" | "closes"> {
	const [, from = "", to = from, opening = "", closing = ""] = /^(\w\w)(?:-(\w\w))? (\d\d:\d\d)-(\d\d:\d\d)$/.exec(text) ?? [];
	const [first, last] = [weekdayCodes.indexOf(from), weekdayCodes.indexOf(to)];
	const [opens, closes] = [minutes(opening), minutes(closing)];
	if (first < 0 || last < 0 || !(opens < closes)) throw new RangeError(`not opening hours: ${text}`);
	const count = ((last - first + 7) % 7) + 1;
	return { weekdays: Array.from({ length: count }, (_, i) => ((first + i) % 7) + 1), opens, closes };
}

/** Finds the time range in which the shop is open on a day; null when it is closed. */
export function findOpenRange(
	day: Temporal.PlainDate,
	calendar: OpeningCalendar,
): { from: Temporal.ZonedDateTime; to: Temporal.ZonedDateTime } | null {
	if (!calendar.weekdays.includes(day.dayOfWeek) || calendar.isHoliday(day.toString())) return null;
	const at = (minute: number) =>
		minute === 24 * 60
			? day.add({ days: 1 }).toZonedDateTime({ timeZone: zone })
			: day.toZonedDateTime({ timeZone: zone, plainTime: new Temporal.PlainTime(Math.floor(minute / 60), minute % 60) });
	const range = { from: at(calendar.opens), to: at(calendar.closes) };
	const closedUntil = calendar.closedUntil?.getTime() ?? 0;
	if (closedUntil >= range.to.epochMilliseconds) return null;
	if (closedUntil <= range.from.epochMilliseconds) return range;
	return { ...range, from: Temporal.Instant.fromEpochMilliseconds(closedUntil).toZonedDateTimeISO(zone) };
}

/** After this many closed days in a row, a calendar is considered invalid. Days off may last three months (app/catalogue/settings/days-off.ts). */
export const maxClosedDays = 400;

/** Finds the next opening; null while the shop is open, or when it never opens. */
export function findNextOpening(now: Date, calendar: OpeningCalendar): Date | null {
	const at = now.getTime();
	let day = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate();
	for (let i = 0; i < maxClosedDays; i++, day = day.add({ days: 1 })) {
		const range = findOpenRange(day, calendar);
		if (range === null || range.to.epochMilliseconds <= at) continue;
		return range.from.epochMilliseconds <= at ? null : new Date(range.from.epochMilliseconds);
	}
	return null;
}

const weekdayNames = ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"];

/** « du lundi au vendredi, 8 h à 18 h, heure de Paris, hors jours fériés » */
export function formatOpeningHours({ weekdays, opens, closes }: Pick<OpeningCalendar, "weekdays" | "opens" | "closes">): string {
	const name = (weekday: number | undefined) => weekdayNames[(weekday ?? 1) - 1];
	const hour = (minute: number) =>
		`${Math.floor(minute / 60)}\u00a0h${minute % 60 === 0 ? "" : `\u00a0${String(minute % 60).padStart(2, "0")}`}`;
	const days = weekdays.length === 1 ? `le ${name(weekdays[0])}` : `du ${name(weekdays[0])} au ${name(weekdays.at(-1))}`;
	return `${days}, ${hour(opens)} à ${hour(closes)}${inParis}, hors jours fériés`;
}
