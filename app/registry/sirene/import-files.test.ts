import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Database } from "../../../server/database/database.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { csv, establishment, establishmentFile, generatedUnits, type Row, unit, unitFile } from "../../../test/fixtures/sirene.ts";
import { isStagingGone, readRegistry } from "../../../test/registry.ts";
import { findCompany } from "../../companies/find-company.server.ts";
import type { Siren } from "../../companies/siren.ts";
import { registryCommands } from "../commands.server.ts";
import { type ImportProgress, importCompanies } from "./import-companies.server.ts";
import { establishmentColumns, unitColumns } from "./sirene-rows.ts";

let db: Database;
let connection: pg.ClientConfig;
let close: () => Promise<void>;
const folder = mkdtempSync(join(tmpdir(), "import-files-"));
const path = (name: string) => join(folder, name);

beforeAll(async () => {
	({ db, connection, close } = await createTestDatabase());
	writeFileSync(path("units.csv"), unitFile);
	writeFileSync(path("establishments.csv"), establishmentFile);
});
afterAll(async () => {
	await close();
	rmSync(folder, { recursive: true });
});

/** Creates a minimal archive with one file. */
function zip(name: string, content: Buffer, checksum = crc32(content)): Buffer {
	const compressed = deflateRawSync(content);
	const fields = (signature: number, version: number[]) => {
		const header = Buffer.alloc(4 + 2 * version.length + 22);
		let at = header.writeUInt32LE(signature, 0);
		for (const number of version) at = header.writeUInt16LE(number, at);
		for (const number of [0, 8, 0, 0]) at = header.writeUInt16LE(number, at);
		for (const number of [checksum, compressed.length, content.length]) at = header.writeUInt32LE(number, at);
		header.writeUInt16LE(name.length, at);
		return header;
	};
	const local = Buffer.concat([fields(0x04034b50, [20]), Buffer.alloc(2), Buffer.from(name), compressed]);
	const entry = Buffer.concat([fields(0x02014b50, [20, 20]), Buffer.alloc(16), Buffer.from(name)]);
	const end = Buffer.alloc(22);
	end.writeUInt32LE(0x06054b50, 0);
	end.writeUInt16LE(1, 8);
	end.writeUInt16LE(1, 10);
	end.writeUInt32LE(entry.length, 12);
	end.writeUInt32LE(local.length, 16);
	return Buffer.concat([local, entry, end]);
}

test("imports .zip and .csv.gz like .csv", async () => {
	const { resumed, ...plain } = await importCompanies(connection, path("units.csv"), path("establishments.csv"));
	expect(resumed).toBe(false);
	const before = await readRegistry(db);
	writeFileSync(path("units.zip"), zip("StockUniteLegale_utf8.csv", Buffer.from(unitFile)));
	writeFileSync(path("establishments.csv.gz"), gzipSync(establishmentFile));
	const fractions: number[] = [];
	const onProgress = ({ fraction }: ImportProgress) => void fractions.push(fraction);
	const fromArchives = await importCompanies(connection, path("units.zip"), path("establishments.csv.gz"), { onProgress });
	expect(fromArchives).toEqual({ resumed: false, ...plain });
	expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
	expect(await readRegistry(db)).toEqual(before);
});

test("counts kept and skipped rows; a dry run gives the same counts and changes nothing", async () => {
	const [renamed, ...others] = generatedUnits.slice(0, -1);
	const units = [...others, { ...renamed, denominationUniteLegale: "OLD NAME", dateDernierTraitementUniteLegale: "2019-01-01T00:00:00" }];
	const newest = { ...renamed, denominationUniteLegale: "NEW NAME", dateDernierTraitementUniteLegale: "2026-01-01T00:00:00" };
	writeFileSync(
		path("duplicates.csv"),
		csv(unitColumns, [newest as Record<string, string>, ...(units as Record<string, string>[]), { siren: "12" }]),
	);
	const before = await readRegistry(db);
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
	const expected = await importCompanies(connection, path("duplicates.csv"), path("establishments.csv"), { dryRun: true, onProgress });
	expect(expected).toEqual({
		companies: 7,
		resumed: false,
		units: { read: 9, kept: 7, masked: 1, purged: 0, skipped: { duplicate: 1, "no-number": 1 } },
		establishments: { read: 8, kept: 7, headOffices: 6, orphans: 0, branches: 1, skipped: { closed: 1 } },
	});
	expectProgress();
	expect(await readRegistry(db)).toEqual(before);
	expect(await isStagingGone(db)).toBe(true);
	expect(await importCompanies(connection, path("duplicates.csv"), path("establishments.csv"), { onProgress })).toEqual(expected);
	expectProgress();
	expect(await findCompany(db, renamed?.siren as Siren)).toMatchObject({ name: "NEW NAME" });
});

test("of duplicate rows it keeps the newest; of head offices the one of the unit's NIC, or else an open one", async () => {
	const units = [
		unit("300000001", { denomination: "SANS DATE", nicSiege: "00029" }),
		unit("300000001", { denomination: "LA NEUVE", nicSiege: "00029", dateDernierTraitement: "2026-01-01T00:00:00" }),
		unit("300000002", { denomination: "L'AUTRE", nicSiege: "00099" }),
		unit("300000003", { denomination: "LA TROISIEME" }),
	];
	const createHeadOffice = (siret: string, place: string, row: Row) => establishment(siret, { libelleCommune: place, ...row });
	const newest = "2026-06-01T00:00:00";
	const headOffices = [
		createHeadOffice("30000000100011", "ANCIENNE", { dateDernierTraitement: newest }),
		createHeadOffice("30000000100029", "NOMMEE", { etatAdministratif: "F" }),
		createHeadOffice("30000000200011", "FERMEE", { etatAdministratif: "F", dateDernierTraitement: newest }),
		createHeadOffice("30000000200029", "OUVERTE", {}),
		createHeadOffice("30000000900011", "DE PERSONNE", {}),
	];
	const duplicates = [
		createHeadOffice("30000000300011", "DE 2020", { dateDernierTraitement: "2020-01-01T00:00:00" }),
		createHeadOffice("30000000300011", "DE 2026", { dateDernierTraitement: newest }),
	];
	const findCity = async (siren: string) => (await findCompany(db, siren as Siren))?.city;
	const importRows = (rows: Row[]) => {
		writeFileSync(path("duplicate-units.csv"), csv(unitColumns, units));
		writeFileSync(path("duplicate-head-offices.csv"), csv(establishmentColumns, rows));
		return importCompanies(connection, path("duplicate-units.csv"), path("duplicate-head-offices.csv"));
	};
	expect(await importRows(headOffices)).toMatchObject({
		companies: 3,
		units: { read: 4, kept: 3, skipped: { duplicate: 1 } },
		establishments: { read: 5, kept: 3, headOffices: 3, orphans: 1, skipped: { "former-head": 2 } },
	});
	expect((await findCompany(db, "300000001" as Siren))?.name).toBe("LA NEUVE");
	expect([await findCity("300000001"), await findCity("300000002"), await findCity("300000009")]).toEqual(["NOMMEE", "OUVERTE", undefined]);
	expect((await importRows([...headOffices.slice(0, 4), ...duplicates])).establishments).toEqual({
		read: 6,
		kept: 3,
		headOffices: 3,
		branches: 0,
		orphans: 0,
		skipped: { duplicate: 1, "former-head": 2 },
	});
	expect(await findCity("300000003")).toBe("DE 2026");
});

test("skips up to a hundred invalid rows, or one in a hundred; stops the import at more", async () => {
	const createUnits = (count: number, row: Row, first: number) =>
		Array.from({ length: count }, (_, index) => ({ ...unit(String(first + index), row) }));
	const importRows = (valid: number, withoutState: number, withoutNumber: number) => {
		const rows = [...createUnits(valid, {}, 400_000_000), ...createUnits(withoutState, { etatAdministratif: "" }, 500_000_000)];
		writeFileSync(path("invalid.csv"), csv(unitColumns, [...rows, ...createUnits(withoutNumber, {}, 10)]));
		return importCompanies(connection, path("invalid.csv"), path("establishments.csv"), { dryRun: true });
	};
	expect((await importRows(1, 50, 50)).units).toMatchObject({ kept: 1, skipped: { "no-state": 50, "no-number": 50 } });
	for (const [withoutState, withoutNumber] of [
		[51, 50],
		[101, 0],
		[0, 101],
	] as const)
		await expect(importRows(1, withoutState, withoutNumber)).rejects.toThrow(/101 rows so far have no SIREN, or no state/);
	expect((await importRows(11_500, 0, 110)).units).toMatchObject({ kept: 11_500, skipped: { "no-number": 110 } });
});

describe("the command", () => {
	const run = (...args: string[]) => registryCommands["companies:import"]?.(connection, args, { insee: { base: "", key: undefined } });

	test.each([
		[],
		["units.csv"],
		["units.csv", "establishments.csv", "more.csv"],
		["units.csv", "establishments.csv", "--dryrun"],
		["units.csv", "establishments.csv", "--dry-run=yes"],
	])("%s %s %s prints the usage", async (...args) => {
		const before = await readRegistry(db);
		expect(await run(...args.map((arg) => (arg.startsWith("-") ? arg : path(arg))))).toEqual({
			ok: false,
			text: expect.stringMatching(/^Usage: npm run companies:import -- <Stock/),
		});
		expect(await readRegistry(db)).toEqual(before);
	});

	test("prints the result of a dry run, and the reason of a failure", async () => {
		const before = await readRegistry(db);
		const stderr = vi.spyOn(process.stderr, "write");
		onTestFinished(() => stderr.mockRestore());
		expect(await run(path("units.csv"), path("establishments.csv"), "--dry-run")).toEqual({
			ok: true,
			text: [
				"7 companies would be imported; nothing was changed.",
				"Units: 8 rows read, 7 kept, set aside: 1 without a SIREN or SIRET of digits. Of the kept: 1 not fully diffused, 0 purged by INSEE.",
				"Establishments: 8 rows read, 7 kept, set aside: 1 closed, and no head office. Of the kept: 6 head offices, 1 others.",
			].join("\n"),
		});
		expect(stderr).toHaveBeenCalledWith(expect.stringMatching(/^Importing companies: done in .*, 16 rows, /));
		expect(await run(path("none.csv"), path("establishments.csv"))).toEqual({
			ok: false,
			text: "\nThe import stopped and changed nothing: none.csv cannot be imported: there is no such file",
		});
		expect(await readRegistry(db)).toEqual(before);
	});
});

describe("a broken file stops the import with line and reason, and changes nothing", () => {
	const header = unitColumns.join(",");
	const createManyUnits = (unit: Record<string, string> | undefined) =>
		csv(
			unitColumns,
			Array.from({ length: 5000 }, (_, index) => ({ ...unit, siren: String(200_000_000 + index) })),
		);
	const many = createManyUnits(generatedUnits[2]);
	const reverseCells = (text: string) =>
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
		["a missing file", "none.csv", "", /^none\.csv cannot be imported: there is no such file$/],
		["an empty file", "empty.csv", "", /^empty\.csv cannot be imported: it is empty$/],
		["a file without units", "header.csv", `${header}\n`, /it holds no unit$/],
		["another file", "other.csv", "a,b\n1,2\n", /line 1, it has no column siren, /],
		["a missing column", "missing.csv", many.replace("sigleUniteLegale,", ""), /line 1, it has no column sigleUniteLegale$/],
		[
			"columns in another order",
			"shuffled.csv",
			many.replace(header, shuffled.join(",")),
			/line 1, its columns are not in INSEE's order: etatAdministratifUniteLegale stands where sigleUniteLegale should/,
		],
		["values in another order", "values.csv", reverseCells(createManyUnits(generatedUnits[5])), /rows so far have no SIREN, or no state/],
		[
			"a truncated gzip",
			"cut.csv.gz",
			gzipSync(many).subarray(0, -500),
			/^cut\.csv\.gz cannot be imported: after line \d+, unexpected end of file$/,
		],
		["a .gz that is no gzip", "no.csv.gz", many, /incorrect header check/],
		["a truncated row", "row.csv", many.slice(0, many.lastIndexOf(",", many.length - 20)), /line 5001, it has \d+ columns in place of 34/],
		["a row with too many columns", "wide.csv", `${header}\n${rows[1]}\n${rows[2]},more\n`, /line 3, it has 35 columns in place of 34/],
		[
			"another encoding",
			"latin1.csv",
			Buffer.concat([Buffer.from(`${header}\n${rows[1]}\n`), Buffer.from(`${rows[2]}\n`, "latin1")]),
			/line 3, its letters are not UTF-8/,
		],
		["a line of 10 MB", "long.csv", `${header}\n${rows[1]}\n${"x".repeat(10 << 20)}\n${rows[2]}\n`, /line 3, it does not end within 1 MB/],
		[
			"an unclosed quote",
			"quote.csv",
			`${header}\n${rows[1]}\n${(rows[2] as string).replace('"', "")}\n${many.slice(header.length + 1).repeat(4)}`,
			/line \d+, /,
		],
		["a quote within a cell", "inner.csv", `${header}\n${'x"y,"'.padEnd(40, ",")}\n`, /line 2, /],
		["a truncated archive", "cut.zip", zipped.subarray(0, -30), /^cut\.zip cannot be imported: /],
		[
			"a damaged archive",
			"damaged.zip",
			zip("StockUniteLegale_utf8.csv", Buffer.from(many), 1),
			/its checksum is wrong: it was damaged on the way/,
		],
		["an archive without a .csv", "other.zip", zip("notes.txt", Buffer.from("notes")), /it holds 0 \.csv files in place of one/],
	];
	test.each(cases)("%s", async (_, name, content, message) => {
		if (name !== "none.csv") writeFileSync(path(name), content);
		const before = await readRegistry(db);
		await expect(importCompanies(connection, path(name), path("establishments.csv"))).rejects.toThrow(message);
		expect(await readRegistry(db)).toEqual(before);
		expect(await isStagingGone(db)).toBe(true);
	});

	test("also in the file of establishments", async () => {
		const before = await readRegistry(db);
		await expect(importCompanies(connection, path("units.csv"), path("units.csv"))).rejects.toThrow(
			/units\.csv .* has no column nic, siret/,
		);
		expect(await readRegistry(db)).toEqual(before);
	});
});
