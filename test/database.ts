import type pg from "pg";
import { inject } from "vitest";
import { type Database, openDatabase } from "../server/database/database.ts";
import { createLog, type Log } from "../server/observability/log.ts";
import { adminDatabase } from "./postgres.ts";

declare module "vitest" {
	interface ProvidedContext {
		postgres: { host: string; port: number; user: string; template: string };
	}
}

let count = 0;

/**
 * A separate database for one test file: migrated, with the embedded companies.
 * @param log receives the log lines of transactions.
 */
export async function createTestDatabase(
	log: Log = createLog("silent"),
): Promise<{ db: Database; pool: pg.Pool; connection: pg.ClientConfig; close: () => Promise<void> }> {
	const { template, ...server } = inject("postgres");
	const database = `test_${process.pid}_${++count}_${Date.now().toString(36)}`;
	const admin = openDatabase({ ...server, database: adminDatabase, max: 1 }, createLog("silent"));
	await admin.pool.query(`create database ${database} template ${template} strategy file_copy`);
	await admin.pool.end();
	const connection = { ...server, database };
	const { db, pool } = openDatabase(connection, log);
	return { db, pool, connection, close: () => db.destroy() };
}
