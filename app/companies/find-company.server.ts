import type { Database } from "../../server/database/database.ts";
import { companyBySiren } from "./companies.store.server.ts";
import type { Company } from "./company.ts";
import { toCompany } from "./company-rows.ts";
import { greffeOf } from "./greffes.server.ts";
import type { Siren } from "./siren.ts";

/** The company of a SIREN, ceased and masked ones too; null where the register has none. */
export async function findCompany(db: Database, siren: Siren): Promise<Company | null> {
	const row = await companyBySiren(db, siren);
	return row ? toCompany(row, row.commune && greffeOf(row.commune)) : null;
}
