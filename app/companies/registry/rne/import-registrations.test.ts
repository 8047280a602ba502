import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Database } from "../../../../server/database/database.ts";
import { createTestDatabase } from "../../../../test/database.ts";
import { createResponse } from "../../../../test/fixtures/rne.ts";
import { establishmentFile, unitFile } from "../../../../test/fixtures/sirene.ts";
import { waitForLock } from "../../../../test/orders.ts";
import { withClient } from "../../../../test/postgres.ts";
import { zip } from "../../../../test/zip.ts";
import { findCompanySources } from "../../company-sources.server.ts";
import { findCompany } from "../../find-company.server.ts";
import { parseCompanySearch } from "../../search/company-search.ts";
import { searchCompanies } from "../../search/search-companies.server.ts";
import type { Siren } from "../../siren.ts";
import { registryCommands } from "../commands.server.ts";
import { registryLock } from "../sirene/import.store.server.ts";
import { importCompanies } from "../sirene/import-companies.server.ts";
import { importRegistrations } from "./import-registrations.server.ts";

let db: Database;
let connection: pg.ClientConfig;
let close: () => Promise<void>;
const folder = mkdtempSync(join(tmpdir(), "registrations-"));
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

const company = (siren: string) => findCompany(db, siren as Siren);
const search = async (query: string) =>
	(await searchCompanies(db, parseCompanySearch(new URLSearchParams(query)))).results.map(({ siren }) => siren);
const importSirene = () => importCompanies(connection, path("units.csv"), path("establishments.csv"));
const listAllRows = async () => {
	const rows = async (table: string) =>
		(await sql<{ row: string }>`select ${sql.raw(table)}::text as row from ${sql.table(table)} order by 1`.execute(db)).rows;
	return [await rows("companies"), await rows("company_registrations"), await findCompanySources(db)];
};

/** Imports responses of the RNE's API as one file. */
async function importResponses(...responses: object[]) {
	writeFileSync(path("responses.json"), JSON.stringify(responses, null, 2));
	return importRegistrations(connection, [path("responses.json")]);
}

describe("the embedded sample", () => {
	test("has Danone with its data of the RNE", async () => {
		expect(await company("552032534")).toMatchObject({
			registrationDate: "1955-03-01",
			capital: "170 348 620,75 €".replaceAll(" ", "\u00a0"),
			duration: "99\u00a0ans",
			removalDate: null,
			rneAsOf: "2026-06-01",
			greffe: "Paris",
			status: "active",
		});
	});

	test("has the date of removal from the RNE", async () => {
		expect(await company("839517323")).toMatchObject({ status: "removed", removalDate: "2021-10-15" });
	});

	test("is changed by newer responses, not by older ones", async () => {
		const older = { recorded: "2025-08-12T07:52:43.402Z", response: createResponse("552032534", "2025-08-07", { montantCapital: 1 }) };
		expect(await importResponses(older)).toMatchObject({ read: 1, kept: 0, skipped: { older: 1 } });
		expect(await company("552032534")).toMatchObject({ rneAsOf: "2026-06-01", duration: "99\u00a0ans" });
		expect(
			await importResponses(
				createResponse("552032534", "2026-09-02", { montantCapital: 2, deviseCapital: "EUR" }),
				createResponse("552032534", "2026-09-01", { montantCapital: 1, deviseCapital: "EUR" }),
			),
		).toMatchObject({ read: 2, kept: 1, unknown: 0, skipped: { older: 1 } });
		expect(await company("552032534")).toMatchObject({
			capital: "2\u00a0€",
			rneAsOf: "2026-09-02",
			creationDate: "1955-01-01",
			registrationDate: "1955-03-01",
			duration: "99\u00a0ans",
		});
		expect(await findCompanySources(db)).toMatchObject({ rneAsOf: "2026-09-02" });
	});
});

describe("two responses of the same day", () => {
	const withCapital = (capital: number, siren = "552032534") =>
		createResponse(siren, "2026-09-03", { montantCapital: capital, deviseCapital: "EUR" });

	test("the last one wins, in one file and across files", async () => {
		expect(await importResponses(withCapital(3), withCapital(5), withCapital(4))).toMatchObject({
			read: 3,
			kept: 1,
			skipped: { older: 2 },
		});
		expect(await company("552032534")).toMatchObject({ capital: "4\u00a0€" });
		expect(await importResponses(withCapital(2))).toMatchObject({ kept: 1, skipped: { older: 0 } });
		expect(await company("552032534")).toMatchObject({ capital: "2\u00a0€" });
	});

	test("any dated response replaces one without a date", async () => {
		await sql`update company_registrations set as_of = null, capital_as_of = null where siren = '552032534'`.execute(db);
		expect(await importResponses(createResponse("552032534", "2020-01-01", { montantCapital: 9 }))).toMatchObject({ kept: 1 });
		expect(await company("552032534")).toMatchObject({ capital: "9\u00a0(devise\u00a0non\u00a0précisée)" });
	});
});

describe("with companies from SIRENE", () => {
	beforeAll(importSirene);

	test("a response distinguishes the legal form, by which the search filters", async () => {
		expect(await company("100000003")).toMatchObject({ legalForm: "SARL / EURL", rneAsOf: null, capital: null, removalDate: null });
		expect(await search("q=aether&forme=EURL")).toEqual(["100000003"]);
		expect(await search("q=aether&forme=SARL")).toEqual(["100000003"]);
		const summary = await importResponses(
			createResponse("100000003", "2026-05-02", { indicateurAssocieUnique: true, montantCapital: 457.35, deviseCapital: "EUR", duree: 1 }),
			createResponse("100000005", "2026-05-03", { indicateurAssocieUnique: false }, { entreprise: { dateImmat: "1999-12-31" } }),
			createResponse("199999999", "2026-05-03", { duree: 99 }),
			{ updatedAt: "2026-05-04", formality: { siren: "100000001", content: { personnePhysique: {} } } },
		);
		expect(summary).toEqual({
			read: 4,
			kept: 3,
			unknown: 1,
			companies: 2,
			skipped: { "no-legal-person": 1, withheld: 0, older: 0, faulty: 0 },
			faults: [],
		});
		expect(await company("100000003")).toMatchObject({
			legalForm: "EURL",
			capital: "457,35\u00a0€",
			duration: "1\u00a0an",
			rneAsOf: "2026-05-02",
		});
		expect(await company("100000005")).toMatchObject({ legalForm: "SAS", registrationDate: "1999-12-31", rneAsOf: "2026-05-03" });
		expect(await search("q=aether&forme=EURL")).toEqual(["100000003"]);
		expect(await search("q=aether&forme=SARL")).toEqual([]);
		expect(await search("q=aether&forme=SAS")).toEqual(["100000005"]);
		expect(await search("q=aether&forme=SASU")).toEqual([]);
		expect(await search("q=maitres")).toEqual(["100000003"]);
	});

	test("a newer response changes the form, unless it does not say it", async () => {
		await importResponses(createResponse("100000003", "2026-05-05", { indicateurAssocieUnique: false }));
		expect(await search("q=aether&forme=SARL")).toEqual(["100000003"]);
		expect(await search("q=aether&forme=EURL")).toEqual([]);
		await importResponses(createResponse("100000003", "2026-05-05", { indicateurAssocieUnique: true }));
		expect(await search("q=aether&forme=SARL")).toEqual([]);
		await importResponses(createResponse("100000003", "2026-05-05", { indicateurAssocieUnique: false }));
		await importResponses(createResponse("100000003", "2026-05-06", { montantCapital: 8000, deviseCapital: "EUR" }));
		expect(await search("q=aether&forme=SARL")).toEqual(["100000003"]);
		expect(await search("q=aether&forme=EURL")).toEqual([]);
		expect(await company("100000003")).toMatchObject({ legalForm: "SARL", capital: "8\u00a0000\u00a0€" });
	});

	test("a removed company stays removed until the next import of SIRENE", async () => {
		const removed = { person: { detailCessationEntreprise: { dateRadiation: "2026-04-30" } } };
		await importResponses(createResponse("100000006", "2026-05-05", {}, removed));
		expect(await company("100000006")).toMatchObject({ status: "removed", removalDate: "2026-04-30" });
		await importResponses(createResponse("100000006", "2026-05-06", { duree: 99 }));
		expect(await company("100000006")).toMatchObject({ status: "removed", removalDate: "2026-04-30", duration: "99\u00a0ans" });
		await importResponses(createResponse("100000006", "2026-05-07", { duree: 98 }, { entreprise: { dateImmat: "2010-01-15" } }));
		expect(await company("100000006")).toMatchObject({ status: "removed", removalDate: null });
		await importSirene();
		expect(await company("100000006")).toMatchObject({ status: "active", duration: "98\u00a0ans" });
	});

	test("a masked unit stays masked", async () => {
		const before = await company("100000002");
		await importResponses(
			createResponse("100000002", "2026-05-05", { indicateurAssocieUnique: true, montantCapital: 1000, deviseCapital: "EUR" }),
		);
		expect(await company("100000002")).toEqual(before);
	});

	test("withheld data are deleted, and older responses do not restore them", async () => {
		const identity = { indicateurAssocieUnique: true, montantCapital: 1000, deviseCapital: "EUR" };
		await importResponses(createResponse("100000005", "2026-06-01", identity));
		expect(await company("100000005")).toMatchObject({ legalForm: "SASU", rneAsOf: "2026-06-01" });
		const withheld = createResponse("100000005", "2026-06-02", identity, { formality: { diffusionINSEE: "N" } });
		expect(await importResponses(withheld, createResponse("100000005", "2026-06-01", identity))).toMatchObject({
			kept: 0,
			skipped: { withheld: 1, older: 1 },
		});
		expect(await company("100000005")).toMatchObject({ legalForm: "SAS / SASU", capital: null, rneAsOf: null });
		// of the same instant, the last one counts
		const diffused = createResponse("100000005", "2026-06-02", { duree: 5 });
		expect(await importResponses(diffused, withheld)).toMatchObject({ kept: 0, skipped: { withheld: 1 } });
		expect(await search("q=aether&forme=SAS")).toEqual(["100000005"]);
	});

	test("the same file again, or an import of SIRENE, changes nothing", async () => {
		await importResponses(createResponse("100000003", "2026-07-01", { indicateurAssocieUnique: true, duree: 99 }));
		const before = await listAllRows();
		expect(await importRegistrations(connection, [path("responses.json")])).toMatchObject({ kept: 1, companies: 0 });
		expect(await listAllRows()).toEqual(before);
		await importSirene();
		expect(await listAllRows()).toEqual(before);
	});

	test("entries without a date have the given day, or the day of their file", async () => {
		writeFileSync(path("search.json"), '\ufeff[ {"siren": "100000003", "date_immatriculation": "2001-02-03"} ]\n');
		utimesSync(path("search.json"), new Date("2026-07-02T12:00:00Z"), new Date("2026-07-02T12:00:00Z"));
		await importRegistrations(connection, [path("search.json")]);
		expect(await company("100000003")).toMatchObject({ rneAsOf: "2026-07-02", registrationDate: "2001-02-03" });
		await importRegistrations(connection, [path("search.json")], { asOf: "2026-07-03" });
		expect(await company("100000003")).toMatchObject({ rneAsOf: "2026-07-03" });
	});
});

describe("the command", () => {
	const run = (...args: string[]) =>
		registryCommands["companies:import-rne"]?.run(connection, args, { insee: { base: "", key: undefined } });

	test("prints its usage, its result, and the reason of a failure", async () => {
		expect(await run()).toEqual({ ok: false, text: expect.stringMatching(/^Usage: npm run companies:import-rne -- <list\.json>/) });
		writeFileSync(
			path("search.json"),
			'[{"siren": "100000003", "date_immatriculation": "2001-02-03"}, {"siren": "199999998", "date_immatriculation": "2002-02-03"}]',
		);
		expect(await run(path("search.json"), "--as-of=2026-07-04")).toEqual({
			ok: true,
			text: "2 registrations imported, 0 companies changed.\nEntries: 2 rows read, 2 kept. 1 are of SIRENs that the companies do not have.",
		});
		expect(await company("100000003")).toMatchObject({ rneAsOf: "2026-07-04" });
		writeFileSync(path("search.json"), '[{"siren": "100000003", "date_immatriculation": "2001-02-03"}]');
		expect((await run(path("search.json"), "--as-of=2026-07-04"))?.text).toMatch(/Entries: 1 rows read, 1 kept\.$/);
		writeFileSync(
			path("search.json"),
			'[{"siren": "100000003", "date_immatriculation": "2001-02-03"}, {"siren": "1", "date_immatriculation": null}]',
		);
		expect((await run(path("search.json"), "--as-of=2026-07-04"))?.text).toMatch(
			/Entries: 2 rows read, 1 kept, set aside: 1 unreadable\.\nUnreadable: search\.json, line 1: siren: expected nine digits that are not all zero$/,
		);
		expect(await run(path("none.json"))).toEqual({
			ok: false,
			text: "\nThe import stopped and changed nothing: none.json cannot be imported: there is no such file",
		});
	});

	test.each(["--as-of", "--as-of=", "--as-of=03/11/2026", "--as-of=2026-02-30", "--as-of=2999-01-01"])("refuses %s", async (option) => {
		writeFileSync(path("search.json"), '[{"siren": "100000003", "date_immatriculation": "2001-02-03"}]');
		expect(await run(path("search.json"), option)).toEqual({
			ok: false,
			text: expect.stringMatching(/^Usage: npm run companies:import-rne/),
		});
	});

	test("takes today's day in Paris, which begins before that of UTC", async () => {
		vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-29T23:30:00Z") });
		try {
			writeFileSync(path("search.json"), '[{"siren": "100000003", "date_immatriculation": "2001-02-03"}]');
			expect(await run(path("search.json"), "--as-of=2026-11-30")).toMatchObject({ ok: true });
			expect(await run(path("search.json"), "--as-of=2026-12-01")).toMatchObject({ ok: false });
		} finally {
			vi.useRealTimers();
		}
	});
});

describe("a broken file is named in the error; neither it nor the files before it change anything", () => {
	const entry = createResponse("100000003", "2026-08-01", { duree: 50 });
	const good = JSON.stringify(entry, null, 1);
	test.each<[what: string, content: string | Buffer, message: RegExp]>([
		["an empty file", "", /^broken\.json cannot be imported: it is empty$/],
		["blanks", "\ufeff \n", /it is empty$/],
		[
			"an object in several lines that ends too early",
			good.slice(0, -2),
			/line 1, it ends before its list or its entry does: it was cut short$/,
		],
		["a list of numbers", "[1, 2]", /it holds no registration: line 1: no object$/],
		["a text after an empty list", "[]\n\n[]", /it holds no registration: line 3: text outside the list$/],
		["a truncated list", `[${good},\n${good.slice(0, -20)}`, /line 18, it ends before its list or its entry does: it was cut short$/],
		["an unclosed list", `[${good}`, /it ends before its list or its entry does: it was cut short$/],
		["truncated results", JSON.stringify({ results: [entry] }).slice(0, -1), /it was cut short$/],
		[
			"truncated lines",
			`${JSON.stringify(entry)}\n${JSON.stringify(entry).slice(0, -5)}`,
			/line 2, it ends before its list or its entry does: it was cut short$/,
		],
		["a truncated compressed file", gzipSync(`${JSON.stringify(entry)}\n`.repeat(50)).subarray(0, -9), /unexpected end of file$/],
		["invalid JSON", `[{"siren": 'x'}]`, /it holds no registration: line 1: no JSON$/],
		["invalid UTF-8", Buffer.from(`[{"siren": "\xff"}]`, "latin1"), /it holds no registration: line 1: not UTF-8$/],
		["another file", '[{"nom": "DANONE"}]', /it holds no registration: line 1: siren: /],
		["a web page", "<!doctype html><title>Erreur</title>", /it is a web page$/],
		["a table", "siren;nom\n552032534;<DANONE>\n", /it holds no JSON$/],
		["a zip without JSON", zip("stock.csv", Buffer.from(good)), /it holds 0 \.json files in place of one$/],
		[
			"a wrong type",
			`[${good.replace("50", '"un siècle"')}]`,
			/it holds no registration: line 1: formality\.content\.personneMorale\.identite\.description\.duree: /,
		],
	])("%s", async (_, content, message) => {
		const before = await listAllRows();
		writeFileSync(path("good.json"), `[${good}]`);
		writeFileSync(path("broken.json"), content);
		await expect(importRegistrations(connection, [path("good.json"), path("broken.json")])).rejects.toThrow(message);
		expect(await listAllRows()).toEqual(before);
	});

	test("a missing file", async () => {
		await expect(importRegistrations(connection, [path("none.json")])).rejects.toThrow(
			"none.json cannot be imported: there is no such file",
		);
	});
});

test("an import waits for another one, and leaves no connection", async () => {
	writeFileSync(path("one.json"), JSON.stringify([createResponse("100000003", "2026-08-01", { duree: 50 })]));
	const { work } = await withClient(connection, async (client) => {
		await client.query(`select pg_advisory_lock_shared(${registryLock})`);
		const work = importRegistrations(connection, [path("one.json")]);
		await waitForLock(db, work);
		const { rows } = await client.query("select from pg_locks where locktype = 'advisory' and not granted");
		expect(rows).toHaveLength(1);
		return { work };
	});
	expect(await work).toMatchObject({ read: 1 });
	await vi.waitFor(async () => {
		const { rows } =
			await sql`select from pg_stat_activity where datname = current_database() and application_name = 'extrait-pro import'`.execute(db);
		expect(rows).toEqual([]);
	});
});
