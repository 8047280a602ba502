import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../server/database/database.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { deleteRows } from "../../../test/delete-rows.ts";
import { findBulletinReading, listBulletinNotices } from "../bulletin/bulletin.server.ts";
import { findCompanySources } from "../company-sources.server.ts";
import { importSample } from "./import-sample.server.ts";

let db: Database;
let connection: Parameters<typeof importSample>[1];
let close: () => Promise<void>;
beforeAll(async () => {
	({ db, connection, close } = await createTestDatabase());
});
afterAll(() => close());

const companies = async () => (await sql<{ count: number }>`select count(*)::integer as count from companies`.execute(db)).rows[0]?.count;

test("imports the sample again after a migration has emptied its tables", async () => {
	const before = await companies();
	await sql`truncate companies, company_words, company_branches, company_sources`.execute(db);
	await importSample(db, connection);
	expect(await companies()).toBe(before);
	expect(await findCompanySources(db)).toMatchObject({ isSample: true });
});

const noticeIds = async (siren: string) => (await listBulletinNotices(db, siren)).map(({ id }) => id);
const clearNotices = () => deleteRows(db, "bulletin_notices", "bulletin_readings");

test("brings real notices, with the day on which they were gathered", async () => {
	expect(await noticeIds("880878145")).toEqual(["B20220227446", "C202200902528", "C202101554392"]);
	expect(await listBulletinNotices(db, "552032534")).toMatchObject([{ id: "B202601212014", kind: "capital", publishedOn: "2026-06-28" }]);
	const reading = { importedAt: new Date("2026-11-22T12:00:00Z"), covered: null };
	expect(await findBulletinReading(db)).toEqual(reading);
	// a demo that has the companies from before
	await clearNotices();
	await importSample(db, connection);
	expect(await noticeIds("880878145")).toHaveLength(3);
	expect(await findBulletinReading(db)).toEqual(reading);
});

test("adds no notices to those of an import", async () => {
	await sql`delete from bulletin_notices`.execute(db);
	await importSample(db, connection);
	expect(await noticeIds("880878145")).toEqual([]);
});

test("does not replace imported companies", async () => {
	const before = await companies();
	await sql`update company_sources set as_of = '2026-11-01' where name = 'sirene'`.execute(db);
	await sql`delete from companies where siren = '552032534'`.execute(db);
	expect(await findCompanySources(db)).toMatchObject({ isSample: false });
	await importSample(db, connection);
	expect(await companies()).toBe(Number(before) - 1);
});

test("brings no notices to imported companies", async () => {
	await clearNotices();
	await importSample(db, connection);
	expect(await findBulletinReading(db)).toBeNull();
});
