// Starts the built shop as its owner does, on a data folder that is emptied first.
import { existsSync, rmSync } from "node:fs";
import { startPostgres } from "../server/database/embedded-postgres.ts";

const dataDir = process.env.DATA_DIR;
if (!dataDir) throw new Error("DATA_DIR says which folder may be emptied");
if (existsSync(dataDir)) {
	const { folder, stop } = await startPostgres(dataDir); // its files may be elsewhere
	await stop();
	for (const left of [folder, dataDir]) rmSync(left, { recursive: true, force: true });
}
await import("../main.ts");
