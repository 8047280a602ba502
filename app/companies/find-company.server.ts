import type { Database } from "../../server/database/database.ts";
import { findCommuneName } from "./addresses/communes.server.ts";
import { type CompanyRow, findCompanyRow, listCompanyRows } from "./companies.store.server.ts";
import type { Company } from "./company.ts";
import { toCompany } from "./company-rows.ts";
import { findGreffe } from "./greffes/greffes.server.ts";
import type { Siren } from "./siren.ts";

/** Finds the company of a SIREN, including ceased and masked ones; null when unknown. */
export async function findCompany(db: Database, siren: Siren): Promise<Company | null> {
	const row = await findCompanyRow(db, siren);
	return row ? convert(row) : null;
}

/** Finds the companies of several SIRENs at once, by SIREN; unknown ones are absent. */
export async function findCompanies(db: Database, sirens: readonly Siren[]): Promise<ReadonlyMap<Siren, Company>> {
	const rows = sirens.length > 0 ? await listCompanyRows(db, [...new Set(sirens)]) : [];
	return new Map(rows.map((row) => [row.siren, convert(row)] as const));
}

const convert = (row: CompanyRow): Company => toCompany(row, row.commune && findGreffe(row.commune), findCommuneName);
