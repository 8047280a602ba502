import { Temporal } from "temporal-polyfill";
import type { Branded } from "../../server/types/branded.ts";
import { zone } from "../catalogue/instants.ts";

/** A month of the accounts in Europe/Paris: « 2026-11 ». Months compare as texts. */
export type Month = Branded<string, "Month">;

/** A day in Europe/Paris: « 2026-11-23 ». Days compare as texts. */
export type Day = Branded<string, "Day">;

const asMonth = (text: string): Month => text as Month;
const asDay = (text: string): Day => text as Day;

/** Parses « 2026-11 »; null for any other text. */
export function parseMonth(text: string): Month | null {
	const month = text.trim();
	return /^20\d\d-(0[1-9]|1[0-2])$/.test(month) ? asMonth(month) : null;
}

export const toDay = (date: Temporal.PlainDate): Day => asDay(date.toString());

/** The day of an instant in Paris. */
export function getDay(instant: Date): Day {
	return toDay(Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone).toPlainDate());
}

export const getMonth = (instant: Date): Month => getMonthOfDay(getDay(instant));
export const getMonthOfDay = (day: Day): Month => asMonth(day.slice(0, 7));
export const getFirstMonth = (year: number): Month => asMonth(`${year}-01`);
export const getFirstDay = (month: Month): Day => asDay(`${month}-01`);

export function getLastDay(month: Month): Day {
	return toDay(Temporal.PlainYearMonth.from(month).toPlainDate({ day: 31 }));
}

export const getNextMonth = (month: Month): Month => addToMonth(month, { months: 1 });

/** @param duration negative: an earlier month. */
export function addToMonth(month: Month, duration: { years?: number; months?: number }): Month {
	return asMonth(Temporal.PlainYearMonth.from(month).add(duration).toString());
}

/** The instants of a month: from its first midnight in Paris to the next month's. */
export function getBounds(month: Month): { since: Date; until: Date } {
	const start = (each: Month) =>
		new Date(Temporal.PlainDate.from(getFirstDay(each)).toZonedDateTime({ timeZone: zone, plainTime: "00:00" }).epochMilliseconds);
	return { since: start(month), until: start(getNextMonth(month)) };
}

const longMonth = new Intl.DateTimeFormat("fr-FR", { month: "long", year: "numeric", timeZone: "UTC" });

/** « novembre 2026 » */
export const formatMonth = (month: Month): string => longMonth.format(new Date(`${month}-01T00:00:00Z`));

/** « Novembre 2026 », at the beginning of a sentence. */
export const formatMonthTitle = (month: Month): string => formatMonth(month).replace(/^./, (letter) => letter.toUpperCase());
