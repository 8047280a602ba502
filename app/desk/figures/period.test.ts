import { expect, test } from "vitest";
import { parsePeriod } from "./period.ts";

const now = new Date("2026-11-23T23:30:00Z"); // the 24th in Paris
const parse = (query: string) => {
	const { firstDay, lastDay } = parsePeriod(new URLSearchParams(query), now);
	return `${firstDay} ${lastDay}`;
};

test.each([
	["", "2026-10-26 2026-11-24"],
	["du=2026-11-01&au=2026-11-23", "2026-11-01 2026-11-23"],
	["du=2026-11-23&au=2026-11-01", "2026-11-01 2026-11-23"],
	["au=2026-10-31", "2026-10-02 2026-10-31"],
	["du=2026-02-30&au=x", "2026-10-26 2026-11-24"],
	["du=2001-01-01&au=2026-11-23", "2023-11-22 2026-11-23"],
])("« %s » is the period %s", (query, period) => {
	expect(parse(query)).toBe(period);
});

test("a period begins and ends at midnight in Paris, also when the clock changes", () => {
	const { from, until } = parsePeriod(new URLSearchParams("du=2026-10-25&au=2026-10-25"), now);
	expect([from.toISOString(), until.toISOString()]).toEqual(["2026-10-24T22:00:00.000Z", "2026-10-25T23:00:00.000Z"]);
});
