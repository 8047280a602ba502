// What `npm run companies:import` does with the files UNITS and ESTABLISHMENTS, on a database that has its tables.
// Prints the milliseconds it took and the most memory it had.
import { importCompanies } from "../../app/registry/sirene/import-companies.server.ts";
import { usage } from "../tell-usage.ts";

const { DATABASE_URL: connectionString, UNITS = "", ESTABLISHMENTS = "" } = process.env;
const started = performance.now();
const { companies, units, establishments } = await importCompanies({ connectionString }, UNITS, ESTABLISHMENTS);
const ms = performance.now() - started;
console.log(JSON.stringify({ ms, rows: units.read + establishments.read, companies, peak: usage().peak }));
