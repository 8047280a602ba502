import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BrokenFile } from "../../../../server/files/broken-file.ts";
import { createTestDatabase } from "../../../../test/database.ts";
import { csv, establishment, generatedUnits, type Row, unit } from "../../../../test/fixtures/sirene.ts";
import { closeStaging, openStaging, staging } from "./import.store.server.ts";
import { establishmentColumns, unitColumns } from "./sirene-rows.ts";
import { type StockFileKind, stageFile } from "./stage-file.server.ts";

let connection: pg.ClientConfig;
let close: () => Promise<void>;
let client: pg.Client;
const folder = mkdtempSync(join(tmpdir(), "stage-"));
const file = join(folder, "rows.csv");

beforeAll(async () => {
	({ connection, close } = await createTestDatabase());
	client = new pg.Client(connection);
	await client.connect();
});
beforeEach(async () => {
	await closeStaging(client);
	await openStaging(client, "these files");
});
afterAll(async () => {
	await closeStaging(client);
	await client.end();
	await close();
	rmSync(folder, { recursive: true });
});

async function stage(kind: StockFileKind, rows: string | Buffer) {
	writeFileSync(file, rows);
	return (await stageFile({ connection, kind, file }, () => {})).counts;
}

describe("rows without a number or a state", () => {
	const createUnits = (count: number, row: Row, first: number) =>
		Array.from({ length: count }, (_, index) => ({ ...unit(String(first + index), row) }));
	const stageUnits = (valid: number, withoutState: number, withoutNumber: number) => {
		const rows = [...createUnits(valid, {}, 400_000_000), ...createUnits(withoutState, { etatAdministratif: "" }, 500_000_000)];
		return stage("units", csv(unitColumns, [...rows, ...createUnits(withoutNumber, {}, 10)]));
	};

	test("are skipped, up to a hundred", async () => {
		expect(await stageUnits(1, 50, 50)).toMatchObject({ kept: 1, "no-state": 50, "no-number": 50 });
	});

	test.each([
		[51, 50],
		[101, 0],
		[0, 101],
	])("stop the import at more: %s without a state, %s without a number", async (withoutState, withoutNumber) => {
		const error = await stageUnits(1, withoutState, withoutNumber).catch((error) => error);
		expect(error).toBeInstanceOf(BrokenFile);
		expect(error.message).toMatch(
			/^rows\.csv cannot be imported: line 103, 101 rows so far cannot be read, such as rows\.csv, line \d+: no (SIREN or SIRET|state)$/,
		);
	});

	test("are skipped, up to one in a hundred", async () => {
		expect(await stageUnits(11_500, 0, 110)).toMatchObject({ kept: 11_500, "no-number": 110 });
	});

	test("stop the import of a file whose values are in another order", async () => {
		const row = generatedUnits[5] as Row;
		const rows = Array.from({ length: 5000 }, (_, index) => ({ ...row, siren: String(200_000_000 + index) }));
		const [header, ...lines] = csv(unitColumns, rows).trim().split("\n");
		const reversed = lines.map((line) => line.split(",").reverse().join(","));
		await expect(stage("units", [header, ...reversed].join("\n"))).rejects.toThrow(
			/rows so far cannot be read, such as rows\.csv, line 2: no SIREN or SIRET/,
		);
	});
});

describe("rows that cannot be read", () => {
	const header = unitColumns.join(",");
	const rows = Array.from(
		{ length: 30 },
		(_, index) => csv(unitColumns, [unit(String(600_000_000 + index), { denomination: "É" })]).split("\n")[1] ?? "",
	);
	const withBroken = (broken: string | Buffer) =>
		Buffer.concat([
			Buffer.from(`${[header, ...rows.slice(0, 10)].join("\n")}\n`),
			Buffer.from(broken),
			Buffer.from(`\n${rows.slice(10).join("\n")}\n`),
		]);
	const stageWithFaults = async (content: Buffer) => {
		writeFileSync(file, content);
		return stageFile({ connection, kind: "units", file }, () => {});
	};

	test.each<[what: string, broken: string | Buffer, reason: string]>([
		["too few cells", "600000099,O", "it has 2 columns in place of 34"],
		["too many cells", `${rows[0]},more`, "it has 35 columns in place of 34"],
		["another encoding", Buffer.from(rows[0]?.replace("600000000", "600000099") ?? "", "latin1"), "its letters are not UTF-8"],
		["an open quote", (rows[0] ?? "").replace("É", '"É'), "its quotes are in disorder"],
		["a quote within a cell", (rows[0] ?? "").replace("É", 'É"É"'), "its quotes are in disorder"],
		["no number", csv(unitColumns, [unit("", {})]).split("\n")[1] ?? "", "no SIREN or SIRET"],
		["a number of zeros", csv(unitColumns, [unit("000000000", {})]).split("\n")[1] ?? "", "no SIREN or SIRET"],
		["no state", csv(unitColumns, [unit("600000099", { etatAdministratif: "" })]).split("\n")[1] ?? "", "no state"],
	])("%s: the row is counted, named and skipped", async (_, broken, reason) => {
		const { counts, faults } = await stageWithFaults(withBroken(broken));
		expect(counts).toMatchObject({ read: 31, kept: 30 });
		expect(faults).toEqual([`rows.csv, line 12: ${reason}`]);
	});

	test("stop the import of a file in another encoding", async () => {
		const many = Array.from({ length: 200 }, (_, index) => unit(String(600_000_000 + index), { denomination: "É" }));
		await expect(stage("units", Buffer.from(csv(unitColumns, many), "latin1"))).rejects.toThrow(
			"200 rows so far cannot be read, such as rows.csv, line 2: its letters are not UTF-8",
		);
	});

	test("are named after a resumption too", async () => {
		await stageWithFaults(withBroken("600000099,O"));
		await client.query(`update ${staging}.checkpoints set done = false`);
		expect((await stageWithFaults(withBroken("600000099,O"))).faults).toEqual(["rows.csv, line 12: it has 2 columns in place of 34"]);
	});
});

test("columns may be in any order, and others may be missing or new", async () => {
	const needed = unitColumns.filter((name) => !/^(denominationUsuelle|nombrePeriodes|sexe)/.test(name));
	const file = csv(["nouvelle", ...needed.toReversed()], [{ ...unit("600000001", { denomination: "ATELIER" }), nouvelle: "1" }]);
	expect(await stage("units", file.replaceAll("\n", "\r\n"))).toMatchObject({ read: 1, kept: 1 });
	expect((await client.query(`select siren, name from ${staging}.staged_units`)).rows).toEqual([{ siren: "600000001", name: "ATELIER" }]);
});

test("a second head office is counted, even when the file is resumed between both", async () => {
	const headOffices = ["30000000100011", "30000000100029"].map((siret) => establishment(siret, { libelleCommune: "LYON" }));
	const stageHeadOffices = (rows: Row[]) => stage("establishments", csv(establishmentColumns, rows));
	expect((await stageHeadOffices(headOffices.slice(0, 1))).secondHeads).toBeUndefined();
	await client.query(`update ${staging}.checkpoints set done = false`);
	expect(await stageHeadOffices(headOffices)).toMatchObject({ read: 2, heads: 2, secondHeads: 1 });
});
