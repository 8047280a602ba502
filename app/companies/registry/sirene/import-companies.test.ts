import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../../../server/database/database.ts";
import { createTestDatabase } from "../../../../test/database.ts";
import { csv, establishment, establishmentFile, type Row, unit, unitFile } from "../../../../test/fixtures/sirene.ts";
import { saveRegistry } from "../../../../test/registry.ts";
import { findCompanySources } from "../../company-sources.server.ts";
import { findCompany } from "../../find-company.server.ts";
import { parseCompanySearch } from "../../search/company-search.ts";
import { searchCompanies } from "../../search/search-companies.server.ts";
import { suggestCompanies } from "../../search/suggest-companies.server.ts";
import type { Siren } from "../../siren.ts";
import { importRegistrations } from "../rne/import-registrations.server.ts";
import { importCompanies } from "./import-companies.server.ts";
import { establishmentColumns, unitColumns } from "./sirene-rows.ts";

let db: Database;
let connection: pg.ClientConfig;
let close: () => Promise<void>;
const folder = mkdtempSync(join(tmpdir(), "companies-"));
const path = (name: string) => join(folder, name);

/** After each import of this file, the number of pages of « companies » that are not marked visible. */
const invisiblePages: number[] = [];
async function importFiles(units = "units.csv") {
	const summary = await importCompanies(connection, path(units), path("establishments.csv"));
	const { rows } = await sql<{ pages: number; visible: number }>`
		select relpages as pages, relallvisible as visible from pg_class where relname = 'companies' and relnamespace = current_schema()::regnamespace
	`.execute(db);
	const [{ pages, visible } = expect.fail()] = rows;
	expect(pages).toBeGreaterThan(0);
	invisiblePages.push(pages - visible);
	return summary;
}

beforeAll(async () => {
	({ db, connection, close } = await createTestDatabase());
	writeFileSync(path("units.csv"), unitFile);
	writeFileSync(path("establishments.csv"), establishmentFile);
	await importFiles();
});
afterAll(async () => {
	await close();
	rmSync(folder, { recursive: true });
});

const company = (siren: string) => findCompany(db, siren as Siren);
const search = async (query: string) =>
	(await searchCompanies(db, parseCompanySearch(new URLSearchParams(query)))).results.map(({ siren }) => siren);

describe("privacy", () => {
	test("a masked unit has only its legal form and status", async () => {
		expect(await company("100000002")).toEqual({
			id: "100000002",
			siren: "100000002",
			legalCategory: "5710",
			legalForm: "SAS / SASU",
			legalFormInFull: "SAS, société par actions simplifiée",
			eligibility: "kbis",
			status: "active",
			masked: true,
			notices: [],
			hidden: false,
			tradeNames: [],
			establishments: { open: 0, list: [] },
			vatNumbers: [],
			vatAsOf: null,
			...Object.fromEntries(
				[
					"name",
					"matchedName",
					"acronym",
					"staffBand",
					"category",
					"headOffice",
					"address",
					"addressComplement",
					"postalCode",
					"city",
					"activityDescription",
					"siret",
					"nafCode",
					"creationDate",
					"registrationDate",
					"capital",
					"updatedOn",
					"removalDate",
					"duration",
					"durationEnd",
					"financialYearEnd",
					"purpose",
					"rneAsOf",
					"greffe",
				].map((field) => [field, null]),
			),
		});
	});

	test("a masked unit is found by its complete SIREN only", async () => {
		expect(await search("q=100000002")).toEqual(["100000002"]);
		for (const q of ["1000000", "10000000", "secret", "famille", "cachette", "75001"])
			expect(await search(`q=${q}`)).not.toContain("100000002");
		expect((await suggestCompanies(db, "10000000")).map(({ siren }) => siren)).not.toContain("100000002");
		expect(await suggestCompanies(db, "100000002")).toMatchObject([
			{ siren: "100000002", name: "Entreprise", address: null, postalCode: null, city: null },
		]);
	});

	test("the tables have no data of a masked unit", async () => {
		const { rows } = await sql<{ row: string }>`select companies::text as row from companies where masked`.execute(db);
		expect(rows[0]?.row).not.toMatch(/SECRET|CACHEE|75001|2015|47\.11/i);
		const { rows: words } = await sql`select from company_words where word in ('secret', 'famille', 'cachette', 'cachee')`.execute(db);
		expect(words).toHaveLength(0);
	});

	test("an unmasked unit with a masked head office has no address", async () => {
		expect(await company("100000005")).toMatchObject({
			name: "AETHER GROUPE",
			siret: "10000000500011",
			address: null,
			postalCode: null,
			city: null,
		});
		expect(await search("q=bordeaux")).toEqual([]);
	});
});

describe("names", () => {
	test("a sole trader has first name and name in use, and is also found by birth name", async () => {
		expect(await company("100000001")).toMatchObject({
			name: "ÉLODIE DUPONT-MOREAU",
			legalForm: "Entrepreneur individuel",
			eligibility: "extrait-k",
		});
		for (const q of ["elodie dupont", "Lefevre", "atelier elodie", "ajaccio", "20090"])
			expect(await search(`q=${q}`)).toContain("100000001");
		expect(await search("q=elodie&forme=Auto-entrepreneur&departement=2a&secteur=services-informatiques")).toEqual(["100000001"]);
	});

	test("ligatures, quotes, tabs and backslashes are stored unchanged", async () => {
		expect(await company("100000003")).toMatchObject({ name: 'ÆTHER & FILS, "MAÎTRES" D\'ŒUVRE' });
		for (const q of ["æther", "aether et fils", "aether %26 fils", "d’œuvre", "maitres oeuvre"])
			expect(await search(`q=${q}`)).toContain("100000003");
		expect(await company("100000007")).toMatchObject({ name: "SOCIETE NATIONALE\tET\\COMPAGNIE" });
	});

	test("acronyms and abbreviations are found", async () => {
		for (const q of ["sncf", "S.N.C.F.", "s n c f", "ste nationale"]) expect(await search(`q=${q}`)).toEqual(["100000007"]);
	});

	test("trade signs are found for open establishments only", async () => {
		expect(await search("q=comptoir")).toEqual(["100000003"]);
		expect(await search("q=boutique")).toEqual([]);
	});
});

describe("what a company's page shows", () => {
	test("trade names, acronym and size", async () => {
		expect(await company("100000001")).toMatchObject({ tradeNames: ["L'ATELIER D'ÉLODIE"], acronym: null });
		expect(await company("100000005")).toMatchObject({
			tradeNames: [],
			staffBand: "10\u00a0000 salariés ou plus",
			category: "Grande entreprise (GE)",
		});
		expect(await company("100000007")).toMatchObject({ acronym: "S.N.C.F.", staffBand: null, category: null });
	});

	test("the open establishments, the head office first", async () => {
		const address = { complement: null, street: "Ancien Siege", postalCode: "69003", city: "Lyon" };
		const unknown = { complement: null, street: null, postalCode: null, city: null };
		const shown = { nafCode: null, activityDescription: null, masked: false };
		expect((await company("100000003"))?.establishments).toEqual({
			open: 2,
			list: [
				{ siret: "10000000300011", tradeName: null, headOffice: true, address, ...shown },
				{ siret: "10000000300029", tradeName: "LE COMPTOIR", headOffice: false, address: unknown, ...shown },
			],
		});
		expect((await company("100000004"))?.establishments).toEqual({ open: 0, list: [] });
	});
});

describe("addresses and dates", () => {
	test("addresses are formatted, and found by CEDEX and department", async () => {
		expect(await company("100000001")).toMatchObject({ address: "3 BIS CHEMIN DES VIGNES", postalCode: "20090", city: "AJACCIO" });
		expect(await company("100000003")).toMatchObject({ city: "LYON", postalCode: "69003" });
		expect(await company("100000006")).toMatchObject({ address: "10 DOWNING STREET", postalCode: null, city: "LONDRES (ROYAUME-UNI)" });
		expect(await company("100000007")).toMatchObject({
			address: "LIEU DIT LE MARCHE",
			addressComplement: "TOUR A, BP 12",
			postalCode: "97400",
			city: "SAINT-DENIS",
		});
		expect(await search("q=97715")).toEqual(["100000007"]);
		expect(await search("q=sncf&departement=974")).toEqual(["100000007"]);
	});

	test("impossible dates and 1900-01-01 are unknown", async () => {
		expect((await company("100000001"))?.creationDate).toBeNull();
		expect((await company("100000004"))?.creationDate).toBeNull();
		expect((await company("100000003"))?.creationDate).toBe("2001-02-03");
	});

	test("sections come from NAF rév. 2 or NAF 2025 only", async () => {
		expect(await search("q=aether&secteur=services-informatiques")).toEqual(["100000005"]);
		expect(await company("100000005")).toMatchObject({ nafCode: "72.2Z", activityDescription: null });
	});
});

test("results are sorted by activity, category and staff", async () => {
	expect(await search("q=aether")).toEqual(["100000005", "100000006", "100000003", "100000004"]);
	expect((await company("100000004"))?.status).toBe("ceased");
});

test("an import keeps the data of the RNE", async () => {
	const registrations = [
		{
			siren: "100000001",
			capital_social: null,
			date_immatriculation: "2011-04-05",
			date_radiation: "2020-01-01",
			indicateur_associe_unique: false,
		},
		{
			siren: "100000003",
			capital_social: 457.35,
			devise_capital: "EUR",
			date_immatriculation: "1999-12-31",
			date_radiation: null,
			indicateur_associe_unique: true,
		},
	];
	writeFileSync(path("registrations.json"), JSON.stringify(registrations));
	writeFileSync(path("units.csv.gz"), gzipSync(unitFile));
	await importRegistrations(connection, [path("registrations.json")], { asOf: "2026-06-01" });
	const { companies } = await importFiles("units.csv.gz");
	expect(companies).toBe(7);
	expect(await company("100000003")).toMatchObject({ registrationDate: "1999-12-31", capital: "457,35\u00a0€", legalForm: "EURL" });
	expect(await company("100000001")).toMatchObject({ registrationDate: "2011-04-05", capital: null, status: "removed" });
	expect(await search("q=aether&forme=EURL")).toEqual(["100000003"]);
	expect(await search("q=aether&forme=SARL")).toEqual([]);
	expect(await findCompanySources(db)).toMatchObject({ companies: 7, rneAsOf: "2026-06-01" });
});

test("after an import, all table pages are marked visible (vacuum)", async () => {
	// vacuum skips a page that the server is writing or analysing at that moment, so one import of three may leave some
	const countComplete = () => invisiblePages.filter((pages) => pages === 0).length;
	while (countComplete() < 2 && invisiblePages.length - countComplete() < 2) await importFiles();
	expect(countComplete()).toBeGreaterThanOrEqual(2);
});

test("companies of equal importance are sorted by number of establishments, size of the place, and SIREN", async () => {
	onTestFinished(await saveRegistry(db));
	await sql`delete from company_registrations`.execute(db);
	const places = { 200000001: "29019", 200000002: "69029", 200000003: "69123", 200000004: "75056", 200000005: "69123" };
	writeFileSync(
		path("equals.csv"),
		csv(
			unitColumns,
			Object.keys(places).map((siren) => unit(siren, { denomination: "PAREILLE" })),
		),
	);
	const headOffices = Object.entries(places).map(([siren, codeCommune]) => establishment(`${siren}00011`, { codeCommune }));
	writeFileSync(path("places.csv"), csv(establishmentColumns, headOffices));
	await importCompanies(connection, path("equals.csv"), path("places.csv"));
	expect(await search("q=pareille")).toEqual(["200000003", "200000005", "200000002", "200000001", "200000004"]);
	expect(await findCompanySources(db)).toEqual({ companies: 5, isSample: false, sireneAsOf: null, rneAsOf: undefined });

	// removed by the RNE; without an address; with two branches; masked, with an unmasked branch
	const removal = { siren: "200000001", date_immatriculation: null, date_radiation: "2026-04-30" };
	writeFileSync(path("removal.json"), JSON.stringify([removal]));
	await importRegistrations(connection, [path("removal.json")], { asOf: "2026-06-01" });
	const names = ["200000001", "200000002", "200000003", "200000004"].map((siren) => unit(siren, { denomination: "PAREILLE" }));
	const withUpdateDay = (row: Row, day: string) => ({
		...row,
		dateDernierTraitementUniteLegale: `${day}T08:00:00`,
		dateDernierTraitementEtablissement: `${day}T08:00:00`,
	});
	const otherUnits = [
		withUpdateDay(unit("200000005", { denomination: "PAREILLE", nicSiege: "00099" }), "2026-01-01"),
		withUpdateDay(unit("200000006", { denomination: "PAREILLE" }), "2026-03-03"),
		unit("200000007", { statutDiffusion: "P", denomination: "PAREILLE" }),
	];
	writeFileSync(path("equals.csv"), csv(unitColumns, [...names, ...otherUnits]));
	const branch = (siret: string, enseigne1: string) => establishment(siret, { siege: "false", enseigne1 });
	writeFileSync(
		path("places.csv"),
		csv(establishmentColumns, [
			...headOffices.filter(({ siren }) => siren !== "200000002" && siren !== "200000005"),
			withUpdateDay(establishment("20000000500099", { codeCommune: "69123" }), "2026-02-02"),
			withUpdateDay(establishment("20000000600011", { codeCommune: "75056" }), "2026-01-01"),
			branch("20000000600029", "ESCALE"),
			branch("20000000600037", "ESCALE"),
			establishment("20000000700011", { enseigne1: "CACHETTE" }),
			branch("20000000700029", "CACHETTE"),
		]),
	);
	await importCompanies(connection, path("equals.csv"), path("places.csv"));
	expect(await search("q=pareille")).toEqual(["200000006", "200000003", "200000005", "200000004", "200000002", "200000001"]);
	expect(await search("q=escale")).toEqual(["200000006"]);
	expect(await search("q=cachette")).toEqual([]);
	expect(await sql`select from company_words where word = 'cachette'`.execute(db)).toMatchObject({ rows: [] });
	expect(await search("q=200000007")).toEqual(["200000007"]);
	// the newer of both days; the SIRET is that of the unit even if no file has this head office
	expect(await findCompany(db, "200000005" as Siren)).toMatchObject({ updatedOn: "2026-02-02", siret: "20000000500099" });
	expect(await findCompany(db, "200000006" as Siren)).toMatchObject({ updatedOn: "2026-03-03", siret: "20000000600011" });
	expect(await findCompany(db, "200000002" as Siren)).toMatchObject({ updatedOn: null, siret: "20000000200011" });
	expect(await findCompanySources(db)).toEqual({ companies: 7, isSample: false, sireneAsOf: "2026-03-03", rneAsOf: "2026-06-01" });
});

describe("the imported tables have the constraints of the migrations", () => {
	const insertWith = (change: object) =>
		`insert into companies select made.* from companies known, jsonb_populate_record(known, '${JSON.stringify({ id: 99, siren: "199999999", ...change })}') made
			where known.siren = '100000003'`;
	test.each([
		[insertWith({ status: "gone" }), /companies_status_check/],
		[insertWith({ masked: null }), /violates not-null constraint/],
		[insertWith({ lexemes: null }), /violates not-null constraint/],
		[insertWith({ siren: "100000001" }), /companies_siren/],
		[insertWith({ id: 1 }), /companies_pkey/],
		["insert into company_branches values ('100000003', 1, null, '[]')", /company_branches_pkey/],
		["insert into company_branches values ('100000001', null, null, '[]')", /violates not-null constraint/],
		["insert into company_words values ('aether', 1)", /company_words_pkey/],
		["insert into company_words values ('zephyr', null)", /violates not-null constraint/],
		["insert into company_sources values ('insee', null, now(), 1)", /company_sources_name_check/],
		["insert into company_sources values ('sirene', null, now(), 1)", /company_sources_pkey/],
	])("%s", async (statement, message) => {
		await expect(sql.raw(statement).execute(db)).rejects.toThrow(message);
	});

	test("the imported tables keep their primary keys", async () => {
		const { rows } = await sql<{ name: string }>`
			select conrelid::regclass::text as name from pg_constraint join pg_class on pg_class.oid = conrelid
			where contype = 'p' and relnamespace = current_schema()::regnamespace and relname in ('companies', 'company_branches', 'company_words', 'company_sources')
			order by 1
		`.execute(db);
		expect(rows.map(({ name }) => name)).toEqual(["companies", "company_branches", "company_sources", "company_words"]);
	});
});

test("the vocabulary has only words of at least four letters, without numbers", async () => {
	const { rows } = await sql<{ word: string }>`select word from company_words`.execute(db);
	const words = rows.map(({ word }) => word);
	expect(words).toEqual(expect.arrayContaining(["sncf", "aether", "elodie"]));
	expect(words.filter((word) => word.length < 4 || !/\p{Ll}/u.test(word) || /\p{Lu}/u.test(word))).toEqual([]);
});

test("the indexes exist after a second import, the first being that of the sample", async () => {
	const { rows } = await sql<{ name: string }>`select indexname as name from pg_indexes where tablename = 'companies' order by 1`.execute(
		db,
	);
	expect(rows.map(({ name }) => name)).toEqual([
		"companies_alias_key",
		...[1, 2, 3, 4, 5, 6, 7, 8].map((tier) => `companies_lexemes_${tier}`),
		"companies_name_key",
		"companies_pkey",
		"companies_siren",
	]);
});
