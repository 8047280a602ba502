/** The time zone of all displayed instants. Instants are stored in UTC. */
export const zone = "Europe/Paris";

// so that a page that formats no instant does not load this file
/* @__NO_SIDE_EFFECTS__ */
const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat("fr-FR", { timeZone: zone, ...options });
const shortWeekday = format({ weekday: "short", day: "numeric" });
const day = format({ weekday: "long", day: "numeric", month: "long" });
const dayAndYear = format({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
const longDay = format({ day: "numeric", month: "long", year: "numeric" });
const shortDay = format({ day: "2-digit", month: "2-digit", year: "numeric" });
const clock = format({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** Writes « 1er » for the first day of a month, because Intl does not. */
const replaceFirstDay = (date: string) => date.replace(/(?<=^| )1 /, "1er ");

/** « 10 h », « 10 h 05 » in Europe/Paris. */
export function formatHour(instant: Date): string {
	const [hour, minute] = clock.format(instant).split(":");
	return `${Number(hour)}\u00a0h${minute === "00" ? "" : `\u00a0${minute}`}`;
}

/** « 21 novembre 2026 », « 1er janvier 2026 » */
export function formatLongDay(instant: Date): string {
	return replaceFirstDay(longDay.format(instant));
}

/** « lundi 23 novembre 2026 à 10 h », « dimanche 1er novembre 2026 à 10 h » */
export function formatInstant(instant: Date): string {
	return `${replaceFirstDay(dayAndYear.format(instant))} à ${formatHour(instant)}`;
}

/** « lundi 23 novembre » */
export function formatWeekdayAndDate(instant: Date): string {
	return replaceFirstDay(day.format(instant));
}

/** « entre le jeudi 3 et le lundi 7 décembre », « entre le lundi 30 novembre et le mercredi 2 décembre » */
export function formatDayRange(from: Date, to: Date): string {
	const [first, last] = [formatWeekdayAndDate(from), formatWeekdayAndDate(to)];
	const month = / \p{L}+$/u;
	return `entre le ${first.match(month)?.[0] === last.match(month)?.[0] ? first.replace(month, "") : first} et le ${last}`;
}

/** After an hour that is promised: the reader may be overseas (docs/rules.md, R236). */
export const inParis = ", heure de Paris";

/** « lundi 23 novembre avant 10 h, heure de Paris » */
export function formatDeadline(instant: Date): string {
	return `${formatWeekdayAndDate(instant)} avant ${formatHour(instant)}${inParis}`;
}

/** « lundi 23 novembre 2026 à 10 h, heure de Paris »: an instant that is promised. */
export function formatPromisedInstant(instant: Date): string {
	return formatInstant(instant) + inParis;
}

/** « lundi 23 novembre à 10 h » */
export function formatDayAndHour(instant: Date): string {
	return `${formatWeekdayAndDate(instant)} à ${formatHour(instant)}`;
}

/** « lun. 23 à 10 h 05 » */
export function formatShortInstant(instant: Date): string {
	return `${shortWeekday.format(instant).replace(" ", "\u00a0")} à ${formatHour(instant)}`;
}

/** « 21/11/2026 » */
export function formatDay(instant: Date): string {
	return shortDay.format(instant);
}

/** « 21/11/2026 à 10 h 05 » */
export function formatDayStamp(instant: Date): string {
	return `${formatDay(instant)} à ${formatHour(instant)}`;
}

/** « 21/11/2026 10:05 » in Europe/Paris, for the tables of the terminal. */
export function formatStamp(instant: Date): string {
	return `${shortDay.format(instant)} ${clock.format(instant)}`;
}
