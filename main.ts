// Starts the shop: environment → database → jobs → web. `main.ts web|jobs|migrate` starts one role alone.
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { listenForChanges } from "./server/changes.ts";
import { openDatabase } from "./server/database.ts";
import { startPostgres } from "./server/embedded-postgres.ts";
import { readEnvironment } from "./server/environment.ts";
import { startJobs } from "./server/jobs.ts";
import { openLog } from "./server/log.ts";
import { migrate } from "./server/migrate.ts";
import type * as Bundle from "./server/bundle.ts";
import type { Shop } from "./app/shop.ts";

const environment = readEnvironment();
const log = openLog(environment.logLevel);
const closing = new AbortController();

const postgres = environment.databaseUrl ? undefined : await startPostgres(environment.dataDir);
const connection = postgres ? postgres.connection : { connectionString: environment.databaseUrl };
const { db, pool } = openDatabase(connection, log);
await migrate(db);
const jobs = await startJobs(connection, [], log, { supervise: true });
const changes = listenForChanges(connection, log);
const shop: Shop = { environment, db, jobs, changes, log, now: () => new Date(), closing: closing.signal };
const { createWeb, startWorkers }: typeof Bundle = await import("./build/server/index.js" as string);
await startWorkers(shop);
const web = await createWeb(shop);
const server = createServer(getRequestListener(web.fetch));
server.listen(environment.port, environment.host, () => console.log(environment.baseUrl));
process.on("SIGTERM", async () => {
	closing.abort();
	server.close();
	await jobs.stop(1000);
	await changes.stop();
	await db.destroy();
	await postgres?.stop();
	process.exit(0);
});
