import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insertCompanies } from "../../../test/fixtures/companies.ts";
import { withClient } from "../../../test/postgres.ts";
import { publishNotice, recordReading } from "../../../test/publish-notice.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { hideCompany } from "../registry/hidden-companies.store.server.ts";

let shop: TestShop;

const units = {
	changed: "900000101",
	insolvent: "900000102",
	manyNotices: "900000103",
	bank: "900000104",
	corrected: "900000105",
	silent: "900000106",
	association: "900000107",
	masked: "900000108",
	hostile: "900000109",
	otherRemoval: "900000110",
	hidden: "900000111",
	soleTrader: "900000112",
	correctedElsewhere: "900000113",
	sameDay: "900000114",
	dated: "900000115",
};

const importedAt = new Date("2026-11-25T05:00:00Z");
const everything = { from: "2008-01-01", to: "2026-11-25" };

let issue = 0;
/** Publishes a notice of a day, in a separate issue. @returns its id. */
async function publish(siren: string, publishedOn: string, more: Partial<Parameters<typeof publishNotice>[1]> = {}): Promise<string> {
	const id = `B${publishedOn.slice(0, 4)}0${String(++issue).padStart(3, "0")}1`;
	await publishNotice(shop.shop.db, { siren, id, publishedOn, ...more });
	return id;
}

/** The section of a company's page; null when it has none. A query goes around the page cache. */
async function readSection(siren: string): Promise<string | null> {
	const html = await (await shop.ask(`/entreprise/${siren}?test=${Math.random()}`)).text();
	const section = /<section id="annonces".*?<\/section>/s.exec(html)?.[0];
	return section?.replace(/<!-- -->/g, "") ?? null;
}

const toText = (html: string | null | undefined) =>
	(html ?? "")
		.replace(/<[^>]*>/g, " ")
		.replace(/\s+/g, " ")
		.trim();

const readText = async (siren: string) => toText(await readSection(siren));

/** The text of each notice, in the order of the page. */
const listRows = (section: string | null) => [...(section ?? "").matchAll(/<li.*?<\/li>/gs)].map(([row]) => toText(row));

beforeAll(async () => {
	shop = await createTestShop({ now: () => new Date("2026-11-25T10:00:00Z") });
	const rows = Object.entries(units).map(([name, siren], index) => ({
		id: 1_000_100 + index,
		status: "active",
		name,
		siren,
		masked: name === "masked",
		created_on: null,
		...(name === "association" && { legal_category: "9220" }),
		...(name === "soleTrader" && { legal_category: "1000" }),
	}));
	await insertCompanies(shop.shop.db, rows);
});
afterAll(() => shop?.close());

describe("before anything of the company was read", () => {
	test("its page says nothing", async () => {
		expect(await readSection(units.silent)).toBeNull();
		await recordReading(shop.shop.db, importedAt, null);
		expect(await readSection(units.silent)).toBeNull();
		await publish(units.otherRemoval, "2026-06-28", { family: "radiation" });
		expect(await readText(units.otherRemoval)).toMatch(
			/C’est un relevé d’exemple\. .*Seules quelques annonces ont été relevées : d’autres peuvent manquer\./,
		);
	});
});

describe("after every notice was read", () => {
	beforeAll(() => recordReading(shop.shop.db, importedAt, everything));

	test("a company without any has a dated sentence, also an association", async () => {
		for (const siren of [units.silent, units.association])
			expect(await readText(siren)).toBe(
				"Annonces publiées Aucune annonce reçue depuis le 1er janvier 2008 (dernier relevé le 25 novembre 2026). Source : BODACC (DILA, Licence Ouverte 2.0). Une annonce paraît quelques jours après l’inscription au registre.",
			);
	});

	test("a notice is shown with its day, its kind, its court and its link", async () => {
		const id = await publish(units.changed, "2026-06-28", { kind: "capital", court: "Greffe du Tribunal de Commerce de Paris" });
		await publish(units.changed, "2026-10-01", { family: "dpc", eventOn: "2025-12-31" });
		const section = await readSection(units.changed);
		expect(listRows(section)).toEqual([
			"1er octobre 2026 Dépôt des comptes publié exercice clos le 31 décembre 2025",
			"28 juin 2026 Modification publiée capital Greffe du Tribunal de Commerce de Paris",
		]);
		expect(section).toContain(`href="https://www.bodacc.fr/pages/annonces-commerciales-detail/?q.id=id:${id}"`);
		expect(toText(section)).toContain(
			"Source : BODACC (DILA, Licence Ouverte 2.0), dernier relevé le 25 novembre 2026. Une annonce paraît quelques jours après l’inscription au registre.",
		);
		expect(section).not.toContain("<details");
	});

	test("the days of the registers stand beside the notices, the oldest last", async () => {
		const db = shop.shop.db;
		await insertCompanies(db, [{ id: 1_000_199, siren: units.dated, name: "DATED", status: "removed", created_on: "2001-02-01" }]);
		await sql`insert into company_registrations (siren, registered_on, removed_on, as_of)
			values (${units.dated}, '2001-03-01', '2026-09-30', '2026-10-01')`.execute(db);
		expect(await readText(units.dated)).not.toContain("Radiation");
		await publish(units.dated, "2026-10-05", { family: "radiation" });
		await publish(units.dated, "2026-01-05");
		expect(await readText(units.dated)).toMatch(/^Chronologie /);
		expect(listRows(await readSection(units.dated)).map((row) => row.replace(/ Une radiation peut .*/, ""))).toEqual([
			"5 octobre 2026 Radiation publiée",
			"30 septembre 2026 Radiation du registre selon le RNE",
			"5 janvier 2026 Modification publiée",
			"1er mars 2001 Immatriculation selon le RNE",
			"1er février 2001 Création selon l’Insee",
		]);
		for (let day = 1; day <= 6; day++) await publish(units.dated, `2025-01-0${day}`);
		const section = await readSection(units.dated);
		expect(toText(section).match(/Voir les 3 autres annonces|Immatriculation selon/g)).toEqual([
			"Voir les 3 autres annonces",
			"Immatriculation selon",
		]);
		expect(listRows(section).filter((row) => row.includes("publiée"))).toHaveLength(8);
	});

	test("an association has its notices", async () => {
		await publish(units.association, "2026-02-03", { family: "collective", kind: "Jugement d'ouverture de liquidation judiciaire" });
		expect(listRows(await readSection(units.association))).toHaveLength(1);
	});

	test("insolvency younger than ten years comes first, with its day and its court, and is no state of the company", async () => {
		const court = "Greffe du Tribunal des Activités Economiques de Paris";
		await publish(units.insolvent, "2026-11-20");
		await publish(units.insolvent, "2016-11-26", {
			family: "collective",
			kind: "Jugement d'ouverture de liquidation judiciaire",
			eventOn: "2016-11-10",
			court,
		});
		await publish(units.insolvent, "2016-11-25", { family: "collective" });
		const section = await readSection(units.insolvent);
		expect(listRows(section)).toEqual([
			`26 novembre 2016 Annonce de procédure collective publiée Jugement d’ouverture de liquidation judiciaire, du 10 novembre 2016 ${court}`,
			"20 novembre 2026 Modification publiée",
			"25 novembre 2016 Annonce de procédure collective publiée",
		]);
		expect(await (await shop.ask(`/entreprise/${units.insolvent}`)).text()).not.toContain("en liquidation");
	});

	test("of the notices of a day, the last one comes first, by its number", async () => {
		for (const number of [9, 10, 8])
			await publishNotice(shop.shop.db, { siren: units.sameDay, id: `B20260777${number}`, publishedOn: "2026-06-01", kind: `n${number}` });
		expect(listRows(await readSection(units.sameDay)).map((row) => row.split(" ").at(-1))).toEqual(["n10", "n9", "n8"]);
	});

	test("after five notices, the others are folded behind their number", async () => {
		for (let day = 1; day <= 5; day++) await publish(units.manyNotices, `2026-01-0${day}`);
		expect(await readSection(units.manyNotices)).not.toContain("<details");
		await publish(units.manyNotices, "2026-01-06");
		expect(await readText(units.manyNotices)).toContain("Voir l’autre annonce 1er janvier 2026 Modification publiée");
		for (let day = 1; day <= 11; day++) await publish(units.manyNotices, `2025-02-${10 + day}`);
		const section = await readSection(units.manyNotices);
		const [shown = "", folded = ""] = section?.split("<details") ?? [];
		expect([listRows(shown).length, listRows(folded).length]).toEqual([5, 12]);
		expect(toText(section)).toContain("Voir les 12 autres annonces");
		expect(toText(section)).not.toContain("sont affichées");
	});

	test("of hundreds, the page shows the newest, says so, and links to the others", async () => {
		for (let index = 0; index < 311; index++) await publish(units.bank, `20${10 + (index % 16)}-03-01`);
		await publish(units.bank, "2026-11-01");
		const section = await readSection(units.bank);
		expect(listRows(section)).toHaveLength(50);
		expect(toText(section)).toContain("Voir 45 des 307 autres annonces");
		expect(toText(section)).toContain("Les 50 dernières sont affichées, sur 312. Toutes les annonces sur bodacc.fr");
		expect(section).toContain(`href="https://www.bodacc.fr/pages/annonces-commerciales/?q.registre=registre:${units.bank}"`);
		await publish(units.bank, "2017-05-05", { family: "collective" });
		expect(await readText(units.bank)).toContain(
			"Les 50 dernières et une annonce plus ancienne de procédure collective sont affichées, sur 313.",
		);
		await recordReading(shop.shop.db, importedAt, { from: "2020-01-01", to: "2026-11-24" });
		const partly = await readSection(units.bank);
		await recordReading(shop.shop.db, importedAt, everything);
		expect(toText(partly)).toContain("Toutes les annonces parues depuis le 1er janvier 2020 ont été relevées.");
		expect(partly?.split("Toutes les annonces sur bodacc.fr")).toHaveLength(2);
	});

	test("a correction takes the place of the notice that it names, and says so; a cancelled one is gone", async () => {
		const wrong = await publish(units.corrected, "2026-03-01", { kind: "siège" });
		const cancelled = await publish(units.corrected, "2026-03-02", { family: "radiation" });
		await publish(units.corrected, "2026-03-10", { kind: "capital", target: wrong });
		await publish(units.corrected, "2026-03-11", { family: "radiation", target: cancelled, cancels: true });
		await publish(units.corrected, "2026-03-12", { family: "radiation", target: "B20260000999", cancels: true });
		const section = await readSection(units.corrected);
		expect(listRows(section)).toEqual([
			"12 mars 2026 Radiation publiée Annule une annonce antérieure",
			"10 mars 2026 Modification publiée capital Rectifie l’annonce du 1er mars 2026",
		]);
		expect(toText(section)).not.toContain("Une radiation peut suivre un transfert");
	});

	test("a notice stays when the one that corrects it is of no company that we know", async () => {
		const id = await publish(units.correctedElsewhere, "2026-03-01", { family: "collective" });
		await sql`insert into bulletin_corrections (id, target, published_on, cancels) values ('A202609991', ${id}, '2026-03-10', false)`.execute(
			shop.shop.db,
		);
		expect(listRows(await readSection(units.correctedElsewhere))).toEqual(["1er mars 2026 Annonce de procédure collective publiée"]);
	});

	test("removals say once that they may follow a move", async () => {
		await publish(units.otherRemoval, "2026-07-01", { family: "radiation" });
		await publish(units.otherRemoval, "2010-07-01", { family: "transfert" });
		const section = await readSection(units.otherRemoval);
		expect(
			toText(section).match(/Une radiation peut suivre un transfert à un autre greffe : un extrait récent le précise\./g),
		).toHaveLength(1);
		expect(listRows(section)[0]).toContain("1er juillet 2026 Radiation publiée Une radiation peut suivre");
	});

	test("a masked company and a hidden one have no section", async () => {
		await publish(units.masked, "2026-07-01");
		expect(await readSection(units.masked)).toBeNull();
		await publish(units.hidden, "2026-07-01");
		expect(await readSection(units.hidden)).not.toBeNull();
		await withClient(shop.connection, (client) => hideCompany(client, units.hidden, "demande 12", new Date()));
		expect(await readSection(units.hidden)).toBeNull();
	});

	test("a sole trader has no section, because notices about natural persons are not imported", async () => {
		await publish(units.soleTrader, "2026-07-01");
		expect(await readSection(units.soleTrader)).toBeNull();
	});

	test("a hostile text stays a text", async () => {
		const kind = `<script>alert(1)</script>"'&`;
		await publish(units.hostile, "2026-07-01", { kind, court: `<img src=x onerror=alert(2)>${"x".repeat(300)}` });
		const section = await readSection(units.hostile);
		expect(section).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&quot;’&amp;");
		expect(section).not.toMatch(/<script|<img/);
	});
});

describe("the API", () => {
	const ask = async (siren: string) => {
		const answer = await shop.ask(`/api/entreprises/${siren}/annonces`);
		return { status: answer.status, cache: answer.headers.get("cache-control"), body: await answer.json() };
	};

	test("answers all notices of a company, the newest first, with source and days", async () => {
		const { status, cache, body } = await ask(units.insolvent);
		expect([status, cache]).toEqual([200, "no-store"]);
		expect(body).toMatchObject({
			siren: units.insolvent,
			importedAt: "2026-11-25T05:00:00.000Z",
			source: { name: "BODACC (DILA)", licence: "Licence Ouverte 2.0", coveredFrom: "2008-01-01", coveredTo: "2026-11-25" },
		});
		expect(body.results).toHaveLength(3);
		expect(body.results[1]).toEqual({
			id: expect.stringMatching(/^B2016\d+$/),
			publishedAt: "2016-11-26",
			family: "collective",
			label: "Procédure collective",
			kind: "Jugement d'ouverture de liquidation judiciaire",
			eventOn: "2016-11-10",
			court: "Greffe du Tribunal des Activités Economiques de Paris",
			summary:
				"Annonce de procédure collective publiée le 26 novembre 2016\u00a0: Jugement d’ouverture de liquidation judiciaire, du 10 novembre 2016",
			correction: null,
			url: expect.stringMatching(/^https:\/\/www\.bodacc\.fr\/pages\/annonces-commerciales-detail\/\?q\.id=id:B2016\d+$/),
		});
		expect((await ask(units.bank)).body.results).toHaveLength(313);
	});

	test("says what a notice corrects", async () => {
		const { body } = await ask(units.corrected);
		expect(body.results.map(({ correction }: { correction: unknown }) => correction)).toEqual([
			{ cancels: true, publishedOn: null },
			{ cancels: false, publishedOn: "2026-03-01" },
		]);
	});

	test.each(["masked", "soleTrader"] as const)("answers no notices of a unit that is %s, and no days of which it has all", async (unit) => {
		const { status, body } = await ask(units[unit]);
		expect(status).toBe(200);
		expect(body).toMatchObject({ results: [], source: { coveredFrom: null, coveredTo: null } });
	});

	test.each(["900009999", "abc", "1"])("answers 404 to %s, as the company itself", async (siren) => {
		const company = await shop.ask(`/api/entreprises/${siren}`);
		expect(await ask(siren)).toEqual({ status: 404, cache: "no-store", body: await company.json() });
	});

	test("does not change the company's own answer", async () => {
		const company = await (await shop.ask(`/api/entreprises/${units.insolvent}`)).json();
		expect(company).toMatchObject({ notices: [] });
	});
});
