// Empties the data folder, starts there the PostgreSQL server of all shops of the run, and starts the built shop on a database of it.
import { existsSync, rmSync } from "node:fs";
import { getDataFolder } from "../server/database/embedded-postgres.ts";
import { withClient } from "../test/postgres.ts";
import { startTemplateCluster } from "../test/template-cluster.ts";
import { announceServer, createDatabase, dataDir, sharedDatabase, shopEnvironment } from "./databases.ts";

// the database's files may be in another folder
if (existsSync(dataDir)) for (const left of [getDataFolder(dataDir), dataDir]) rmSync(left, { recursive: true, force: true });
announceServer((await startTemplateCluster(dataDir)).connection);
const database = await createDatabase(sharedDatabase);
// the shop promises the watch and alerts; its job has nothing left to read today
await withClient(database, async (client) => {
	await client.query("insert into shop_settings (name, value) values ('bulletinReading', 'true')");
	await client.query(
		`insert into bulletin_readings (imported_at, covered_from, covered_to, reached_at) values (now(), current_date - 30, current_date, now() + interval '1 day')
		on conflict (only_row) do update set imported_at = excluded.imported_at, covered_from = excluded.covered_from,
			covered_to = excluded.covered_to, reached_at = excluded.reached_at`,
	);
});
Object.assign(process.env, shopEnvironment(dataDir, database));
await import("../main.ts");
