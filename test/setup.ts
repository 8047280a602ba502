import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { importSample } from "../app/registry/import-sample.server.ts";
import { openDatabase } from "../server/database/database.ts";
import { startPostgres } from "../server/database/embedded-postgres.ts";
import { migrate } from "../server/database/migrate.ts";
import { createLog } from "../server/observability/log.ts";

/** One real PostgreSQL for the whole run; each test file copies the template made here. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-test-"));
	const postgres = await startPostgres(folder, ["fsync=off", "synchronous_commit=off", "max_connections=300"]);
	const template = "template_shop";
	const admin = openDatabase(postgres.connection, createLog("silent"));
	await admin.pool.query(`create database ${template}`);
	await admin.db.destroy();
	const connection = { ...postgres.connection, database: template };
	const { db } = openDatabase(connection, createLog("silent"));
	await migrate(db);
	await importSample(db, connection);
	await db.destroy();
	const { host, port, user } = postgres.connection;
	project.provide("postgres", { host, port, user, template });
	return async () => {
		await postgres.stop();
		for (const made of [folder, postgres.folder, host]) rmSync(made, { recursive: true, force: true });
	};
}
