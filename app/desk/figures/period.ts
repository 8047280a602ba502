import { Temporal } from "temporal-polyfill";
import { zone } from "../../catalogue/instants.ts";

/** Days of the calendar of Paris, both included, and the instants that bound them. */
export interface Period {
	/** 2026-11-01 */
	firstDay: string;
	lastDay: string;
	from: Date;
	/** The instant after the last day. */
	until: Date;
}

const usualDays = 30;
/** A longer period costs too much, and older orders are erased. */
const maxDays = 3 * 366;

/** Reads « du » and « au » of a URL: the last thirty days unless both are days, in either order. */
export function parsePeriod(params: URLSearchParams, now: Date): Period {
	const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
	const last = parseDay(params.get("au")) ?? today;
	const first = parseDay(params.get("du")) ?? last.subtract({ days: usualDays - 1 });
	const [earlier, later] = Temporal.PlainDate.compare(first, last) <= 0 ? [first, last] : [last, first];
	const earliest = later.subtract({ days: maxDays - 1 });
	const start = Temporal.PlainDate.compare(earlier, earliest) < 0 ? earliest : earlier;
	const toInstant = (day: Temporal.PlainDate) => new Date(day.toZonedDateTime({ timeZone: zone }).epochMilliseconds);
	return { firstDay: start.toString(), lastDay: later.toString(), from: toInstant(start), until: toInstant(later.add({ days: 1 })) };
}

/** @returns null for a text that is no day of this century. */
function parseDay(text: string | null): Temporal.PlainDate | null {
	if (text === null || !/^20\d\d-\d\d-\d\d$/.test(text)) return null;
	try {
		return Temporal.PlainDate.from(text);
	} catch {
		return null;
	}
}
