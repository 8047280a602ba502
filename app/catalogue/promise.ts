import { Temporal } from "temporal-polyfill";
import { hour } from "../../server/durations.ts";
import { zone } from "./instants.ts";
import { findOpenRange, maxClosedDays, type OpeningCalendar } from "./opening-hours.ts";
import { type ServiceCode, services } from "./services.ts";

/**
 * Computes the instant by which an order paid at `paidAt` must be sent by e-mail or posted, in opening hours.
 * Pages show it for a payment now; the payment makes it binding.
 */
export function computePromise(service: ServiceCode, paidAt: Date, calendar: OpeningCalendar): Date {
	const { term } = services[service];
	if ("openHours" in term) return addOpenTime(paidAt, term.openHours * hour, calendar);
	// the working day of the payment does not count
	let remainingDays = term.workingDays;
	for (const range of listOpenRanges(paidAt, calendar)) if (remainingDays-- === 0) return new Date(range.to);
	throw new RangeError(neverOpen);
}

/** The closing of the day in whose opening hours an instant lies, or of the next such day. */
export function findClosing(instant: Date, calendar: OpeningCalendar): Date {
	for (const { to } of listOpenRanges(instant, calendar)) return new Date(to);
	throw new RangeError(neverOpen);
}

const neverOpen = "the opening hours leave no time to work";

/** Adds time to an instant that passes in the opening hours only. @param duration in milliseconds, above 0 */
export function addOpenTime(from: Date, duration: number, calendar: OpeningCalendar): Date {
	let remaining = duration;
	for (const range of listOpenRanges(from, calendar)) {
		if (remaining <= range.to - range.from) return new Date(range.from + remaining);
		remaining -= range.to - range.from;
	}
	throw new RangeError(neverOpen);
}

/**
 * Measures the opening time between an instant and each of others; 0 for those before it.
 * @param instants in their order
 * @returns in milliseconds
 */
export function measureOpenTime(from: Date, instants: readonly Date[], calendar: OpeningCalendar): number[] {
	const ranges = listOpenRanges(from, calendar);
	let range = ranges.next().value;
	let passed = 0;
	return instants.map((instant) => {
		while (range && range.to <= instant.getTime()) {
			passed += range.to - range.from;
			range = ranges.next().value;
		}
		return passed + (range ? Math.max(0, instant.getTime() - range.from) : 0);
	});
}

/** Lists the ranges in which the shop is open from an instant on, in milliseconds; it ends when the shop opens never again. */
function* listOpenRanges(from: Date, calendar: OpeningCalendar): Generator<{ from: number; to: number }, undefined> {
	const start = from.getTime();
	let day = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(zone).toPlainDate();
	for (let closedDays = 0; closedDays < maxClosedDays; day = day.add({ days: 1 })) {
		const range = findOpenRange(day, calendar);
		if (range === null || range.to.epochMilliseconds <= start) {
			closedDays++;
			continue;
		}
		closedDays = 0;
		yield { from: Math.max(range.from.epochMilliseconds, start), to: range.to.epochMilliseconds };
	}
}
