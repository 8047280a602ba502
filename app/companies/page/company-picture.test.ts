import { expect, test } from "vitest";
import { companyRow as row } from "../../../test/fixtures/company-row.ts";
import type { CompanyRow } from "../companies.store.server.ts";
import { toCompany } from "../company-rows.ts";
import { createCompanyJsonLd } from "./company-json-ld.ts";
import { hasOwnPicture, listPictureLines } from "./company-picture.ts";

const company = (change: Partial<CompanyRow>) => toCompany({ ...row, ...change }, null);

test.each<[Partial<CompanyRow>, boolean]>([
	[{}, true],
	[{ legal_category: "1000" }, false],
	[{ legal_category: "9220" }, false],
	[{ masked: true }, false],
	[{ name: null }, false],
	[{ status: "ceased" }, false],
	[{ status: "removed" }, false],
])("a company that is %j has its own picture: %s", (change, isOwn) => {
	expect(hasOwnPicture(company(change))).toBe(isOwn);
});

test.each<[Partial<CompanyRow>, string]>([
	[{}, "SIREN 900 000 001 · Paris 9e"],
	[{ city: "TOULON", postal_code: "83000" }, "SIREN 900 000 001 · Toulon"],
	[{ city: null }, "SIREN 900 000 001"],
	[{ address: null, address_complement: null, postal_code: null, city: null }, "SIREN 900 000 001"],
])("with %j the picture says %s", (change, line) => {
	expect(listPictureLines(company(change))).toEqual([line, "Entreprise active", "Fiche d’un service privé et indépendant"]);
});

// docs/rules.md, R47: the data keep the register's capitals
test.each<[Partial<CompanyRow>, object | undefined]>([
	[{}, { streetAddress: "ETAGE 2, 59 RUE LA FAYETTE", postalCode: "75009", addressLocality: "PARIS", addressCountry: "FR" }],
	[
		{ address_complement: null },
		{ streetAddress: "59 RUE LA FAYETTE", postalCode: "75009", addressLocality: "PARIS", addressCountry: "FR" },
	],
	[{ address: null }, { streetAddress: "ETAGE 2", postalCode: "75009", addressLocality: "PARIS", addressCountry: "FR" }],
	[
		{ address: null, address_complement: null, city: null },
		{ postalCode: "75009", addressCountry: "FR" },
	],
	[{ address: null, address_complement: null, postal_code: null }, { addressLocality: "PARIS" }],
	[{ postal_code: null, city: null }, { streetAddress: "ETAGE 2, 59 RUE LA FAYETTE" }],
	[{ address: null, address_complement: null, postal_code: null, city: null }, undefined],
])("with %j the structured address is %j", (change, address) => {
	expect(createCompanyJsonLd(company(change), "")?.address).toEqual(address && { "@type": "PostalAddress", ...address });
});
