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

/** One row as it is read in a report. */
const show = ({ kind, query, filters }: (typeof rows)[number]) =>
	`[${kind}] « ${query} »${Object.keys(filters).length > 0 ? ` ${JSON.stringify(filters)}` : ""}`;

test("the set is large, covers every kind and repeats nothing", () => {
	expect(rows.length).toBeGreaterThanOrEqual(150);
	for (const [kind, table] of Object.entries(relevance)) expect(table.length, kind).toBeGreaterThanOrEqual(12);
	const asked = rows.map(({ query, filters }) => JSON.stringify([query.toLowerCase(), filters]));
	expect(asked.filter((one, index) => asked.indexOf(one) !== index)).toEqual([]);
});

test("every expected company is in the sample, and not masked", async () => {
	for (const row of rows) expect((await findCompany(db, row.siren as Siren))?.name, show(row)).toBeTruthy();
});

test("97 of 100 are on the first page, 90 of 100 of those that nothing rivals come first", async () => {
	const found: ((typeof rows)[number] & { rank: number; line: string })[] = [];
	for (const row of rows) {
		const { results, corrected } = await searchCompanies(db, parseCompanySearch(new URLSearchParams({ q: row.query, ...row.filters })));
		const rank = results.findIndex(({ siren }) => siren === row.siren) + 1;
		const instead = results[0] ? `${results[0].name}, ${results[0].city} (${results[0].siren})` : "nothing";
		const searched = corrected === null ? "" : ` searched as « ${corrected} »`;
		found.push({
			...row,
			rank,
			line: `${rank === 0 ? "missing" : `number ${rank}`}: ${show(row)}${searched}: ${row.siren} wanted, first came ${instead}`,
		});
	}
	const unrivalled = found.filter(({ expected }) => expected === "first");
	const onPage = found.filter(({ rank }) => rank > 0).length / found.length;
	const atFirst = unrivalled.filter(({ rank }) => rank === 1).length / unrivalled.length;
	const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
	const summary = [
		`Relevance: ${percent(onPage)} of ${found.length} on the first page, ${percent(atFirst)} of ${unrivalled.length} first.`,
		...found.filter(({ rank, expected }) => rank === 0 || (expected === "first" && rank > 1)).map(({ line }) => line),
	].join("\n");
	console.log(summary);
	expect(onPage, summary).toBeGreaterThanOrEqual(0.97);
	expect(atFirst, summary).toBeGreaterThanOrEqual(0.9);
});
