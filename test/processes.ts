import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { delimiter } from "node:path";
import { scaledTimeout } from "./time-limits.ts";

/** Asks a process to stop, and kills one that does not. */
export async function stopProcess(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const gone = once(child, "exit");
	child.kill("SIGTERM");
	const slow = setTimeout(() => child.kill("SIGKILL"), scaledTimeout(10_000));
	await gone;
	clearTimeout(slow);
}

/** Kills a process and its children at once. Elsewhere than on Linux it is killed alone; the others end when they notice. */
export function killWithChildren(pid: number): void {
	for (const each of [pid, ...childrenOf(pid)]) {
		try {
			process.kill(each, "SIGKILL");
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
		}
	}
}

function childrenOf(pid: number): number[] {
	try {
		return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
	} catch {
		return [];
	}
}

/** Signals a process that was started as the first of its group, and all that it started and did not take along, if anything. */
export function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): void {
	try {
		if (pid !== undefined) process.kill(-pid, signal);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // the usual case: all of it has gone
	}
}

/** Ours without what npm, or vitest, added to it. */
export function usersEnvironment(): NodeJS.ProcessEnv {
	const own = Object.entries(process.env).filter(
		([name]) => !/^npm_|^INIT_CWD$|^NODE_ENV$|^VITEST|^(TEST|MODE|DEV|PROD|SSR|BASE_URL)$/i.test(name),
	);
	const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => !/node_modules|node-gyp-bin/.test(folder));
	return { ...Object.fromEntries(own), PATH: path.join(delimiter), npm_config_update_notifier: "false" };
}
