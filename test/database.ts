import type pg from "pg";
import { expect, inject } from "vitest";
import { type Database, openDatabase } from "../server/database/database.ts";
import { createLog, type Log } from "../server/observability/log.ts";
import { returnCopy, takeCopy } from "./reusable-databases.ts";

declare module "vitest" {
	interface ProvidedContext {
		postgres: { host: string; port: number; user: string; template: string };
	}
}

/**
 * A separate database for one test file: migrated, with the embedded companies.
 * @param log receives the log lines of transactions.
 */
export async function createTestDatabase(
	log: Log = createLog("silent"),
): Promise<{ db: Database; pool: pg.Pool; connection: pg.ClientConfig; close: () => Promise<void> }> {
	const { template, ...server } = inject("postgres");
	const file = expect.getState().testPath ?? "";
	const copy = await takeCopy(server, template, file);
	const connection = { ...server, database: copy.name };
	const { db, pool } = openDatabase(connection, log);
	let open = true;
	return {
		db,
		pool,
		connection,
		async close() {
			await db.destroy();
			if (open) returnCopy(copy, file);
			open = false;
		},
	};
}
