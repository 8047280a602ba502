import { expect, test } from "vitest";
import { formatMonth, getBounds, getDay, getLastDay, getMonth, getNextMonth, type Month, parseMonth } from "./month.ts";

test("a month is read as a year and a month, and nothing else", () => {
	expect(parseMonth(" 2026-11 ")).toBe("2026-11");
	for (const text of ["2026-13", "2026-1", "1926-11", "2026-11-01", "novembre", ""]) expect(parseMonth(text), text).toBeNull();
	expect(formatMonth("2026-11" as Month)).toBe("novembre 2026");
});

test("months begin and end at midnight in Paris, in winter and in summer", () => {
	expect(getMonth(new Date("2026-10-31T22:59:59Z"))).toBe("2026-10");
	expect(getMonth(new Date("2026-10-31T23:00:00Z"))).toBe("2026-11");
	expect(getDay(new Date("2026-06-30T22:00:00Z"))).toBe("2026-07-01");
	expect(getBounds("2026-10" as Month)).toEqual({ since: new Date("2026-09-30T22:00:00Z"), until: new Date("2026-10-31T23:00:00Z") });
	expect([getLastDay("2028-02" as Month), getNextMonth("2026-12" as Month)]).toEqual(["2028-02-29", "2027-01"]);
});
