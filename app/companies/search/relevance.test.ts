import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	computeRelevance,
	describeMiss,
	isRight,
	type Judged,
	judgeRelevance,
	relevanceGoals,
	relevanceRows,
} from "../../../proof/bench/relevance/judge.ts";
import { writeRegistry } from "../../../proof/bench/synthetic-registry.ts";
import type { Database } from "../../../server/database/database.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { relevance } from "../../../test/fixtures/relevance/queries.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { findCompany } from "../find-company.server.ts";
import { importCompanies } from "../registry/sirene/import-companies.server.ts";
import type { Siren } from "../siren.ts";

// The sample and the companies that the set names besides, as `npm run bench -- relevance --units 0` judges them.

const undo = new AsyncDisposableStack();
let db: Database;
let judged: Judged[];
beforeAll(async () => {
	const { connection, close, ...database } = await createTestDatabase();
	undo.defer(close);
	db = database.db;
	const { unitsFile, establishmentsFile } = await writeRegistry({ folder: join(temporaryFolder(undo), "registry"), units: 0, known: true });
	await importCompanies(connection, unitsFile, establishmentsFile);
	judged = await judgeRelevance(db, { generated: false });
});
afterAll(() => undo.disposeAsync());

test("the set has at least 500 different queries, and twelve of each kind", () => {
	expect(relevanceRows.filter(({ expected }) => expected === "first").length).toBeGreaterThanOrEqual(500);
	for (const [kind, table] of Object.entries(relevance)) expect(table.length, kind).toBeGreaterThanOrEqual(12);
	const searches = relevanceRows.map(({ query, siren, filters }) => JSON.stringify([query.toLowerCase(), siren, filters]));
	expect(searches.filter((search, index) => searches.indexOf(search) !== index)).toEqual([]);
});

test("the base has every expected company, unmasked", async () => {
	for (const row of relevanceRows) expect((await findCompany(db, row.siren as Siren))?.name, row.query).toBeTruthy();
});

test("the search reaches the goals over all, and nearly reaches them for each kind", () => {
	const misses = judged
		.filter((row) => !isRight(row))
		.map(describeMiss)
		.join("\n");
	const reached = computeRelevance(judged);
	console.log(`Relevance: ${JSON.stringify(reached)}\n${misses}`);
	for (const measure of ["first", "three", "mrr", "page"] as const)
		expect(reached[measure], `${measure}\n${misses}`).toBeGreaterThanOrEqual(relevanceGoals[measure]);
	for (const [kind, rows] of Map.groupBy(judged, (row) => row.kind)) {
		const ofKind = computeRelevance(rows);
		expect(ofKind.page, `${kind}\n${misses}`).toBeGreaterThanOrEqual(0.9);
		if (rows.some(({ expected }) => expected === "first")) expect(ofKind.mrr, `${kind}\n${misses}`).toBeGreaterThanOrEqual(0.9);
	}
});

test("suggestions have the order of the search, which ranks more companies", () => {
	const uncorrected = judged.filter(
		({ rank, suggested, searchedAs }) => searchedAs === null && rank > 0 && rank <= 8 && suggested !== null,
	);
	const differing = uncorrected.filter(({ rank, suggested }) => suggested !== rank);
	expect(differing.length / uncorrected.length, differing.map(({ query }) => query).join(", ")).toBeLessThan(0.01);
});
