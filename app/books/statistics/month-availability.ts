import { typedFromEntries } from "../../../server/types/objects.ts";
import { type Availability, type lastDays, type ProbeDay, type ProbeSpan, sumUp } from "../../web/status/availability.ts";
import { type Part, partNames } from "../../web/status/part.ts";
import { type Day, getDay, getFirstDay, getMonthOfDay, type Month } from "../month.ts";

/** The stored probes of a month. */
export interface MonthAvailability {
	/** The first day that they cover. */
	firstDay: Day;
	parts: Record<Part, Omit<Availability, "days">>;
}

/** Sums up the stored probes by month. @param days those whose probes are stored. */
export function sumUpMonths(
	measured: readonly ProbeDay[],
	days: ReturnType<typeof lastDays>,
	span: ProbeSpan,
	now: Date,
): Map<Month, MonthAvailability> {
	const { first } = span;
	if (first === null) return new Map();
	const measuredDays = days.filter(({ end }) => end > first).map((each) => ({ ...each, day: getDay(each.begin) }));
	const byMonth = Map.groupBy(measuredDays, ({ day }) => getMonthOfDay(day));
	return new Map(
		[...byMonth].map(([month, ofMonth]) => {
			const parts = partNames.map((part) => {
				const rows = measured.filter((row) => row.part === part);
				const { days: _, ...sums } = sumUp(rows, ofMonth, span, now);
				return [part, sums] as const;
			});
			return [month, { firstDay: ofMonth[0]?.day ?? getFirstDay(month), parts: typedFromEntries(parts) }];
		}),
	);
}
