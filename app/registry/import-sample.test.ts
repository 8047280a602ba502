import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../server/database/database.ts";
import { createTestDatabase } from "../../test/database.ts";
import { importSample } from "./import-sample.server.ts";

let db: Database;
let connection: Parameters<typeof importSample>[1];
let close: () => Promise<void>;
beforeAll(async () => {
	({ db, connection, close } = await createTestDatabase());
});
afterAll(() => close());

const companies = async () => (await sql<{ count: number }>`select count(*)::integer as count from companies`.execute(db)).rows[0]?.count;
/** The migration that empties the embedded companies, once more. */
async function migrateAgain() {
	await sql.raw(readFileSync(new URL("../../db/migrations/0011_search_spellings.sql", import.meta.url), "utf8")).execute(db);
}

test("imports the sample again after a migration, so that search finds all spellings", async () => {
	const before = await companies();
	await migrateAgain();
	expect(await companies()).toBe(0);
	await importSample(db, connection);
	expect(await companies()).toBe(before);
});

test("does not replace imported companies", async () => {
	const before = await companies();
	await sql`update company_sources set as_of = '2026-11-01' where name = 'sirene'`.execute(db);
	await migrateAgain();
	expect(await companies()).toBe(before);
});
