// Imports the file NOTICES as `npm run companies:notices` does. Prints the milliseconds, the rows, the processor time and the highest memory.
import { importNotices } from "../../../app/companies/bulletin/import/import-notices.server.ts";
import { measureUsage } from "../../../test/report-usage.ts";

const { DATABASE_URL: connectionString, NOTICES = "" } = process.env;
const started = performance.now();
const { read } = await importNotices({ connectionString }, [NOTICES]);
console.log(JSON.stringify({ ms: performance.now() - started, rows: read, ...measureUsage() }));
