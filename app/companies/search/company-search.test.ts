import fc from "fast-check";
import { expect, test } from "vitest";
import { departments } from "../departments.ts";
import { legalForms } from "../legal-forms.ts";
import { sectors } from "../sectors.ts";
import { formatCompanySearch, normalizeQuery, parseCompanySearch } from "./company-search.ts";
import { formatSearchState } from "./search-regions.ts";

const search = fc.record({
	query: fc.string().map(normalizeQuery),
	departement: fc.constantFrom(null, ...departments.keys()),
	formes: fc.subarray([...legalForms]),
	secteur: fc.constantFrom(null, ...sectors.map(({ value }) => value)),
	page: fc.integer({ min: 1, max: 1000 }),
});

test("a search is the same after a trip through a URL", () => {
	fc.assert(
		fc.property(search, (given) => {
			expect(parseCompanySearch(formatCompanySearch(given))).toEqual(given);
		}),
	);
});

test("forms may be given together, and sectors by their label, in any writing", () => {
	expect(parseCompanySearch(new URLSearchParams("forme=sas,SARL&forme=auto entrepreneur")).formes).toEqual([
		"SAS",
		"SARL",
		"Auto-entrepreneur",
	]);
	for (const { value, label } of sectors)
		expect(parseCompanySearch(new URLSearchParams({ secteur: label.toUpperCase() })).secteur).toBe(value);
});

test("the state of the form cannot end its data block", () => {
	const state = { search: parseCompanySearch(new URLSearchParams({ q: "</script><script>" })), counts: null };
	expect(formatSearchState(state)).not.toContain("<");
	expect(JSON.parse(formatSearchState(state))).toEqual(state);
});
