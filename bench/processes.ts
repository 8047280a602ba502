import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { scaledTimeout } from "../test/time-limits.ts";

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
