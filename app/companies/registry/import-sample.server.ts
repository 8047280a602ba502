import { fileURLToPath } from "node:url";
import type pg from "pg";
import type { Database } from "../../../server/database/database.ts";
import { findBulletinReading } from "../bulletin/bulletin.server.ts";
import { findCompanySources } from "../company-sources.server.ts";
import type { ImportProgress } from "./sirene/import-companies.server.ts";

const file = (name: string) => fileURLToPath(new URL(`../../../data/${name}`, import.meta.url));

/** When the embedded notices were gathered. */
const noticesGatheredAt = new Date("2026-11-22T12:00:00Z");

/**
 * Imports the embedded sample of real legal persons (data/README.md) into an empty database, so that the shop works at once and offline; and
 * notices about some of them, unless notices were imported already.
 */
export async function importSample(
	db: Database,
	connection: pg.ClientConfig,
	onProgress: (progress: ImportProgress) => void = () => {},
): Promise<void> {
	if (!(await findCompanySources(db))) await importCompaniesOfSample(connection, onProgress);
	if (!(await findCompanySources(db))?.isSample || (await findBulletinReading(db))) return;
	const { importNotices } = await import("../bulletin/import/import-notices.server.ts");
	await importNotices(connection, [file("bodacc/notices.jsonl")], { at: noticesGatheredAt });
}

async function importCompaniesOfSample(connection: pg.ClientConfig, onProgress: (progress: ImportProgress) => void): Promise<void> {
	// most starts do not import
	const { importRegistrations } = await import("./rne/import-registrations.server.ts");
	const { importCompanies } = await import("./sirene/import-companies.server.ts");
	await importRegistrations(connection, [file("sirene/immatriculations.json"), file("rne/companies.json")], { asOf: "2026-06-01" });
	await importCompanies(connection, file("sirene/StockUniteLegale_utf8.csv.gz"), file("sirene/StockEtablissement_utf8.csv.gz"), {
		onProgress,
	});
}
