import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { startPostgres } from "../server/database/embedded-postgres.ts";
import { freePort } from "../test/free-port.ts";
import { testSettings } from "../test/shop-process.ts";
import { fillDataFolder } from "../test/template-cluster.ts";
import { scaledTimeout } from "../test/time-limits.ts";

/** A shop with its own settings and data folder. */
export interface SeparateShop {
	url: string;
	folder: string;
	process: ChildProcess;
	stop(): Promise<void>;
}

/**
 * Starts a shop beside the one that all tests share.
 * @param preload programs that it loads first, which may answer messages.
 */
export async function startSeparateShop(variables: Record<string, string>, preload: readonly string[] = []): Promise<SeparateShop> {
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-own-"));
	await fillDataFolder(folder);
	const port = await freePort();
	const child = spawn(process.execPath, [...preload.flatMap((program) => ["--import", program]), "main.ts"], {
		stdio: ["ignore", "pipe", "pipe", ...(preload.length > 0 ? ["ipc" as const] : [])],
		env: {
			...process.env,
			DATA_DIR: folder,
			PORT: String(port),
			LOG_LEVEL: "error",
			...testSettings,
			...variables,
		},
	});
	let output = "";
	for (const stream of [child.stdout, child.stderr])
		stream?.on("data", (text) => {
			output += text;
		});
	await expect.poll(() => output, { timeout: scaledTimeout(60_000) }).toContain("The shop is open");
	return {
		url: `http://localhost:${port}`,
		folder,
		process: child,
		async stop() {
			const ended = new Promise((end) => child.once("exit", end));
			child.kill("SIGTERM");
			await ended;
			// a page with an error says nothing of its cause
			for (const line of output.split("\n")) if (/"level":[56]0/.test(line)) console.error(line);
			const { folder: database, stop } = await startPostgres(folder);
			await stop();
			for (const left of [folder, database]) rmSync(left, { recursive: true, force: true });
		},
	};
}
