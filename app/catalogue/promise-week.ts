import { Temporal } from "temporal-polyfill";
import { formatHour, formatWeekdayAndDate, zone } from "./instants.ts";
import { findHour, type Offer } from "./offers.ts";
import { findOpenRange } from "./opening-hours.ts";
import type { ServiceCode } from "./services.ts";

/** A stretch of the days, in percent. */
interface Stretch {
	from: number;
	to: number;
}

/**
 * The days from today, for PromiseBand: when the shop is open, and the promise for a payment at `now`. A day is drawn from two hours
 * before the opening to two hours after the closing, so that the hours that matter have room.
 */
export interface PromiseWeek {
	/** « lun. » and « 23 » */
	days: { name: string; date: string }[];
	open: Stretch[];
	/** The open hours between the payment and the promise. */
	work: Stretch[];
	now: number;
	promise: {
		/** « lundi 23 novembre » */
		day: string;
		/** « 10 h » */
		hour: string;
		/** Null when it is later than these days. */
		at: number | null;
	};
}

const fewestDays = 5;
const mostDays = 7;
const margin = 2 * 60;
const dayName = new Intl.DateTimeFormat("fr-FR", { timeZone: zone, weekday: "short" });

const toZoned = (instant: Date) => Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone);

export function computePromiseWeek(service: ServiceCode, now: Date, offer: Offer): PromiseWeek {
	const { calendar } = offer;
	const due = findHour(service, now, offer);
	const today = toZoned(now).toPlainDate();
	const countDays = (instant: Temporal.ZonedDateTime) => today.until(instant.toPlainDate()).days;
	const daysToPromise = countDays(toZoned(due));
	const length = Math.min(Math.max(daysToPromise + 1, fewestDays), mostDays);
	const dawn = Math.max(calendar.opens - margin, 0);
	const dusk = Math.min(calendar.closes + margin, 24 * 60);
	/** By the clock, so that a day of 25 hours is as long as another. */
	const toPercent = (instant: Temporal.ZonedDateTime) => {
		const minute = Math.min(Math.max(instant.hour * 60 + instant.minute, dawn), dusk);
		return Math.round(((countDays(instant) + (minute - dawn) / (dusk - dawn)) / length) * 1e4) / 100;
	};
	const from = toPercent(toZoned(now));
	const at = toPercent(toZoned(due));
	const dates = Array.from({ length }, (_, days) => today.add({ days }));
	const open = dates.flatMap((day) => {
		const range = findOpenRange(day, calendar);
		return range === null ? [] : [{ from: toPercent(range.from), to: toPercent(range.to) }];
	});
	return {
		days: dates.map((day) => ({
			name: dayName.format(day.toZonedDateTime({ timeZone: zone, plainTime: "12:00" }).epochMilliseconds),
			date: String(day.day),
		})),
		open,
		work: open.map((range) => ({ from: Math.max(range.from, from), to: Math.min(range.to, at) })).filter((range) => range.from < range.to),
		now: from,
		promise: { day: formatWeekdayAndDate(due), hour: formatHour(due), at: daysToPromise < length ? at : null },
	};
}
