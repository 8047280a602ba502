import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { scaledTimeout } from "../test/time-limits.ts";
import { stopProcess } from "./processes.ts";
import type { Usage } from "./tell-usage.ts";

export interface MeasuredServer {
	url: string;
	usage(): Promise<Usage>;
	stop(): Promise<void>;
}

const preload = new URL("./tell-usage.ts", import.meta.url).href;

/** A bench is one client that asks for as much as thousands. */
export const withoutLimits = { ORDER_LIMITS: "off", READ_LIMITS: "off" };

/** What Node is given after `run.mjs` by `npm start`: its own options, if any, and the program. */
export function shopArguments(): string[] {
	const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: { start: string } };
	return scripts.start.split(" ").filter((word) => !["node", "run.mjs", "--build"].includes(word));
}

/** A program of the benches, as Node is given it. */
export const programArguments = (program: URL): string[] => [fileURLToPath(program)];

/** Starts a program that listens on `PORT`, and waits until `readyPath` answers 200. */
export async function startMeasured(
	undo: AsyncDisposableStack,
	{ args, readyPath, environment }: { args: string[]; readyPath: string; environment: Record<string, string> },
): Promise<MeasuredServer> {
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	const child = spawn(process.execPath, ["--import", preload, ...args], {
		stdio: ["ignore", "pipe", "pipe", "ipc"],
		env: { ...process.env, ...withoutLimits, PORT: String(port), BASE_URL: url, ...environment },
	});
	const stop = () => stopProcess(child);
	undo.defer(stop);
	await untilReady(`${url}${readyPath}`, child);
	return {
		url,
		async usage() {
			child.send("usage");
			const [answer] = (await once(child, "message")) as [Usage];
			return answer;
		},
		stop,
	};
}

/** A port that nothing listens on now. */
export async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
	const address = server.address();
	await new Promise((closed) => server.close(closed));
	if (address === null || typeof address === "string") throw new Error("no free port");
	return address.port;
}

/** Asks a program's address again and again until the answer is 200; at most a minute (see scaledTimeout). Throws what the program said when it ends. */
export async function untilReady(url: string, child: ChildProcess): Promise<void> {
	let said = "";
	for (const output of [child.stdout, child.stderr]) {
		output?.on("data", (chunk) => {
			said = (said + chunk).slice(-4000);
		});
	}
	const began = performance.now();
	while (!(await isReady(url))) {
		if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${url} will never answer, its program ended:\n${said}`);
		if (performance.now() - began > scaledTimeout(60_000)) throw new Error(`${url} does not answer:\n${said}`);
		await wait(5);
	}
}

async function isReady(url: string): Promise<boolean> {
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(scaledTimeout(5000)) });
		await response.arrayBuffer();
		return response.status === 200;
	} catch {
		return false;
	}
}
