import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { delimiter } from "node:path";
import { scaledTimeout } from "./time-limits.ts";

/** Stops a process with SIGTERM, then with SIGKILL. */
export async function stopProcess(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const gone = once(child, "exit");
	child.kill("SIGTERM");
	const slow = setTimeout(() => child.kill("SIGKILL"), scaledTimeout(10_000));
	await gone;
	clearTimeout(slow);
}

/** Kills a process and its children at once. On other systems than Linux, its children end later by themselves. */
export function killWithChildren(pid: number): void {
	for (const each of [pid, ...listChildren(pid)]) {
		try {
			process.kill(each, "SIGKILL");
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
		}
	}
}

function listChildren(pid: number): number[] {
	try {
		return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
	} catch {
		return [];
	}
}

/** Signals a process group by its first process, also when some of it has already ended. */
export function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): void {
	try {
		if (pid !== undefined) process.kill(-pid, signal);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // usually the whole group has ended
	}
}

/** The environment without the variables of npm and vitest. */
export function getUserEnvironment(): NodeJS.ProcessEnv {
	const own = Object.entries(process.env).filter(
		([name]) => !/^npm_|^INIT_CWD$|^NODE_ENV$|^VITEST|^(TEST|MODE|DEV|PROD|SSR|BASE_URL)$/i.test(name),
	);
	const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => !/node_modules|node-gyp-bin/.test(folder));
	return { ...Object.fromEntries(own), PATH: path.join(delimiter), npm_config_update_notifier: "false" };
}
