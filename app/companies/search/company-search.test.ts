import fc from "fast-check";
import { expect, test } from "vitest";
import { departments } from "../departments.ts";
import { legalForms } from "../legal-forms.ts";
import { sectors } from "../sectors.ts";
import { formatCompanySearch, normalizeQuery, parseCompanySearch, quoteQuery } from "./company-search.ts";
import { isQuoted } from "./document-words.ts";
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

test("words in quotation marks keep them in a URL, whatever their length", () => {
	for (const length of [1, 197, 198, 199, 200]) {
		const query = quoteQuery("é".repeat(length));
		expect(isQuoted(query), String(length)).toBe(true);
		expect(normalizeQuery(query)).toBe(query);
	}
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
