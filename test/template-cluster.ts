import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { importSample } from "../app/companies/registry/import-sample.server.ts";
import { jobKinds } from "../app/job-kinds.ts";
import { openDatabase } from "../server/database/database.ts";
import { type EmbeddedPostgres, getDataFolder, startPostgres } from "../server/database/embedded-postgres.ts";
import { migrate } from "../server/database/migrate.ts";
import { startJobs } from "../server/jobs.ts";
import { createLog } from "../server/observability/log.ts";
import { adminDatabase, withClient } from "./postgres.ts";

const cache = ".cache/test-cluster";
const settings = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300", "autovacuum=off"];

/** Starts a PostgreSQL server on the files of `fillDataFolder`. The database of its connection is a template: nobody connects to it. */
export async function startTemplateCluster(dataDir: string): Promise<EmbeddedPostgres> {
	await fillDataFolder(dataDir);
	return startPostgres(dataDir, settings);
}

/**
 * Gives an empty data folder the embedded PostgreSQL of a shop after its first start: migrated, with the sample companies. That takes
 * seconds, so its files are cached in .cache/ and copied while their sources do not change.
 */
export async function fillDataFolder(dataDir: string): Promise<void> {
	const cached = join(cache, hashSources());
	if (existsSync(cached)) return copyFiles(cached, getDataFolder(dataDir));
	const { connection, folder, stop } = await startPostgres(dataDir, settings);
	const { db } = openDatabase(connection, createLog("silent"));
	await migrate(db);
	await importSample(db, connection);
	await (await startJobs(connection, jobKinds, createLog("silent"), { supervise: false })).stop(0);
	await db.destroy();
	await withClient({ ...connection, database: "template1" }, (client) =>
		client.query(`create database ${adminDatabase} template ${connection.database} strategy file_copy`),
	);
	await stop();
	cacheFiles(folder, cached);
}

/** Caches the files and deletes caches of other sources. Of two concurrent first runs, the slower one's copy is deleted. */
function cacheFiles(folder: string, target: string): void {
	const staging = `${target}.new-${process.pid}`;
	mkdirSync(cache, { recursive: true });
	for (const name of readdirSync(cache))
		if (!name.includes(".new-") && name !== basename(target)) rmSync(join(cache, name), { recursive: true, force: true });
	copyFiles(folder, staging);
	try {
		renameSync(staging, target);
	} catch {
		rmSync(staging, { recursive: true, force: true });
	}
}

/** Keeps the owner, which PostgreSQL checks. */
function copyFiles(from: string, to: string): void {
	mkdirSync(dirname(to), { recursive: true, mode: 0o755 });
	if (process.platform === "win32") cpSync(from, to, { recursive: true });
	else execFileSync("cp", ["-a", from, to]);
}

/** Hashes the code that migrates and imports, its packages, the migrations and the sample. */
function hashSources(): string {
	const code = new Set<string>();
	follow("test/template-cluster.ts", code);
	const hash = createHash("sha256").update(`${process.arch} ${process.getuid?.()}`);
	for (const file of [...code, "package-lock.json", ...globSync(["db/migrations/*", "data/sirene/*", "data/bodacc/*"])].sort())
		hash.update(file).update(readFileSync(file));
	return hash.digest("hex").slice(0, 16);
}

/** Adds a file and all its imports from the project. */
function follow(file: string, found: Set<string>): void {
	if (found.has(file) || !existsSync(file)) return;
	found.add(file);
	for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(/["']((?:\.{1,2}|#app|#data)\/[^"'\n]+\.\w+)["']/g))
		follow(specifier.startsWith("#") ? specifier.slice(1) : normalize(join(dirname(file), specifier)), found);
}
