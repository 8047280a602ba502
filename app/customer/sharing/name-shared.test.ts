import { expect, test } from "vitest";
import { unnamed } from "../../companies/company-name.ts";
import type { Siren } from "../../companies/siren.ts";
import { nameCompany, nameShared } from "./name-shared.ts";

const order = { company_name: "DANONE", siren: "552032534" as Siren };
const kbis = { name: "DANONE", eligibility: "kbis" } as const;
const trader = { name: "ADA LOVELACE", eligibility: "extrait-k" } as const;

test("a shared document is called what it is; a demo's is a specimen", () => {
	const names = [kbis, trader, null].map((company) => nameShared("manual", company));
	expect(names).toEqual(["Extrait Kbis", "Extrait K", "Extrait Kbis"]);
	expect(nameShared("specimen", trader)).toBe("Spécimen sans valeur");
});

test.each([
	["a company, as it was ordered", order, { ...kbis, name: "DANONE SA" }, { name: "DANONE", siren: "552032534" }],
	["no company that is masked now", order, { ...kbis, name: null }, null],
	["no company that was masked when it was ordered", { ...order, company_name: unnamed }, kbis, null],
	["no company that the register no longer has", order, null, null],
	["no person: a sole trader may be the customer", { ...order, company_name: "ADA LOVELACE" }, trader, null],
])("before it is opened, a link names %s", (_, ordered, company, named) => {
	expect(nameCompany(ordered, company)).toEqual(named);
});
