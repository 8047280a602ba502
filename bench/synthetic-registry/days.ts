import type { Random } from "../random.ts";
import { below } from "./chances.ts";

/** Days are counted from the first of January 1950 to the day of the stock. */
const firstYear = 1950;
const start = Date.UTC(firstYear, 0, 1);
const dayLength = 86_400_000;

/** The day on which the made-up stock files were made, 1 November 2026. */
export const today = (Date.UTC(2026, 10, 1) - start) / dayLength;

/** What INSEE writes for a date that it does not know. */
export const unknownDate = "1900-01-01";

const texts = Array.from({ length: today + 1 }, (_, day) => new Date(start + day * dayLength).toISOString().slice(0, 10));
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));

/** The first of January of a year; its fraction counts. */
export function dayOf(year: number): number {
	return Math.floor((year - firstYear) * 365.2425);
}

/** A day as text; one outside the calendar is its first or last day. */
export function dateText(day: number): string {
	return texts[Math.max(0, Math.min(today, day))] as string;
}

/** Any day from one to another. */
export function dayBetween(random: Random, from: number, to: number): number {
	return from + below(random, Math.max(0, to - from) + 1);
}

/** An instant of a day, as INSEE writes when it last touched a row. */
export function instantText(random: Random, day: number): string {
	return `${dateText(day)}T${twoDigits[below(random, 24)]}:${twoDigits[below(random, 60)]}:${twoDigits[below(random, 60)]}`;
}
