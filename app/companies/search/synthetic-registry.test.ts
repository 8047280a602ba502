import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { afterAll, beforeAll, expect, test } from "vitest";
import { frequentSurnames, men, women } from "../../../proof/bench/synthetic-registry/names.ts";
import { surname, surnameCount } from "../../../proof/bench/synthetic-registry/rare-words.ts";
import { type RegistryOptions, writeRegistry } from "../../../proof/bench/synthetic-registry.ts";
import { hasValidKey, type Siren, type Siret } from "../siren.ts";

type Row = Record<string, string>;
const folders: string[] = [];
let units: Row[];
let establishments: Row[];

async function generateRegistry(options: Omit<RegistryOptions, "folder">) {
	const folder = mkdtempSync(join(tmpdir(), "synthetic-registry-"));
	folders.push(folder);
	const registry = await writeRegistry({ folder, ...options });
	return { registry, texts: [registry.unitsFile, registry.establishmentsFile].map((file) => readFileSync(file)) };
}

/** Parses the rows; throws when a row has more or fewer cells than the header. */
const parseRows = (text: Buffer | undefined): Row[] => parse(text ?? "", { columns: true });
const readHeader = (text: Buffer | undefined) => text?.toString("utf8").split("\n", 1)[0];
const readOfficialHeader = (name: string) => readHeader(gunzipSync(readFileSync(new URL(`../../../data/sirene/${name}`, import.meta.url))));
const computeShare = (rows: Row[], test: (row: Row) => boolean) => rows.filter(test).length / rows.length;

beforeAll(async () => {
	const { registry, texts } = await generateRegistry({ units: 5000 });
	[units, establishments] = texts.map(parseRows) as [Row[], Row[]];
	expect(texts.map(readHeader)).toEqual(["StockUniteLegale_utf8.csv.gz", "StockEtablissement_utf8.csv.gz"].map(readOfficialHeader));
	expect([units.length, establishments.length]).toEqual([registry.units, registry.establishments]);
});
afterAll(() => {
	for (const folder of folders) rmSync(folder, { recursive: true });
});

test("units have 35 columns, establishments 54", () => {
	expect(Object.keys(units[0] ?? {})).toHaveLength(35);
	expect(Object.keys(establishments[0] ?? {})).toHaveLength(54);
});

test("the same seed gives the same bytes, compressed or not; another seed gives others", async () => {
	const [first, again, other, compressed] = await Promise.all([
		generateRegistry({ units: 50, seed: 7 }),
		generateRegistry({ units: 50, seed: 7 }),
		generateRegistry({ units: 50, seed: 8 }),
		generateRegistry({ units: 50, seed: 7, compress: true }),
	]);
	expect(again.texts).toEqual(first.texts);
	expect(other.texts).not.toEqual(first.texts);
	expect(compressed.registry.unitsFile).toMatch(/\.csv\.gz$/);
	expect(compressed.texts.map((text) => gunzipSync(text))).toEqual(first.texts);
});

test("numbers are unique, sorted, and have valid keys", () => {
	const sirens = units.map(({ siren }) => siren ?? "");
	const sirets = establishments.map(({ siret }) => siret ?? "");
	for (const numbers of [sirens, sirets]) expect(numbers).toEqual([...new Set(numbers)].sort());
	expect(sirens.filter((siren) => !hasValidKey(siren as Siren))).toEqual([]);
	expect(sirets.filter((siret) => !hasValidKey(siret as Siret))).toEqual([]);
	for (const { siren, nic, siret } of establishments) expect(siret).toBe(`${siren}${nic}`);
});

test("every unit has one head office, with the NIC in its row", () => {
	const headOffices = establishments.filter(({ etablissementSiege }) => etablissementSiege === "true");
	expect(headOffices.map(({ siret }) => siret)).toEqual(units.map(({ siren, nicSiegeUniteLegale }) => `${siren}${nicSiegeUniteLegale}`));
});

test("sole traders have names of the lists only", () => {
	const surnames = new Set([...frequentSurnames, "[ND]"]);
	for (let number = 0; number < surnameCount; number++) surnames.add(surname(number));
	const firstNames = new Set([...men, ...women, "[ND]"]);
	const traders = units.filter(({ categorieJuridiqueUniteLegale, unitePurgeeUniteLegale }) => {
		return categorieJuridiqueUniteLegale === "1000" && unitePurgeeUniteLegale === "";
	});
	const findOtherNames = (names: Set<string>, ...columns: string[]) =>
		traders.flatMap((row) => columns.map((column) => row[`${column}UniteLegale`] ?? "").filter((name) => name && !names.has(name)));
	expect(findOtherNames(surnames, "nom", "nomUsage")).toEqual([]);
	expect(findOtherNames(firstNames, "prenom1", "prenom2", "prenom3", "prenom4", "prenomUsuel")).toEqual([]);
	expect(traders.filter(({ nomUniteLegale, denominationUniteLegale }) => !nomUniteLegale || denominationUniteLegale)).toEqual([]);
});

test("partially diffused units have neither name nor street", () => {
	const masked = establishments.filter(({ statutDiffusionEtablissement }) => statutDiffusionEtablissement === "P");
	for (const column of ["numeroVoie", "libelleVoie", "codePostal", "complementAdresse"])
		expect(new Set(masked.map((row) => row[`${column}Etablissement`]))).toEqual(new Set(["[ND]"]));
	const traders = units.filter((row) => row.statutDiffusionUniteLegale === "P" && row.categorieJuridiqueUniteLegale === "1000");
	expect(new Set(traders.flatMap((row) => [row.nomUniteLegale, row.prenom1UniteLegale]))).toEqual(new Set(["[ND]"]));
});

const legalPerson = (row: Row) => row.categorieJuridiqueUniteLegale !== "1000";
test.each<[what: string, rows: () => Row[], matches: (row: Row) => boolean, from: number, to: number]>([
	["sole traders", () => units, (row) => !legalPerson(row), 0.5, 0.6],
	["form 5499", () => units, (row) => row.categorieJuridiqueUniteLegale === "5499", 0.1, 0.16],
	["form 5710", () => units, (row) => row.categorieJuridiqueUniteLegale === "5710", 0.08, 0.14],
	["form 6540", () => units, (row) => row.categorieJuridiqueUniteLegale === "6540", 0.06, 0.1],
	["active", () => units, (row) => row.etatAdministratifUniteLegale === "A", 0.5, 0.6],
	["partially diffused", () => units, (row) => row.statutDiffusionUniteLegale === "P", 0.04, 0.08],
	["purged", () => units, (row) => row.unitePurgeeUniteLegale === "true", 0.001, 0.01],
	["with an unknown creation date", () => units, (row) => row.dateCreationUniteLegale === "1900-01-01", 0.01, 0.03],
	["small and medium-sized", () => units, (row) => row.categorieEntreprise === "PME", 0.16, 0.24],
	["with an acronym", () => units.filter(legalPerson), (row) => row.sigleUniteLegale !== "", 0.03, 0.07],
	["with a trade sign", () => establishments, (row) => !["", "[ND]"].includes(row.enseigne1Etablissement ?? ""), 0.08, 0.15],
	["head offices", () => establishments, (row) => row.etablissementSiege === "true", 0.66, 0.78],
	["with a CEDEX", () => establishments, (row) => /^\d/.test(row.codeCedexEtablissement ?? ""), 0.015, 0.045],
	["abroad", () => establishments, (row) => row.codePaysEtrangerEtablissement !== "", 0.001, 0.008],
])("share of units or establishments: %s", (_, rows, matches, from, to) => {
	const share = computeShare(rows(), matches);
	expect(share).toBeGreaterThan(from);
	expect(share).toBeLessThan(to);
});

test("establishments are in most departments, including Corsica and overseas", () => {
	const departments = new Set(establishments.map((row) => /^9[78]\d|^2[AB]|^\d\d/.exec(row.codeCommuneEtablissement ?? "")?.[0]));
	for (const department of ["2A", "2B", "971", "974", "75", "59"]) expect(departments).toContain(department);
	expect(departments.size).toBeGreaterThan(95);
});

test("some names occur several times, and some have quotes or commas", () => {
	const names = units.map((row) => row.denominationUniteLegale ?? "").filter(Boolean);
	expect(new Set(names).size).toBeLessThan(names.length);
	const people = units.map((row) => `${row.nomUniteLegale} ${row.prenom1UniteLegale}`).filter((name) => /^[A-Z]/.test(name));
	expect(new Set(people).size).toBeLessThan(people.length);
	expect(names.some((name) => name.includes('"') || name.includes(","))).toBe(true);
});
