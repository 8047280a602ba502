import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { after, fakeInseeKey, startFakeInsee } from "../../../test/fixtures/insee.ts";
import { csv, establishment, type Row, unit } from "../../../test/fixtures/sirene.ts";
import { createTestShop, type TestShop } from "../../../test/shop.ts";
import { registryCommands } from "./commands.server.ts";
import { importCompanies } from "./sirene/import-companies.server.ts";
import { establishmentColumns, unitColumns } from "./sirene/sirene-rows.ts";
import { updateCompanies } from "./sirene/update-companies.server.ts";

const siren = "100000101";
const nafRev2 = (activitePrincipale: string) => ({ activitePrincipale, nomenclatureActivitePrincipale: "NAFRev2" });
const marsAvenue = {
	numeroVoie: "4",
	typeVoie: "AV",
	libelleVoie: "DE MARS",
	codePostal: "35000",
	libelleCommune: "RENNES",
	codeCommune: "35238",
};

const units = [
	unit(siren, { denomination: "HALLES DU PORT", categorieJuridique: "5710", ...nafRev2("47.11F") }),
	unit("100000102", { denomination: "SECRET DU PORT", categorieJuridique: "5710", statutDiffusion: "P", ...nafRev2("47.11F") }),
];
const establishments = [
	establishment(`${siren}00011`, { ...marsAvenue, ...nafRev2("70.10Z") }),
	// the same activity, another, another of an older nomenclature, a masked one, one that is not diffused at all
	establishment(`${siren}00029`, { siege: "false", enseigne1: "LE QUAI", ...marsAvenue, ...nafRev2("47.11F") }),
	establishment(`${siren}00037`, { siege: "false", enseigne1: "LA CRIEE", ...marsAvenue, ...nafRev2("56.10A") }),
	establishment(`${siren}00045`, { siege: "false", activitePrincipale: "55.3A", nomenclatureActivitePrincipale: "NAFRev1" }),
	establishment(`${siren}00052`, { siege: "false", statutDiffusion: "P", enseigne1: "CACHETTE", ...marsAvenue, ...nafRev2("56.30Z") }),
	establishment(`${siren}00060`, { siege: "false", statutDiffusion: "N", enseigne1: "CACHETTE", ...marsAvenue, ...nafRev2("56.30Z") }),
	establishment("10000010200011", { ...marsAvenue, ...nafRev2("70.10Z") }),
	establishment("10000010200029", { siege: "false", enseigne1: "CACHETTE", ...marsAvenue, ...nafRev2("56.10A") }),
];

let shop: TestShop;
const folder = mkdtempSync(join(tmpdir(), "establishments-"));
const write = (name: string, columns: readonly string[], rows: Row[]) => {
	writeFileSync(join(folder, name), csv(columns, rows));
	return join(folder, name);
};

beforeAll(async () => {
	shop = await createTestShop();
	await importCompanies(
		shop.connection,
		write("units.csv", unitColumns, units),
		write("establishments.csv", establishmentColumns, establishments),
	);
});
afterAll(async () => {
	await shop?.close();
	rmSync(folder, { recursive: true });
});

const fetchJson = async (number = siren) => (await shop.ask(`/api/entreprises/${number}`)).json();
/** The lines of the section « Établissements ». */
async function fetchSection(number = siren): Promise<string[]> {
	const html = await (await shop.ask(`/entreprise/${number}`)).text();
	const section = /établissements? ouverts?.*?<ul[^>]*>(.*?)<\/ul>/s.exec(html)?.[1] ?? "";
	const toText = (item: string) =>
		item
			.replace(/<[^>]+>/g, " ")
			.replace(/\s+/g, " ")
			.replaceAll(" ,", ",")
			.trim();
	return section
		.split("<li")
		.slice(1)
		.map((item) => toText(`<li${item}`));
}

const head = "4 avenue de Mars, 35000 Rennes";
const listed = [
	`${head} (siège) Activités des sièges sociaux 100 000 101 00011`,
	`LE QUAI, ${head} 100 000 101 00029`,
	`LA CRIEE, ${head} Restauration traditionnelle 100 000 101 00037`,
	"Adresse non communiquée 100 000 101 00045",
	"Adresse non diffusée, à la demande de l’établissement 100 000 101 00052",
];

test("a company page lists the open establishments, with activities that differ from the company's, and only the number of masked ones", async () => {
	expect(await fetchSection()).toEqual(listed);
	const text = await (await shop.ask(`/entreprise/${siren}`)).text();
	expect(text).toContain("6 établissements ouverts<");
	expect(text).not.toContain("échantillon");
	expect(text).not.toMatch(/CACHETTE|Débits de boissons|55\.3A|00060/);
});

test("the API has the same", async () => {
	const { open, list } = (await fetchJson()).establishments;
	expect(open).toBe(6);
	expect(list.map((row: Record<string, unknown>) => [row.siret, row.nafCode, row.activityDescription, row.headOffice, row.masked])).toEqual(
		[
			[`${siren}00011`, "70.10Z", "Activités des sièges sociaux", true, false],
			[`${siren}00029`, null, null, false, false],
			[`${siren}00037`, "56.10A", "Restauration traditionnelle", false, false],
			[`${siren}00045`, null, null, false, false],
			[`${siren}00052`, null, null, false, true],
		],
	);
	expect(JSON.stringify(list)).not.toMatch(/CACHETTE|56\.30Z/);
});

test("a masked company has none, nor the activity of its head office", async () => {
	expect(await fetchSection("100000102")).toEqual([]);
	expect(JSON.stringify(await fetchJson("100000102"))).not.toMatch(/70\.10Z|56\.10A|CACHETTE/);
});

test("hiding and showing the company keeps them", async () => {
	const run = (name: string, ...args: string[]) =>
		registryCommands[name]?.run(shop.connection, args, { insee: { base: "", key: undefined } });
	await run("companies:hide", siren, "--reason", "message 1");
	const withheld = JSON.stringify(await fetchJson());
	await run("companies:show", siren);
	expect(withheld).not.toMatch(/56\.10A|70\.10Z|RENNES/);
	expect((await fetchJson()).establishments.list[0]).toMatchObject({ nafCode: "70.10Z" });
});

test("an update from INSEE's API changes activities and masks an establishment", async () => {
	const clock = Date.parse("2026-11-21T05:00:00Z");
	const insee = await startFakeInsee(() => clock);
	const admin = new pg.Client(shop.connection);
	await admin.connect();
	try {
		await admin.query("update company_sources set as_of = '2026-11-19' where name = 'sirene'");
		const change = (row: Row, changed: Row) => ({ ...row, ...changed, dateDernierTraitementEtablissement: after });
		insee.units = units;
		insee.establishments = establishments.map((row) => {
			if (row.siret?.endsWith("00029")) return change(row, { activitePrincipaleEtablissement: "47.11D" });
			if (row.siret?.endsWith("00037")) return change(row, { statutDiffusionEtablissement: "P", enseigne1Etablissement: "[ND]" });
			return row;
		});
		const summary = await updateCompanies(shop.connection, { api: { base: insee.base, key: fakeInseeKey }, now: () => clock });
		expect(summary).toMatchObject({ stopped: null, changed: 1 });
	} finally {
		await insee.close();
		await admin.end();
	}
	const { list } = (await fetchJson()).establishments;
	expect(list[1]).toMatchObject({ siret: `${siren}00029`, nafCode: "47.11D", activityDescription: "Supermarchés" });
	expect(list[2]).toMatchObject({ siret: `${siren}00037`, tradeName: null, nafCode: null, masked: true });
});
