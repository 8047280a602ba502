// node server/check-jobs.ts: the health check of a container with `jobs`, which opens no port.
// Exits with 0 while a process that does jobs writes its heartbeat into the database. It assumes one such container.
import { Client } from "./database/database.ts";
import { parseDatabaseUrl } from "./database/primary.ts";
import { readEnvironment } from "./environment/environment.ts";

const { databaseUrl = "" } = readEnvironment();
const client = new Client({ ...parseDatabaseUrl(databaseUrl), query_timeout: 3000 });
await client.connect();
const { rowCount } = await client.query("select from job_processes where seen_at > now() - interval '30 seconds'");
process.exit(rowCount === 0 ? 1 : 0);
