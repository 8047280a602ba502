import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import { findNextOpening, findOpenRange, formatOpeningHours, parseOpeningHours } from "./opening-hours.ts";

const calendar = { ...parseOpeningHours("Mo-Fr 08:00-18:00"), isHoliday: (day: string) => day === "2026-11-11" };
const plain = (text: string) => text.replaceAll("\u00a0", " ");

test.each([
	["Mo-Fr 08:00-18:00", [1, 2, 3, 4, 5], 480, 1080, "du lundi au vendredi, 8 h à 18 h, heure de Paris, hors jours fériés"],
	["Sa 09:30-12:05", [6], 570, 725, "le samedi, 9 h 30 à 12 h 05, heure de Paris, hors jours fériés"],
	["Sa-Mo 00:00-24:00", [6, 7, 1], 0, 1440, "du samedi au lundi, 0 h à 24 h, heure de Paris, hors jours fériés"],
	["Su-Su 08:00-08:01", [7], 480, 481, "le dimanche, 8 h à 8 h 01, heure de Paris, hors jours fériés"],
])("%s", (text, weekdays, opens, closes, sentence) => {
	expect(parseOpeningHours(text)).toEqual({ weekdays, opens, closes });
	expect(plain(formatOpeningHours({ weekdays, opens, closes }))).toBe(sentence);
});

test.each([
	"",
	"Mo-Fr",
	"08:00-18:00",
	"Xx-Fr 08:00-18:00",
	"Mo-Xx 08:00-18:00",
	"Mo-Fr 08:00-08:00",
	"Mo-Fr 18:00-08:00",
	"Mo-Fr 8:00-18:00",
])("« %s » is not opening hours", (text) => {
	expect(() => parseOpeningHours(text)).toThrow(`not opening hours: ${text}`);
});

describe("the open range of a day", () => {
	const readRange = (day: string, closedUntil?: string) => {
		const range = findOpenRange(Temporal.PlainDate.from(day), { ...calendar, ...(closedUntil && { closedUntil: new Date(closedUntil) }) });
		return range && [range.from, range.to].map((at) => at.toInstant().toString());
	};
	const wholeDay = ["2026-11-23T07:00:00Z", "2026-11-23T17:00:00Z"];
	test.each<[day: string, closedUntil: string | undefined, range: string[] | null]>([
		["2026-11-23", undefined, wholeDay],
		["2026-11-22", undefined, null], // a Sunday
		["2026-11-11", undefined, null], // a holiday
		["2026-11-23", "2026-11-23T06:59:59Z", wholeDay],
		["2026-11-23", "2026-11-23T07:00:00Z", wholeDay],
		["2026-11-23", "2026-11-23T07:00:01Z", ["2026-11-23T07:00:01Z", "2026-11-23T17:00:00Z"]],
		["2026-11-23", "2026-11-23T16:59:59Z", ["2026-11-23T16:59:59Z", "2026-11-23T17:00:00Z"]],
		["2026-11-23", "2026-11-23T17:00:00Z", null],
		["2026-11-23", "2026-11-24T07:00:00Z", null],
	])("%s, closed until %s: %j", (day, closedUntil, range) => {
		expect(readRange(day, closedUntil)).toEqual(range);
	});

	test("ends at the midnight of Paris, also on the day that the clocks change", () => {
		const range = findOpenRange(Temporal.PlainDate.from("2026-10-25"), { ...calendar, ...parseOpeningHours("Mo-Su 00:00-24:00") });
		expect(range?.from.toInstant().toString()).toBe("2026-10-24T22:00:00Z");
		expect(range?.to.toInstant().toString()).toBe("2026-10-25T23:00:00Z");
	});
});

test.each([
	["2026-11-23T06:59:59Z", "2026-11-23T07:00:00.000Z"],
	["2026-11-23T07:00:00Z", null],
	["2026-11-23T16:59:59Z", null],
	["2026-11-23T17:00:00Z", "2026-11-24T07:00:00.000Z"],
	["2026-11-27T17:00:00Z", "2026-11-30T07:00:00.000Z"], // over the weekend
	["2026-11-10T23:00:00Z", "2026-11-12T07:00:00.000Z"], // over a holiday
])("at %s, the next opening is %s", (now, opening) => {
	expect(findNextOpening(new Date(now), calendar)?.toISOString() ?? null).toBe(opening);
});

test("a shop that never opens has no next opening", () => {
	expect(findNextOpening(new Date("2026-11-23T09:00:00Z"), { ...calendar, isHoliday: () => true })).toBeNull();
});
