import type { Database } from "../../server/database/database.ts";
import { sources } from "./companies.store.server.ts";

export interface CompanySources {
	/** How many companies the register holds. */
	companies: number;
	/** Newest change in INSEE's data, yyyy-mm-dd. */
	sireneAsOf: string | null;
	/** Day of the RNE's data, yyyy-mm-dd; undefined where none were given. */
	rneAsOf: string | null | undefined;
}

/** Where the companies come from, for the pages to say; null until some were imported. */
export async function companySources(db: Database): Promise<CompanySources | null> {
	const rows = await sources(db);
	const sirene = rows.find(({ name }) => name === "sirene");
	return sirene ? { companies: sirene.companies, sireneAsOf: sirene.as_of, rneAsOf: rows.find(({ name }) => name === "rne")?.as_of } : null;
}
