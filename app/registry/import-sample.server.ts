import { fileURLToPath } from "node:url";
import type pg from "pg";
import type { Database } from "../../server/database/database.ts";
import { findCompanySources } from "../companies/company-sources.server.ts";
import type { ImportProgress } from "./sirene/import-companies.server.ts";

const file = (name: string) => fileURLToPath(new URL(`../../data/sirene/${name}`, import.meta.url));

/**
 * Imports the embedded sample of real legal persons (data/README.md) into an empty database, so that the shop works at once and offline.
 */
export async function importSample(
	db: Database,
	connection: pg.ClientConfig,
	onProgress: (progress: ImportProgress) => void = () => {},
): Promise<void> {
	if (await findCompanySources(db)) return;
	// most starts do not import
	const { importRegistrations } = await import("./rne/import-registrations.server.ts");
	const { importCompanies } = await import("./sirene/import-companies.server.ts");
	await importRegistrations(connection, [file("immatriculations.json")], { asOf: "2026-06-01" });
	await importCompanies(connection, file("StockUniteLegale_utf8.csv.gz"), file("StockEtablissement_utf8.csv.gz"), { onProgress });
}
