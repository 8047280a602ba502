import type pg from "pg";
import { importSample } from "../../app/companies/registry/import-sample.server.ts";
import { openDatabase } from "../../server/database/database.ts";
import { startPostgres } from "../../server/database/embedded-postgres.ts";
import { migrate } from "../../server/database/migrate.ts";
import { createLog } from "../../server/observability/log.ts";
import { withClient } from "../../test/postgres.ts";
import { dataFolder } from "../../test/temporary-folder.ts";
import { measureEach } from "./percentiles.ts";

export interface BenchServer {
	/** Creates a database whose name begins with `name`: an empty one, or a copy of another that has no connections. */
	create(name: string, template?: pg.ClientConfig): Promise<pg.ClientConfig>;
	/** Creates a database as the shop has it after its first start: migrated, with the embedded companies. */
	createFilled(name: string): Promise<pg.ClientConfig>;
	/** The settings that the figures depend on. */
	setting: string;
}

/**
 * Starts the embedded PostgreSQL on its own data folder, with durable settings.
 * @param settings override PostgreSQL's defaults, by name.
 */
export async function startBenchServer(undo: AsyncDisposableStack, settings: Readonly<Record<string, string>> = {}): Promise<BenchServer> {
	const overrides = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
	const { connection, stop } = await startPostgres(dataFolder(undo), overrides);
	undo.defer(stop);
	let count = 0;
	async function create(name: string, template: pg.ClientConfig = { database: "template1" }): Promise<pg.ClientConfig> {
		const database = `${name}_${++count}`;
		await withClient(connection, (client) => client.query(`create database ${database} template ${template.database}`));
		return { ...connection, database };
	}
	let filled: Promise<pg.ClientConfig> | undefined;
	return {
		create,
		async createFilled(name) {
			// importing takes seconds, copying a moment
			filled ??= create("filled").then(fill);
			return create(name, await filled);
		},
		setting: await withClient(connection, (client) => describeSettings(client, Object.keys(settings))),
	};
}

async function fill(connection: pg.ClientConfig): Promise<pg.ClientConfig> {
	await migrateDatabase(connection);
	const { db } = openDatabase(connection, createLog("silent"));
	await importSample(db, connection);
	await db.destroy();
	return connection;
}

export async function migrateDatabase(connection: pg.ClientConfig): Promise<void> {
	const { db } = openDatabase(connection, createLog("silent"));
	await migrate(db);
	await db.destroy();
}

async function describeSettings(client: pg.Client, changed: readonly string[]): Promise<string> {
	const durable = ["fsync", "synchronous_commit", "full_page_writes", "wal_sync_method"];
	const names = [...new Set([...durable, "shared_buffers", "huge_pages_status", "work_mem", ...changed])];
	const show = async (name: string): Promise<string> => (await client.query(`show ${name}`)).rows[0][name];
	const values: string[] = [];
	for (const name of names) values.push(`${name} ${await show(name)}`);
	const defaults = changed.length > 0 ? `default settings except ${changed.join(", ")}` : "default settings";
	return `PostgreSQL ${await show("server_version")} (embedded, ${defaults}: ${values.join(", ")})`;
}

/** Commits one small row at a time on one connection: milliseconds of each. */
export function measureEmptyCommits(connection: pg.ClientConfig, times: number): Promise<number[]> {
	return withClient(connection, async (client) => {
		await client.query("create table if not exists bench_commits (number integer)");
		const statement = { name: "commit", text: "insert into bench_commits values ($1)" };
		return measureEach([...Array(times).keys()], (number) => client.query({ ...statement, values: [number] }));
	});
}
