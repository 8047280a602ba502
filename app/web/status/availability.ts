import { Temporal } from "temporal-polyfill";
import { zone } from "../../catalogue/instants.ts";
import { minutesBetween } from "../../catalogue/status-interval.ts";
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

/** The state of a day: no failure; no failure but more than an hour without measures; some failed; all failed; no measure. */
export type DayState = "ok" | "gaps" | "some" | "all" | "none";

export interface Availability {
	/** Oldest first, today last. */
	days: DayState[];
	checks: number;
	failed: number;
	/** Measures due since the first one that are missing. */
	missing: number;
}

/** The missing measures of a day that do not count as a gap: one hour. */
const toleratedMissing = 60 / minutesBetween;

/** The last days in Europe/Paris, today last: ISO dates with the instants of their start and end. */
export function lastDays(now: Date, count: number): { day: string; begin: Date; end: Date }[] {
	const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
	return Array.from({ length: count }, (_, index) => {
		const day = today.subtract({ days: count - 1 - index });
		return { day: day.toString(), begin: toStartOfDay(day), end: toStartOfDay(day.add({ days: 1 })) };
	});
}

const toStartOfDay = (day: Temporal.PlainDate) => new Date(day.toZonedDateTime(zone).epochMilliseconds);

/** Sums up a part's measures over some days. Measures are missing only after the first one and before the current interval. */
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
		sum.days.push(toDayState(checks, failed, missing));
		sum.checks += checks;
		sum.failed += failed;
		sum.missing += missing;
	}
	return sum;
}

function toDayState(checks: number, failed: number, missing: number): DayState {
	if (checks === 0) return "none";
	if (failed > 0) return failed === checks ? "all" : "some";
	return missing > toleratedMissing ? "gaps" : "ok";
}

const latest = (a: Date, b: Date) => (a > b ? a : b);
const earliest = (a: Date, b: Date) => (a < b ? a : b);
