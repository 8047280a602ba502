import { expect, test } from "vitest";
import { lastDays, type ProbeDay, sumUp } from "./availability.ts";
import { countProbeTimes } from "./part.ts";

const noon = new Date("2026-11-21T11:02:00Z");
const long = new Date("2026-01-01T00:00:00Z");
const row = (day: string, checks: number, failed = 0): ProbeDay => ({ part: "mail", day, checks, failed });

test("days are those of Paris: one has 25 hours, one has 23, and each starts at the end of the one before", () => {
	const [saturday, sunday, monday] = lastDays(new Date("2026-10-26T12:00:00Z"), 3);
	expect([saturday?.day, sunday?.day, monday?.day]).toEqual(["2026-10-24", "2026-10-25", "2026-10-26"]);
	expect([sunday?.begin, sunday?.end]).toEqual([new Date("2026-10-24T22:00:00Z"), new Date("2026-10-25T23:00:00Z")]);
	expect(monday?.begin).toEqual(sunday?.end);
	const countDueProbes = (now: string) => lastDays(new Date(now), 1).map(({ begin, end }) => countProbeTimes(begin, end));
	expect([countDueProbes("2026-10-24T12:00:00Z"), countDueProbes("2026-10-25T12:00:00Z"), countDueProbes("2026-03-29T12:00:00Z")]).toEqual([
		[288],
		[300],
		[276],
	]);
	// after midnight in Paris, before it in UTC
	expect(lastDays(new Date("2026-11-20T23:30:00Z"), 1)[0]?.day).toBe("2026-11-21");
});

test("gives the state of each day", () => {
	const days = lastDays(noon, 6);
	const measured = [
		row("2026-11-16", 288),
		row("2026-11-17", 275),
		row("2026-11-18", 288, 1),
		row("2026-11-19", 10, 10),
		row("2026-11-21", 145),
	];
	expect(sumUp(measured, days, { first: long, last: new Date("2026-11-21T11:00:00Z") }, noon)).toEqual({
		days: ["ok", "gaps", "some", "all", "none", "ok"],
		checks: 288 + 275 + 288 + 10 + 145,
		failed: 11,
		missing: 13 + 278 + 288,
	});
});

test("the current interval is not missing yet, the one before is", () => {
	const today = lastDays(noon, 1);
	const missing = (checks: number, last: string) =>
		sumUp([row("2026-11-21", checks)], today, { first: long, last: new Date(`2026-11-21T${last}:00Z`) }, noon).missing;
	// 12 h 02 in Paris: 144 marks until 11 h 55, and that of noon
	expect(missing(144, "10:55")).toBe(0);
	expect(missing(145, "11:00")).toBe(0);
	expect(missing(144, "11:00")).toBe(1);
	expect(missing(143, "10:50")).toBe(1);
});

test("nothing is missing before the first measure", () => {
	const days = lastDays(noon, 3);
	const span = { first: new Date("2026-11-21T10:00:00Z"), last: new Date("2026-11-21T11:00:00Z") };
	expect(sumUp([row("2026-11-21", 12)], days, span, noon)).toEqual({ days: ["none", "none", "ok"], checks: 12, failed: 0, missing: 1 });
	expect(sumUp([], days, { first: null, last: null }, noon)).toEqual({ days: ["none", "none", "none"], checks: 0, failed: 0, missing: 0 });
});

test("a day has a gap when more than an hour of measures is missing", () => {
	const days = lastDays(noon, 2);
	const getDayState = (checks: number) => sumUp([row("2026-11-20", checks)], days, { first: long, last: null }, noon).days[0];
	expect([getDayState(288), getDayState(276), getDayState(275)]).toEqual(["ok", "ok", "gaps"]);
	// of a day that was counted twice by some accident nothing is missing, nor less than nothing; of today, 144 marks until 11 h 55
	expect(sumUp([row("2026-11-20", 300)], days, { first: long, last: null }, noon).missing).toBe(144);
});

test("due instants are counted from the first, included, to the last, excluded", () => {
	const marks = (from: string, until: string) => countProbeTimes(new Date(`2026-11-21T${from}Z`), new Date(`2026-11-21T${until}Z`));
	expect(marks("10:00:00", "10:05:00")).toBe(1);
	expect(marks("10:00:01", "10:05:00")).toBe(0);
	expect(marks("10:00:01", "10:05:01")).toBe(1);
	expect(marks("10:00:00", "10:00:00")).toBe(0);
	expect(marks("11:00:00", "10:00:00")).toBe(0);
});
