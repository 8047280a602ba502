import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../server/database/database.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { relevance } from "../../../test/fixtures/relevance/queries.ts";
import { findCompany } from "../find-company.server.ts";
import type { Siren } from "../siren.ts";
import { parseCompanySearch } from "./company-search.ts";
import { searchCompanies } from "./search-companies.server.ts";

const rows = Object.entries(relevance).flatMap(([kind, table]) =>
	table.map(([query, siren, expected, filters = {}]) => ({ kind, query, siren, expected, filters })),
);

let db: Database;
let close: () => Promise<void>;
beforeAll(async () => {
	({ db, close } = await createTestDatabase());
});
afterAll(() => close());

/** Formats a row for the report. */
const formatRow = ({ kind, query, filters }: (typeof rows)[number]) =>
	`[${kind}] « ${query} »${Object.keys(filters).length > 0 ? ` ${JSON.stringify(filters)}` : ""}`;

test("the set has at least 150 different queries and twelve of each kind", () => {
	expect(rows.length).toBeGreaterThanOrEqual(150);
	for (const [kind, table] of Object.entries(relevance)) expect(table.length, kind).toBeGreaterThanOrEqual(12);
	const searches = rows.map(({ query, filters }) => JSON.stringify([query.toLowerCase(), filters]));
	expect(searches.filter((search, index) => searches.indexOf(search) !== index)).toEqual([]);
});

test("the sample has every expected company, unmasked", async () => {
	for (const row of rows) expect((await findCompany(db, row.siren as Siren))?.name, formatRow(row)).toBeTruthy();
});

test("finds 97 % of companies on the first page, and 90 % of unambiguous ones in first place", async () => {
	const ranked: ((typeof rows)[number] & { rank: number; line: string })[] = [];
	for (const row of rows) {
		const { results, corrected } = await searchCompanies(db, parseCompanySearch(new URLSearchParams({ q: row.query, ...row.filters })));
		const rank = results.findIndex(({ siren }) => siren === row.siren) + 1;
		const firstResult = results[0] ? `${results[0].name}, ${results[0].city} (${results[0].siren})` : "nothing";
		const searched = corrected === null ? "" : ` searched as « ${corrected} »`;
		ranked.push({
			...row,
			rank,
			line: `${rank === 0 ? "missing" : `number ${rank}`}: ${formatRow(row)}${searched}: ${row.siren} wanted, first came ${firstResult}`,
		});
	}
	const unambiguous = ranked.filter(({ expected }) => expected === "first");
	const onPage = ranked.filter(({ rank }) => rank > 0).length / ranked.length;
	const atFirst = unambiguous.filter(({ rank }) => rank === 1).length / unambiguous.length;
	const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
	const summary = [
		`Relevance: ${percent(onPage)} of ${ranked.length} on the first page, ${percent(atFirst)} of ${unambiguous.length} first.`,
		...ranked.filter(({ rank, expected }) => rank === 0 || (expected === "first" && rank > 1)).map(({ line }) => line),
	].join("\n");
	console.log(summary);
	expect(onPage, summary).toBeGreaterThanOrEqual(0.97);
	expect(atFirst, summary).toBeGreaterThanOrEqual(0.9);
});
