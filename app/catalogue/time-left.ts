import { day, minute } from "../../server/durations.ts";
import { zone } from "./instants.ts";

const isoDay = new Intl.DateTimeFormat("sv-SE", { timeZone: zone });

/** Days between two instants on the calendar of Paris. */
const countDays = (from: Date, to: Date) => Math.round((Date.parse(isoDay.format(to)) - Date.parse(isoDay.format(from))) / day);

/** « 47 minutes », « 1 h 40 », « 3 jours » */
function formatDuration(milliseconds: number): string {
	const minutes = Math.floor(milliseconds / minute);
	if (minutes < 60) return `${minutes}\u00a0minute${minutes === 1 ? "" : "s"}`;
	const hours = Math.floor(minutes / 60);
	if (hours >= 48) return `${Math.floor(hours / 24)}\u00a0jours`;
	return `${hours}\u00a0h${minutes % 60 === 0 ? "" : `\u00a0${String(minutes % 60).padStart(2, "0")}`}`;
}

/**
 * The time until an instant, beside its day and hour: « dans 1 h 40 », « demain », « dans 8 jours ».
 * @returns null once it has passed.
 */
export function describeTimeLeft(now: Date, until: Date): string | null {
	const left = until.getTime() - now.getTime();
	if (left <= 0) return null;
	const days = countDays(now, until);
	if (days === 0) return left < minute ? "dans moins d’une minute" : `dans ${formatDuration(left)}`;
	return days === 1 ? "demain" : `dans ${days}\u00a0jours`;
}

/** The comparison of a delivery with its promise: « 47 minutes avant l’heure promise », « 2 h après l’heure promise ». */
export function comparePromise(delivered: Date, promised: Date): string {
	const early = promised.getTime() - delivered.getTime();
	if (early >= 6 * 60 * minute) return "bien avant l’heure promise";
	if (Math.abs(early) < minute) return "à l’heure promise";
	return `${formatDuration(Math.abs(early))} ${early > 0 ? "avant" : "après"} l’heure promise`;
}
