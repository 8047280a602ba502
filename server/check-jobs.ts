// node server/check-jobs.ts: the health check of a container with `jobs`, which opens no port.
// Exits with 0 while a process does jobs and sends the scheduled ones. It assumes one such container.
import { openDatabase } from "./database/database.ts";
import { parseDatabaseUrl } from "./database/primary.ts";
import { readEnvironment } from "./environment/environment.ts";
import { areJobsRunning } from "./jobs.ts";
import { createLog } from "./observability/log.ts";

const { databaseUrl = "" } = readEnvironment();
const { db } = openDatabase({ ...parseDatabaseUrl(databaseUrl), max: 1, query_timeout: 3000 }, createLog("silent"));
process.exit((await areJobsRunning(db)) ? 0 : 1);
