import type { Database } from "../../../server/database/database.ts";
import { type Company, canFollow } from "../company.ts";
import { findCompany } from "../find-company.server.ts";
import type { Siren } from "../siren.ts";

/** Finds a company about which alerts can be sent; null for an unknown or masked one, and for a sole trader. */
export async function findFollowableCompany(db: Database, siren: Siren): Promise<Company | null> {
	const company = await findCompany(db, siren);
	return company && canFollow(company) ? company : null;
}
