import { describe, expect, test } from "vitest";
import { formatDay, formatDeadline, formatHour, formatInstant, formatLongDay, formatShortInstant, formatStamp } from "./instants.ts";

const replaceNoBreakSpaces = (text: string) => text.replaceAll("\u00a0", " ");

describe("instants are formatted in the time zone of Paris", () => {
	test.each([
		["2026-11-23T09:00:00Z", "10 h", "lundi 23 novembre 2026 à 10 h", "23/11/2026 10:00"],
		["2026-11-23T09:05:00Z", "10 h 05", "lundi 23 novembre 2026 à 10 h 05", "23/11/2026 10:05"],
		["2026-06-01T07:50:00Z", "9 h 50", "lundi 1er juin 2026 à 9 h 50", "01/06/2026 09:50"], // summer time
		["2026-12-31T23:00:00Z", "0 h", "vendredi 1er janvier 2027 à 0 h", "01/01/2027 00:00"], // midnight of the next day and year
		["2026-11-11T22:59:00Z", "23 h 59", "mercredi 11 novembre 2026 à 23 h 59", "11/11/2026 23:59"],
		["2026-11-21T11:00:00Z", "12 h", "samedi 21 novembre 2026 à 12 h", "21/11/2026 12:00"],
	])("%s: %s, %s", (instant, hour, dateAndHour, stamp) => {
		const at = new Date(instant);
		expect(replaceNoBreakSpaces(formatHour(at))).toBe(hour);
		expect(replaceNoBreakSpaces(formatInstant(at))).toBe(dateAndHour);
		expect(formatStamp(at)).toBe(stamp);
		expect(formatDay(at)).toBe(stamp.slice(0, 10));
	});

	test.each([
		["2026-10-31T23:00:00Z", "1er novembre 2026", "dimanche 1er novembre avant 0 h, heure de Paris"],
		["2026-11-11T09:00:00Z", "11 novembre 2026", "mercredi 11 novembre avant 10 h, heure de Paris"],
		["2026-11-21T09:00:00Z", "21 novembre 2026", "samedi 21 novembre avant 10 h, heure de Paris"],
	])("%s: only the first day of a month is « 1er »", (instant, day, deadline) => {
		expect(formatLongDay(new Date(instant))).toBe(day);
		expect(replaceNoBreakSpaces(formatDeadline(new Date(instant)))).toBe(deadline);
	});

	test("a short instant breaks only before its hour", () => {
		expect(formatShortInstant(new Date("2026-11-23T09:05:00Z"))).toBe("lun.\u00a023 à 10\u00a0h\u00a005");
	});
});
