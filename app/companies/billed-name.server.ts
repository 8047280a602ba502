import type { Database } from "../../server/database/database.ts";
import { readSiren } from "./company-numbers.ts";
import { findCompany } from "./find-company.server.ts";
import { mayBeNameOf } from "./name-agreement.ts";
import { tokenize } from "./search/tokens.ts";

/**
 * Whose SIREN stands beside an invoiced name that is not its own: a doubt for the customer, never a refusal (a name may be new).
 * @returns the name in the register; null without a doubt.
 */
export async function findOtherName(
	db: Database,
	{ company, billingSiren }: { company: string; billingSiren: string },
): Promise<string | null> {
	const siren = readSiren(billingSiren);
	const found = company === "" || siren === null ? null : await findCompany(db, siren);
	return found === null || mayBeNameOf(tokenize(company), found) ? null : found.name;
}
