import { Temporal } from "temporal-polyfill";
import { zone } from "../instants.ts";
import { findOpenRange, type OpeningCalendar } from "../opening-hours.ts";
import { type DayRange, isInForce, type ShopSettings } from "./shop-settings.ts";

/** More closed days than this in a row are refused: a promise so far away would be none. */
const maxClosedRun = 93;

/** Days on which a closed run is looked for: beyond them nothing can be set. */
const horizonDays = 800;

export const toParisDay = (now: Date): Temporal.PlainDate =>
	Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();

/** The first instant of a day in Paris. */
const startOfDay = (day: Temporal.PlainDate) => new Date(day.toZonedDateTime(zone).epochMilliseconds);

/**
 * The calendar of the promise clock: opening hours and public holidays, without the days off and the time of a closure.
 * A closure without a known end counts until the end of today.
 */
export function toCalendar(
	base: OpeningCalendar,
	{ daysOff, closure }: Pick<ShopSettings, "daysOff" | "closure">,
	now: Date,
): OpeningCalendar {
	const isDayOff = (day: string) => daysOff.some(({ from, to }) => from <= day && day <= to);
	const closed = isInForce(closure, now) ? closure : null;
	return {
		...base,
		isHoliday: (day) => base.isHoliday(day) || isDayOff(day),
		...(closed && { closedUntil: closed.until ? new Date(closed.until) : startOfDay(toParisDay(now).add({ days: 1 })) }),
	};
}

/** A line of the history of the days off. */
export interface DaysOffChange {
	after: readonly DayRange[];
	changed_at: Date;
}

/**
 * The calendar of past days: opening hours and public holidays, without the days that were off when they ended. Paid orders are served
 * during a closure, so it is no part of it.
 * @param changes oldest first.
 */
export function toPastCalendar(base: OpeningCalendar, changes: readonly DaysOffChange[]): OpeningCalendar {
	const dated = changes.map(({ after, changed_at }) => ({ after, day: toParisDay(changed_at).toString() }));
	const isDayOff = (day: string) => {
		const inForce = dated.findLast((change) => change.day <= day)?.after ?? [];
		return inForce.some(({ from, to }) => from <= day && day <= to);
	};
	return { ...base, isHoliday: (day) => base.isHoliday(day) || isDayOff(day) };
}

/** Adds a range of days and joins those that touch. Past days are left out. */
export function addDays(daysOff: readonly DayRange[], added: DayRange, today: string): DayRange[] {
	const joined: DayRange[] = [];
	for (const range of [...daysOff, added].filter(({ to }) => to >= today).sort((a, b) => (a.from < b.from ? -1 : 1))) {
		const last = joined.at(-1);
		const touches = last && range.from <= Temporal.PlainDate.from(last.to).add({ days: 1 }).toString();
		if (touches) last.to = range.to > last.to ? range.to : last.to;
		else joined.push({ ...range });
	}
	return joined;
}

/** Removes a range of days; what is left of a longer range stays. */
export function removeDays(daysOff: readonly DayRange[], removed: DayRange): DayRange[] {
	const before = Temporal.PlainDate.from(removed.from).subtract({ days: 1 }).toString();
	const after = Temporal.PlainDate.from(removed.to).add({ days: 1 }).toString();
	return daysOff.flatMap(({ from, to }) => [
		...(from < removed.from ? [{ from, to: to < before ? to : before }] : []),
		...(to > removed.to ? [{ from: from > after ? from : after, to }] : []),
	]);
}

/** Whether these days off leave an opening at least every three months, from today on. */
export function leaveOpenings(base: OpeningCalendar, daysOff: readonly DayRange[], now: Date): boolean {
	const calendar = toCalendar(base, { daysOff, closure: null }, now);
	let run = 0;
	let day = toParisDay(now);
	for (let i = 0; i < horizonDays; i++, day = day.add({ days: 1 })) {
		run = findOpenRange(day, calendar) === null ? run + 1 : 0;
		if (run > maxClosedRun) return false;
	}
	return true;
}

/** Days off that begin within a week, or last, and that are working days otherwise; for pages. */
export function findNearDaysOff(base: OpeningCalendar, daysOff: readonly DayRange[], now: Date): DayRange[] {
	const today = toParisDay(now);
	const week = today.add({ days: 7 }).toString();
	const isWorkingDay = (day: Temporal.PlainDate) => findOpenRange(day, base) !== null;
	return daysOff.filter(({ from, to }) => {
		if (from > week || to < today.toString()) return false;
		let day = Temporal.PlainDate.from(from);
		for (; day.toString() <= to; day = day.add({ days: 1 })) if (isWorkingDay(day)) return true;
		return false;
	});
}
