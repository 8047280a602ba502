import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Database } from "../../../../server/database/database.ts";
import { createTestDatabase } from "../../../../test/database.ts";
import { csv, establishment, establishmentFile, unit, unitFile } from "../../../../test/fixtures/sirene.ts";
import { connectForTest, isStagingGone, readRegistry, saveRegistry } from "../../../../test/registry.ts";
import { scaledTimeout } from "../../../../test/time-limits.ts";
import { findCompany } from "../../find-company.server.ts";
import { parseCompanySearch } from "../../search/company-search.ts";
import { countFilters } from "../../search/count-filters.server.ts";
import { searchCompanies } from "../../search/search-companies.server.ts";
import { suggestCompanies } from "../../search/suggest-companies.server.ts";
import type { Siren } from "../../siren.ts";
import { staging } from "./import.store.server.ts";
import { type ImportSummary, importCompanies } from "./import-companies.server.ts";
import { establishmentColumns, unitColumns } from "./sirene-rows.ts";

let db: Database;
let connection: pg.ClientConfig;
let close: () => Promise<void>;
const folder = mkdtempSync(join(tmpdir(), "import-faults-"));
const path = (name: string) => join(folder, name);

/** The result of an uninterrupted import of units.csv and establishments.csv, and the registry after it. */
let imported: ImportSummary;
let registry: unknown;
/** Brings that registry back. */
let restore: () => Promise<void>;
const importAll = () => importCompanies(connection, path("units.csv"), path("establishments.csv"));

beforeAll(async () => {
	({ db, connection, close } = await createTestDatabase());
	writeFileSync(path("units.csv"), unitFile);
	writeFileSync(path("establishments.csv"), establishmentFile);
	imported = await importAll();
	registry = await readRegistry(db);
	restore = await saveRegistry(db);
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

	/**
	 * Kills the import while it waits for an advisory lock.
	 * @param block creates the event trigger « blocked » and its function, which make it wait.
	 * @param connections the number of its connections that wait then.
	 */
	async function killWhenBlocked(block: string, connections: number, files: Files): Promise<void> {
		const blocking = await connectForTest(connection);
		await blocking.query(`select pg_advisory_lock(1); ${block}`);
		try {
			const waiting = `select from pg_stat_activity where application_name = 'extrait-pro import' and wait_event = 'advisory'
				and datname = current_database()`;
			const child = startImport(files);
			while (child.exitCode === null && (await sql.raw(waiting).execute(db)).rows.length < connections) await wait(10);
			expect(child.exitCode).toBeNull();
			child.kill("SIGKILL");
			await once(child, "exit");
		} finally {
			await blocking.query("select pg_advisory_unlock(1)");
			await blocking.query("drop event trigger blocked; drop function blocked(); drop function if exists blocked_row() cascade");
		}
	}

	/** Kills an import, expects unchanged tables until it is resumed, and resumes it. @returns its result. */
	async function killAndResume(files: Files, kill: () => Promise<void>): Promise<ImportSummary> {
		const before = await readRegistry(db);
		await kill();
		expect(await readRegistry(db)).toEqual(before);
		const summary = await importCompanies(connection, files.unitsFile, files.establishmentsFile);
		expect(summary.resumed).toBe(true);
		expect(await isStagingGone(db)).toBe(true);
		expect(await readRegistry(db)).not.toEqual(before);
		return summary;
	}

	test("while it reads the files", async () => {
		// more than one batch of each file, of few rows: the filling is in columns that an import does not read
		const filling = "x".repeat(3000);
		const sirens = Array.from({ length: 3000 }, (_, index) => String(200_000_000 + index));
		const units = sirens.map((siren) => unit(siren, { denomination: `FABRIQUE ${siren}`, identifiantAssociation: filling }));
		const establishments = sirens.map((siren, index) =>
			establishment(`${siren}00011`, { siege: index % 3 === 0 ? "false" : "true", complementAdresse2: filling }),
		);
		const files = { unitsFile: path("many.csv"), establishmentsFile: path("many-establishments.csv") };
		writeFileSync(files.unitsFile, csv(unitColumns, units));
		writeFileSync(files.establishmentsFile, csv(establishmentColumns, establishments));
		// the last batch of each file ends with its checkpoint
		const atLastCheckpoints = `
			create function blocked_row() returns trigger language plpgsql as 'begin perform pg_advisory_xact_lock(1); return new; end';
			create function blocked() returns event_trigger language plpgsql as $$ begin
				if to_regclass('${staging}.checkpoints') is not null and not exists (select from pg_trigger where tgname = 'blocked') then
					create trigger blocked before insert or update on ${staging}.checkpoints for each row when (new.done) execute function blocked_row();
				end if;
			end $$;
			create event trigger blocked on ddl_command_end when tag in ('create table') execute function blocked()`;
		const summary = await killAndResume(files, async () => {
			await killWhenBlocked(atLastCheckpoints, 2, files);
			const { rows } = await sql`select from ${sql.table(`${staging}.checkpoints`)} where byte > 0 and not done`.execute(db);
			expect(rows).toHaveLength(2);
		});
		const resumed = await readRegistry(db);
		expect(await importCompanies(connection, files.unitsFile, files.establishmentsFile)).toEqual({ ...summary, resumed: false });
		expect(await readRegistry(db)).toEqual(resumed);
	});

	test.each([
		["while it joins the tables", "create table as"],
		["while it creates indexes", "create index"],
	])("%s", async (_, statement) => {
		const files = { unitsFile: path("units.csv"), establishmentsFile: path("establishments.csv") };
		const inStatement = `
			create function blocked() returns event_trigger language plpgsql as 'begin perform pg_advisory_xact_lock(1); end';
			create event trigger blocked on ddl_command_start when tag in ('${statement}') execute function blocked()`;
		await sql`update companies set city = 'CORTE' where siren = '100000001'`.execute(db);
		expect(await killAndResume(files, () => killWhenBlocked(inStatement, 1, files))).toEqual({ ...imported, resumed: true });
		expect(await readRegistry(db)).toEqual(registry);
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

test(
	"a search during the replacement of the tables never fails or sees partial data",
	async () => {
		await restore();
		const visitors = 4;
		let running = true;
		const imports = (async () => {
			// the searches wait for the import, which waits for this reader: they continue at the moment of the replacement
			const reader = await connectForTest(connection);
			await reader.query("begin; lock table companies in access share mode");
			const first = importAll();
			const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'relation'`;
			await vi.waitFor(async () => expect((await sql.raw(waiting).execute(db)).rows).toHaveLength(1 + visitors), {
				timeout: scaledTimeout(20_000),
				interval: 20,
			});
			await reader.query("commit");
			await first;
			await importAll();
		})().finally(() => {
			running = false;
		});
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
		await Promise.all([imports, ...Array.from({ length: visitors }, visitor)]);
		expect(searches).toBeGreaterThan(0);
	},
	scaledTimeout(60_000),
);
