import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

import { stopProcess } from "./processes.ts";
import type { Usage } from "./report-usage.ts";

/** A part of the shop that runs as a separate process. */
export type Role = "web" | "jobs";

export interface ShopProcess {
	role: Role;
	/** Waits until it works, also after a kill. */
	ready(): Promise<void>;
	/** Kills it (SIGKILL) and restarts it after `pause` milliseconds. @returns the milliseconds until it works again. */
	kill(pause: number): Promise<number>;
	/** Stops it (SIGTERM), restarts it and waits until it works. @returns the milliseconds of both. */
	restart(): Promise<{ stop: number; start: number }>;
	usage(): Promise<Usage>;
	/** Sends a message to its preloaded module; does nothing while the process is down. */
	tell(message: object): void;
	/** Its last output each time it ended by itself; only `kill` and `restart` should end it. */
	endings: string[];
	stop(): Promise<void>;
}

/** A bench sends the requests of many clients from one address. */
export const withoutLimits = { ORDER_LIMITS: "off", READ_LIMITS: "off" };

/** A test also hashes many passwords. */
export const testSettings = { ...withoutLimits, PASSWORD_HASHING: "fast" };

/** The arguments of `npm start` for Node after `run.mjs`: its options and the program. */
export function shopArguments(): string[] {
	const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: { start: string } };
	return scripts.start.split(" ").filter((word) => !["node", "run.mjs", "--build"].includes(word));
}

const preload = new URL("./report-usage.ts", import.meta.url).href;

/** Milliseconds before a process manager restarts an ended process. */
const usualPause = 300;

/** The line that each role prints once it works: see main.ts. */
const working = { web: /^The shop is open/m, jobs: /^The jobs are running/m } as const;

/**
 * Starts `npm run web` or `npm run jobs` without npm, and restarts it whenever it ends, as a process manager does.
 * @param nodeArguments additional options of Node.
 */
export function keepRunning(
	undo: AsyncDisposableStack,
	{ role, environment, nodeArguments = [] }: { role: Role; environment: Record<string, string>; nodeArguments?: string[] },
): ShopProcess {
	const endings: string[] = [];
	let child: ChildProcess;
	let pause = usualPause;
	let stopping = false;
	let restarting = false;
	let works = Promise.withResolvers<void>();

	function start(): void {
		if (stopping) return;
		let worked = false;
		let said = "";
		const args = ["--import", preload, ...nodeArguments, ...shopArguments(), role];
		const started = spawn(process.execPath, args, {
			stdio: ["ignore", "pipe", "pipe", "ipc"],
			env: { ...process.env, ...withoutLimits, ...environment },
		});
		child = started;
		for (const output of [started.stdout, started.stderr]) {
			output?.on("data", (chunk) => {
				said = (said + chunk).slice(-2000);
				if (worked || !working[role].test(said)) return;
				worked = true;
				works.resolve();
			});
		}
		started.once("exit", (_, signal) => {
			if (stopping) return;
			if (worked) works = Promise.withResolvers();
			if (worked && signal !== "SIGKILL" && !restarting) endings.push(said);
			setTimeout(start, pause);
			pause = usualPause;
			restarting = false;
		});
	}

	function stop(): Promise<void> {
		stopping = true;
		return stopProcess(child);
	}

	start();
	undo.defer(stop);
	return {
		role,
		endings,
		ready: () => works.promise,
		async kill(nextPause) {
			const killed = performance.now();
			while (child.exitCode !== null || child.signalCode !== null) await wait(20); // it restarts soon
			pause = nextPause;
			const gone = once(child, "exit");
			child.kill("SIGKILL");
			await gone;
			await works.promise;
			return performance.now() - killed;
		},
		tell(message) {
			if (child.connected) child.send(message, () => {});
		},
		async restart() {
			const asked = performance.now();
			restarting = true;
			const gone = once(child, "exit");
			child.kill("SIGTERM");
			const [code] = await gone;
			if (code !== 0) throw new Error(`${role} ended with ${code} when it was asked to stop`);
			const stopped = performance.now();
			await works.promise;
			return { stop: stopped - asked, start: performance.now() - stopped };
		},
		async usage() {
			child.send("usage");
			const [answer] = (await once(child, "message")) as [Usage];
			return answer;
		},
		stop,
	};
}
