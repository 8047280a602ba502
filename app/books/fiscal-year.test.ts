import { expect, test } from "vitest";
import { countClosedMonths, findFiscalYear, getFiscalYear } from "./fiscal-year.ts";
import type { Month } from "./month.ts";

const toMonth = (text: string) => text as Month;

test.each([
	[2026, 1, "2026-01", "2026-12"],
	[2026, 2, "2025-02", "2026-01"],
	[2026, 7, "2025-07", "2026-06"],
	[2026, 12, "2025-12", "2026-11"],
])("the fiscal year %i that begins in month %i lasts from %s to %s", (year, start, first, last) => {
	expect(getFiscalYear(year, start)).toEqual({ year, first, last });
	expect(findFiscalYear(toMonth(first), start)).toEqual({ year, first, last });
	expect(findFiscalYear(toMonth(last), start)).toEqual({ year, first, last });
});

test("the month before and the month after belong to its neighbours", () => {
	expect(findFiscalYear(toMonth("2025-06"), 7).year).toBe(2025);
	expect(findFiscalYear(toMonth("2026-07"), 7).year).toBe(2027);
	expect(findFiscalYear(toMonth("2025-12"), 1).year).toBe(2025);
});

test.each([
	[null, 0],
	["2025-06", 0],
	["2025-07", 1],
	["2026-05", 11],
	["2026-06", 12],
	["2028-01", 12],
])("after the closing of %s, its closed months are %i", (lastClosed, count) => {
	expect(countClosedMonths(getFiscalYear(2026, 7), lastClosed === null ? null : toMonth(lastClosed))).toBe(count);
});
