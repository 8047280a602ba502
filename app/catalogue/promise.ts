import { Temporal } from "temporal-polyfill";
import { zone } from "./instants.ts";
import { type OpeningCalendar, openSpan } from "./opening-hours.ts";
import { type ServiceCode, services } from "./services.ts";

/**
 * The instant by which an order paid at `paidAt` is delivered (by e-mail) or posted, counted in opening hours in Europe/Paris.
 * Shown before paying for a payment at once, and binding from the instant of payment.
 */
export function promisedAt(service: ServiceCode, paidAt: Date, calendar: OpeningCalendar): Date {
	const { term } = services[service];
	const start = Temporal.Instant.fromEpochMilliseconds(paidAt.getTime()).toZonedDateTimeISO(zone);
	if ("openHours" in term) return addOpenTime(start, Temporal.Duration.from({ hours: term.openHours }).total("milliseconds"), calendar);
	return closingAfter(start, term.workingDays, calendar);
}

/** Longest run of closed days that a calendar may hold before we call it a mistake. */
const longestClosure = 60;

function addOpenTime(start: Temporal.ZonedDateTime, duration: number, calendar: OpeningCalendar): Date {
	let remaining = duration;
	let day = start.toPlainDate();
	for (let i = 0; i < longestClosure; i++, day = day.add({ days: 1 })) {
		const span = openSpan(day, calendar);
		if (span === null) continue;
		const from = Math.max(span.from.epochMilliseconds, start.epochMilliseconds);
		const open = span.to.epochMilliseconds - from;
		if (open <= 0) continue;
		if (remaining <= open) return new Date(from + remaining);
		remaining -= open;
	}
	throw new RangeError("the opening hours leave no time to work");
}

/** The closing of the nth working day after the one on which work can begin. */
function closingAfter(start: Temporal.ZonedDateTime, workingDays: number, calendar: OpeningCalendar): Date {
	let left = workingDays;
	let begun = false;
	let day = start.toPlainDate();
	for (let i = 0; i < longestClosure; i++, day = day.add({ days: 1 })) {
		const span = openSpan(day, calendar);
		if (span === null || span.to.epochMilliseconds <= start.epochMilliseconds) continue;
		if (begun && --left === 0) return new Date(span.to.epochMilliseconds);
		begun = true;
	}
	throw new RangeError("the opening hours leave no day to work");
}
