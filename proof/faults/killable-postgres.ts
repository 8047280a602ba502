import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { type EmbeddedPostgres, startPostgres } from "../../server/database/embedded-postgres.ts";
import { killWithChildren } from "../../test/processes.ts";
import { dataFolder } from "../../test/temporary-folder.ts";

export interface KillablePostgres {
	connection: pg.ClientConfig;
	/** Kills all its processes (SIGKILL) and restarts it after `pause` milliseconds. @returns the milliseconds until it answers. */
	kill(pause: number): Promise<number>;
	/**
	 * Fills its disk while `meanwhile` runs, and restarts it if it stopped. Gives the milliseconds until it answers.
	 * Undefined where this machine cannot mount a separate disk.
	 */
	fill: ((meanwhile: () => Promise<unknown>) => Promise<number>) | undefined;
}

/** Megabytes; the test's files take half. */
const diskSize = 1024;

/** The embedded PostgreSQL on a separate folder with durable settings: committed data survives a crash. */
export async function startKillablePostgres(undo: AsyncDisposableStack): Promise<KillablePostgres> {
	const dataDir = dataFolder(undo);
	// limits the WAL to the small disk
	const start = () => startPostgres(dataDir, ["max_wal_size=128MB"]);
	const small = await moveToSmallDisk(undo, await start());
	let server: EmbeddedPostgres = await start();
	undo.defer(() => server.stop());
	const firstPid = () => Number(readFileSync(join(server.folder, "postmaster.pid"), "utf8").split("\n")[0]);
	return {
		connection: server.connection,
		async kill(pause) {
			const killed = performance.now();
			killWithChildren(firstPid());
			await server.stop();
			await wait(pause);
			server = await start();
			return performance.now() - killed;
		},
		fill: small
			? async (meanwhile) => {
					const filled = performance.now();
					const ballast = join(server.folder, "ballast");
					const before = firstPid();
					try {
						// takes all free space
						spawnSync("dd", ["if=/dev/zero", `of=${ballast}`, "bs=1M"], { stdio: "ignore" });
						await meanwhile();
					} finally {
						rmSync(ballast, { force: true });
					}
					const restarted = await start();
					// PostgreSQL stops when it cannot write its WAL
					if (firstPid() !== before) server = restarted;
					return performance.now() - filled;
				}
			: undefined,
	};
}

/** Stops a server and moves its files to a separate disk in memory. @returns false where no mount is allowed. */
async function moveToSmallDisk(undo: AsyncDisposableStack, server: EmbeddedPostgres): Promise<boolean> {
	const mount = (...args: string[]) => spawnSync("mount", args, { stdio: "ignore" }).status === 0;
	const copy = `${server.folder}.copy`;
	await server.stop();
	undo.defer(() => rmSync(copy, { recursive: true, force: true }));
	if (spawnSync("cp", ["-a", server.folder, copy]).status !== 0) return false;
	if (!mount("-t", "tmpfs", "-o", `size=${diskSize}m,mode=0700`, "none", server.folder)) return false;
	undo.defer(() => void spawnSync("umount", ["-l", server.folder]));
	spawnSync("sh", ["-c", 'chown --reference="$1" "$2" && cp -a "$1/." "$2/"', "sh", copy, server.folder]);
	return true;
}
