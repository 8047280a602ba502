// Imports the files UNITS and ESTABLISHMENTS as `npm run companies:import` does, into a migrated database.
// Prints the milliseconds, the rows and the highest memory.
import { importCompanies } from "../../../app/companies/registry/sirene/import-companies.server.ts";
import { measureUsage } from "../../../test/report-usage.ts";

const { DATABASE_URL: connectionString, UNITS = "", ESTABLISHMENTS = "" } = process.env;
const started = performance.now();
const { units, establishments } = await importCompanies({ connectionString }, UNITS, ESTABLISHMENTS);
const ms = performance.now() - started;
console.log(JSON.stringify({ ms, rows: units.read + establishments.read, peak: measureUsage().peak }));
