import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ZipFile } from "yazl";
import { establishmentFile, unitFile } from "../../../../test/fixtures/sirene.ts";
import { connectForTest } from "../../../../test/registry.ts";
import { createTestShop, type TestShop } from "../../../../test/shop.ts";
import { scaledTimeout } from "../../../../test/time-limits.ts";
import { calculateVatNumber, type Siren } from "../../siren.ts";
import { registryCommands } from "../commands.server.ts";
import { importCompanies } from "../sirene/import-companies.server.ts";
import { importVatNumbers } from "./import-vat-numbers.server.ts";

/** Two companies in the RCS, one masked, and a public administration, of the generated files. */
const [aether, foreign, masked, sncf] = ["100000003", "100000006", "100000002", "100000007"] as [Siren, Siren, Siren, Siren];
const number = (siren: Siren) => calculateVatNumber(siren).slice(2);
const header = "vat_no;validity_date;issued_date";
const row = (vat: string) => `${vat};2020-07-01;2020-07-01`;
const file = (...numbers: string[]) => `${[header, ...numbers.map(row)].join("\n")}\n`;
const many = (count: number) => Array.from({ length: count }, (_, index) => number(String(200_000_000 + index) as Siren));

let shop: TestShop;
const folder = mkdtempSync(join(tmpdir(), "vat-"));
const path = (name: string) => join(folder, name);
const write = (name: string, content: string | Buffer) => {
	writeFileSync(path(name), content);
	return path(name);
};
const load = (content: string | Buffer, name = "tva.csv", asOf: string | undefined = "2026-11-03") =>
	importVatNumbers(shop.connection, write(name, content), { asOf });
const run = (...args: string[]) =>
	registryCommands["companies:import-vat"]?.run(shop.connection, args, { insee: { base: "", key: undefined } }) ?? expect.fail();

const readStored = async () =>
	(
		await sql<{ row: string }>`select company_vat_numbers::text as row from company_vat_numbers union all
		select concat_ws(' ', name, as_of, companies) from company_sources where name = 'vat' order by 1`.execute(shop.shop.db)
	).rows.map(({ row }) => row);
const fetchText = async (url: string) => (await (await shop.ask(url)).text()).replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
const fetchPage = (siren: Siren) => fetchText(`/entreprise/${siren}`);
const fetchVat = async (siren: Siren) => {
	const { vatNumbers, vatAsOf } = await (await shop.ask(`/api/entreprises/${siren}`)).json();
	return { vatNumbers, vatAsOf };
};
function createZip(name: string, content: Buffer): Promise<Buffer> {
	const archive = new ZipFile();
	archive.addBuffer(content, name);
	archive.end();
	return buffer(archive.outputStream);
}

const active = "N° de TVA (actif selon la DGFiP au 3 novembre 2026)";

beforeAll(async () => {
	shop = await createTestShop();
	await importCompanies(shop.connection, write("units.csv", unitFile), write("establishments.csv", establishmentFile));
});
afterAll(async () => {
	await shop?.close();
	rmSync(folder, { recursive: true });
});
beforeEach(async () => {
	await sql`delete from company_vat_numbers`.execute(shop.shop.db);
	await sql`delete from company_sources where name = 'vat'`.execute(shop.shop.db);
});

describe("a company page", () => {
	test("says that its VAT number is active when the file has it, and nothing otherwise", async () => {
		expect(await fetchPage(aether)).not.toMatch(/TVA[^.]*100 000 003/);
		await load(file(number(aether)));
		// pages are cached: the notification of the import clears them
		await vi.waitFor(async () => expect(await fetchPage(aether)).toContain(active), scaledTimeout(10_000));
		expect(await fetchPage(foreign)).not.toMatch(/N° de TVA|TVA[^.]*100 000 006|DGFiP|inactif|probable\b/);
		expect(await fetchVat(aether)).toEqual({ vatNumbers: [calculateVatNumber(aether)], vatAsOf: "2026-11-03" });
		expect(await fetchVat(foreign)).toEqual({ vatNumbers: [], vatAsOf: null });
	});

	test("shows the numbers of the file, with keys of letters, also of a company outside the RCS", async () => {
		await load(file(number(aether), `0A${sncf}`, `2B${sncf}`));
		expect(await fetchVat(sncf)).toEqual({ vatNumbers: [`FR0A${sncf}`, `FR2B${sncf}`], vatAsOf: "2026-11-03" });
		const page = await fetchPage(sncf);
		expect(page).toContain("Numéros de TVA (actifs selon la DGFiP au 3 novembre 2026) FR 0A 100 000 007");
		expect(page).toContain("FR 2B 100 000 007");
	});

	test("shows none of a masked or hidden company", async () => {
		await load(file(number(aether), number(masked)));
		expect(await fetchVat(masked)).toEqual({ vatNumbers: [], vatAsOf: null });
		expect(await fetchPage(masked)).not.toMatch(/N° de TVA|DGFiP/);
		const environment = { insee: { base: "", key: undefined } };
		await registryCommands["companies:hide"]?.run(shop.connection, [aether, "--reason", "message 1"], environment);
		const hidden = await fetchVat(aether);
		await load(file(number(aether)));
		const imported = await fetchVat(aether);
		await registryCommands["companies:show"]?.run(shop.connection, [aether], environment);
		expect([hidden, imported]).toEqual([
			{ vatNumbers: [], vatAsOf: null },
			{ vatNumbers: [], vatAsOf: null },
		]);
		expect(await fetchVat(aether)).toMatchObject({ vatAsOf: "2026-11-03" });
	});
});

describe("a file", () => {
	test("replaces the one before it; a line without a VAT number is counted, and a number that comes twice counts once", async () => {
		await load(file(number(aether), number(foreign)));
		const summary = await load(file(number(aether), `0A${aether}`, number(aether), "PAS-UN-NUMERO", number(sncf)));
		expect(summary).toEqual({ read: 5, unreadable: 1, numbers: 3, companies: 2, before: 2, asOf: "2026-11-03" });
		expect(await readStored()).toEqual([
			`(${aether},${["0A", number(aether).slice(0, 2)].sort().join("")})`,
			`(${sncf},${number(sncf).slice(0, 2)})`,
			"vat 2026-11-03 2",
		]);
	});

	test.each<[string, string]>([
		["with commas", `siren,"numéro de TVA"\n${aether},FR${number(aether)}\n`],
		["with tabs, spaces and Windows line ends", `SIREN\tTVA\r\n100 000 003\tFR ${number(aether)}\r\n`],
		["without a header", `${number(aether)}\n`],
		["without a last line break", `vat_no\n${number(aether)}`],
		["with Windows line ends, but none at its end", `vat_no\r\n${number(foreign)}\r\n${number(aether)}`],
		["with a byte order mark", `\uFEFFvat_no\n${number(aether)}\n`],
	])("%s is read", async (_, content) => {
		await load(content);
		expect(await fetchVat(aether)).toMatchObject({ vatAsOf: "2026-11-03" });
	});

	test("is read as .csv.gz and .zip", async () => {
		const content = file(number(aether), number(sncf));
		const expected = { read: 2, unreadable: 0, numbers: 2, companies: 2 };
		expect(await load(gzipSync(content), "tva.csv.gz")).toMatchObject(expected);
		expect(await load(await createZip("tva.csv", Buffer.from(content)), "tva.zip")).toMatchObject(expected);
	});

	test("of a month later writes only what differs", async () => {
		await load(file(number(aether), number(foreign)));
		const readVersions = async () =>
			(
				await sql<{ siren: number; version: string }>`select siren, xmin::text as version from company_vat_numbers order by 1`.execute(
					shop.shop.db,
				)
			).rows;
		const before = await readVersions();
		await load(file(number(aether), `0A${foreign}`, number(foreign)));
		const after = await readVersions();
		expect(after[0]).toEqual(before[0]);
		expect(after[1]?.version).not.toBe(before[1]?.version);
	});

	test("survives an import of companies, and a later one waits for it", async () => {
		await load(file(number(aether)));
		await importCompanies(shop.connection, path("units.csv"), path("establishments.csv"));
		expect(await fetchVat(aether)).toMatchObject({ vatAsOf: "2026-11-03" });
		const other = await connectForTest(shop.connection);
		await other.query("select pg_advisory_lock(hashtext('companies import'))");
		const later = load(file(number(foreign)), "later.csv", "2026-11-20").then(() => "did not wait");
		const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`;
		const waits = vi.waitFor(async () => expect((await waiting.execute(shop.shop.db)).rows).toHaveLength(1), scaledTimeout(20_000));
		expect(await Promise.race([later, waits.then(() => "waits")])).toBe("waits");
		expect(await fetchVat(foreign)).toMatchObject({ vatAsOf: null });
		await other.query("select pg_advisory_unlock_all()");
		await later;
		expect(await fetchVat(foreign)).toMatchObject({ vatAsOf: "2026-11-20" });
	});
});

describe("a file that is refused changes nothing", () => {
	const cutGz = () => {
		const whole = gzipSync(file(...many(40_000)));
		return whole.subarray(0, whole.length / 2);
	};
	const damaged = () => {
		const whole = gzipSync(file(...many(2000)));
		return Buffer.concat([whole.subarray(0, -8), Buffer.alloc(8)]);
	};
	const zip = () => createZip("tva.csv", Buffer.from(file(...many(2000))));
	test.each<[string, string, () => string | Buffer | Promise<Buffer>, RegExp]>([
		["a cut .gz", "cut.csv.gz", cutGz, /^cut\.csv\.gz cannot be imported: after line \d+, unexpected end of file$/],
		["a damaged .gz", "bad.csv.gz", damaged, /^bad\.csv\.gz cannot be imported: .*incorrect data check$/],
		["a cut .zip", "cut.zip", async () => (await zip()).subarray(0, -200), /^cut\.zip cannot be imported: /],
		[
			"a .csv cut inside a number",
			"cut.csv",
			() => file(...many(9)).slice(0, -25),
			/^cut\.csv cannot be imported: line 10, it is incomplete: the file was cut$/,
		],
		["a .csv cut inside a date", "cut.csv", () => file(...many(9)).slice(0, -4), /line 10, it is incomplete: the file was cut$/],
		[
			"a web page",
			"page.csv",
			() => "<!doctype html>\n<html><body>\n<h1>404</h1>\n</body></html>\n",
			/it is a web page, not a list of VAT numbers$/,
		],
		["the file of SIRENE", "stock.csv", () => unitFile, /none of its columns holds French VAT numbers$/],
		["the file of establishments", "stock.csv", () => establishmentFile, /none of its columns holds French VAT numbers$/],
		["JSON", "list.json", () => '{"data": [{"siren": "100000003"}]}', /none of its columns holds French VAT numbers$/],
		["zeros", "zeros.csv", () => Buffer.alloc(3 << 20), /it does not end: this is no list of VAT numbers$/],
		["an empty file", "empty.csv", () => "", /empty\.csv cannot be imported: it is empty$/],
		[
			"a file that becomes another one",
			"mixed.csv",
			() => file(...many(20_000), ...Array(900).fill("x")),
			/line \d+, \d+ lines so far have no VAT number: it seems to be another file, or damaged$/,
		],
	])("%s", async (_, name, content, reason) => {
		await load(file(number(aether)));
		const before = await readStored();
		await expect(load(await content(), name)).rejects.toThrow(reason);
		expect(await readStored()).toEqual(before);
	});

	test("a file that does not exist", async () => {
		expect(await run(path("absent.csv"))).toEqual({
			ok: false,
			text: "\nThe import stopped and changed nothing: absent.csv cannot be imported: there is no such file",
		});
	});
});

describe("the command", () => {
	test("tells what it did; the day of the file is the day when it was last written, unless it is given", async () => {
		utimesSync(write("tva.csv", file(number(aether), "x", `0A${aether}`)), new Date("2026-10-06"), new Date("2026-10-06"));
		expect(await run(path("tva.csv"))).toEqual({
			ok: true,
			text: "2 VAT numbers of 1 companies imported, active on 2026-10-06.\nLines: 3 read, 1 without a VAT number.",
		});
		expect((await run(path("tva.csv"), "--as-of=2026-11-03")).text).toContain(
			"active on 2026-11-03. The file before it had those of 1 companies.",
		);
		expect(await fetchVat(aether)).toMatchObject({ vatAsOf: "2026-11-03" });
	});

	test.each(
		[
			[],
			["a.csv", "b.csv"],
			["a.csv", "--as-of"],
			["a.csv", "--as-of=03/11/2026"],
			["a.csv", "--as-of=2026-02-30"],
			["a.csv", "--as-of=2999-01-01"],
			["a.csv", "--day=1"],
		].map((args) => [args]),
	)("with %j prints the usage", async (args) => {
		expect(await run(...args)).toEqual({ ok: false, text: expect.stringMatching(/^Usage: npm run companies:import-vat -- <file>/) });
	});
});
