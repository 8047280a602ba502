import { describe, expect, test, vi } from "vitest";
import { guaranteePeriod } from "./after-sale.ts";
import { computeRetentionCutoff, formatPeriod, retention } from "./retention.ts";

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
])("the retention of %s is formatted in French", (_, duration, text) => {
	expect(formatPeriod(duration)).toBe(text.replace(" ", "\u00a0"));
});

test("one year, month or day is singular; a wrong extract is refunded for 30 days", () => {
	expect([{ years: 1 }, { months: 1 }, { days: 1 }].map(formatPeriod)).toEqual(["1\u00a0an", "1\u00a0mois", "1\u00a0jour"]);
	expect(guaranteePeriod).toBe("30\u00a0jours");
});

describe("the start of a retention period is counted by calendar, to the second", () => {
	test.each([
		["2026-11-20T10:00:07Z", { years: 3 }, "2023-11-20T10:00:07Z"],
		["2026-11-20T10:00:00Z", { months: 12 }, "2025-11-20T10:00:00Z"],
		["2027-03-15T10:00:00Z", { months: 4 }, "2026-11-15T10:00:00Z"],
		["2026-01-10T10:00:00Z", { days: 30 }, "2025-12-11T10:00:00Z"],
		["2026-05-10T23:30:00Z", { days: 90 }, "2026-02-09T23:30:00Z"], // days are counted in UTC, also over a change of the clocks
		["2028-02-29T10:00:00Z", { years: 3 }, "2025-03-01T10:00:00Z"],
	])("%s, %o: since %s", (now, duration, since) => {
		const instant = new Date(now);
		expect(computeRetentionCutoff(instant, duration)).toEqual(new Date(since));
		expect(instant).toEqual(new Date(now));
	});

	test("is computed in UTC in any time zone of the machine", () => {
		vi.stubEnv("TZ", "America/New_York");
		expect(new Date("2026-01-01T00:30:00Z").getDate()).toBe(31);
		expect(computeRetentionCutoff(new Date("2026-01-01T00:30:00Z"), { years: 3 })).toEqual(new Date("2023-01-01T00:30:00Z"));
		vi.unstubAllEnvs();
	});
});

test.each([
	[{ years: 1 }, "1 an"],
	[{ years: 2 }, "2 ans"],
	[{ months: 1 }, "1 mois"],
	[{ months: 12 }, "12 mois"],
	[{ days: 1 }, "1 jour"],
	[{ days: 2 }, "2 jours"],
	[{ hours: 1 }, "1 heure"],
	[{ hours: 2 }, "2 heures"],
])("%j: « %s »", (duration, text) => {
	expect(formatPeriod(duration).replaceAll("\u00a0", " ")).toBe(text);
	expect(formatPeriod(duration)).not.toContain(" ");
});
