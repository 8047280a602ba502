import { Temporal } from "temporal-polyfill";
import { zone } from "../catalogue/instants.ts";
import { toParisDay } from "./days-off.ts";

/** What operators type, in the terminal and in the desk. */

/** Parses « 24/12/2026 » or « 2026-12-24 » into an ISO day; without a year, the next such day. Null for any other text. */
export function parseDay(text: string, now: Date): string | null {
	const typed = text.trim();
	const [, iso] = /^(\d{4}-\d\d-\d\d)$/.exec(typed) ?? [];
	const [, day = "", month = "", year] = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?$/.exec(typed) ?? [];
	if (iso === undefined && day === "") return null;
	const today = toParisDay(now);
	try {
		if (iso !== undefined) return Temporal.PlainDate.from(iso).toString();
		const given = { day: Number(day), month: Number(month) };
		const found = Temporal.PlainDate.from({ ...given, year: Number(year ?? today.year) }, { overflow: "reject" });
		const isPast = year === undefined && Temporal.PlainDate.compare(found, today) < 0;
		return (isPast ? Temporal.PlainDate.from({ ...given, year: today.year + 1 }, { overflow: "reject" }) : found).toString();
	} catch {
		return null; // no such day
	}
}

/**
 * Parses an instant in Paris: « 14h », « 14h30 » or « 14:30 » of today, a day with such an hour, or a day alone: its beginning.
 * Also the value of a field of type datetime-local.
 */
export function parseLocalInstant(text: string, now: Date): Date | null {
	const [, typedDay = "", hour, minute] =
		/^(?:(?=[^\sT]*[/-])([^\sT]+)(?:[ T]+|$))?(?:(\d{1,2})\s*[h:]\s*(\d\d)?)?$/.exec(text.trim()) ?? [];
	if (typedDay === "" && hour === undefined) return null;
	const day = typedDay === "" ? toParisDay(now).toString() : parseDay(typedDay, now);
	if (day === null || Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59) return null;
	const plainTime = new Temporal.PlainTime(Number(hour ?? 0), Number(minute ?? 0));
	return new Date(Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds);
}

/** The end of today in Paris. */
export const findEndOfDay = (now: Date): Date => new Date(toParisDay(now).add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds);

/** Parses a limit: a whole number, or no limit for « - », « aucune » or nothing. Undefined for any other text. */
export function parseLimit(text: string): number | null | undefined {
	const typed = text.trim().toLowerCase();
	if (typed === "" || typed === "-" || typed === "aucune") return null;
	return /^\d{1,6}$/.test(typed) ? Number(typed) : undefined;
}
