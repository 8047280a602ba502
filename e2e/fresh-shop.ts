// Empties the data folder, starts there the PostgreSQL server of all shops of the run, and starts the built shop on a database of it.
import { existsSync, rmSync } from "node:fs";
import { getDataFolder } from "../server/database/embedded-postgres.ts";
import { startTemplateCluster } from "../test/template-cluster.ts";
import { announceServer, createDatabase, dataDir, sharedDatabase, shopEnvironment } from "./databases.ts";

// the database's files may be in another folder
if (existsSync(dataDir)) for (const left of [getDataFolder(dataDir), dataDir]) rmSync(left, { recursive: true, force: true });
announceServer((await startTemplateCluster(dataDir)).connection);
Object.assign(process.env, shopEnvironment(dataDir, await createDatabase(sharedDatabase)));
await import("../main.ts");
