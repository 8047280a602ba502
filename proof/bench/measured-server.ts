import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { freePort } from "../../test/free-port.ts";
import { toDatabaseUrl } from "../../test/postgres.ts";
import { stopProcess } from "../../test/processes.ts";
import type { Usage } from "../../test/report-usage.ts";
import { shopArguments, withoutLimits } from "../../test/shop-process.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { scaledTimeout } from "../../test/time-limits.ts";

export interface MeasuredServer {
	url: string;
	usage(): Promise<Usage>;
	stop(): Promise<void>;
}

const preload = new URL("../../test/report-usage.ts", import.meta.url).href;
const fixedAnswer = fileURLToPath(new URL("./fixed-answer.ts", import.meta.url));

/** Starts the built shop on a database, web and jobs in one process, as `npm start` does. */
export function startMeasuredShop(undo: AsyncDisposableStack, connection: pg.ClientConfig, environment: Record<string, string> = {}) {
	const usual = { DATABASE_URL: toDatabaseUrl(connection), DATA_DIR: temporaryFolder(undo), LOG_LEVEL: "error" };
	return startMeasured(undo, { args: shopArguments(), readyPath: "/readyz", environment: { ...usual, ...environment } });
}

/** Starts a server that answers every request with one text. */
export function startFixedAnswer(undo: AsyncDisposableStack, text: string | Buffer): Promise<MeasuredServer> {
	const file = join(temporaryFolder(undo), "answer");
	writeFileSync(file, text);
	return startMeasured(undo, { args: [fixedAnswer], readyPath: "/", environment: { PAGE: file } });
}

interface Program {
	args: string[];
	readyPath: string;
	environment: Record<string, string>;
}

/** Starts a program that listens on `PORT`, and waits until `readyPath` answers 200. */
async function startMeasured(undo: AsyncDisposableStack, { args, readyPath, environment }: Program): Promise<MeasuredServer> {
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
			const [usage] = (await once(child, "message")) as [Usage];
			return usage;
		},
		stop,
	};
}

/** Polls a URL until it answers 200, for at most a minute (see scaledTimeout). @throws with the program's output when it ends. */
export async function untilReady(url: string, child: ChildProcess): Promise<void> {
	let output = "";
	for (const stream of [child.stdout, child.stderr]) {
		stream?.on("data", (chunk) => {
			output = (output + chunk).slice(-4000);
		});
	}
	const started = performance.now();
	while (!(await isReady(url))) {
		if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${url} will never answer, its program ended:\n${output}`);
		if (performance.now() - started > scaledTimeout(60_000)) throw new Error(`${url} does not answer:\n${output}`);
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
