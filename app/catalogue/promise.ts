import { Temporal } from "temporal-polyfill";
import { zone } from "./instants.ts";
import { findOpenRange, maxClosedDays, type OpeningCalendar } from "./opening-hours.ts";
import { type ServiceCode, services } from "./services.ts";

/**
 * Computes the instant by which an order paid at `paidAt` must be sent by e-mail or posted, in opening hours.
 * Pages show it for a payment now; the payment makes it binding.
 */
export function computePromise(service: ServiceCode, paidAt: Date, calendar: OpeningCalendar): Date {
	const { term } = services[service];
	const start = Temporal.Instant.fromEpochMilliseconds(paidAt.getTime()).toZonedDateTimeISO(zone);
	if ("openHours" in term) return addOpenTime(start, Temporal.Duration.from({ hours: term.openHours }).total("milliseconds"), calendar);
	return findClosing(start, term.workingDays, calendar);
}

function addOpenTime(start: Temporal.ZonedDateTime, duration: number, calendar: OpeningCalendar): Date {
	let remaining = duration;
	let day = start.toPlainDate();
	for (let i = 0; i < maxClosedDays; i++, day = day.add({ days: 1 })) {
		const range = findOpenRange(day, calendar);
		if (range === null) continue;
		const from = Math.max(range.from.epochMilliseconds, start.epochMilliseconds);
		const open = range.to.epochMilliseconds - from;
		if (open <= 0) continue;
		if (remaining <= open) return new Date(from + remaining);
		remaining -= open;
	}
	throw new RangeError("the opening hours leave no time to work");
}

/** Finds the closing time of the nth working day after the first possible one. */
function findClosing(start: Temporal.ZonedDateTime, workingDays: number, calendar: OpeningCalendar): Date {
	let remainingDays = workingDays;
	let started = false;
	let day = start.toPlainDate();
	for (let i = 0; i < maxClosedDays; i++, day = day.add({ days: 1 })) {
		const range = findOpenRange(day, calendar);
		if (range === null || range.to.epochMilliseconds <= start.epochMilliseconds) continue;
		if (started && --remainingDays === 0) return new Date(range.to.epochMilliseconds);
		started = true;
	}
	throw new RangeError("the opening hours leave no day to work");
}
