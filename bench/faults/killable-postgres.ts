import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type pg from "pg";
import { type EmbeddedPostgres, startPostgres } from "../../server/embedded-postgres.ts";
import { dataFolder } from "../database.ts";

export interface KillablePostgres {
	connection: pg.ClientConfig;
	/** Ends all of its processes at once (SIGKILL), and starts it anew after `pause` milliseconds. Gives those until it answers again. */
	kill(pause: number): Promise<number>;
}

/** The embedded PostgreSQL on a folder of its own, with its own durable settings: what it said is written survives. */
export async function startKillablePostgres(undo: AsyncDisposableStack): Promise<KillablePostgres> {
	const dataDir = dataFolder(undo);
	let server: EmbeddedPostgres = await startPostgres(dataDir);
	undo.defer(() => server.stop());
	return {
		connection: server.connection,
		async kill(pause) {
			const killed = performance.now();
			const first = Number(readFileSync(join(server.folder, "postmaster.pid"), "utf8").split("\n")[0]);
			for (const pid of [first, ...childrenOf(first)]) end(pid);
			await server.stop();
			await wait(pause);
			server = await startPostgres(dataDir);
			return performance.now() - killed;
		},
	};
}

/** Elsewhere than on Linux the first process is killed alone; the others end when they notice. */
function childrenOf(pid: number): number[] {
	try {
		return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
	} catch {
		return [];
	}
}

function end(pid: number): void {
	try {
		process.kill(pid, "SIGKILL");
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
	}
}
