import type { Database } from "../../server/database/database.ts";
import { listSources } from "./companies.store.server.ts";

export interface CompanySources {
	/** The number of companies in the register. */
	companies: number;
	/** Whether they are the embedded sample: a part of the companies and of their establishments. */
	isSample: boolean;
	/** The newest change in INSEE's data, yyyy-mm-dd. */
	sireneAsOf: string | null;
	/** The day of the RNE's data, yyyy-mm-dd; undefined without any. */
	rneAsOf: string | null | undefined;
}

/** What tells the embedded companies from any other base: their number, and the day of their newest change. */
const sample = { companies: 24_360, asOf: "2026-05-13" };

/** Returns the sources of the companies; null before the first import. */
export async function findCompanySources(db: Database): Promise<CompanySources | null> {
	const rows = await listSources(db);
	const sirene = rows.find(({ name }) => name === "sirene");
	if (!sirene) return null;
	const { companies, as_of: sireneAsOf } = sirene;
	const isSample = companies === sample.companies && sireneAsOf === sample.asOf;
	return { companies, isSample, sireneAsOf, rneAsOf: rows.find(({ name }) => name === "rne")?.as_of };
}
