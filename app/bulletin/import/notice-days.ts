import { parseCalendarDay } from "../../companies/calendar-day.ts";
import { fold } from "./plain-text.ts";

const months = [
	...["janvier", "fevrier", "mars", "avril", "mai", "juin"],
	...["juillet", "aout", "septembre", "octobre", "novembre", "decembre"],
];

/**
 * Reads a day in any of the bulletin's three forms: « 2026-09-15 », « 15/09/2026 », « 1er octobre 2026 ».
 * @returns yyyy-mm-dd; null for anything else, a day that does not exist, or a year out of the given ones.
 */
export function parseNoticeDay(value: unknown, firstYear: number, lastYear: number): string | null {
	if (typeof value !== "string" || value.length > 40) return null;
	const [year, month, date] = splitDay(value);
	if (year < firstYear || year > lastYear) return null;
	return parseCalendarDay(`${year}-${String(month).padStart(2, "0")}-${String(date).padStart(2, "0")}`);
}

function splitDay(value: string): [year: number, month: number, date: number] {
	const iso = /^\s*(\d{4})-(\d{2})-(\d{2})(?:T|\s|$)/.exec(value);
	if (iso) return [Number(iso[1]), Number(iso[2]), Number(iso[3])];
	const slashes = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})\s*$/.exec(value);
	if (slashes) return [Number(slashes[3]), Number(slashes[2]), Number(slashes[1])];
	const words = /^(\d{1,2})(?:er)? ([a-z]+) (\d{4})$/.exec(fold(value));
	return words ? [Number(words[3]), months.indexOf(words[2] ?? "") + 1, Number(words[1])] : [0, 0, 0];
}
