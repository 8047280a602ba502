import { expect, test } from "vitest";
import { formatPeriod } from "./format-period.ts";

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
