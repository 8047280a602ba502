import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "../../../test/database.ts";
import { findCompany } from "../../companies/find-company.server.ts";
import type { Siren } from "../../companies/siren.ts";
import { inspectPdf } from "../extracts/inspect-pdf.server.ts";
import { drawSpecimen } from "./specimen-pdf.server.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
	database = await createTestDatabase();
});
afterAll(() => database?.close());

const siren = "552032534" as Siren;
const given = {
	siren,
	companyName: "DANONE",
	number: "a1b2c3",
	dated: "Produit le 30 novembre 2026",
	issuedAt: new Date("2026-11-30T10:00:00Z"),
};

async function read(values: Partial<Parameters<typeof drawSpecimen>[0]> = {}) {
	const summary = await inspectPdf(await drawSpecimen({ ...given, company: await findCompany(database.db, siren), ...values }));
	return { pages: summary?.pages, text: (summary?.text ?? "").replace(/\s+/g, " ") };
}

test("has the rubrics of an extract, with what the register says and nothing of persons or of a greffe", async () => {
	const { pages, text } = await read();
	expect(pages).toBe(1);
	for (const part of [
		"SPÉCIMEN — SANS VALEUR Ce document est produit par une boutique de démonstration. Ce n’est pas un extrait Kbis",
		"DANONE SIREN 552 032 534 Spécimen n° a1b2c3. Produit le 30 novembre 2026",
		"Identification de la personne morale",
		"Forme juridique SA à conseil d’administration",
		"Adresse du siège 59 rue La Fayette, 75009 Paris",
		"Président du conseil d’administration spécimen Nom, prénoms spécimen Date et lieu de naissance spécimen Nationalité spécimen",
		"Mention n° 1 spécimen",
	])
		expect(text).toContain(part);
	expect(text.match(/SPÉCIMEN — SANS VALEUR/g)).toHaveLength(2);
	expect(text).not.toMatch(/greffier|R\.C\.S|2020|2024|MODÈLE|EXEMPLE/);
});

test.each([
	["5710", "Président"],
	["5785", "Président"],
	["5499", "Gérant"],
	["6540", "Gérant"],
	["5202", "Gérant"],
	["5505", "Président du conseil d’administration"],
	["5699", "Président du directoire"],
	["6220", "Administrateur"],
	["6411", "Dirigeant"],
])("of a company of category %s names its %s", async (legalCategory, title) => {
	const company = await findCompany(database.db, siren);
	const { text } = await read({ company: company && { ...company, legalCategory } });
	expect(text).toContain(`associés ou membres ${title} spécimen Nom, prénoms`);
});

test("of a sole trader or an association names no manager", async () => {
	const company = await findCompany(database.db, siren);
	const [trader, association] = [
		{ legalCategory: "1000", eligibility: "extrait-k" },
		{ legalCategory: "9220", eligibility: "none" },
	] as const;
	for (const change of [trader, association]) {
		const { text } = await read({ company: company && { ...company, ...change } });
		expect(text).not.toMatch(/Président|Gérant|Dirigeant|Gestion, direction/);
	}
});

test("of a company that the register does not have, it says « spécimen »", async () => {
	const { text } = await read({ company: null });
	expect(text).toContain(
		"Dénomination ou raison sociale DANONE Forme juridique spécimen Capital social spécimen Adresse du siège spécimen",
	);
});

test("is marked across each of its pages, however long its name", async () => {
	const { pages = 0, text } = await read({ companyName: "SOCIÉTÉ ".repeat(300).trim() });
	expect(pages).toBeGreaterThan(1);
	expect(text.match(/SPÉCIMEN — SANS VALEUR/g)).toHaveLength(1 + pages);
});
