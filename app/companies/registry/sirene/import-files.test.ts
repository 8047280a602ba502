import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Database } from "../../../../server/database/database.ts";
import { createTestDatabase } from "../../../../test/database.ts";
import {
	csv,
	establishment,
	establishmentFile,
	generatedEstablishments,
	generatedUnits,
	type Row,
	unit,
	unitFile,
} from "../../../../test/fixtures/sirene.ts";
import { isStagingGone, readRegistry } from "../../../../test/registry.ts";
import { zip } from "../../../../test/zip.ts";
import { findCompany } from "../../find-company.server.ts";
import type { Siren } from "../../siren.ts";
import { registryCommands } from "../commands.server.ts";
import { type ImportOptions, type ImportProgress, importCompanies } from "./import-companies.server.ts";
import { establishmentColumns, unitColumns } from "./sirene-rows.ts";

let db: Database;
let connection: pg.ClientConfig;
let close: () => Promise<void>;
const folder = mkdtempSync(join(tmpdir(), "import-files-"));
const path = (name: string) => join(folder, name);
const write = (name: string, content: string | Buffer) => {
	writeFileSync(path(name), content);
	return path(name);
};

beforeAll(async () => {
	({ db, connection, close } = await createTestDatabase());
	write("units.csv", unitFile);
	write("establishments.csv", establishmentFile);
});
afterAll(async () => {
	await close();
	rmSync(folder, { recursive: true });
});

test("counts kept and skipped rows; a dry run gives the same counts and changes nothing; .zip and .csv.gz are imported like .csv", async () => {
	const [renamed, ...others] = generatedUnits.slice(0, -1);
	const units = [...others, { ...renamed, denominationUniteLegale: "OLD NAME", dateDernierTraitementUniteLegale: "2019-01-01T00:00:00" }];
	const newest = { ...renamed, denominationUniteLegale: "NEW NAME", dateDernierTraitementUniteLegale: "2026-01-01T00:00:00" };
	const unreadable = [unit("100000009", { etatAdministratif: "" }), { siren: "12" }];
	const headOffices = [
		establishment("10000000400011", { libelleCommune: "DE 2020", dateDernierTraitement: "2020-01-01T00:00:00" }),
		establishment("10000000400011", { libelleCommune: "DE 2026", dateDernierTraitement: "2026-06-01T00:00:00" }),
		establishment("10000000400029", { libelleCommune: "FERMEE", etatAdministratif: "F" }),
	];
	const unitRows = csv(unitColumns, [...([newest, ...units] as Row[]), ...unreadable]);
	const establishmentRows = csv(establishmentColumns, [...generatedEstablishments, ...headOffices]);
	const plain = [write("duplicates.csv", unitRows), write("head-offices.csv", establishmentRows)] as const;
	const archives = [
		write("duplicates.zip", zip("StockUniteLegale_utf8.csv", Buffer.from(unitRows))),
		write("head-offices.csv.gz", gzipSync(establishmentRows)),
	] as const;
	const importAndCheckProgress = async (files: readonly [string, string], options?: ImportOptions) => {
		const steps: ImportProgress[] = [];
		const summary = await importCompanies(connection, ...files, { ...options, onProgress: (step) => void steps.push(step) });
		const fractions = steps.map(({ fraction }) => fraction);
		expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
		expect(fractions[0]).toBeGreaterThanOrEqual(0);
		expect(fractions.every(Number.isFinite)).toBe(true);
		expect(steps[0]?.step).toBe("reading");
		expect(steps.at(-1)).toEqual({ step: "done", fraction: 1, rows: 21 });
		return summary;
	};
	const before = await readRegistry(db);
	const expected = await importAndCheckProgress(plain, { dryRun: true });
	expect(expected).toEqual({
		companies: 7,
		resumed: false,
		units: {
			...{ read: 10, kept: 7, masked: 1, purged: 0, skipped: { duplicate: 1, "no-number": 1, "no-state": 1 } },
			faults: expect.arrayContaining([expect.stringMatching(/line 10: no state$/), expect.stringMatching(/line 11: no SIREN or SIRET$/)]),
		},
		establishments: {
			read: 11,
			kept: 8,
			headOffices: 7,
			orphans: 0,
			branches: 1,
			skipped: { closed: 1, duplicate: 1, "former-head": 1 },
			faults: [],
		},
	});
	expect(await readRegistry(db)).toEqual(before);
	expect(await isStagingGone(db)).toBe(true);
	expect(await importAndCheckProgress(archives)).toEqual({
		...expected,
		units: { ...expected.units, faults: expected.units.faults.map((fault) => fault.replace(".csv", ".zip")) },
	});
	const fromArchives = await readRegistry(db);
	expect(fromArchives).not.toEqual(before);
	expect(await importAndCheckProgress(plain)).toEqual(expected);
	expect(await readRegistry(db)).toEqual(fromArchives);
	expect(await findCompany(db, renamed?.siren as Siren)).toMatchObject({ name: "NEW NAME" });
	expect(await findCompany(db, "100000004" as Siren)).toMatchObject({ city: "DE 2026" });
});

test("of duplicate units it keeps the newest; of head offices the one of the unit's NIC, or else an open one", async () => {
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
	const findCity = async (siren: string) => (await findCompany(db, siren as Siren))?.city;
	const files = [
		write("duplicate-units.csv", csv(unitColumns, units)),
		// in INSEE's order: only the second head offices tell that the file has duplicates
		write("several-head-offices.csv", csv(establishmentColumns, headOffices)),
	] as const;
	expect(await importCompanies(connection, ...files)).toMatchObject({
		companies: 3,
		units: { read: 4, kept: 3, skipped: { duplicate: 1 } },
		establishments: { read: 5, kept: 3, headOffices: 3, orphans: 1, skipped: { "former-head": 2 } },
	});
	expect((await findCompany(db, "300000001" as Siren))?.name).toBe("LA NEUVE");
	expect([await findCity("300000001"), await findCity("300000002"), await findCity("300000009")]).toEqual(["NOMMEE", "OUVERTE", undefined]);
});

describe("the command", () => {
	const run = (...args: string[]) => registryCommands["companies:import"]?.run(connection, args, { insee: { base: "", key: undefined } });

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
				"Unreadable: units.csv, line 9: no SIREN or SIRET",
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

// stock-file.test.ts has the many ways in which a file is broken, and stage-file.test.ts the limit of unreadable rows
describe("a broken file stops the import with line and reason, and changes nothing", () => {
	const manyUnits = csv(
		unitColumns,
		Array.from({ length: 5000 }, (_, index) => unit(String(200_000_000 + index), { denomination: "UNE SUR CINQ MILLE" })),
	);
	test.each<[what: string, units: string, content: string | null, establishments: string, message: RegExp]>([
		["a missing file", "none.csv", null, "establishments.csv", /^none\.csv cannot be imported: there is no such file$/],
		[
			"a file without units",
			"header.csv",
			csv(unitColumns, []),
			"establishments.csv",
			/^header\.csv cannot be imported: it holds no unit$/,
		],
		[
			"a file of units that is cut in its last row",
			"cut.csv",
			manyUnits.slice(0, -20),
			"establishments.csv",
			/^cut\.csv cannot be imported: line 5001, it has \d+ columns in place of 34$/,
		],
		[
			"another file in place of that of establishments",
			"units.csv",
			unitFile,
			"units.csv",
			/^units\.csv cannot be imported: line 1, it has no column siret, /,
		],
	])("%s", async (_, units, content, establishments, message) => {
		if (content !== null) write(units, content);
		const before = await readRegistry(db);
		await expect(importCompanies(connection, path(units), path(establishments))).rejects.toThrow(message);
		expect(await readRegistry(db)).toEqual(before);
		expect(await isStagingGone(db)).toBe(true);
	});
});
