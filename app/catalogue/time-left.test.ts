import { expect, test } from "vitest";
import { comparePromise, describeTimeLeft } from "./time-left.ts";

const plain = (text: string | null) => text?.replaceAll("\u00a0", " ") ?? null;
const now = "2026-11-23T09:00:00Z"; // Monday, 10 h in Paris

test.each<[string, string | null]>([
	["2026-11-23T08:59:00Z", null],
	["2026-11-23T09:00:00Z", null],
	["2026-11-23T09:00:30Z", "dans moins d’une minute"],
	["2026-11-23T09:01:00Z", "dans 1 minute"],
	["2026-11-23T09:59:59Z", "dans 59 minutes"],
	["2026-11-23T10:00:00Z", "dans 1 h"],
	["2026-11-23T10:40:00Z", "dans 1 h 40"],
	["2026-11-23T22:59:00Z", "dans 13 h 59"],
	["2026-11-23T23:00:00Z", "demain"],
	["2026-11-24T09:05:00Z", "demain"],
	["2026-11-25T17:00:00Z", "dans 2 jours"],
	["2026-11-29T09:00:00Z", "dans 6 jours"],
	["2026-11-30T09:00:00Z", "dans 7 jours"],
])("the time left at 10 h until %s: %s", (until, expected) => {
	expect(plain(describeTimeLeft(new Date(now), new Date(until)))).toBe(expected);
});

test("a day is counted on the calendar of Paris, also when the clocks change", () => {
	expect(plain(describeTimeLeft(new Date("2026-10-24T21:59:00Z"), new Date("2026-10-25T10:00:00Z")))).toBe("demain");
	expect(plain(describeTimeLeft(new Date("2026-10-24T22:00:00Z"), new Date("2026-10-25T10:00:00Z")))).toBe("dans 12 h");
});

test.each([
	["2026-11-23T02:00:00Z", "bien avant l’heure promise"],
	["2026-11-23T03:00:01Z", "5 h 59 avant l’heure promise"],
	["2026-11-23T08:13:00Z", "47 minutes avant l’heure promise"],
	["2026-11-23T08:59:30Z", "à l’heure promise"],
	["2026-11-23T09:01:00Z", "1 minute après l’heure promise"],
	["2026-11-24T09:30:00Z", "24 h 30 après l’heure promise"],
	["2026-11-25T10:00:00Z", "2 jours après l’heure promise"],
])("a delivery at %s is %s", (delivered, expected) => {
	expect(plain(comparePromise(new Date(delivered), new Date(now)))).toBe(expected);
});
