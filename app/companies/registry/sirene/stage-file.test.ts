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

function stage(kind: StockFileKind, rows: string): ReturnType<typeof stageFile> {
	writeFileSync(file, rows);
	return stageFile({ connection, kind, file }, () => {});
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
		expect(error.message).toMatch(/^rows\.csv cannot be imported: line 103, 101 rows so far have no SIREN, or no state: /);
	});

	test("are skipped, up to one in a hundred", async () => {
		expect(await stageUnits(11_500, 0, 110)).toMatchObject({ kept: 11_500, "no-number": 110 });
	});

	test("stop the import of a file whose values are in another order", async () => {
		const row = generatedUnits[5] as Row;
		const rows = Array.from({ length: 5000 }, (_, index) => ({ ...row, siren: String(200_000_000 + index) }));
		const [header, ...lines] = csv(unitColumns, rows).trim().split("\n");
		const reversed = lines.map((line) => line.split(",").reverse().join(","));
		await expect(stage("units", [header, ...reversed].join("\n"))).rejects.toThrow(/rows so far have no SIREN, or no state/);
	});
});

test("a second head office is counted, even when the file is resumed between both", async () => {
	const headOffices = ["30000000100011", "30000000100029"].map((siret) => establishment(siret, { libelleCommune: "LYON" }));
	const stageHeadOffices = (rows: Row[]) => stage("establishments", csv(establishmentColumns, rows));
	expect((await stageHeadOffices(headOffices.slice(0, 1))).secondHeads).toBeUndefined();
	await client.query(`update ${staging}.checkpoints set done = false`);
	expect(await stageHeadOffices(headOffices)).toMatchObject({ read: 2, heads: 2, secondHeads: 1 });
});
