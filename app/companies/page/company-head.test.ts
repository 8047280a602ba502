import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { companyRow as row } from "../../../test/fixtures/company-row.ts";
import type { CompanyRow } from "../companies.store.server.ts";
import { toCompany } from "../company-rows.ts";
import { CompanyHead, formatSince, listActivityAndStaff, listFormAndSeat, takeFirstWords } from "./company-head.tsx";

const render = (change: Partial<CompanyRow>) =>
	renderToStaticMarkup(createElement(CompanyHead, { company: toCompany({ ...row, ...change }, null) }));

test.each<[Partial<CompanyRow>, string | null]>([
	[{}, "depuis 1955"],
	[{ created_on: null }, null],
	[{ removed_on: "2022-11-14" }, "depuis 1955"],
	[{ status: "ceased" }, null],
	[{ status: "ceased", removed_on: "2022-11-14" }, null],
	[{ status: "removed" }, null],
	[{ status: "removed", removed_on: "2022-11-14" }, "le 14 novembre 2022"],
	[{ status: "removed", removed_on: "2026-03-01" }, "le 1er mars 2026"],
])("of a company that is %j, the state is said « %s »", (change, since) => {
	expect(formatSince(toCompany({ ...row, ...change }, null))).toBe(since);
});

test.each<[Partial<CompanyRow>, string[]]>([
	[{}, ["SAS / SASU", "siège à Paris 9e", "Activités des sièges sociaux"]],
	[{ staff_band: "42", staff_year: 2023 }, ["SAS / SASU", "siège à Paris 9e", "Activités des sièges sociaux", "1 000 à 1 999 salariés"]],
	[{ staff_band: "42", staff_year: 2014, status: "ceased" }, ["SAS / SASU", "siège à Paris 9e", "Activités des sièges sociaux"]],
	[{ staff_band: "01", naf_code: null, city: null }, ["SAS / SASU", "1 ou 2 salariés"]],
	[{ city: "LE HAVRE", postal_code: "76600", naf_code: null }, ["SAS / SASU", "siège au Havre"]],
	[{ city: "LES ULIS", postal_code: "91940", naf_code: null }, ["SAS / SASU", "siège aux Ulis"]],
	[{ city: "LA ROCHELLE", postal_code: "17000", naf_code: null }, ["SAS / SASU", "siège à La Rochelle"]],
	[{ city: "LONDRES (ROYAUME-UNI)", postal_code: null, naf_code: null }, ["SAS / SASU", "siège à Londres (Royaume-Uni)"]],
])("of a company with %j, the head says %j", (change, facts) => {
	const company = toCompany({ ...row, ...change }, null);
	expect([...listFormAndSeat(company), ...listActivityAndStaff(company)].map((fact) => fact.replaceAll("\u00a0", " "))).toEqual(facts);
});

test.each([
	["Le conseil", 10, "Le conseil"],
	["Le conseil aux", 12, "Le conseil aux"],
	["Le conseil aux entreprises", 12, "Le conseil…"],
	["Le conseil aux entreprises", 14, "Le conseil aux…"],
	["abcdefghij", 4, "abcd…"],
])("of « %s », %i characters are « %s »", (text, length, shown) => {
	expect(takeFirstWords(text, length)).toBe(shown);
});

test("the first words of the object stand in the head", () => {
	expect(render({ purpose: "L’exploitation de tous fonds de commerce. ".repeat(9) })).toContain(
		"Objet\u00a0: L’exploitation de tous fonds de…",
	);
	expect(render({ purpose: null })).not.toContain("Objet");
});

describe("representatives", () => {
	const link = `href="https://annuaire-entreprises.data.gouv.fr/dirigeants/${row.siren}"`;
	test.each<[Partial<CompanyRow>, boolean]>([
		[{}, true],
		[{ status: "removed" }, true],
		[{ legal_category: "1000" }, false],
		[{ legal_category: "9220" }, false],
		[{ masked: true }, false],
	])("of a company that is %j are linked: %s", (change, isLinked) => {
		expect(render(change).includes(link)).toBe(isLinked);
	});
});
