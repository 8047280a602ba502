import { Temporal } from "temporal-polyfill";
import { zone } from "../catalogue/instants.ts";
import { minutesBetween } from "../catalogue/status-interval.ts";
import { countProbeTimes, type Part } from "./part.ts";

/** The measures of a part on a day, an ISO date in Europe/Paris. */
export interface ProbeDay {
	part: Part;
	day: string;
	checks: number;
	failed: number;
}

/** When the first and the last known probes of the shop were due; null before the first. */
export interface ProbeSpan {
	first: Date | null;
	last: Date | null;
}

/** How a day went: nothing failed, nothing failed but more than an hour was not measured, some failed, all failed, no measure. */
export type DayState = "ok" | "gaps" | "some" | "all" | "none";

export interface Availability {
	/** Oldest first, today last. */
	days: DayState[];
	checks: number;
	failed: number;
	/** Measures that were due since the first of all, and were not made. */
	missing: number;
}

/** How many of a day's measures may be missing before the day says so: those of an hour. */
const unnoticed = 60 / minutesBetween;

/** The last days in Europe/Paris, oldest first, today last: ISO dates, with the instants at which each begins and ends. */
export function lastDays(now: Date, count: number): { day: string; begin: Date; end: Date }[] {
	const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
	return Array.from({ length: count }, (_, index) => {
		const day = today.subtract({ days: count - 1 - index });
		return { day: day.toString(), begin: beginOf(day), end: beginOf(day.add({ days: 1 })) };
	});
}

const beginOf = (day: Temporal.PlainDate) => new Date(day.toZonedDateTime(zone).epochMilliseconds);

/** Sums up a part's measures over some days. Nothing is missing before the first of all, nor yet in the interval under way. */
export function sumUp(
	measured: readonly ProbeDay[],
	days: readonly { day: string; begin: Date; end: Date }[],
	{ first, last }: ProbeSpan,
	now: Date,
): Availability {
	const byDay = new Map(measured.map((row) => [row.day, row]));
	const sum: Availability = { days: [], checks: 0, failed: 0, missing: 0 };
	const interval = minutesBetween * 60_000;
	const dueUntil = new Date(Math.max(now.getTime() - interval, (last?.getTime() ?? 0) + interval));
	for (const { day, begin, end } of days) {
		const { checks, failed } = byDay.get(day) ?? { checks: 0, failed: 0 };
		const due = first === null ? 0 : countProbeTimes(latest(begin, first), earliest(end, dueUntil));
		const missing = Math.max(0, due - checks);
		sum.days.push(stateOf(checks, failed, missing));
		sum.checks += checks;
		sum.failed += failed;
		sum.missing += missing;
	}
	return sum;
}

function stateOf(checks: number, failed: number, missing: number): DayState {
	if (checks === 0) return "none";
	if (failed > 0) return failed === checks ? "all" : "some";
	return missing > unnoticed ? "gaps" : "ok";
}

const latest = (a: Date, b: Date) => (a > b ? a : b);
const earliest = (a: Date, b: Date) => (a < b ? a : b);
