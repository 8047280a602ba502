import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../server/database/database.ts";
import { createTestDatabase } from "../../../../test/database.ts";
import { deleteRows } from "../../../../test/delete-rows.ts";
import {
	type BulletinRecord,
	inventedNotices,
	modification,
	toCsv,
	toJsonLines,
	unmarkedNotices,
} from "../../../../test/fixtures/bulletin.ts";
import { withClient } from "../../../../test/postgres.ts";
import { findBulletinReading, listBulletinNotices } from "../bulletin.server.ts";
import { formatCorrection, formatNotice } from "../notice.ts";
import { createStaging, dropStaging, emptyCounts, findStaged, lockBulletin, stageBatch } from "./import.store.server.ts";
import { type ImportOptions, importNotices } from "./import-notices.server.ts";
import { createStager } from "./stage-notices.server.ts";

let db: Database;
let connection: pg.ClientConfig;
let close: () => Promise<void>;
const folder = mkdtempSync(join(tmpdir(), "notices-"));
const path = (name: string) => join(folder, name);
const at = new Date("2026-11-25T06:00:00Z");

beforeAll(async () => {
	({ db, connection, close } = await createTestDatabase());
});
afterAll(async () => {
	await close();
	rmSync(folder, { recursive: true });
});
beforeEach(async () => {
	await deleteRows(db, "bulletin_notices", "bulletin_corrections", "bulletin_readings", "bulletin_texts");
});

function write(content: string | Buffer | readonly BulletinRecord[], name = "notices.jsonl"): string {
	writeFileSync(path(name), typeof content === "string" || Buffer.isBuffer(content) ? content : toJsonLines(content));
	return path(name);
}
const importFile = (content: Parameters<typeof write>[0], options: ImportOptions = {}) =>
	importNotices(connection, [write(content)], { at, ...options });
const describeNotices = async (siren: string) =>
	(await listBulletinNotices(db, siren)).map((notice) =>
		[notice.id, formatNotice(notice), notice.correction && formatCorrection(notice.correction)].filter(Boolean).join(" | "),
	);
const ids = async (siren: string) => (await listBulletinNotices(db, siren)).map(({ id }) => id);
/** All rows, without the order in which texts were stored. */
const listRows = async () =>
	(
		await sql<{ row: string }>`
			select concat_ws(' ', siren, notice.id, published_on, event_on, family, url, court.text, kind.text) as row from bulletin_notices notice
				left join bulletin_texts court on court.id = court_id left join bulletin_texts kind on kind.id = kind_id
			union all select correction::text from bulletin_corrections correction
			union all select concat_ws(' ', covered_from, covered_to) from bulletin_readings
			order by 1`.execute(db)
	).rows.map(({ row }) => row);
const countRowVersions = async () =>
	(
		await sql<{
			versions: string;
		}>`select string_agg(xmin::text || ctid::text, ' ' order by id, siren) as versions from bulletin_notices`.execute(db)
	).rows[0]?.versions;

test("imports every case of the field guide", async () => {
	const summary = await importFile(unmarkedNotices);
	expect(summary).toMatchObject({
		...{ read: 25, kept: 23, corrections: 5, broken: 0, resumed: false, added: 25, changed: 0, removed: 0 },
		skipped: { "natural-persons": 1, "no-siren": 1 },
	});
	// a corrected notice is replaced; a cancelled one goes together with its cancellation
	expect(await describeNotices("006850093")).toEqual([
		"A2026021599017 | Annonce de procédure collective publiée le 10 novembre 2026\u00a0: Dépôt de l’état des créances, du 2 octobre 2026",
		"A2026021299016 | Annonce de procédure collective publiée le 5 novembre 2026\u00a0: Jugement de clôture pour extinction du passif, du 29 octobre 2026",
		"A2026020199015 | Annonce de procédure collective publiée le 20 octobre 2026\u00a0: Autre jugement et ordonnance, du 13 octobre 2026",
		"A2026018799014 | Annonce de procédure collective publiée le 30 septembre 2026\u00a0: Jugement d’ouverture d’une procédure de redressement judiciaire, du 15 septembre 2026 | Rectifie l’annonce du 23 septembre 2026",
	]);
	expect(await ids("005420021")).toEqual([]);
	expect(await ids("007280365")).toEqual([]);
	// the seller of a cancelled sale, whom the cancellation does not name
	expect(await ids("326557725")).toEqual([]);
	expect(await describeNotices("005781133")).toEqual([
		"A2026017899002 | Immatriculation publiée le 17 septembre 2026\u00a0: transfert du siège",
		"B2026017299003 | Radiation publiée le 9 septembre 2026",
	]);
	expect(await describeNotices("006380042")).toEqual(["B2026017399004 | Transfert de siège publié le 10 septembre 2026"]);
	expect(await describeNotices("071501571")).toEqual([
		"C2026020499022 | Dépôt des comptes publié le 23 octobre 2026\u00a0: comptes annuels et rapports, exercice clos le 31 décembre 2025 | Rectifie une annonce antérieure",
	]);
	expect(await findBulletinReading(db)).toEqual({ importedAt: at, covered: null });
});

test("CSV, JSON and compressed files bring the same notices", async () => {
	await importFile(unmarkedNotices);
	const rows = await listRows();
	for (const content of [
		...[toCsv(unmarkedNotices, ";"), toCsv(unmarkedNotices, ","), JSON.stringify(unmarkedNotices)],
		gzipSync(JSON.stringify({ total_count: 25, results: unmarkedNotices })),
	]) {
		await deleteRows(db, "bulletin_notices", "bulletin_corrections", "bulletin_readings");
		await importFile(content);
		expect(await listRows()).toEqual(rows);
	}
});

test("a second import changes nothing, and is a later reading", async () => {
	await importFile(unmarkedNotices);
	const [rows, versions] = [await listRows(), await countRowVersions()];
	const later = new Date("2026-11-26T06:00:00Z");
	expect(await importFile(unmarkedNotices, { at: later })).toMatchObject({ added: 0, changed: 0, removed: 0 });
	expect(await listRows()).toEqual(rows);
	expect(await countRowVersions()).toBe(versions);
	expect((await findBulletinReading(db))?.importedAt).toEqual(later);
});

test("an invented notice is refused", async () => {
	expect(await importFile([...inventedNotices, modification("B20260186100")])).toMatchObject({
		kept: 1,
		skipped: { invented: 25 },
		added: 1,
	});
});

describe("a notice that changed at the bulletin", () => {
	const id = "B20260186100";
	beforeEach(() => importFile([modification(id), modification("B20260186101", { registre: ["005781133"] })]));

	test("moves to other companies", async () => {
		const sirens = ["005781133", "006380042"];
		expect(await importFile([modification(id, { registre: sirens })])).toMatchObject({ added: 2, removed: 1, changed: 0 });
		expect(await ids("552032534")).toEqual([]);
		expect(await ids("005781133")).toEqual(["B20260186101", id]);
		expect(await ids("006380042")).toEqual([id]);
	});

	test("gets other contents", async () => {
		const modificationsgenerales = '{"descriptif": "Transfert du siège"}';
		expect(await importFile([modification(id, { modificationsgenerales })])).toMatchObject({ added: 0, removed: 0, changed: 1 });
		expect((await listBulletinNotices(db, "552032534"))[0]).toMatchObject({ kind: "siège" });
	});

	test("goes when it is about natural persons", async () => {
		const listepersonnes = '{"personne": {"typePersonne": "pp", "nom": "X"}}';
		expect(await importFile([modification(id, { listepersonnes })])).toMatchObject({
			added: 0,
			removed: 1,
			skipped: { "natural-persons": 1 },
		});
		expect(await ids("552032534")).toEqual([]);
	});

	test("no longer corrects another one", async () => {
		const correcting = { typeavis: "annulation", parutionavisprecedent: previous("B20260186101") };
		await importFile([modification(id, correcting)]);
		expect(await ids("005781133")).toEqual([]);
		await importFile([modification(id)]);
		expect(await ids("005781133")).toEqual(["B20260186101"]);
	});
});

const issues = [1, 2, 3].map((number) => modification(`B2026018720${number}`));
const listStagingSchemas = async () => (await sql`select from pg_namespace where nspname = 'bulletin_import'`.execute(db)).rows;

/** The field parutionavisprecedent that names a notice. */
const previous = (id: string) =>
	JSON.stringify({ nomPublication: `BODACC ${id[0]}`, numeroParution: id.slice(1, 9), numeroAnnonce: id.slice(9) });
const cancellation = (id: string, target: string, fields: BulletinRecord = {}) =>
	modification(id, { typeavis: "annulation", parutionavisprecedent: previous(target), ...fields });
const correction = (id: string, target: string, fields: BulletinRecord = {}) =>
	modification(id, { typeavis: "rectificatif", parutionavisprecedent: previous(target), ...fields });

describe("corrections act in any order of arrival", () => {
	const [first, second, third] = ["B20260186100", "B20260186101", "B20260186102"] as const;
	test.each<[what: string, records: BulletinRecord[], shown: string[]]>([
		["a correction replaces", [modification(first), correction(second, first)], [second]],
		["a cancellation leaves nothing", [modification(first), cancellation(second, first)], []],
		[
			"a correction of a notice about two companies",
			[modification(first, { registre: ["552032534", "005781133"] }), correction(second, first)],
			[second],
		],
		["a correction of a correction", [modification(first), correction(second, first), correction(third, second)], [third]],
		// the State's test « both »: what the correction had dropped stays dropped
		["a cancelled correction", [modification(first), correction(second, first), cancellation(third, second)], []],
		["a cancellation without a company", [modification(first), cancellation(second, first, { registre: null, listepersonnes: null })], []],
		["a cancellation of another company", [modification(first), cancellation(second, first, { registre: ["005781133"] })], []],
		["an unknown target", [modification(first), cancellation(second, "B202601001")], [second, first]],
	])("%s", async (_, records, shown) => {
		for (const arrival of [records, records.toReversed()]) {
			await deleteRows(db, "bulletin_notices", "bulletin_corrections", "bulletin_readings");
			for (const record of arrival) await importFile([record]);
			expect(await ids("552032534")).toEqual(shown);
			await importFile(arrival.toReversed()); // again, in one file
			expect(await ids("552032534")).toEqual(shown);
		}
	});
});

test("of a notice that a file has several times, the last one counts", async () => {
	const id = "B20260186100";
	const sale = { modificationsgenerales: '{"descriptif": "objet social"}', registre: ["552032534"] };
	await importFile([modification(id, { registre: ["005781133", "006380042"] }), correction(id, "B20260186101"), modification(id, sale)]);
	expect(await listBulletinNotices(db, "552032534")).toMatchObject([{ id, kind: "activité", correction: null }]);
	expect([await ids("005781133"), await ids("006380042")]).toEqual([[], []]);
});

test("attaches a notice to two hundred companies", async () => {
	const registre = Array.from({ length: 200 }, (_, index) => String(552_032_534 + index));
	expect(await importFile([modification("B20260186100", { registre })])).toMatchObject({ added: 200, kept: 1 });
	expect(await ids("552032534")).toEqual(["B20260186100"]);
});

test("a text with a backslash is stored without it", async () => {
	const jugement = JSON.stringify({ nature: "Jugement sur la mesure\\ homologuée" });
	await importFile([modification("B20260186100", { familleavis: "collective", jugement })]);
	expect(await listBulletinNotices(db, "552032534")).toMatchObject([{ kind: "Jugement sur la mesure  homologuée" }]);
});

test("one spelling of a court is stored", async () => {
	await importFile([
		modification("B20260186100", { tribunal: "GREFFE DU TRIBUNAL DE COMMERCE DE PARIS" }),
		modification("B20260186101", { tribunal: "Greffe du Tribunal de Commerce de paris" }),
	]);
	await importFile([modification("B20260186102", { tribunal: "Greffe du tribunal  de commerce\nde PARIS" })]);
	const { rows } = await sql<{ text: string }>`select text from bulletin_texts order by text`.execute(db);
	expect(rows.map(({ text }) => text)).toEqual(["capital", "Greffe du tribunal de commerce de Paris"]);
});

test("broken lines are counted and named, and the rest is imported", async () => {
	const good = toJsonLines([modification("B20260186100")]);
	const summary = await importFile(
		`${good}{broken\n{"id":"B20260186101"}\n${'{"id":5}\n'.repeat(8)}${toJsonLines([modification("B20260186102")])}`,
	);
	expect(summary).toMatchObject({ read: 12, kept: 2, broken: 10 });
	expect(summary.faults).toEqual([
		"notices.jsonl, line 2: no JSON",
		"notices.jsonl, line 3: no day of publication",
		...["notices.jsonl, line 4: no id of a notice", "notices.jsonl, line 5: no id of a notice", "notices.jsonl, line 6: no id of a notice"],
	]);
});

describe("what cannot be imported changes nothing", () => {
	const known = [modification("B20260186100")];
	const gzip = gzipSync(toJsonLines(unmarkedNotices));
	test.each<[what: string, content: string | Buffer]>([
		["a cut compressed file", gzip.subarray(0, -30)],
		["a cut list", JSON.stringify(unmarkedNotices).slice(0, -1)],
		["a web page", "<html></html>"],
		["an empty file", ""],
		["an empty list", "[]"],
		["a list of another data set", JSON.stringify([{ siren: "552032534", denomination: "DANONE" }])],
		["lines of another data set", '{"id":1,"nom":"x"}\n'.repeat(3000)],
		["a refusal of the API", '{"error_code":"InvalidRESTParameterError","message":"limit"}'],
		["only the header of CSV", toCsv([], ";")],
	])("%s", async (_, content) => {
		await importFile(known, { covers: { from: "2026-01-01", to: "2026-09-29" } });
		const [rows, reading] = [await listRows(), await findBulletinReading(db)];
		const files = [write(unmarkedNotices, "good.jsonl"), write(content, "bad.data")];
		const later = { at: new Date("2026-12-01"), covers: { from: "2008-01-01", to: "2026-11-25" } };
		await expect(importNotices(connection, files, later)).rejects.toThrow(/^bad\.data cannot be imported: [^\n]+\.$/);
		expect(await listRows()).toEqual(rows);
		expect(await findBulletinReading(db)).toEqual(reading);
		expect(await listStagingSchemas()).toEqual([]);
	});

	test("another data set alone", async () => {
		await expect(importFile([{ siren: "552032534" }])).rejects.toThrow("notices.jsonl cannot be imported: it is no export of the bulletin");
	});
});

describe("an interrupted import", () => {
	const many = Array.from({ length: 25_000 }, (_, index) =>
		modification(`B20260186${index + 1}`, { listepersonnes: null, tribunal: null }),
	);
	const stopAfter = (records: number) => ({
		at,
		onProgress(_: number, read: number) {
			if (read > records) throw new Error("interrupted");
		},
	});

	test("goes on where it stopped", async () => {
		const file = write(gzipSync(toJsonLines(many)), "many.jsonl.gz");
		await expect(importNotices(connection, [file], stopAfter(21_000))).rejects.toThrow("interrupted");
		expect(await findBulletinReading(db)).toBeNull();
		const staged = await sql<{ rows: number }>`select count(*)::integer as rows from bulletin_import.staged_notices`.execute(db);
		expect(staged.rows[0]?.rows).toBeGreaterThanOrEqual(10_000);
		let first: number | undefined;
		const summary = await importNotices(connection, [file], {
			at,
			onProgress(_, read) {
				first ??= read;
			},
		});
		expect(summary).toMatchObject({ resumed: true, read: 25_000, added: 25_000 });
		expect(first).toBeGreaterThan(10_000);
		expect(await ids("552032534")).toHaveLength(25_000);
	});

	test("goes on in the file in which it stopped, and reads no earlier one again", async () => {
		const files = [write([modification("B20260186100"), modification("B20260186101")], "one.jsonl"), write(issues, "two.jsonl")];
		await expect(importNotices(connection, files, stopAfter(2))).rejects.toThrow("interrupted");
		const progress: [number, number][] = [];
		const summary = await importNotices(connection, files, { at, onProgress: (fraction, read) => progress.push([fraction, read]) });
		expect(summary).toMatchObject({ resumed: true, read: 5, kept: 5, added: 5 });
		expect(progress.map(([, read]) => read)).toEqual([5, 5, 5]);
		expect(await ids("552032534")).toHaveLength(5);
	});

	test("begins again when the files are others", async () => {
		await expect(importNotices(connection, [write(many, "a.jsonl")], stopAfter(15_000))).rejects.toThrow("interrupted");
		expect(await importFile([modification("B20260186100")])).toMatchObject({ resumed: false, added: 1 });
		expect(await ids("552032534")).toHaveLength(1);
	});
});

test("says how far it has come: seven tenths are reading", async () => {
	const progress: [number, number][] = [];
	const files = [write([modification("B20260186100")], "one.jsonl"), write(issues, "two.jsonl")];
	await importNotices(connection, files, { at, onProgress: (fraction, read) => progress.push([fraction, read]) });
	expect(progress).toEqual(
		[
			[0.35, 1],
			[0.7, 4],
			[0.7, 4],
			[1, 4],
		].map(([fraction, read]) => [expect.closeTo(fraction ?? 0), read]),
	);
	expect(await listStagingSchemas()).toEqual([]);
});

test("an import that fails while it stores changes nothing", async () => {
	const covers = { from: "no day", to: "2026-11-25" };
	await expect(importFile([modification("B20260186100")], { covers })).rejects.toThrow("no day");
	expect(await listRows()).toEqual([]);
});

test("a batch is staged with its checkpoint, or not at all", async () => {
	await withClient(connection, async (client) => {
		await createStaging(client, "bulletin_import", "files");
		const checkpoint = { file: 0, records: 2, recognised: true, counts: emptyCounts() };
		const batch = { texts: "0\tcapital\n", notices: "", corrections: "not a row\n" };
		await expect(stageBatch(client, "bulletin_import", batch, checkpoint)).rejects.toThrow("bigint");
		await client.query("rollback");
		expect(await findStaged(client, "files")).toBeNull();
		expect((await client.query("select from bulletin_import.staged_texts")).rowCount).toBe(0);
		await stageBatch(client, "bulletin_import", { ...batch, corrections: "" }, checkpoint);
		expect(await findStaged(client, "files")).toEqual({ checkpoint, texts: ["capital"] });
		expect(await findStaged(client, "other files")).toBeNull();
		await dropStaging(client);
		expect(await findStaged(client, "files")).toBeNull();
	});
});

test("an import has settings of its own for its session", async () => {
	await withClient(connection, async (client) => {
		await lockBulletin(client);
		const settings = ["client_connection_check_interval", "synchronous_commit", "work_mem", "jit", "client_min_messages"];
		const { rows } = await client.query("select current_setting(name) as value from unnest($1::text[]) as name", [settings]);
		expect(rows.map(({ value }) => value)).toEqual(["2s", "off", "128MB", "off", "warning"]);
	});
});

describe("staging", () => {
	const stager = (client: object) =>
		createStager(client as pg.Client, "pg_temp", { checkpoint: { file: 0, records: 0, recognised: false, counts: emptyCounts() } });
	async function* toBlocks(values: readonly BulletinRecord[]) {
		for (const [index, value] of values.entries()) yield [{ line: index + 1, value, fault: null }];
	}

	test("fails when a batch cannot be stored", async () => {
		const client = { query: () => Promise.reject(new Error("gone")) };
		await expect(stager(client).stage("x.jsonl", toBlocks([modification("B20260186100")]))).rejects.toThrow("gone");
	});

	test("gives up after a thousand records without a notice", async () => {
		let read = 0;
		async function* endless() {
			for (; read < 5000; read++) yield [{ line: read + 1, value: { siren: "552032534" }, fault: null }];
		}
		await expect(stager({}).stage("x.jsonl", endless())).rejects.toThrow(
			"x.jsonl cannot be imported: it is no export of the bulletin: line 1",
		);
		expect(read).toBe(999);
	});

	test("refuses a file that names more than five thousand kinds of notice", async () => {
		const word = (index: number) => [...String(index)].map((digit) => "abcdefghij"[Number(digit)]).join("");
		const kinds = (count: number) =>
			Array.from({ length: count }, (_, index) =>
				modification(`B20260186${index + 1}`, {
					...{ familleavis: "collective", tribunal: null },
					jugement: JSON.stringify({ nature: `Jugement ${word(index)}` }),
				}),
			);
		const client = { query: () => Promise.reject(new Error("gone")) };
		await expect(stager(client).stage("x.jsonl", toBlocks(kinds(5000)))).rejects.toThrow("gone");
		await expect(stager(client).stage("x.jsonl", toBlocks(kinds(5001)))).rejects.toThrow("more than 5000 courts and kinds of notice");
	});
});

test("two imports at once wait for each other", async () => {
	const files = ["one", "two", "three"].map((name, index) => write([modification(`B2026018610${index}`)], `${name}.jsonl`));
	const summaries = await Promise.all(files.map((file) => importNotices(connection, [file], { at })));
	expect(summaries.map(({ added }) => added)).toEqual([1, 1, 1]);
	expect(await ids("552032534")).toEqual(["B20260186102", "B20260186101", "B20260186100"]);
});

test("several files are one import", async () => {
	const files = [write([modification("B20260186100")], "one.jsonl"), write(toCsv([modification("B20260186101")], ";"), "two.csv")];
	expect(await importNotices(connection, files, { at, covers: { from: "2026-09-01", to: "2026-09-30" } })).toMatchObject({
		read: 2,
		added: 2,
	});
	expect((await findBulletinReading(db))?.covered).toEqual({ from: "2026-09-01", to: "2026-09-30" });
});

test("covered days are extended only where they touch", async () => {
	const covered = async (from: string, to: string) => {
		const { isExtended } = await importFile([modification("B20260186100")], { covers: { from, to } });
		return [(await findBulletinReading(db))?.covered, isExtended];
	};
	expect(await covered("2026-09-01", "2026-09-10")).toEqual([{ from: "2026-09-01", to: "2026-09-10" }, true]);
	expect(await covered("2026-09-11", "2026-09-20")).toEqual([{ from: "2026-09-01", to: "2026-09-20" }, true]);
	expect(await covered("2026-09-22", "2026-09-23")).toEqual([{ from: "2026-09-01", to: "2026-09-20" }, false]);
	expect(await covered("2008-01-01", "2026-08-30")).toEqual([{ from: "2008-01-01", to: "2026-08-30" }, true]);
	await importFile([modification("B20260186101")]);
	expect((await findBulletinReading(db))?.covered).toEqual({ from: "2008-01-01", to: "2026-08-30" });
});
