import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { writeRegistry } from "../../bench/made-up-registry.ts";
import type { Database } from "../../server/database.ts";
import { testDatabase } from "../../server/test-database.ts";
import { scaledTimeout } from "../../time-limits.ts";
import { parseCompanySearch } from "../companies/company-search.ts";
import { countFilters } from "../companies/count-filters.server.ts";
import { findCompany } from "../companies/find-company.server.ts";
import { searchCompanies } from "../companies/search-companies.server.ts";
import type { Siren } from "../companies/siren.ts";
import { suggestCompanies } from "../companies/suggest-companies.server.ts";
import { registryCommands } from "./commands.server.ts";
import { type ImportProgress, importCompanies } from "./import-companies.server.ts";
import { csv, establishment, establishmentFile, madeUpUnits, type Row, unit, unitFile } from "./made-up-sirene.ts";
import { establishmentColumns, unitColumns } from "./sirene-rows.ts";

let db: Database;
let connection: pg.ClientConfig;
let close: () => Promise<void>;
const folder = mkdtempSync(join(tmpdir(), "registry-"));
const path = (name: string) => join(folder, name);

beforeAll(async () => {
	({ db, connection, close } = await testDatabase());
	writeFileSync(path("units.csv"), unitFile);
	writeFileSync(path("establishments.csv"), establishmentFile);
});
afterAll(async () => {
	await close();
	rmSync(folder, { recursive: true });
});

/** An archive with one file, as small as the format allows. */
function zip(name: string, content: Buffer, checksum = crc32(content)): Buffer {
	const packed = deflateRawSync(content);
	const fields = (signature: number, version: number[]) => {
		const header = Buffer.alloc(4 + 2 * version.length + 22);
		let at = header.writeUInt32LE(signature, 0);
		for (const number of version) at = header.writeUInt16LE(number, at);
		for (const number of [0, 8, 0, 0]) at = header.writeUInt16LE(number, at);
		for (const number of [checksum, packed.length, content.length]) at = header.writeUInt32LE(number, at);
		header.writeUInt16LE(name.length, at);
		return header;
	};
	const local = Buffer.concat([fields(0x04034b50, [20]), Buffer.alloc(2), Buffer.from(name), packed]);
	const entry = Buffer.concat([fields(0x02014b50, [20, 20]), Buffer.alloc(16), Buffer.from(name)]);
	const end = Buffer.alloc(22);
	end.writeUInt32LE(0x06054b50, 0);
	end.writeUInt16LE(1, 8);
	end.writeUInt16LE(1, 10);
	end.writeUInt32LE(entry.length, 12);
	end.writeUInt32LE(local.length, 16);
	return Buffer.concat([local, entry, end]);
}

/** Everything that an import makes, but for when. */
async function registry(of: Database): Promise<unknown> {
	const { rows } = await sql`
		select (select md5(string_agg(company::text, chr(10) order by id)) from companies company) as companies,
			(select md5(string_agg(word::text, chr(10) order by word)) from company_words word) as words,
			(select count(*) from companies) as count
	`.execute(of);
	return rows[0];
}

async function isStagingGone(): Promise<boolean> {
	const { rows } = await sql`select from pg_namespace where nspname = 'companies_import'`.execute(db);
	return rows.length === 0;
}

test("a .zip and a .csv.gz hold what the .csv holds", async () => {
	const { resumed, ...plain } = await importCompanies(connection, path("units.csv"), path("establishments.csv"));
	expect(resumed).toBe(false);
	const before = await registry(db);
	writeFileSync(path("units.zip"), zip("StockUniteLegale_utf8.csv", Buffer.from(unitFile)));
	writeFileSync(path("establishments.csv.gz"), gzipSync(establishmentFile));
	expect(await importCompanies(connection, path("units.zip"), path("establishments.csv.gz"))).toEqual({ resumed: false, ...plain });
	expect(await registry(db)).toEqual(before);
});

test("a summary says what was kept and what was not, and a dry run says the same and changes nothing", async () => {
	const [renamed, ...others] = madeUpUnits.slice(0, -1);
	const units = [...others, { ...renamed, denominationUniteLegale: "OLD NAME", dateDernierTraitementUniteLegale: "2019-01-01T00:00:00" }];
	const newest = { ...renamed, denominationUniteLegale: "NEW NAME", dateDernierTraitementUniteLegale: "2026-01-01T00:00:00" };
	writeFileSync(
		path("twice.csv"),
		csv(unitColumns, [newest as Record<string, string>, ...(units as Record<string, string>[]), { siren: "12" }]),
	);
	const before = await registry(db);
	let steps: ImportProgress[] = [];
	const onProgress = (step: ImportProgress) => void steps.push(step);
	const expectProgress = () => {
		const fractions = steps.map(({ fraction }) => fraction);
		expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
		expect(fractions[0]).toBeGreaterThanOrEqual(0);
		expect(fractions.every(Number.isFinite)).toBe(true);
		expect(steps.at(-1)).toEqual({ step: "done", fraction: 1, rows: 17 });
		steps = [];
	};
	const told = await importCompanies(connection, path("twice.csv"), path("establishments.csv"), { dryRun: true, onProgress });
	expect(told).toEqual({
		companies: 7,
		resumed: false,
		units: { read: 9, kept: 7, masked: 1, purged: 0, setAside: { duplicate: 1, "no-number": 1 } },
		establishments: { read: 8, kept: 7, headOffices: 6, orphans: 0, branches: 1, setAside: { closed: 1 } },
	});
	expectProgress();
	expect(await registry(db)).toEqual(before);
	expect(await isStagingGone()).toBe(true);
	expect(await importCompanies(connection, path("twice.csv"), path("establishments.csv"), { onProgress })).toEqual(told);
	expectProgress();
	expect(await findCompany(db, renamed?.siren as Siren)).toMatchObject({ name: "NEW NAME" });
});

test("of rows that are there twice the newest stays, of head offices the one that its unit names, else an open one", async () => {
	const units = [
		unit("300000001", { denomination: "SANS DATE", nicSiege: "00029" }),
		unit("300000001", { denomination: "LA NEUVE", nicSiege: "00029", dateDernierTraitement: "2026-01-01T00:00:00" }),
		unit("300000002", { denomination: "L'AUTRE", nicSiege: "00099" }),
		unit("300000003", { denomination: "LA TROISIEME" }),
	];
	const head = (siret: string, place: string, row: Row) => establishment(siret, { libelleCommune: place, ...row });
	const newest = "2026-06-01T00:00:00";
	const heads = [
		head("30000000100011", "ANCIENNE", { dateDernierTraitement: newest }),
		head("30000000100029", "NOMMEE", { etatAdministratif: "F" }),
		head("30000000200011", "FERMEE", { etatAdministratif: "F", dateDernierTraitement: newest }),
		head("30000000200029", "OUVERTE", {}),
		head("30000000900011", "DE PERSONNE", {}),
	];
	const third = [
		head("30000000300011", "DE 2020", { dateDernierTraitement: "2020-01-01T00:00:00" }),
		head("30000000300011", "DE 2026", { dateDernierTraitement: newest }),
	];
	const placeOf = async (siren: string) => (await findCompany(db, siren as Siren))?.city;
	const importRows = (rows: Row[]) => {
		writeFileSync(path("double-units.csv"), csv(unitColumns, units));
		writeFileSync(path("double-heads.csv"), csv(establishmentColumns, rows));
		return importCompanies(connection, path("double-units.csv"), path("double-heads.csv"));
	};
	expect(await importRows(heads)).toMatchObject({
		companies: 3,
		units: { read: 4, kept: 3, setAside: { duplicate: 1 } },
		establishments: { read: 5, kept: 3, headOffices: 3, orphans: 1, setAside: { "former-head": 2 } },
	});
	expect((await findCompany(db, "300000001" as Siren))?.name).toBe("LA NEUVE");
	expect([await placeOf("300000001"), await placeOf("300000002"), await placeOf("300000009")]).toEqual(["NOMMEE", "OUVERTE", undefined]);
	expect((await importRows([...heads.slice(0, 4), ...third])).establishments).toEqual({
		...{ read: 6, kept: 3, headOffices: 3, branches: 0, orphans: 0 },
		setAside: { duplicate: 1, "former-head": 2 },
	});
	expect(await placeOf("300000003")).toBe("DE 2026");
});

test("a hundred rows that cannot be read, or one of a hundred, are set aside; an import of more is another file's", async () => {
	const of = (count: number, row: Row, first: number) =>
		Array.from({ length: count }, (_, index) => ({ ...unit(String(first + index), row) }));
	const importRows = (good: number, stateless: number, numberless: number) => {
		const rows = [...of(good, {}, 400_000_000), ...of(stateless, { etatAdministratif: "" }, 500_000_000)];
		writeFileSync(path("disorder.csv"), csv(unitColumns, [...rows, ...of(numberless, {}, 10)]));
		return importCompanies(connection, path("disorder.csv"), path("establishments.csv"), { dryRun: true });
	};
	expect((await importRows(1, 50, 50)).units).toMatchObject({ kept: 1, setAside: { "no-state": 50, "no-number": 50 } });
	for (const [stateless, numberless] of [
		[51, 50],
		[101, 0],
		[0, 101],
	] as const)
		await expect(importRows(1, stateless, numberless)).rejects.toThrow(/101 rows so far have no SIREN, or no state/);
	expect((await importRows(11_500, 0, 110)).units).toMatchObject({ kept: 11_500, setAside: { "no-number": 110 } });
});

describe("the command", () => {
	const run = (...args: string[]) => registryCommands["companies:import"]?.(connection, args, { insee: { base: "", key: undefined } });

	test.each([
		[],
		["units.csv"],
		["units.csv", "establishments.csv", "more.csv"],
		["units.csv", "establishments.csv", "--dryrun"],
		["units.csv", "establishments.csv", "--dry-run=yes"],
	])("%s %s %s is told how it is written", async (...args) => {
		const before = await registry(db);
		expect(await run(...args.map((arg) => (arg.startsWith("-") ? arg : path(arg))))).toEqual({
			ok: false,
			text: expect.stringMatching(/^Usage: npm run companies:import -- <Stock/),
		});
		expect(await registry(db)).toEqual(before);
	});

	test("says what a dry run would do, and why an import stopped", async () => {
		const before = await registry(db);
		const shown = vi.spyOn(process.stderr, "write");
		onTestFinished(() => shown.mockRestore());
		expect(await run(path("units.csv"), path("establishments.csv"), "--dry-run")).toEqual({
			ok: true,
			text: [
				"7 companies would be imported; nothing was changed.",
				"Units: 8 rows read, 7 kept, set aside: 1 without a SIREN or SIRET of digits. Of the kept: 1 not fully diffused, 0 purged by INSEE.",
				"Establishments: 8 rows read, 7 kept, set aside: 1 closed, and no head office. Of the kept: 6 head offices, 1 others.",
			].join("\n"),
		});
		expect(shown).toHaveBeenCalledWith(expect.stringMatching(/^Importing companies: done in .*, 16 rows, /));
		expect(await run(path("none.csv"), path("establishments.csv"))).toEqual({
			ok: false,
			text: "\nThe import stopped and changed nothing: none.csv cannot be imported: there is no such file",
		});
		expect(await registry(db)).toEqual(before);
	});
});

describe("a broken file stops the import with its line and the reason, and changes nothing", () => {
	const header = unitColumns.join(",");
	const copies = (unit: Record<string, string> | undefined) =>
		csv(
			unitColumns,
			Array.from({ length: 5000 }, (_, index) => ({ ...unit, siren: String(200_000_000 + index) })),
		);
	const many = copies(madeUpUnits[2]);
	const backwards = (text: string) =>
		text
			.trim()
			.split("\n")
			.map((row, index) => (index === 0 ? row : row.split(",").reverse().join(",")))
			.join("\n");
	const rows = many.split("\n");
	const shuffled = [...unitColumns];
	[shuffled[4], shuffled[20]] = [shuffled[20] as string, shuffled[4] as string];
	const zipped = zip("StockUniteLegale_utf8.csv", Buffer.from(many));
	const cases: [what: string, name: string, content: string | Buffer, message: RegExp][] = [
		["no file", "none.csv", "", /^none\.csv cannot be imported: there is no such file$/],
		["nothing", "empty.csv", "", /^empty\.csv cannot be imported: it is empty$/],
		["no units", "header.csv", `${header}\n`, /it holds no unit$/],
		["another file", "other.csv", "a,b\n1,2\n", /line 1, it has no column siren, /],
		["a column missing", "missing.csv", many.replace("sigleUniteLegale,", ""), /line 1, it has no column sigleUniteLegale$/],
		[
			"columns shuffled",
			"shuffled.csv",
			many.replace(header, shuffled.join(",")),
			/line 1, its columns are not in INSEE's order: etatAdministratifUniteLegale stands where sigleUniteLegale should/,
		],
		["values shuffled", "values.csv", backwards(copies(madeUpUnits[5])), /rows so far have no SIREN, or no state/],
		[
			"a gzip cut short",
			"cut.csv.gz",
			gzipSync(many).subarray(0, -500),
			/^cut\.csv\.gz cannot be imported: after line \d+, unexpected end of file$/,
		],
		["no gzip", "no.csv.gz", many, /incorrect header check/],
		["a row cut short", "row.csv", many.slice(0, many.lastIndexOf(",", many.length - 20)), /line 5001, it has \d+ columns in place of 34/],
		["a row too many columns", "wide.csv", `${header}\n${rows[1]}\n${rows[2]},more\n`, /line 3, it has 35 columns in place of 34/],
		[
			"another encoding",
			"latin1.csv",
			Buffer.concat([Buffer.from(`${header}\n${rows[1]}\n`), Buffer.from(`${rows[2]}\n`, "latin1")]),
			/line 3, its letters are not UTF-8/,
		],
		["a line of 10 MB", "long.csv", `${header}\n${rows[1]}\n${"x".repeat(10 << 20)}\n${rows[2]}\n`, /line 3, it does not end within 1 MB/],
		[
			"a quote that nothing closes",
			"quote.csv",
			`${header}\n${rows[1]}\n${(rows[2] as string).replace('"', "")}\n${many.slice(header.length + 1).repeat(4)}`,
			/line \d+, /,
		],
		["a quote within a cell", "inner.csv", `${header}\n${'x"y,"'.padEnd(40, ",")}\n`, /line 2, /],
		["an archive cut short", "cut.zip", zipped.subarray(0, -30), /^cut\.zip cannot be imported: /],
		[
			"an archive damaged",
			"damaged.zip",
			zip("StockUniteLegale_utf8.csv", Buffer.from(many), 1),
			/its checksum is wrong: it was damaged on the way/,
		],
		["an archive of something else", "other.zip", zip("notes.txt", Buffer.from("notes")), /it holds 0 \.csv files in place of one/],
	];
	test.each(cases)("%s", async (_, name, content, message) => {
		if (name !== "none.csv") writeFileSync(path(name), content);
		const before = await registry(db);
		await expect(importCompanies(connection, path(name), path("establishments.csv"))).rejects.toThrow(message);
		expect(await registry(db)).toEqual(before);
		expect(await isStagingGone()).toBe(true);
	});

	test("establishments too", async () => {
		const before = await registry(db);
		await expect(importCompanies(connection, path("units.csv"), path("units.csv"))).rejects.toThrow(
			/units\.csv .* has no column nic, siret/,
		);
		expect(await registry(db)).toEqual(before);
	});
});

describe("an import that is killed", () => {
	const companies = 50_000;
	let files: { unitsFile: string; establishmentsFile: string };
	let expected: unknown;

	beforeAll(async () => {
		files = await writeRegistry({ folder: path("made-up"), units: companies, seed: 7 });
		await importCompanies(connection, files.unitsFile, files.establishmentsFile);
		expected = await registry(db);
		await importCompanies(connection, path("units.csv"), path("establishments.csv"));
	}, 120_000);

	/** The command, as its user starts it. */
	function startImport(): ChildProcess {
		const { user, host, database } = connection;
		const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}`;
		return spawn(process.execPath, ["main.ts", "companies:import", files.unitsFile, files.establishmentsFile], {
			env: { DATABASE_URL: url, DATA_DIR: path("data") },
			stdio: ["ignore", "ignore", "inherit"],
		});
	}

	/** Kills it as soon as a statement that is asked for again and again finds something. */
	async function killWhen(asked: string): Promise<void> {
		const child = startImport();
		while (child.exitCode === null && !(await isThere(asked))) await wait(10);
		expect(child.exitCode).toBeNull();
		child.kill("SIGKILL");
		await once(child, "exit");
	}

	async function isThere(asked: string): Promise<boolean> {
		try {
			return (await sql.raw(asked).execute(db)).rows.length > 0;
		} catch {
			return false; // the staging tables are not made yet
		}
	}

	/** Kills it in its first statement of a kind, which waits there to be killed. */
	async function killIn(statement: string): Promise<void> {
		const waiting = new pg.Client(connection);
		await waiting.connect();
		await waiting.query(`
			select pg_advisory_lock(1);
			create function wait_here() returns event_trigger language plpgsql as 'begin perform pg_advisory_xact_lock(1); end';
			create event trigger wait_here on ddl_command_start when tag in ('${statement}') execute function wait_here()`);
		try {
			await killWhen(`select from pg_stat_activity where application_name = 'extrait-pro import' and wait_event = 'advisory'
				and datname = current_database()`);
		} finally {
			await waiting.query("drop event trigger wait_here; drop function wait_here()");
			await waiting.end();
		}
	}

	test.each<[string, () => Promise<void>]>([
		["while it reads", () => killWhen("select from companies_import.checkpoints where byte > 0 and not done")],
		["while it joins", () => killIn("create table as")],
		["while it makes its indexes", () => killIn("create index")],
	])(
		"%s is taken up again, and the shop meanwhile keeps what it had",
		async (_, kill) => {
			const before = await registry(db);
			await kill();
			expect(await registry(db)).toEqual(before);
			const imported = await importCompanies(connection, files.unitsFile, files.establishmentsFile);
			expect(imported).toMatchObject({ companies, resumed: true });
			expect(await registry(db)).toEqual(expected);
			expect(await isStagingGone()).toBe(true);
			await importCompanies(connection, path("units.csv"), path("establishments.csv"));
		},
		scaledTimeout(60_000),
	);

	test("is not taken up with files of another place, size or day", async () => {
		const [units, establishments] = [path("taken-up.csv"), path("establishments.csv")];
		/** Ends an import when it has made its tables and waits for a reader of the live ones. @returns what tells its files apart. */
		const interrupt = async () => {
			const reader = new pg.Client(connection);
			await reader.connect();
			await reader.query("begin; lock table companies in access share mode");
			const ended = expect(importCompanies(connection, units, establishments)).rejects.toThrow();
			const stop = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'extrait-pro import'
				and datname = current_database() and wait_event_type = 'Lock' and wait_event = 'relation'`;
			await vi.waitFor(async () => expect((await sql.raw(stop).execute(db)).rows).toHaveLength(1), { timeout: 20_000, interval: 20 });
			await ended;
			await reader.end();
			return (await sql<{ files: string }>`select files from companies_import.origin`.execute(db)).rows[0]?.files;
		};
		const day = new Date("2026-11-20T10:00:00Z");
		const write = (file: string, text: string, changed: Date) => {
			writeFileSync(file, text);
			utimesSync(file, changed, changed);
		};
		write(units, unitFile, day);
		const first = await interrupt();
		write(units, unitFile, new Date("2026-11-21T10:00:00Z"));
		const ofAnotherDay = await interrupt();
		write(units, unitFile.replace("AETHER GROUPE", "AETHER"), day);
		const ofAnotherSize = await interrupt();
		expect(new Set([first, ofAnotherDay, ofAnotherSize]).size).toBe(3);
		write(path("units-2.csv"), unitFile.replace("AETHER GROUPE", "AETHER"), day);
		expect(await importCompanies(connection, path("units-2.csv"), establishments)).toMatchObject({ companies: 7, resumed: false });
	}, 60_000);
});

test("a search while the tables are replaced never fails and never sees half a registry", async () => {
	const importAgain = () => importCompanies(connection, path("units.csv"), path("establishments.csv"));
	await importAgain();
	let running = true;
	const imports = (async () => {
		for (let i = 0; i < 5; i++) await importAgain();
		running = false;
	})();
	let answers = 0;
	const visitor = async () => {
		const search = parseCompanySearch(new URLSearchParams("q=aether"));
		for (; running; answers++) {
			expect((await searchCompanies(db, search)).total).toBe(4);
			expect((await searchCompanies(db, { ...search, query: "aehter" })).corrected).toBe("aether");
			expect(await suggestCompanies(db, "aeth")).toHaveLength(4);
			expect((await countFilters(db, search, null))?.forme).toMatchObject({ SAS: 1 });
			expect(await findCompany(db, "100000003" as Siren)).not.toBeNull();
		}
	};
	await Promise.all([imports, visitor(), visitor(), visitor(), visitor()]);
	expect(answers).toBeGreaterThan(0);
}, 60_000);
