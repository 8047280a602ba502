import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { changesChannel, publicPagesSubject } from "../../server/database/changes.ts";
import { before, changedUnits, type FakeInsee, fakeInseeKey, startFakeInsee } from "../../test/fixtures/insee.ts";
import { establishmentFile, unitFile } from "../../test/fixtures/sirene.ts";
import { connectForTest } from "../../test/registry.ts";
import { createTestShop, type TestShop } from "../../test/shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";
import { registryCommands } from "./commands.server.ts";
import { importRegistrations } from "./rne/import-registrations.server.ts";
import { importCompanies } from "./sirene/import-companies.server.ts";
import { updateCompanies } from "./sirene/update-companies.server.ts";

/** A sole trader of Ajaccio, found by first name, name in use and name at birth. */
const siren = "100000001";
/** As the registers write them: what is searched for below is in small letters. */
const names = /DUPONT|ÉLODIE|AJACCIO/;

let shop: TestShop;
let admin: pg.Client;
let insee: FakeInsee;
const clock = Date.parse("2026-11-21T05:00:00Z");
const folder = mkdtempSync(join(tmpdir(), "hidden-"));
const path = (name: string) => join(folder, name);

beforeAll(async () => {
	shop = await createTestShop();
	admin = new pg.Client(shop.connection);
	await admin.connect();
	insee = await startFakeInsee(() => clock);
	writeFileSync(path("units.csv"), unitFile);
	writeFileSync(path("establishments.csv"), establishmentFile);
	writeFileSync(path("without.csv"), readFileSync(path("units.csv"), "utf8").replace(/^100000001,.*\n/m, ""));
});
afterAll(async () => {
	await insee?.close();
	await admin?.end();
	await shop?.close();
	rmSync(folder, { recursive: true });
});
const importAll = (units = "units.csv") => importCompanies(shop.connection, path(units), path("establishments.csv"));
afterEach(async () => {
	await admin.query("delete from hidden_companies");
});

const run = (name: string, ...args: string[]) =>
	registryCommands[name]?.(shop.connection, args, { insee: { base: insee.base, key: fakeInseeKey } }) ?? expect.fail(name);
const hide = (number = siren) => run("companies:hide", number, "--reason", "demande du 20 novembre");
const show = () => run("companies:show", siren);

type Lock = "advisory" | "relation" | "transactionid";
/** Until a connection of this database waits for a lock. */
async function untilSomebodyWaits(lock: Lock): Promise<"waits"> {
	const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and wait_event = $1";
	await vi.waitFor(async () => expect((await admin.query(waiting, [lock])).rowCount).not.toBe(0), {
		timeout: scaledTimeout(20_000),
		interval: 20,
	});
	return "waits";
}

const textOf = async (address: string) => (await shop.ask(address)).text();
/** Every page and answer that could name the company; the page of its SIREN exists throughout. */
async function everyAnswer(): Promise<string> {
	const addresses = [
		`/entreprise/${siren}`,
		`/api/entreprises/${siren}`,
		`/commande/${siren}?service=express`,
		...["lodie+dupont", "lefevre", "elodie+dupomt", "ajaccio", siren].map((q) => `/recherche?q=${q}`),
		...["elodie", "lefevre", siren].map((q) => `/api/entreprises/suggestions?q=${q}`),
		"/api/entreprises?q=elodie",
		"/sitemap-entreprises-1.xml",
	];
	const bodies = await Promise.all(addresses.map(textOf));
	return bodies.join("\n");
}
const tables = async () =>
	(
		await sql<{
			row: string;
		}>`select companies::text as row from companies union all select company_words::text from company_words order by 1`.execute(
			shop.shop.db,
		)
	).rows.map(({ row }) => row);

describe("a company is hidden", () => {
	beforeEach(async () => void (await importAll()));

	test("everywhere at once: page, API, search, suggestions, sitemap, order form and vocabulary", async () => {
		const before = await everyAnswer();
		expect(before).toMatch(names);
		expect(before).toContain(`/entreprise/${siren}</loc>`);
		expect(await hide()).toEqual({ ok: true, text: expect.stringContaining("is hidden everywhere"), subject: siren });

		const after = await everyAnswer();
		expect(after.match(names)?.[0]).toBeUndefined();
		expect(after).not.toContain(`/entreprise/${siren}</loc>`);
		expect((await tables()).filter((row) => /dupont|elodie|lefevre|ajaccio/i.test(row))).toEqual([]);
		const page = await textOf(`/entreprise/${siren}`);
		expect(page).toContain("À la demande de la personne concernée, nous n’affichons pas les autres informations de cette fiche.");
		expect(page).not.toContain("l’INSEE ne diffuse pas");
		expect(page).toContain('<meta name="robots" content="noindex"');
		expect(page).not.toContain('"Organization","name"');
		const masked = await textOf("/entreprise/100000002");
		expect(masked).toContain("À la demande de cette entreprise, l’INSEE ne diffuse pas ses autres informations.");
		for (const one of [page, masked]) expect(one).not.toMatch(/SIRET du siège|Adresse du siège|Date de création|Non communiqué/);
		// like every masked unit, it is found by its whole SIREN only
		expect(await (await shop.ask(`/api/entreprises/${siren}`)).json()).toMatchObject({ siren, name: null, masked: true, hidden: true });
		expect(await textOf("/api/entreprises/suggestions?q=10000000")).not.toContain(siren);
	});

	test("and shown again with all that was withheld, without an import; each time every process hears that public pages changed", async () => {
		const heard: unknown[] = [];
		const hear = ({ payload }: pg.Notification) => heard.push(payload);
		admin.on("notification", hear);
		await admin.query(`listen ${changesChannel}`);
		const [before, page] = [await tables(), await textOf(`/api/entreprises/${siren}`)];
		await hide();
		expect(await show()).toEqual({ ok: true, text: `${siren} is shown again.`, subject: siren });
		expect(await tables()).toEqual(before);
		expect(await textOf(`/api/entreprises/${siren}`)).toBe(page);
		expect(await show()).toMatchObject({ ok: false, text: `${siren} is not hidden.` });
		await vi.waitFor(() => expect(heard.slice(0, 2)).toEqual([publicPagesSubject, publicPagesSubject]));
		await admin.query(`unlisten ${changesChannel}`);
		admin.off("notification", hear);
	});

	test("once: the first reason stays, and twenty requests at once leave what one leaves", async () => {
		await hide();
		const before = await tables();
		await Promise.all(Array.from({ length: 20 }, () => hide()));
		expect(await run("companies:hide", siren, "--reason", "autre")).toMatchObject({ ok: true, text: expect.stringContaining("since 20") });
		expect(await tables()).toEqual(before);
		expect((await run("companies:hide", "--list")).text).toMatch(/^100000001 {2}\d{4}-.*Z {2}demande du 20 novembre$/);
		await show();
		expect(await textOf(`/api/entreprises/${siren}`)).toMatch(names);
		expect((await run("companies:hide", "--list")).text).toBe("No company is hidden.");
		const longest = "x".repeat(500);
		for (const number of ["100000003", siren, "100000004"]) await run("companies:hide", number, "--reason", longest);
		const listed = (await run("companies:hide", "--list")).text.split("\n");
		expect(listed.map((line) => line.slice(0, 9))).toEqual(["100000004", siren, "100000003"]); // the latest first
		expect(listed[0]?.endsWith(longest)).toBe(true);
	});

	test("with what somebody else is changing of it, and shown with what the RNE is saying of it", async () => {
		const other = await connectForTest(shop.connection);
		/** Hides or shows it while a change is under way, and lets that go on when it is waited for. */
		const during = async (change: string, lock: Lock, act: () => Promise<unknown>) => {
			await other.query(`begin; ${change}`);
			const done = act().then(() => "did not wait");
			expect(await Promise.race([done, untilSomebodyWaits(lock)])).toBe("waits");
			await other.query("commit");
			await done;
		};
		await during(`update companies set city = 'BASTIA' where siren = '${siren}'`, "transactionid", () => hide());
		const registration = `insert into company_registrations (siren, removed_on, as_of) values ('${siren}', '2026-01-31', '2026-06-01')`;
		await during(registration, "relation", () => show());
		await other.query("delete from company_registrations where siren = $1", [siren]);
		expect(JSON.parse(await textOf(`/api/entreprises/${siren}`))).toMatchObject({ masked: false, city: "BASTIA", status: "removed" });
	});

	test("an order keeps the name that it was made with", async () => {
		const { id } = await shop.placeOrder({ order: { siren: "100000003", companyName: "" } });
		const { company_name } = await shop.orderRow(id);
		await hide("100000003");
		expect(company_name).toMatch(/THER/);
		expect(await shop.orderRow(id)).toMatchObject({ company_name });
	});
});

describe("what fills the companies keeps it hidden", () => {
	beforeEach(async () => void (await importAll()));

	test("an import, which also brings what is shown later", async () => {
		await hide();
		writeFileSync(path("renamed.csv"), unitFile.replaceAll("DUPONT", "MARTIN"));
		await importAll("renamed.csv");
		expect((await everyAnswer()).match(names)?.[0]).toBeUndefined();
		expect((await tables()).join("\n")).not.toMatch(/MARTIN|martin/);
		await show();
		expect(await textOf(`/api/entreprises/${siren}`)).toContain("MARTIN");
	});

	test("an update day by day", async () => {
		await hide();
		Object.assign(insee, changedUnits());
		await admin.query("update company_sources set as_of = $1 where name = 'sirene'", [before.slice(0, 10)]);
		expect(await updateCompanies(shop.connection, { api: { base: insee.base, key: fakeInseeKey }, now: () => clock })).toMatchObject({
			stopped: null,
		});
		expect((await everyAnswer()).match(names)?.[0]).toBeUndefined();
		await show();
		expect(JSON.parse(await textOf(`/api/entreprises/${siren}`))).toMatchObject({ masked: false, hidden: false });
	});

	test("the RNE, whose word is there when it is shown again", async () => {
		await hide();
		const registration = {
			siren,
			capital_social: null,
			devise_capital: null,
			date_immatriculation: "1999-12-31",
			date_radiation: "2026-01-31",
		};
		writeFileSync(path("rne.json"), JSON.stringify([{ ...registration, indicateur_associe_unique: true }]));
		await importRegistrations(shop.connection, [path("rne.json")], { asOf: "2026-06-01" });
		expect(await textOf(`/api/entreprises/${siren}`)).not.toMatch(/1999|2026/);
		await show();
		expect(await textOf(`/api/entreprises/${siren}`)).toContain("31/12/1999");
		expect(JSON.parse(await textOf(`/api/entreprises/${siren}`))).toMatchObject({ status: "removed" });
	});

	test("an import that first brings it, and one that no longer has it forgets what was withheld", async () => {
		await importAll("without.csv");
		expect(await hide()).toMatchObject({ ok: true, text: expect.stringContaining("when an import brings it") });
		expect((await run("companies:hide", "--list")).text).toContain("(not in the company base)");
		await importAll();
		expect((await everyAnswer()).match(names)?.[0]).toBeUndefined();
		await importAll("without.csv");
		const { rows } = await admin.query("select withheld from hidden_companies");
		expect(rows).toEqual([{ withheld: null }]);
		await show();
		expect((await shop.ask(`/api/entreprises/${siren}`)).status).toBe(404);
	});

	test.each(["hide", "show"])("%s while an import is about to swap its tables in: no import undoes it, no moment shows it", async (act) => {
		if (act === "show") await hide();
		// the import has made its tables, and waits for a reader of the live ones
		const reader = await connectForTest(shop.connection);
		await reader.query("begin; lock table companies in access share mode");
		const imported = importAll();
		await untilSomebodyWaits("relation");
		const done = act === "hide" ? hide() : show();
		await reader.query("commit");
		await Promise.all([imported, done]);
		if (act === "hide") expect((await everyAnswer()).match(names)?.[0]).toBeUndefined();
		else expect(await textOf(`/api/entreprises/${siren}`)).toMatch(names);
	});

	test(
		"who hides, shows, imports or updates waits for whoever does another of these",
		async () => {
			Object.assign(insee, changedUnits());
			await admin.query("update company_sources set as_of = $1 where name = 'sirene'", [before.slice(0, 10)]);
			const update = () => updateCompanies(shop.connection, { api: { base: insee.base, key: fakeInseeKey }, now: () => clock });
			const other = await connectForTest(shop.connection);
			for (const change of [update, hide, show, importAll]) {
				await other.query("select pg_advisory_lock_shared(hashtext('hidden companies'))");
				const done = change().then(() => "did not wait");
				expect(await Promise.race([done, untilSomebodyWaits("advisory")]), String(change)).toBe("waits");
				await other.query("select pg_advisory_unlock_shared(hashtext('hidden companies'))");
				await done;
			}
		},
		scaledTimeout(60_000),
	);

	test(
		"while imports go on, no answer ever shows it",
		async () => {
			await hide();
			let running = true;
			const imports = (async () => {
				for (let i = 0; i < 4; i++) await importAll();
				running = false;
			})();
			let answers = 0;
			const visitor = async () => {
				for (; running; answers++) expect(await textOf(`/api/entreprises/${siren}`)).not.toMatch(names);
			};
			await Promise.all([imports, visitor(), visitor()]);
			expect(answers).toBeGreaterThan(0);
		},
		scaledTimeout(60_000),
	);
});

test.each([
	["companies:hide"],
	["companies:hide", siren],
	["companies:hide", siren, "--reason"],
	["companies:hide", siren, "--reason", "  "],
	["companies:hide", siren, "--reason", "x".repeat(501)],
	["companies:hide", "12345", "--reason", "x"],
	["companies:hide", siren, siren, "--reason", "x"],
	["companies:hide", siren, "--list"],
	["companies:hide", siren, "--raison", "x"],
	["companies:show"],
	["companies:show", "12345"],
	["companies:show", siren, siren],
	["companies:show", siren, "--all"],
])("%s %s %s %s is told how it is written, and does nothing", async (name, ...args) => {
	expect(await run(name, ...args)).toEqual({ ok: false, text: expect.stringMatching(/^Usage: npm run companies:(hide|show) -- <SIREN>/) });
	expect((await run("companies:hide", "--list")).text).toBe("No company is hidden.");
});
