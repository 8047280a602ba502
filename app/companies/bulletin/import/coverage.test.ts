import { expect, test } from "vitest";
import { extendCoverage, joinCoverage } from "./coverage.ts";

test("what is covered has no gap", () => {
	const known = { from: "2026-01-10", to: "2026-01-20" };
	const extend = (from: string, to: string) => extendCoverage(known, { from, to });
	expect(extendCoverage(null, known)).toEqual({ coverage: known, isExtended: true });
	expect(extendCoverage(known, null)).toEqual({ coverage: known, isExtended: true });
	expect(extend("2026-01-21", "2026-01-22").coverage).toEqual({ from: "2026-01-10", to: "2026-01-22" });
	expect(extend("2026-01-01", "2026-01-09").coverage).toEqual({ from: "2026-01-01", to: "2026-01-20" });
	expect(extend("2026-01-12", "2026-01-13").coverage).toEqual(known);
	expect(extend("2026-01-22", "2026-01-23")).toEqual({ coverage: known, isExtended: false });
	expect(extend("2026-01-22", "2026-02-01")).toEqual({ coverage: known, isExtended: false }); // as many days
	expect(extend("2026-01-22", "2026-02-02")).toEqual({ coverage: { from: "2026-01-22", to: "2026-02-02" }, isExtended: true });
	expect(extend("2026-01-20", "2026-01-20")).toEqual({ coverage: known, isExtended: true });
	expect(extend("2025-01-01", "2025-12-31")).toEqual({ coverage: { from: "2025-01-01", to: "2025-12-31" }, isExtended: true });
});

test("days of a reading that goes on never replace those known", () => {
	const known = { from: "2026-11-01", to: "2026-11-20" };
	const join = (from: string, to: string) => joinCoverage(known, { from, to });
	expect(joinCoverage(null, known)).toEqual({ coverage: known, isExtended: true });
	expect(joinCoverage(known, null)).toEqual({ coverage: known, isExtended: true });
	expect(join("2020-01-01", "2026-10-30")).toEqual({ coverage: known, isExtended: false });
	expect(join("2020-01-01", "2026-10-31")).toEqual({ coverage: { from: "2020-01-01", to: "2026-11-20" }, isExtended: true });
	expect(join("2026-11-11", "2026-11-23")).toEqual({ coverage: { from: "2026-11-01", to: "2026-11-23" }, isExtended: true });
	expect(join("2026-11-22", "2030-01-01")).toEqual({ coverage: known, isExtended: false });
});
