import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { changesChannel, publicPagesSubject } from "../../../server/database/changes.ts";
import { before, changedUnits, type FakeInsee, fakeInseeKey, startFakeInsee } from "../../../test/fixtures/insee.ts";
import { csv, establishment, generatedEstablishments, unitFile } from "../../../test/fixtures/sirene.ts";
import { connectForTest, saveRegistry } from "../../../test/registry.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { scaledTimeout } from "../../../test/time-limits.ts";
import { registryCommands } from "./commands.server.ts";
import { importRegistrations } from "./rne/import-registrations.server.ts";
import { importCompanies } from "./sirene/import-companies.server.ts";
import { establishmentColumns } from "./sirene/sirene-rows.ts";
import { updateCompanies } from "./sirene/update-companies.server.ts";

/** A sole trader in Ajaccio with a first name, a name in use and a birth name. */
const siren = "100000001";
/** The spelling of the registers. The searches below are in lower case, so that they do not match. */
const names = /DUPONT|ÉLODIE|AJACCIO/;

/** Another establishment of the company. */
const branch = establishment(`${siren}00045`, { siege: "false", libelleCommune: "AJACCIO", enseigne1: "ANNEXE DUPONT" });

let shop: TestShop;
/** Brings the imported companies back, of which none is hidden. */
let restore: () => Promise<void>;
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
	writeFileSync(path("establishments.csv"), csv(establishmentColumns, [...generatedEstablishments, branch]));
	writeFileSync(path("without.csv"), unitFile.replace(/^100000001,.*\n/m, ""));
	await sql`delete from company_registrations`.execute(shop.shop.db); // those of the sample
	await importAll();
	restore = await saveRegistry(shop.shop.db);
});
afterAll(async () => {
	await insee?.close();
	await admin?.end();
	await shop?.close();
	rmSync(folder, { recursive: true });
});
const importAll = (units = "units.csv") => importCompanies(shop.connection, path(units), path("establishments.csv"));
beforeEach(() => restore());

const run = (name: string, ...args: string[]) =>
	registryCommands[name]?.run(shop.connection, args, { insee: { base: insee.base, key: fakeInseeKey } }) ?? expect.fail(name);
const hide = (number = siren) => run("companies:hide", number, "--reason", "demande du 20 novembre");
const show = () => run("companies:show", siren);

type Lock = "advisory" | "relation" | "transactionid";
/** Resolves when connections of this database wait for a lock. */
async function untilLockAwaited(lock: Lock, connections = 1): Promise<"waits"> {
	const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and wait_event = $1";
	await vi.waitFor(async () => expect((await admin.query(waiting, [lock])).rowCount).toBeGreaterThanOrEqual(connections), {
		timeout: scaledTimeout(20_000),
		interval: 20,
	});
	return "waits";
}

/** Imports while a reader locks the live tables. @param action runs when the import has its new tables and waits for the reader. */
async function importBehindReader(units: string, action: () => Promise<unknown>): Promise<void> {
	const reader = await connectForTest(shop.connection);
	await reader.query("begin; lock table companies in access share mode");
	const imported = importAll(units);
	await untilLockAwaited("relation");
	await action();
	await reader.query("commit");
	await imported;
}

const fetchText = async (path: string) => (await shop.ask(path)).text();
/** Fetches all pages and API responses that may name the company. */
const sitemap = "/sitemap-entreprises-1.xml";

async function fetchAllTexts(): Promise<string> {
	const paths = [
		`/entreprise/${siren}`,
		`/api/entreprises/${siren}`,
		`/commande/${siren}?service=express`,
		...["lodie+dupont", "lefevre", "elodie+dupomt", "ajaccio", siren].map((q) => `/recherche?q=${q}`),
		...["elodie", "lefevre", siren].map((q) => `/api/entreprises/suggestions?q=${q}`),
		"/api/entreprises?q=elodie",
	];
	const bodies = await Promise.all(paths.map(fetchText));
	return bodies.join("\n");
}
const listTableRows = async () =>
	(
		await sql<{
			row: string;
		}>`select companies::text as row from companies union all select company_words::text from company_words
			union all select company_branches::text from company_branches order by 1`.execute(shop.shop.db)
	).rows.map(({ row }) => row);

describe("hiding a company", () => {
	test("removes its data from page, API, search, suggestions, sitemap, order form and vocabulary", async () => {
		const before = await fetchAllTexts();
		expect(before).toMatch(names);
		expect((await listTableRows()).filter((row) => row.includes("ANNEXE DUPONT")).length).toBe(1);
		expect(await fetchText(sitemap)).toContain(`/entreprise/${siren}</loc>`);
		expect(await hide()).toEqual({ ok: true, text: expect.stringContaining("is hidden everywhere"), subject: siren });

		// the company's page and the sitemap are cached: each process drops them when the notification arrives, just after the command
		await vi.waitFor(async () => expect((await fetchAllTexts()).match(names)?.[0]).toBeUndefined(), scaledTimeout(10_000));
		await vi.waitFor(async () => expect(await fetchText(sitemap)).not.toContain(`/entreprise/${siren}</loc>`), scaledTimeout(10_000));
		expect((await listTableRows()).filter((row) => /dupont|elodie|lefevre|ajaccio/i.test(row))).toEqual([]);
		const page = await fetchText(`/entreprise/${siren}`);
		expect(page).toContain("À la demande de la personne concernée, nous n’affichons pas les autres informations de cette fiche.");
		expect(page).not.toContain("l’Insee ne diffuse pas");
		expect(page).toContain('<meta name="robots" content="noindex"');
		expect(page).not.toContain('"Organization","name"');
		const masked = await fetchText("/entreprise/100000002");
		expect(masked).toContain("À la demande de cette entreprise, l’Insee ne diffuse pas ses autres informations.");
		for (const text of [page, masked]) expect(text).not.toMatch(/SIRET du siège|Adresse du siège|Date de création|Non communiqué/);
		// like any masked unit, it is found by its complete SIREN only
		expect(await (await shop.ask(`/api/entreprises/${siren}`)).json()).toMatchObject({ siren, name: null, masked: true, hidden: true });
		expect(await fetchText("/api/entreprises/suggestions?q=10000000")).not.toContain(siren);
	});

	test("is undone with all its data without an import; both times all processes are notified to clear public pages", async () => {
		const notifications: unknown[] = [];
		const onNotification = ({ payload }: pg.Notification) => notifications.push(payload);
		admin.on("notification", onNotification);
		await admin.query(`listen ${changesChannel}`);
		const [before, page] = [await listTableRows(), await fetchText(`/api/entreprises/${siren}`)];
		await hide();
		expect(await show()).toEqual({ ok: true, text: `${siren} is shown again.`, subject: siren });
		expect(await listTableRows()).toEqual(before);
		expect(await fetchText(`/api/entreprises/${siren}`)).toBe(page);
		expect(await show()).toMatchObject({ ok: false, text: `${siren} is not hidden.` });
		await vi.waitFor(() => expect(notifications.slice(0, 2)).toEqual([publicPagesSubject, publicPagesSubject]), scaledTimeout(10_000));
		await admin.query(`unlisten ${changesChannel}`);
		admin.off("notification", onNotification);
	});

	test("twice keeps the first reason; twenty concurrent requests have the effect of one", async () => {
		await hide();
		const before = await listTableRows();
		await Promise.all(Array.from({ length: 20 }, () => hide()));
		expect(await run("companies:hide", siren, "--reason", "autre")).toMatchObject({ ok: true, text: expect.stringContaining("since 20") });
		expect(await listTableRows()).toEqual(before);
		expect((await run("companies:hide", "--list")).text).toMatch(/^100000001 {2}\d{4}-.*Z {2}demande du 20 novembre$/);
		await show();
		expect(await fetchText(`/api/entreprises/${siren}`)).toMatch(names);
		expect((await run("companies:hide", "--list")).text).toBe("No company is hidden.");
		const longest = "x".repeat(500);
		for (const number of ["100000003", siren, "100000004"]) await run("companies:hide", number, "--reason", longest);
		const listed = (await run("companies:hide", "--list")).text.split("\n");
		expect(listed.map((line) => line.slice(0, 9))).toEqual(["100000004", siren, "100000003"]); // the latest first
		expect(listed[0]?.endsWith(longest)).toBe(true);
	});

	test("waits for a concurrent update of its row, and showing waits for a concurrent import of the RNE", async () => {
		const other = await connectForTest(shop.connection);
		/** Runs an action during a change, and commits the change when the action waits for it. */
		const during = async (change: string, lock: Lock, action: () => Promise<unknown>) => {
			await other.query(`begin; ${change}`);
			const done = action().then(() => "did not wait");
			expect(await Promise.race([done, untilLockAwaited(lock)])).toBe("waits");
			await other.query("commit");
			await done;
		};
		await during(`update companies set city = 'BASTIA' where siren = '${siren}'`, "transactionid", () => hide());
		const registration = `insert into company_registrations (siren, removed_on, as_of) values ('${siren}', '2026-01-31', '2026-06-01')`;
		await during(registration, "relation", () => show());
		await other.query("delete from company_registrations where siren = $1", [siren]);
		expect(JSON.parse(await fetchText(`/api/entreprises/${siren}`))).toMatchObject({ masked: false, city: "BASTIA", status: "removed" });
	});

	test("does not change the company name of an order", async () => {
		const { id } = await shop.placeOrder({ order: { siren: "100000003", companyName: "" } });
		const { company_name } = await shop.orderRow(id);
		await hide("100000003");
		expect(company_name).toMatch(/THER/);
		expect(await shop.orderRow(id)).toMatchObject({ company_name });
	});
});

describe("a hidden company stays hidden", () => {
	test("at every moment of an import, whose data appear when it is shown again", async () => {
		await hide();
		writeFileSync(path("renamed.csv"), unitFile.replaceAll("DUPONT", "MARTIN"));
		let running = true;
		let responses = 0;
		const visit = async () => {
			for (; running; responses++) {
				expect(await fetchText(`/api/entreprises/${siren}`)).not.toMatch(/MARTIN|DUPONT|ÉLODIE|AJACCIO/);
				await wait(10);
			}
		};
		// the visitor too waits for the import then, and reads at the moment of its swap
		const imported = importBehindReader("renamed.csv", () => untilLockAwaited("relation", 2)).finally(() => {
			running = false;
		});
		await Promise.all([imported, visit()]);
		expect(responses).toBeGreaterThan(0);
		expect((await fetchAllTexts()).match(names)?.[0]).toBeUndefined();
		expect((await listTableRows()).join("\n")).not.toMatch(/MARTIN|martin/);
		await show();
		expect(await fetchText(`/api/entreprises/${siren}`)).toContain("MARTIN");
	});

	test("after a daily update", async () => {
		await hide();
		Object.assign(insee, changedUnits());
		await admin.query("update company_sources set as_of = $1 where name = 'sirene'", [before.slice(0, 10)]);
		expect(await updateCompanies(shop.connection, { api: { base: insee.base, key: fakeInseeKey }, now: () => clock })).toMatchObject({
			stopped: null,
		});
		expect((await fetchAllTexts()).match(names)?.[0]).toBeUndefined();
		await show();
		expect(JSON.parse(await fetchText(`/api/entreprises/${siren}`))).toMatchObject({ masked: false, hidden: false });
	});

	test("after an import of the RNE, whose data appear when it is shown again", async () => {
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
		expect(await fetchText(`/api/entreprises/${siren}`)).not.toMatch(/1999|2026/);
		await show();
		expect(await fetchText(`/api/entreprises/${siren}`)).toContain("31/12/1999");
		expect(JSON.parse(await fetchText(`/api/entreprises/${siren}`))).toMatchObject({ status: "removed" });
	});

	test("when an import adds it; an import without it deletes the withheld data", async () => {
		await admin.query("delete from companies where siren = $1", [siren]);
		await admin.query("delete from company_branches where siren = $1", [siren]);
		expect(await hide()).toMatchObject({ ok: true, text: expect.stringContaining("when an import brings it") });
		expect((await run("companies:hide", "--list")).text).toContain("(not in the company base)");
		await importAll();
		expect((await fetchAllTexts()).match(names)?.[0]).toBeUndefined();
		await importAll("without.csv");
		const { rows } = await admin.query("select withheld from hidden_companies");
		expect(rows).toEqual([{ withheld: null }]);
		await show();
		expect((await shop.ask(`/api/entreprises/${siren}`)).status).toBe(404);
	});

	test("when it is hidden just before an import swaps its tables; and one that is shown then stays shown", async () => {
		const other = "100000003";
		await hide(other);
		let changed: Promise<unknown> | undefined;
		await importBehindReader("units.csv", async () => {
			changed = Promise.all([hide(), run("companies:show", other)]);
			// the import holds their lock
			await untilLockAwaited("advisory", 2);
		});
		await changed;
		expect((await fetchAllTexts()).match(names)?.[0]).toBeUndefined();
		expect(await fetchText(`/api/entreprises/${other}`)).toMatch(/THER/);
	});

	test(
		"hiding, showing and updates wait for each other",
		async () => {
			Object.assign(insee, changedUnits());
			await admin.query("update company_sources set as_of = $1 where name = 'sirene'", [before.slice(0, 10)]);
			const update = () => updateCompanies(shop.connection, { api: { base: insee.base, key: fakeInseeKey }, now: () => clock });
			const other = await connectForTest(shop.connection);
			for (const change of [update, hide, show]) {
				await other.query("select pg_advisory_lock_shared(hashtext('hidden companies'))");
				const done = change().then(() => "did not wait");
				expect(await Promise.race([done, untilLockAwaited("advisory")]), String(change)).toBe("waits");
				await other.query("select pg_advisory_unlock_shared(hashtext('hidden companies'))");
				await done;
			}
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
])("%s %s %s %s prints the usage and changes nothing", async (name, ...args) => {
	expect(await run(name, ...args)).toEqual({ ok: false, text: expect.stringMatching(/^Usage: npm run companies:(hide|show) -- <SIREN>/) });
	expect((await run("companies:hide", "--list")).text).toBe("No company is hidden.");
});
