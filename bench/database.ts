import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { importSample } from "../app/registry/import-sample.server.ts";
import { openDatabase } from "../server/database/database.ts";
import { startPostgres } from "../server/database/embedded-postgres.ts";
import { migrate } from "../server/database/migrate.ts";
import { createLog } from "../server/observability/log.ts";
import { scaledTimeout } from "../test/time-limits.ts";

export interface BenchServer {
	/** Makes a database whose name begins as given: an empty one, or a copy of another that nobody is connected to. */
	create(name: string, template?: pg.ClientConfig): Promise<pg.ClientConfig>;
	/** Makes a database as the shop has it after its first start: migrated, with the embedded companies in it. */
	createFilled(name: string): Promise<pg.ClientConfig>;
	/** The settings that these figures depend on. */
	setting: string;
}

/** A folder that is gone when the bench is over. */
export function temporaryFolder(undo: AsyncDisposableStack): string {
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-bench-"));
	undo.defer(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** A data folder for an embedded PostgreSQL, whose files may lie elsewhere: all are gone when the bench is over. */
export function dataFolder(undo: AsyncDisposableStack): string {
	const dataDir = temporaryFolder(undo);
	undo.defer(async () => {
		const { connection, folder, stop } = await startPostgres(dataDir); // which alone knows where they are
		await stop();
		await untilGone(() => accepts(connection));
		for (const made of [folder, connection.host]) rmSync(made, { recursive: true, force: true });
	});
	return dataDir;
}

/**
 * The embedded PostgreSQL in a folder of its own, with its own durable settings: what is measured survives a power cut.
 * @param settings others than its own, by name.
 */
export async function startBenchServer(undo: AsyncDisposableStack, settings: Readonly<Record<string, string>> = {}): Promise<BenchServer> {
	const given = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
	const { connection, stop } = await startPostgres(dataFolder(undo), given);
	undo.defer(stop);
	let made = 0;
	async function create(name: string, template: pg.ClientConfig = { database: "template1" }): Promise<pg.ClientConfig> {
		const database = `${name}_${++made}`;
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
		setting: await withClient(connection, (client) => settingOf(client, Object.keys(settings))),
	};
}

async function fill(connection: pg.ClientConfig): Promise<pg.ClientConfig> {
	const { db } = openDatabase(connection, createLog("silent"));
	await migrate(db);
	await importSample(db, connection);
	await db.destroy();
	return connection;
}

async function settingOf(client: pg.Client, changed: readonly string[]): Promise<string> {
	const durable = ["fsync", "synchronous_commit", "full_page_writes", "wal_sync_method"];
	const names = [...new Set([...durable, "shared_buffers", "huge_pages_status", "work_mem", ...changed])];
	const shown: string[] = [];
	for (const name of ["server_version", ...names]) shown.push((await client.query(`show ${name}`)).rows[0][name]);
	const [version, ...values] = shown;
	const all = names.map((name, index) => `${name} ${values[index]}`).join(", ");
	return `PostgreSQL ${version} (embedded, ${changed.length > 0 ? "its own settings but for the last" : "default settings"}: ${all})`;
}

/** One connection for one piece of work. */
export async function withClient<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
	const client = new pg.Client(connection);
	await client.connect();
	try {
		return await work(client);
	} finally {
		await client.end();
	}
}

/** Whether a server answers there, be it only that it is starting or stopping. */
export async function accepts(connection: pg.ClientConfig): Promise<boolean> {
	const client = new pg.Client(connection);
	client.on("error", () => {});
	try {
		await client.connect();
		return true;
	} catch (error) {
		return /^57P0/.test((error as { code?: string }).code ?? "");
	} finally {
		await client.end();
	}
}

/** Looks again and again; throws after a quarter of a minute (see scaledTimeout). */
export async function untilGone(isThere: () => Promise<boolean>): Promise<void> {
	const began = performance.now();
	while (await isThere()) {
		if (performance.now() - began > scaledTimeout(15_000)) throw new Error("what was asked to stop is still there");
		await wait(20);
	}
}

/** For a program that is given its database by address. */
export function addressOf({ user, password, host, port, database }: pg.ClientConfig): string {
	const credentials = password ? `${user}:${password}` : user;
	return host?.startsWith("/")
		? `postgres://${credentials}@localhost/${database}?host=${encodeURIComponent(host)}`
		: `postgres://${credentials}@${host}:${port}/${database}`;
}
