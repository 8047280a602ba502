import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { writeRegistry } from "../../../bench/synthetic-registry.ts";
import type { Database } from "../../../server/database/database.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { csv, establishment, establishmentFile, type Row, unitFile } from "../../../test/fixtures/sirene.ts";
import { connectForTest, isStagingGone, readRegistry } from "../../../test/registry.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { findCompany } from "../../companies/find-company.server.ts";
import { parseCompanySearch } from "../../companies/search/company-search.ts";
import { countFilters } from "../../companies/search/count-filters.server.ts";
import { searchCompanies } from "../../companies/search/search-companies.server.ts";
import { suggestCompanies } from "../../companies/search/suggest-companies.server.ts";
import type { Siren } from "../../companies/siren.ts";
import { closeStaging, openStaging, staging } from "./import.store.server.ts";
import { importCompanies } from "./import-companies.server.ts";
import { establishmentColumns } from "./sirene-rows.ts";
import { stageFileInThread } from "./stage-file.server.ts";

let db: Database;
let connection: pg.ClientConfig;
let close: () => Promise<void>;
const folder = mkdtempSync(join(tmpdir(), "import-faults-"));
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

describe("a killed import is resumed, and the live tables stay unchanged until then", () => {
	interface Files {
		unitsFile: string;
		establishmentsFile: string;
	}

	/** Starts the command in a child process. */
	function startImport({ unitsFile, establishmentsFile }: Files): ChildProcess {
		const { user, host, database } = connection;
		const url = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}`;
		const child = spawn(process.execPath, ["main.ts", "companies:import", unitsFile, establishmentsFile], {
			env: { DATABASE_URL: url, DATA_DIR: path("data") },
			stdio: ["ignore", "ignore", "inherit"],
		});
		onTestFinished(() => void child.kill("SIGKILL"));
		return child;
	}

	/** Kills the import as soon as a query returns a row. */
	async function killWhen(query: string, files: Files): Promise<void> {
		const child = startImport(files);
		while (child.exitCode === null && !(await hasRow(query))) await wait(10);
		expect(child.exitCode).toBeNull();
		child.kill("SIGKILL");
		await once(child, "exit");
	}

	async function hasRow(query: string): Promise<boolean> {
		try {
			return (await sql.raw(query).execute(db)).rows.length > 0;
		} catch {
			return false; // the staging tables do not exist yet
		}
	}

	/** Kills the import during its first statement of a kind, which an event trigger blocks. */
	async function killIn(statement: string, files: Files): Promise<void> {
		const waiting = await connectForTest(connection);
		await waiting.query(`
			select pg_advisory_lock(1);
			create function wait_here() returns event_trigger language plpgsql as 'begin perform pg_advisory_xact_lock(1); end';
			create event trigger wait_here on ddl_command_start when tag in ('${statement}') execute function wait_here()`);
		try {
			const waits = `select from pg_stat_activity where application_name = 'extrait-pro import' and wait_event = 'advisory'
				and datname = current_database()`;
			await killWhen(waits, files);
		} finally {
			await waiting.query("drop event trigger wait_here; drop function wait_here(); select pg_advisory_unlock(1)");
		}
	}

	/** Expects unchanged tables until the import is resumed, and then the result of an uninterrupted import. */
	async function expectResumed(files: Files, kill: () => Promise<void>): Promise<void> {
		const importFiles = () => importCompanies(connection, files.unitsFile, files.establishmentsFile);
		await importCompanies(connection, path("units.csv"), path("establishments.csv"));
		const before = await readRegistry(db);
		await kill();
		expect(await readRegistry(db)).toEqual(before);
		const summary = await importFiles();
		expect(summary.resumed).toBe(true);
		expect(await isStagingGone(db)).toBe(true);
		const after = await readRegistry(db);
		expect(after).not.toEqual(before);
		expect(await importFiles()).toEqual({ ...summary, resumed: false });
		expect(await readRegistry(db)).toEqual(after);
	}

	test(
		"while it reads the files",
		async () => {
			// each file has more than one checkpoint
			const files = await writeRegistry({ folder: path("generated"), units: 50_000, seed: 7 });
			await expectResumed(files, () => killWhen("select from companies_import.checkpoints where byte > 0 and not done", files));
		},
		scaledTimeout(60_000),
	);

	test.each([
		["while it joins the tables", "create table as"],
		["while it creates indexes", "create index"],
	])("%s", async (_, statement) => {
		const files = { unitsFile: path("renamed.csv"), establishmentsFile: path("establishments.csv") };
		writeFileSync(files.unitsFile, unitFile.replace("AETHER GROUPE", "AETHER"));
		await expectResumed(files, () => killIn(statement, files));
	});
});

test(
	"an interrupted import is not resumed with files of another path, size or date",
	async () => {
		const [units, establishments] = [path("resumed.csv"), path("establishments.csv")];
		/** Stops an import that has its new tables and waits for a reader of the live ones. @returns the identity of its files. */
		const interrupt = async () => {
			const reader = await connectForTest(connection);
			await reader.query("begin; lock table companies in access share mode");
			const ended = expect(importCompanies(connection, units, establishments)).rejects.toThrow();
			const stop = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'extrait-pro import'
				and datname = current_database() and wait_event_type = 'Lock' and wait_event = 'relation'`;
			await vi.waitFor(async () => expect((await sql.raw(stop).execute(db)).rows).toHaveLength(1), {
				timeout: scaledTimeout(20_000),
				interval: 20,
			});
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
		const withOtherDate = await interrupt();
		write(units, unitFile.replace("AETHER GROUPE", "AETHER"), day);
		const withOtherSize = await interrupt();
		expect(new Set([first, withOtherDate, withOtherSize]).size).toBe(3);
		write(path("units-2.csv"), unitFile.replace("AETHER GROUPE", "AETHER"), day);
		expect(await importCompanies(connection, path("units-2.csv"), establishments)).toMatchObject({ companies: 7, resumed: false });
	},
	scaledTimeout(60_000),
);

test("counts a second head office, even when the file is resumed between both", async () => {
	const headOffices = ["30000000100011", "30000000100029"].map((siret) => establishment(siret, { libelleCommune: "LYON" }));
	const stage = async (rows: Row[]) => {
		writeFileSync(path("head-offices.csv"), csv(establishmentColumns, rows));
		return stageFileInThread(
			{ connection, kind: "establishments", file: path("head-offices.csv") },
			() => {},
			new AbortController().signal,
		);
	};
	const client = await connectForTest(connection);
	await openStaging(client, "both");
	expect((await stage(headOffices.slice(0, 1))).secondHeads).toBeUndefined();
	await client.query(`update ${staging}.checkpoints set done = false`);
	expect(await stage(headOffices)).toMatchObject({ read: 2, heads: 2, secondHeads: 1 });
	await closeStaging(client);
});

test(
	"a search during the replacement of the tables never fails or sees partial data",
	async () => {
		const importAgain = () => importCompanies(connection, path("units.csv"), path("establishments.csv"));
		await importAgain();
		let running = true;
		const imports = (async () => {
			for (let i = 0; i < 5; i++) await importAgain();
			running = false;
		})();
		let searches = 0;
		const visitor = async () => {
			const search = parseCompanySearch(new URLSearchParams("q=aether"));
			for (; running; searches++) {
				expect((await searchCompanies(db, search)).total).toBe(4);
				expect((await searchCompanies(db, { ...search, query: "aehter" })).corrected).toBe("aether");
				expect(await suggestCompanies(db, "aeth")).toHaveLength(4);
				expect((await countFilters(db, search, null))?.forme).toMatchObject({ SAS: 1 });
				expect(await findCompany(db, "100000003" as Siren)).not.toBeNull();
			}
		};
		await Promise.all([imports, visitor(), visitor(), visitor(), visitor()]);
		expect(searches).toBeGreaterThan(0);
	},
	scaledTimeout(60_000),
);
