import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Database } from "../../../../server/database/database.ts";
import { createTestDatabase } from "../../../../test/database.ts";
import { after, before, changedUnits, type FakeInsee, fakeInseeKey, startFakeInsee } from "../../../../test/fixtures/insee.ts";
import { csv, generatedEstablishments, generatedUnits, type Row, unit } from "../../../../test/fixtures/sirene.ts";
import { connectForTest, saveRegistry } from "../../../../test/registry.ts";
import { scaledTimeout } from "../../../../test/time-limits.ts";
import { findCompanySources } from "../../company-sources.server.ts";
import { findCompany } from "../../find-company.server.ts";
import { parseCompanySearch } from "../../search/company-search.ts";
import { searchCompanies } from "../../search/search-companies.server.ts";
import type { Siren } from "../../siren.ts";
import { registryCommands } from "../commands.server.ts";
import { importRegistrations } from "../rne/import-registrations.server.ts";
import { registryLock } from "./import.store.server.ts";
import { importCompanies } from "./import-companies.server.ts";
import { establishmentColumns, unitColumns } from "./sirene-rows.ts";
import { type UpdateOptions, updateCompanies } from "./update-companies.server.ts";

let db: Database;
let connection: pg.ClientConfig;
let close: () => Promise<void>;
/** Brings the imported companies back. */
let restore: () => Promise<void>;
let insee: FakeInsee;
let clock: number;
let slept: number[];
const folder = mkdtempSync(join(tmpdir(), "update-"));
const path = (name: string) => join(folder, name);

const minute = 60_000;

beforeAll(async () => {
	({ db, connection, close } = await createTestDatabase());
	insee = await startFakeInsee(() => clock);
	const withOldDate = (suffix: string, rows: Row[]) => rows.map((row) => ({ ...row, [`dateDernierTraitement${suffix}`]: before }));
	writeFileSync(path("units.csv"), csv([...unitColumns, "activitePrincipaleNAF25UniteLegale"], withOldDate("UniteLegale", generatedUnits)));
	writeFileSync(path("establishments.csv"), csv(establishmentColumns, withOldDate("Etablissement", generatedEstablishments)));
	const registration = { siren: "100000003", date_immatriculation: "1999-12-31", indicateur_associe_unique: true };
	writeFileSync(
		path("registrations.json"),
		JSON.stringify([{ capital_social: null, devise_capital: null, date_radiation: null, ...registration }]),
	);
	await sql`delete from company_registrations`.execute(db); // those of the sample
	await importRegistrations(connection, [path("registrations.json")], { asOf: "2026-06-01" });
	await importCompanies(connection, path("units.csv"), path("establishments.csv"));
	restore = await saveRegistry(db);
});
afterAll(async () => {
	await insee.close();
	await close();
	rmSync(folder, { recursive: true });
});

async function startAgain() {
	await restore();
	clock = Date.parse("2026-11-21T05:00:00Z");
	slept = [];
	Object.assign(insee, { ...changedUnits(), pageSize: 1000, fault: () => undefined, requests: [] });
}
beforeEach(startAgain);

const update = (options: Partial<UpdateOptions> = {}) =>
	updateCompanies(connection, {
		api: { base: insee.base, key: fakeInseeKey },
		now: () => clock,
		sleep: async (ms) => {
			slept.push(ms);
			clock += ms;
		},
		timeout: scaledTimeout(2000),
		...options,
	});
const company = (siren: string) => findCompany(db, siren as Siren);
const search = async (query: string) =>
	(await searchCompanies(db, parseCompanySearch(new URLSearchParams(query)))).results.map(({ siren }) => siren);
const listAllRows = async () =>
	(
		await sql<{ row: string }>`select companies::text as row from companies union all select company_words::text from company_words
			union all select company_branches::text from company_branches
			union all select concat_ws(' ', name, as_of, companies) from company_sources order by 1`.execute(db)
	).rows.map(({ row }) => row);
/** Adds new companies to the fake INSEE. */
const addMany = (count: number) => {
	for (let i = 0; i < count; i++) {
		const row = { ...unit(String(200_000_000 + i), { denomination: `MULTITUDE ${i}` }), dateDernierTraitementUniteLegale: after };
		insee.units.push(row);
	}
};

/** Creates a response of INSEE with these units. */
const createResponse = (...unitesLegales: object[]) => ({
	status: 200,
	body: { header: { total: unitesLegales.length, curseur: "*", curseurSuivant: "*" }, unitesLegales },
});

test("an update records its time, even without changes; a stopped update does not", async () => {
	const findImportTime = async () => {
		const rows = await db.selectFrom("company_sources").select("imported_at").where("name", "=", "sirene").execute();
		return rows[0]?.imported_at;
	};
	for (let run = 0; run < 2; run++) {
		clock += 86_400_000;
		await update();
		expect(await findImportTime()).toEqual(new Date(clock));
	}
	const previous = await findImportTime();
	clock += 86_400_000;
	insee.fault = () => ({ status: 403, body: {} });
	expect((await update()).stopped).not.toBeNull();
	expect(await findImportTime()).toEqual(previous);
});

describe("an update", () => {
	/** Brings the updated companies back. */
	let restoreUpdated: () => Promise<void>;
	let requests: FakeInsee["requests"];

	// one update for all tests
	beforeAll(async () => {
		await startAgain();
		expect(await update()).toEqual({
			requested: 8,
			unanswered: 0,
			changed: 6,
			new: 1,
			masked: 1,
			ceased: 1,
			knownUntil: "2026-11-20",
			stopped: null,
		});
		requests = insee.requests;
		restoreUpdated = await saveRegistry(db);
	});
	beforeEach(() => restoreUpdated());

	test("requests the changes of the period, then the changed companies", () => {
		const paging = { nombre: "1000", curseur: "*" };
		const sirens = "siren:(100000001 OR 100000002 OR 100000003 OR 100000004 OR 100000005 OR 100000006 OR 100000007 OR 100000020)";
		const period = "[2026-11-17 TO 2026-11-21]";
		expect(requests.every(({ key }) => key === fakeInseeKey)).toBe(true);
		// the period starts a day early, so it includes known changes
		expect(requests.slice(0, 2).map(({ path, parameters }) => [path, parameters])).toEqual([
			[
				"/api-sirene/3.11/siren",
				{ ...paging, q: `dateDernierTraitementUniteLegale:${period}`, champs: "siren,dateDernierTraitementUniteLegale" },
			],
			[
				"/api-sirene/3.11/siret",
				{ ...paging, q: `dateDernierTraitementEtablissement:${period}`, champs: "siren,dateDernierTraitementEtablissement" },
			],
		]);
		expect(requests.slice(2).map(({ path, parameters }) => [path, parameters])).toEqual([
			["/api-sirene/3.11/siren", { ...paging, q: sirens }],
			[
				"/api-sirene/3.11/siret",
				{ ...paging, q: `${sirens} AND (etablissementSiege:true OR periode(etatAdministratifEtablissement:A))`, date: "2999-12-31" },
			],
		]);
	});

	test("renames a company", async () => {
		expect(await company("100000005")).toMatchObject({ name: "ZÉPHYR GROUPE", updatedOn: "2026-11-20" });
		expect(await search("q=zephyr")).toEqual(["100000005"]);
		expect(await search("q=zéphir")).toEqual(["100000005"]); // a typing error, corrected with the new word
		expect(await search("q=aether")).not.toContain("100000005");
		expect(await search("q=ancien")).toEqual([]);
	});

	test("keeps words that other companies have in the vocabulary, deletes others", async () => {
		const { rows } = await sql<{ word: string; companies: number }>`select word, companies from company_words
			where word in ('aether', 'groupe', 'zephyr', 'levant', 'petrin', 'ajaccio', 'rennes') order by word`.execute(db);
		expect(rows).toEqual([
			{ word: "aether", companies: 3 },
			{ word: "groupe", companies: 1 },
			{ word: "levant", companies: 1 },
			{ word: "petrin", companies: 1 },
			{ word: "rennes", companies: 1 },
			{ word: "zephyr", companies: 1 },
		]);
	});

	test("moves a company", async () => {
		expect(await company("100000001")).toMatchObject({
			siret: "10000000100029",
			address: "8 RUE NEUVE",
			postalCode: "35000",
			city: "RENNES",
		});
		expect(await search("q=elodie&departement=35")).toEqual(["100000001"]);
		expect(await search("q=elodie&departement=2a")).toEqual([]);
	});

	test("marks a ceased company, which keeps its rank until the next import", async () => {
		expect(await company("100000006")).toMatchObject({ name: "AETHER ÉTRANGER", status: "ceased" });
		expect(await search("q=aether")).toEqual(["100000006", "100000003", "100000004"]);
	});

	test("adds a new company with the last rank", async () => {
		expect(await company("100000020")).toMatchObject({
			name: "BOULANGERIE DU LEVANT",
			address: "PLACE DU MARCHE",
			city: "PARIS",
			status: "active",
		});
		expect(await search("q=petrin&departement=75&forme=SAS&secteur=industrie")).toEqual(["100000020"]);
		expect((await findCompanySources(db))?.companies).toBe(8);
		const { rows } = await sql<{ id: number }>`select id from companies where siren = '100000020'`.execute(db);
		expect(rows[0]?.id).toBe(8);
	});

	test("masks a company without leaving data, and unmasks another", async () => {
		expect(await company("100000007")).toMatchObject({ masked: true, name: null, address: null, city: null, siret: null });
		expect(await search("q=sncf")).toEqual([]);
		expect(await search("q=100000007")).toEqual(["100000007"]);
		expect((await listAllRows()).join("\n")).not.toMatch(/national|compagnie|sncf|saint-denis|messag/i);
		expect(await company("100000002")).toMatchObject({ masked: false, name: "PLUS DE SECRET", address: "1 RUE CACHEE" });
		expect(await search("q=cachette")).toEqual(["100000002"]);
	});

	test("adds a trade sign and keeps the data of the RNE", async () => {
		expect(await search("q=escale")).toEqual(["100000003"]);
		expect(await search("q=comptoir&forme=EURL")).toEqual(["100000003"]);
		const { open, list } = (await company("100000003"))?.establishments ?? {};
		expect(open).toBe(3);
		expect(list?.map(({ siret, tradeName, headOffice }) => [siret, tradeName, headOffice])).toEqual([
			["10000000300011", null, true],
			["10000000300029", "LE COMPTOIR", false],
			["10000000300045", "L'ESCALE", false],
		]);
		expect(await company("100000003")).toMatchObject({ legalForm: "EURL", registrationDate: "1999-12-31" });
	});

	test("gives the same companies as an import of stock files", async () => {
		const rows = async () => (await listAllRows()).filter((row) => /['[]/.test(row)).map((row) => row.replace(/^\(\d+,/, ""));
		const updated = await rows();
		writeFileSync(path("units-now.csv"), csv([...unitColumns, "activitePrincipaleNAF25UniteLegale"], insee.units));
		writeFileSync(path("establishments-now.csv"), csv(establishmentColumns, insee.establishments));
		await importCompanies(connection, path("units-now.csv"), path("establishments-now.csv"));
		expect(updated.sort()).toEqual((await rows()).sort());
	});

	test("changes nothing when repeated", async () => {
		const known = await listAllRows();
		expect(await update()).toMatchObject({
			requested: 7,
			changed: 0,
			new: 0,
			masked: 0,
			ceased: 0,
			knownUntil: "2026-11-20",
			stopped: null,
		});
		expect(await listAllRows()).toEqual(known);
	});
});

describe("requests to INSEE", () => {
	test("read all announced pages by cursor", async () => {
		insee.pageSize = 3;
		expect(await update()).toMatchObject({ changed: 6, new: 1, stopped: null });
		const cursors = insee.requests.map(({ path, parameters }) => `${path.slice(-5)} ${parameters.curseur}`);
		expect(cursors.slice(0, 3)).toEqual(["siren *", `siren ${btoa("3")}`, `siren ${btoa("6")}`]);
		expect(await company("100000020")).toMatchObject({ name: "BOULANGERIE DU LEVANT" });
	});

	test("have URLs of limited length and are at most thirty per minute", async () => {
		addMany(400);
		insee.pageSize = 12;
		const fractions: number[] = [];
		expect(await update({ onProgress: (fraction) => fractions.push(fraction) })).toMatchObject({
			requested: 408,
			new: 401,
			stopped: null,
		});
		expect(await search("q=multitude 399")).toEqual(["200000399"]);
		const { rows } = await sql`select companies from company_words where word = 'multitude'`.execute(db);
		expect(rows).toEqual([{ companies: 400 }]); // of six batches
		expect(Math.max(...insee.requests.map(({ length }) => length))).toBeLessThan(1500);
		const instants = insee.requests.map(({ at }) => at);
		expect(instants.length).toBeGreaterThan(45);
		for (const from of instants) expect(instants.filter((at) => at >= from && at < from + minute).length).toBeLessThanOrEqual(30);
		expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
		expect(fractions.at(-1)).toBe(1);
	});

	test("are retried after a wait", async () => {
		insee.fault = (count) => ({ 1: { status: 503 }, 2: "silence" as const, 4: { status: 429 } })[count];
		expect(await update({ timeout: scaledTimeout(100) })).toMatchObject({ changed: 6, new: 1, stopped: null });
		expect(slept).toEqual([2000, 5000, minute]);
	});

	test("end after the lists when nothing changed", async () => {
		insee.units = [];
		insee.establishments = [];
		expect(await update()).toMatchObject({ requested: 0, changed: 0, new: 0, knownUntil: "2026-11-18", stopped: null });
	});
});

describe("a fault of INSEE", () => {
	test.each([
		["of changed units", 1],
		["of changed establishments", 2],
		["of units", 3],
		["of establishments", 4],
	])("stops the update without changes: a truncated list %s", async (_, place) => {
		const known = await listAllRows();
		insee.fault = (count) => (count === place ? { status: 200, body: '{"header": {"sta' } : undefined);
		expect((await update()).stopped).toMatch(/INSEE's API answered something unexpected/);
		expect(await listAllRows()).toEqual(known);
	});

	test("keeps the completed batches, and the next update does the rest", async () => {
		addMany(100);
		// lists, units and establishments of the first batch, units of the second
		insee.fault = (count) => (count === 6 ? { status: 200, body: "{" } : undefined);
		expect(await update()).toMatchObject({ requested: 80, changed: 6, new: 73, knownUntil: "2026-11-18", stopped: expect.any(String) });
		expect((await findCompanySources(db))?.companies).toBe(80);
		expect(await search("q=zephyr")).toEqual(["100000005"]);
		expect(await search("q=multitude 99")).not.toContain("200000099");
		insee.fault = () => undefined;
		insee.requests = [];
		expect(await update()).toMatchObject({ requested: 108, changed: 0, new: 28, knownUntil: "2026-11-20", stopped: null });
		expect(insee.requests[0]?.parameters.q).toContain("[2026-11-17 TO ");
		expect(await search("q=multitude 99")).toEqual(["200000099"]);
	});

	test("is repeated without harm after it was killed", async () => {
		addMany(100);
		// no response, until it is killed
		insee.fault = (count) => {
			if (count !== 5) return undefined;
			sql`select pg_terminate_backend(pid) from pg_stat_activity
				where application_name = 'extrait-pro update' and datname = current_database()`.execute(db);
			return "silence";
		};
		await expect(update({ timeout: scaledTimeout(300) })).rejects.toThrow();
		expect(await findCompanySources(db)).toMatchObject({ companies: 80, sireneAsOf: "2026-11-18" });
		insee.fault = () => undefined;
		expect(await update()).toMatchObject({ requested: 108, changed: 0, new: 28, knownUntil: "2026-11-20", stopped: null });
	});

	test("leaves a unit unchanged that is missing or has another SIREN in the response", async () => {
		const other = {
			siren: "199999999",
			statutDiffusionUniteLegale: "O",
			periodesUniteLegale: [{ dateFin: null, etatAdministratifUniteLegale: "A", denominationUniteLegale: "DOUBLE" }],
		};
		insee.fault = (count) => (count === 3 ? createResponse(other) : undefined);
		expect(await update()).toMatchObject({ requested: 8, unanswered: 8, changed: 0, new: 0, stopped: null });
		expect(await company("199999999")).toBeNull();
		insee.units = insee.units.filter(({ siren }) => siren !== "100000003");
		expect(await update()).toMatchObject({ requested: 7, unanswered: 1, stopped: null });
		expect(await company("100000003")).toMatchObject({ city: "LYON" });
	});
});

test("a search during an update never fails, and sees each company before or after its change", async () => {
	addMany(100);
	let running = true;
	const updating = update().finally(() => {
		running = false;
	});
	let searches = 0;
	for (; running; searches++) {
		expect([["100000005"], []]).toContainEqual(await search("q=zephyr"));
		expect([7, 8].map(() => "100000003")).toContain((await search("q=comptoir"))[0]);
		expect((await company("100000005"))?.name).toMatch(/^(AETHER|ZÉPHYR) GROUPE$/);
	}
	expect(await updating).toMatchObject({ new: 101, stopped: null });
	expect(searches).toBeGreaterThan(2);
});

describe("the day of the data", () => {
	const getPeriod = () => insee.requests[0]?.parameters.q?.replace(/^.*:/, "");

	test("never goes back, even if only older changes are listed", async () => {
		for (const row of [...insee.units, ...insee.establishments])
			for (const name of Object.keys(row)) if (name.startsWith("dateDernierTraitement")) row[name] = "2026-11-17T12:00:00.000";
		expect(await update()).toMatchObject({ requested: 8, knownUntil: "2026-11-18", stopped: null });
		expect(await findCompanySources(db)).toMatchObject({ sireneAsOf: "2026-11-18" });
	});

	test("is at most today in Paris, even with a later date from INSEE", async () => {
		clock = Date.parse("2026-11-20T23:30:00Z");
		await sql`update company_sources set as_of = '2026-11-21' where name = 'sirene'`.execute(db);
		insee.establishments = [];
		const changed = { siren: "100000005", dateDernierTraitementUniteLegale: "2026-11-22T00:00:00" };
		insee.fault = (count) => (count === 1 ? createResponse(changed) : undefined);
		expect(await update()).toMatchObject({ requested: 1, changed: 1, knownUntil: "2026-11-21", stopped: null });
		expect(getPeriod()).toBe("[2026-11-20 TO 2026-11-21]");
	});
});

test("imports and updates wait for the lock of the registry, and for each other", async () => {
	const other = await connectForTest(connection);
	const waiting = `select from pg_locks where locktype = 'advisory' and not granted
		and database = (select oid from pg_database where datname = current_database())`;
	await other.query(`select pg_advisory_lock_shared(${registryLock})`);
	const changes = [
		update(),
		importCompanies(connection, path("units.csv"), path("establishments.csv")),
		importRegistrations(connection, [path("registrations.json")], { asOf: "2026-06-01" }),
		update(),
	] as const;
	const ended = changes.map((change, index) => change.then(() => `number ${index} did not wait`));
	const waits = vi.waitFor(async () => expect((await other.query(waiting)).rowCount).toBe(changes.length), {
		timeout: scaledTimeout(20_000),
		interval: 20,
	});
	expect(await Promise.race([...ended, waits.then(() => "all wait")])).toBe("all wait");
	await other.query(`select pg_advisory_unlock_shared(${registryLock})`);
	const [updated] = await Promise.all(changes);
	expect(updated.stopped).toBeNull();
	await update();
	expect(await search("q=zephyr")).toEqual(["100000005"]);
});

test("a future day in the data does not prevent updates", async () => {
	await sql`update company_sources set as_of = '2027-05-01' where name = 'sirene'`.execute(db);
	expect(await update()).toMatchObject({ changed: 6, new: 1, knownUntil: "2026-11-20", stopped: null });
	expect(insee.requests[0]?.parameters.q).toContain("[2026-11-17 TO 2026-11-21]");
	// today is no future day
	await sql`update company_sources set as_of = '2027-05-01' where name = 'sirene'`.execute(db);
	await sql`update companies set updated_on = '2026-11-21' where siren = '100000006'`.execute(db);
	insee.requests.length = 0;
	await update();
	expect(insee.requests[0]?.parameters.q).toContain("[2026-11-20 TO 2026-11-21]");
});

describe("the command", () => {
	const run = (key?: string, args: string[] = []) =>
		registryCommands["companies:update"]?.run(connection, args, { insee: { base: insee.base, key } });

	test("prints where to get a key, and its usage", async () => {
		expect(await run()).toMatchObject({ ok: false, text: expect.stringMatching(/INSEE_API_KEY.*portail-api\.insee\.fr/) });
		expect(await run(fakeInseeKey, ["now"])).toEqual({ ok: false, text: "Usage: npm run companies:update" });
		expect(insee.requests).toEqual([]);
	});

	test("prints its result", async () => {
		expect(await run(fakeInseeKey)).toEqual({
			ok: true,
			text: "8 units asked for: 6 changed (1 ceased, 1 no longer fully diffused), 1 new. The companies are as INSEE knew them on 2026-11-20.",
		});
	});

	test("prints why it stopped", async () => {
		expect(await run("wrong-key")).toMatchObject({ ok: false, text: expect.stringMatching(/^\nThe update stopped: INSEE refuses/) });
		await sql`delete from company_sources`.execute(db);
		expect(await run(fakeInseeKey)).toMatchObject({ ok: false, text: expect.stringMatching(/no companies to update/) });
	});
});
