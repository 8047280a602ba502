import { expect, test } from "vitest";
import { isFrenchHoliday } from "./holidays.ts";

/** The movable holidays come from official calendars. */
test.each([
	[2000, ["2000-04-24", "2000-06-01", "2000-06-12"]],
	[2024, ["2024-04-01", "2024-05-09", "2024-05-20"]],
	[2026, ["2026-04-06", "2026-05-14", "2026-05-25"]],
	[2027, ["2027-03-29", "2027-05-06", "2027-05-17"]],
	[2038, ["2038-04-26", "2038-06-03", "2038-06-14"]],
])("%d has eleven holidays", (year, movable) => {
	const fixed = ["01-01", "05-01", "05-08", "07-14", "08-15", "11-01", "11-11", "12-25"].map((day) => `${year}-${day}`);
	const days = Array.from({ length: 366 }, (_, i) => new Date(Date.UTC(year, 0, 1 + i)).toISOString().slice(0, 10));
	expect(days.filter((day) => day.startsWith(`${year}`) && isFrenchHoliday(day))).toEqual([...fixed, ...movable].sort());
});

/** Dates come from almanacs. In 2049 and 2076, simpler algorithms give a date that is a week late. */
test.each([
	...["2025-04-20", "2028-04-16", "2029-04-01", "2030-04-21", "2031-04-13", "2032-03-28", "2033-04-17", "2034-04-09", "2035-03-25"],
	...["2036-04-13", "2037-04-05", "2039-04-10", "2040-04-01", "2049-04-18", "2076-04-19", "2100-03-28", "2101-04-17", "2106-04-18"],
])("Easter Sunday is on %s, and the Monday after it is a holiday", (sunday) => {
	const monday = new Date(Date.parse(sunday) + 86_400_000).toISOString().slice(0, 10);
	const year = sunday.slice(0, 4);
	const spring = Array.from({ length: 36 }, (_, i) => new Date(Date.UTC(Number(year), 2, 23 + i)).toISOString().slice(0, 10));
	expect(spring.filter((day) => isFrenchHoliday(day))).toEqual([monday]);
});
