import { Temporal } from "temporal-polyfill";
import { forecast } from "../../catalogue/forecast.ts";
import { formatDayAndHour, formatHour, zone } from "../../catalogue/instants.ts";
import { toParisDay } from "../../catalogue/settings/days-off.ts";
import type { ReadDesk } from "../../fulfilment/forecast/read-desk.server.ts";

/** « À ce rythme, 46 par heure, la dernière commande promise pour aujourd’hui serait servie à 16 h 20. »; null when nothing is promised. */
export function describePace(desk: ReadDesk): string | null {
	const today = toParisDay(desk.now);
	const midnight = new Date(today.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds);
	const { lost, firstLost, lastServed } = forecast(desk, midnight);
	const formatTime = (instant: Date) =>
		Temporal.PlainDate.compare(toParisDay(instant), today) === 0 ? formatHour(instant) : formatDayAndHour(instant);
	const pace = `${desk.isMeasured ? "À ce rythme" : "Au rythme réglé"}, ${desk.pace} par heure,`;
	if (firstLost !== null)
		return lost > 1
			? `${pace} ${lost} promesses ne seraient pas tenues, la première ${describeHour(formatTime(firstLost))}.`
			: `${pace} une promesse ne serait pas tenue, celle de ${formatTime(firstLost)}.`;
	return lastServed && `${pace} la dernière commande promise pour aujourd’hui serait servie ${describeHour(formatTime(lastServed))}.`;
}

/** « à 16 h 20 », « mardi 1er décembre à 9 h » */
const describeHour = (time: string) => (time.includes(" à ") ? time : `à ${time}`);
