// Empties the data folder, gives it the database of a shop after its first start, and starts the built shop.
import { existsSync, rmSync } from "node:fs";
import { startPostgres } from "../server/database/embedded-postgres.ts";
import { fillDataFolder } from "../test/template-cluster.ts";

const dataDir = process.env.DATA_DIR;
if (!dataDir) throw new Error("DATA_DIR must name the folder to empty");
if (existsSync(dataDir)) {
	const { folder, stop } = await startPostgres(dataDir); // its files may be in another folder
	await stop();
	for (const left of [folder, dataDir]) rmSync(left, { recursive: true, force: true });
}
await fillDataFolder(dataDir);
await import("../main.ts");
