import { describe, expect, test, vi } from "vitest";
import { guaranteePeriod } from "./guarantee.ts";
import { describeDuration, keptSince, retention } from "./retention.ts";

/** The periods of docs/rules.md, R29 and R43; the legal pages print them. */
test.each([
	["orders", retention.orders, "3 ans"],
	["orders never paid", retention.unpaidOrders, "30 jours"],
	["invoices", retention.invoices, "10 ans"],
	["consents", retention.marketing, "3 ans"],
	["newsletters never confirmed", retention.newsletterRequests, "30 jours"],
	["messages", retention.messages, "3 ans"],
	["logs", retention.logs, "12 mois"],
	["delivered extracts", retention.deliveredExtracts, "90 jours"],
])("how long %s are kept is said in words", (_, duration, words) => {
	expect(describeDuration(duration)).toBe(words.replace(" ", "\u00a0"));
});

test("one of a thing is said in the singular; a wrong extract is refunded for 30 days", () => {
	expect([{ years: 1 }, { months: 1 }, { days: 1 }].map(describeDuration)).toEqual(["1\u00a0an", "1\u00a0mois", "1\u00a0jour"]);
	expect(guaranteePeriod).toBe("30\u00a0jours");
});

describe("what is kept for a time is counted back by the calendar, to the second", () => {
	test.each([
		["2026-11-20T10:00:07Z", { years: 3 }, "2023-11-20T10:00:07Z"],
		["2026-11-20T10:00:00Z", { months: 12 }, "2025-11-20T10:00:00Z"],
		["2027-03-15T10:00:00Z", { months: 4 }, "2026-11-15T10:00:00Z"],
		["2026-01-10T10:00:00Z", { days: 30 }, "2025-12-11T10:00:00Z"],
		["2026-05-10T23:30:00Z", { days: 90 }, "2026-02-09T23:30:00Z"], // over the change of the clocks: days of UTC
		["2028-02-29T10:00:00Z", { years: 3 }, "2025-03-01T10:00:00Z"],
	])("%s, %o: since %s", (now, duration, since) => {
		const given = new Date(now);
		expect(keptSince(given, duration)).toEqual(new Date(since));
		expect(given).toEqual(new Date(now));
	});

	test("in UTC, also on a machine that lives elsewhere", () => {
		vi.stubEnv("TZ", "America/New_York");
		expect(new Date("2026-01-01T00:30:00Z").getDate()).toBe(31);
		expect(keptSince(new Date("2026-01-01T00:30:00Z"), { years: 3 })).toEqual(new Date("2023-01-01T00:30:00Z"));
		vi.unstubAllEnvs();
	});
});
