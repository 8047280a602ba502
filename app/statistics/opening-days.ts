import { Temporal } from "temporal-polyfill";
import { minute } from "../../server/durations.ts";
import type { Day } from "../accounts/month.ts";
import { zone } from "../catalogue/instants.ts";
import { findOpenRange, type OpeningCalendar } from "../catalogue/opening-hours.ts";

/** A day of the promise clock, with what has passed before it. A closed day opens and closes at its first instant. */
export interface OpeningDay {
	day: Day;
	opens: Date;
	closes: Date;
	/** Opening minutes of the earlier days of the list. */
	minutesBefore: number;
	workingDaysBefore: number;
}

/** Lists days, both included, so that SQL can subtract two instants on the promise clock. */
export function listOpeningDays(first: Day, last: Day, calendar: OpeningCalendar): OpeningDay[] {
	const days: OpeningDay[] = [];
	let [minutesBefore, workingDaysBefore] = [0, 0];
	for (let day = Temporal.PlainDate.from(first); day.toString() <= last; day = day.add({ days: 1 })) {
		const range = findOpenRange(day, calendar);
		const start = day.toZonedDateTime(zone);
		const opens = new Date((range?.from ?? start).epochMilliseconds);
		const closes = new Date((range?.to ?? start).epochMilliseconds);
		days.push({ day: day.toString() as Day, opens, closes, minutesBefore, workingDaysBefore });
		minutesBefore += (closes.getTime() - opens.getTime()) / minute;
		if (range !== null) workingDaysBefore += 1;
	}
	return days;
}
