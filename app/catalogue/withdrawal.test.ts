import { expect, test } from "vitest";
import { withdrawalEndsAt } from "./withdrawal.ts";

test.each([
	// paid at noon in Paris: the fourteenth day ends at midnight in Paris
	["express", "2026-11-03T11:00:00Z", "2026-11-17T23:00:00Z"],
	// paid in the last minute of a day
	["standard", "2026-11-03T22:59:59Z", "2026-11-17T23:00:00Z"],
	// paid in the first minute of a day in Paris, which is still the day before in UTC
	["standard", "2026-11-03T23:00:00Z", "2026-11-18T23:00:00Z"],
	// the fourteenth day is a Saturday: the period ends on Monday
	["express", "2026-11-07T11:00:00Z", "2026-11-23T23:00:00Z"],
	// the fourteenth day is followed by holidays and a weekend
	["express", "2027-04-30T10:00:00Z", "2027-05-14T22:00:00Z"],
	["express", "2026-12-11T10:00:00Z", "2026-12-28T23:00:00Z"],
	// across the change of the clocks
	["standard", "2026-10-14T10:00:00Z", "2026-10-28T23:00:00Z"],
	// a posted extract first has to arrive
	["postal", "2026-11-03T11:00:00Z", "2026-11-24T23:00:00Z"],
] as const)("%s, started at %s: the withdrawal period ends at %s", (service, startedAt, endsAt) => {
	expect(withdrawalEndsAt(service, new Date(startedAt)).toISOString()).toBe(new Date(endsAt).toISOString());
});
