import type { Database } from "../../server/database/database.ts";
import { listSources } from "./companies.store.server.ts";

export interface CompanySources {
	/** The number of companies in the register. */
	companies: number;
	/** The newest change in INSEE's data, yyyy-mm-dd. */
	sireneAsOf: string | null;
	/** The day of the RNE's data, yyyy-mm-dd; undefined without any. */
	rneAsOf: string | null | undefined;
}

/** Returns the sources of the companies; null before the first import. */
export async function findCompanySources(db: Database): Promise<CompanySources | null> {
	const rows = await listSources(db);
	const sirene = rows.find(({ name }) => name === "sirene");
	return sirene ? { companies: sirene.companies, sireneAsOf: sirene.as_of, rneAsOf: rows.find(({ name }) => name === "rne")?.as_of } : null;
}
