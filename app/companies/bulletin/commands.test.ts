import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { Database } from "../../../server/database/database.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { deleteRows } from "../../../test/delete-rows.ts";
import { type FakeBulletin, startFakeBulletin } from "../../../test/fakes/bulletin.ts";
import { inventedNotices, modification, toJsonLines, unmarkedNotices } from "../../../test/fixtures/bulletin.ts";
import { toParisDay } from "../../catalogue/settings/days-off.ts";
import { findBulletinReading } from "./bulletin.server.ts";
import { companiesNotices } from "./commands.server.ts";
import { importNotices } from "./import/import-notices.server.ts";

let db: Database;
let connection: pg.ClientConfig;
let close: () => Promise<void>;
let bulletin: FakeBulletin;
const folder = mkdtempSync(join(tmpdir(), "notices-command-"));

beforeAll(async () => {
	({ db, connection, close } = await createTestDatabase());
	bulletin = await startFakeBulletin();
});
afterAll(async () => {
	await bulletin.close();
	await close();
	rmSync(folder, { recursive: true });
});
beforeEach(async () => {
	await deleteRows(db, "bulletin_notices", "bulletin_corrections", "bulletin_readings");
	Object.assign(bulletin, { records: [], fault: () => undefined, requests: [] });
});

const run = (...args: string[]) => companiesNotices(connection, args, { bulletin: { base: bulletin.base } });
function file(content: string | Buffer, name = "notices.jsonl"): string {
	writeFileSync(join(folder, name), content);
	return join(folder, name);
}
const future = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);

test.each([
	[["--cover=2026-01-01..2026-02-01", "x"]],
	[["x", "--covers=2026-01-01"]],
	[["x", "--covers=2026-02-01..2026-01-01"]],
	[["x", "--covers=2026-02-30..2026-03-01"]],
	[["x", "--covers=2007-01-01..2026-03-01"]],
	[["x", `--covers=2026-01-01..${future}`]],
	[["x", "--covers=2026-01-01..2026-02-01..2026-03-01"]],
	[["x", "--covers=hier..demain"]],
	[["x", "--covers=2026-1-1..2026-01-02"]],
	[["x", "--since=2026-01-01"]],
	[["--covers=2026-01-01..2026-02-01"]],
	[["--since=yesterday"]],
	[[`--since=${future}`]],
])("prints its usage for %j, and does nothing", async (args) => {
	expect(await run(...args)).toEqual({ ok: false, text: expect.stringMatching(/^Usage: npm run companies:notices -- /) });
	expect(await findBulletinReading(db)).toBeNull();
	expect(bulletin.requests).toEqual([]);
});

test("tells what an import did", async () => {
	const content = `${toJsonLines([...unmarkedNotices, ...inventedNotices.slice(0, 2)])}{broken\n`;
	expect(await run(file(content), "--covers=2026-09-01..2026-11-20")).toEqual({
		ok: true,
		text: [
			"Notices of companies: 25 new, 0 changed, 0 removed.",
			"28 read, 23 kept; skipped: 1 about natural persons, 1 without the SIREN of a company, 2 invented for tests. 5 correct or cancel another one.",
			"1 broken: notices.jsonl, line 28: no JSON",
			"Every notice published from 2026-09-01 to 2026-11-20 was read, except 1 that could not be.",
		].join("\n"),
	});
	expect((await run(file(content), "--covers=2026-01-01..2026-01-02")).text).toContain(
		"2026-01-01..2026-01-02 does not touch the longer 2026-09-01..2026-11-20, which stays. What was read is stored.",
	);
	await deleteRows(db, "bulletin_readings");
	expect((await run(file(content))).text).toContain("No days are known as complete");
});

test("days from the first of the open data to today may be covered, also a single one", async () => {
	const today = toParisDay(new Date()).toString();
	for (const covers of [`2008-01-01..${today}`, "2008-01-01..2008-01-01", `${today}..${today}`])
		expect(await run(file(toJsonLines([modification("B20260300100")])), `--covers=${covers}`)).toMatchObject({ ok: true });
	expect((await findBulletinReading(db))?.covered).toEqual({ from: "2008-01-01", to: today });
});

test("tells what was skipped for one reason, and names five of the broken notices", async () => {
	const content = `${toJsonLines([modification("B20260300100"), ...inventedNotices.slice(0, 1)])}${"{broken\n".repeat(100)}`;
	const { text } = await run(file(content));
	expect(text).toContain("102 read, 1 kept; skipped: 1 invented for tests. 0 correct or cancel another one.\n");
	expect(text).toContain(`\n100 broken: ${[3, 4, 5, 6, 7].map((line) => `notices.jsonl, line ${line}: no JSON`).join("; ")}; …\n`);
	expect(text).not.toContain("taken up again");
	expect(await run(file(`${content}{broken\n`))).toMatchObject({
		ok: false,
		text: expect.stringContaining("101 records so far are no notices"),
	});
});

test("tells that an interrupted import was taken up again", async () => {
	const files = [
		file(toJsonLines([modification("B20260300100")]), "one.jsonl"),
		file(toJsonLines([modification("B20260300101")]), "two.jsonl"),
	];
	const onProgress = (_: number, read: number) => {
		if (read > 1) throw new Error("interrupted");
	};
	await expect(importNotices(connection, files, { onProgress })).rejects.toThrow("interrupted");
	expect((await run(...files)).text).toMatch(
		/^Notices of companies: 2 new, 0 changed, 0 removed\. An interrupted import was taken up again\.\n2 read/,
	);
});

test("says which task stopped when the database cannot be reached", async () => {
	const unreachable = (...args: string[]) =>
		companiesNotices({ ...connection, host: "127.0.0.1", port: 1 }, args, { bulletin: { base: bulletin.base } });
	expect(await unreachable()).toEqual({ ok: false, text: expect.stringMatching(/^\nThe update stopped: ./) });
	const content = file(toJsonLines([modification("B20260300100")]));
	expect(await unreachable(content)).toEqual({ ok: false, text: expect.stringMatching(/^\nThe import stopped and changed nothing: ./) });
});

test("a file that cannot be imported is one sentence", async () => {
	const gzip = gzipSync(toJsonLines(unmarkedNotices));
	expect(await run(file(gzip.subarray(0, -30), "cut.jsonl.gz"))).toEqual({
		ok: false,
		text: "\nThe import stopped and changed nothing: cut.jsonl.gz cannot be imported: it was cut short: the compressed data do not end.",
	});
	expect((await run(join(folder, "missing"))).text).toMatch(/changed nothing: missing cannot be imported: there is no such file\.$/);
	expect(await run("-")).toMatchObject({ ok: false, text: expect.stringContaining("name files") });
	expect(await findBulletinReading(db)).toBeNull();
});

test("tells what an update did, and where it stopped", async () => {
	const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
	bulletin.records = [modification("B20260300100", { dateparution: yesterday })];
	const shown = vi.spyOn(process.stderr, "write").mockReturnValue(true);
	const { ok, text } = await run();
	expect(shown.mock.calls.join()).toContain("Reading the bulletin");
	shown.mockRestore();
	expect(ok).toBe(true);
	expect(text).toMatch(
		/^Nothing was read before: it began a week ago\..*\n7 days read from .* 1 new, 0 changed, 0 removed\.\n1 read, 1 kept\..*\n/,
	);
	expect(text).toMatch(/Every notice published from \S+ to \S+ was read\.$/);
	expect((await run()).text).not.toContain("Nothing was read before");
	bulletin.fault = (count) => (count > bulletin.requests.length - 1 ? { status: 400 } : undefined);
	expect(await run()).toEqual({ ok: false, text: "\nThe update stopped: The bulletin's API answered 400 (records)." });
});

test("tells that an earlier reading stopped before it touched what is known", async () => {
	const today = new Date().toISOString().slice(0, 10);
	const ago = (days: number) => new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
	bulletin.records = [modification("B20260300100", { dateparution: ago(30) }), modification("B20260300101", { dateparution: ago(2) })];
	await run(`--since=${ago(5)}`);
	bulletin.fault = (_, { day }) => (day === ago(20) ? { status: 400 } : undefined);
	const { text } = await run(`--since=${ago(30)}`);
	expect(text).toContain(`The 10 days before stay; they do not touch ${ago(5)} yet: begin again with --since=${ago(30)}.`);
});

test("tells that the next update goes on where this one stopped", async () => {
	const today = toParisDay(new Date());
	const [yesterday, before] = [1, 2].map((days) => today.subtract({ days }).toString());
	bulletin.fault = (_, { day }) => (day === today.toString() ? { status: 400 } : undefined);
	expect((await run(`--since=${before}`)).text).toMatch(/\nThe 2 days before stay; the next update goes on there\.$/);
	bulletin.records = [modification("B20260300100", { dateparution: yesterday })];
	expect((await run(`--since=${yesterday}`)).text).toMatch(/\nThe 1 days before stay; the next update goes on there\.$/);
});

test("tells how many notices of the API could not be read", async () => {
	const dateparution = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
	bulletin.records = [modification("B20260300100", { dateparution }), { dateparution, id: 5 }];
	expect((await run()).text).toMatch(/\n1 broken: .*\nEvery notice published from \S+ to \S+ was read, except 1 that could not be\.$/);
});
