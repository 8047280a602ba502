import { expect, test } from "vitest";
import { isFrenchHoliday } from "./holidays.ts";

/** The movable ones, as calendars of the State printed them. */
test.each([
	[2000, ["2000-04-24", "2000-06-01", "2000-06-12"]],
	[2024, ["2024-04-01", "2024-05-09", "2024-05-20"]],
	[2026, ["2026-04-06", "2026-05-14", "2026-05-25"]],
	[2027, ["2027-03-29", "2027-05-06", "2027-05-17"]],
	[2038, ["2038-04-26", "2038-06-03", "2038-06-14"]],
])("the eleven holidays of %d", (year, movable) => {
	const fixed = ["01-01", "05-01", "05-08", "07-14", "08-15", "11-01", "11-11", "12-25"].map((day) => `${year}-${day}`);
	const days = Array.from({ length: 366 }, (_, i) => new Date(Date.UTC(year, 0, 1 + i)).toISOString().slice(0, 10));
	expect(days.filter((day) => day.startsWith(`${year}`) && isFrenchHoliday(day))).toEqual([...fixed, ...movable].sort());
});
