import { expect, test } from "vitest";
import { isFrenchHoliday } from "./holidays.ts";
import { parseOpeningHours } from "./opening-hours.ts";
import { computePromiseWeek } from "./promise-week.ts";

const calendar = { ...parseOpeningHours("Mo-Fr 08:00-18:00"), isHoliday: isFrenchHoliday };
const offer = { calendar, slots: [] };
/** The place of an hour of the nth of five days, each drawn from 6 h to 20 h. */
const percent = (day: number, hour: number) => Math.round(((day + (hour - 6) / 14) / 5) * 1e4) / 100;

test("on a Friday at 17 h the days begin on Friday, and the work goes on after the weekend", () => {
	const week = computePromiseWeek("express", new Date("2026-11-20T16:00:00Z"), offer);
	expect(week.days.map(({ name, date }) => `${name} ${date}`)).toEqual([...["ven. 20", "sam. 21", "dim. 22", "lun. 23", "mar. 24"]]);
	expect(week.now).toBe(percent(0, 17));
	expect(week.promise).toEqual({ day: "lundi 23 novembre", hour: "9\u00a0h", at: percent(3, 9) });
	expect(week.work).toEqual([
		{ from: percent(0, 17), to: percent(0, 18) },
		{ from: percent(3, 8), to: percent(3, 9) },
	]);
	expect(week.open).toHaveLength(3);
});

test("a holiday has no opening hours", () => {
	const week = computePromiseWeek("standard", new Date("2026-12-21T08:00:00Z"), offer);
	expect(week.open).toHaveLength(4); // Monday to Thursday; Friday is Christmas
});

test("when the clocks change, each day keeps its length", () => {
	const week = computePromiseWeek("express", new Date("2026-10-23T15:30:00Z"), offer);
	expect(week.promise.at).toBe(percent(3, 9.5));
	expect(week.open.at(1)).toEqual({ from: percent(3, 8), to: percent(3, 18) });
});

test("a later promise has more days, seven at most", () => {
	expect(computePromiseWeek("postal", new Date("2026-11-19T18:00:00Z"), offer).days).toHaveLength(6);
});

test("at night, now is at the edge of its day", () => {
	expect(computePromiseWeek("express", new Date("2026-11-17T22:30:00Z"), offer).now).toBe(20);
	expect(computePromiseWeek("express", new Date("2026-11-17T02:30:00Z"), offer).now).toBe(0);
});

test("a promise later than these days has no mark", () => {
	const always = { ...calendar, isHoliday: (day: string) => day > "2026-11-20" && day < "2026-12-01" };
	expect(computePromiseWeek("express", new Date("2026-11-20T17:30:00Z"), { calendar: always, slots: [] }).promise.at).toBeNull();
});
