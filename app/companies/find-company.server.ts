import type { Database } from "../../server/database/database.ts";
import { findCommuneName } from "../addresses/communes.server.ts";
import { findCompanyRow } from "./companies.store.server.ts";
import type { Company } from "./company.ts";
import { toCompany } from "./company-rows.ts";
import { findGreffe } from "./greffes/greffes.server.ts";
import type { Siren } from "./siren.ts";

/** Finds the company of a SIREN, including ceased and masked ones; null when unknown. */
export async function findCompany(db: Database, siren: Siren): Promise<Company | null> {
	const row = await findCompanyRow(db, siren);
	return row ? toCompany(row, row.commune && findGreffe(row.commune), findCommuneName) : null;
}
