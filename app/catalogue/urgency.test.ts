import { expect, test } from "vitest";
import { getUrgency } from "./urgency.ts";

test.each([
	[-1, "late"],
	[0, "now"],
	[30, "now"],
	[31, "soon"],
	[60, "soon"],
	[61, "later"],
] as const)("%i minutes before its promise, an order is « %s »", (minutes, urgency) => {
	const now = new Date("2026-11-23T08:00:00Z");
	expect(getUrgency(new Date(now.getTime() + minutes * 60_000), now)).toBe(urgency);
});
