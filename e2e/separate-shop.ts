import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { freePort } from "../test/free-port.ts";
import { testSettings } from "../test/shop-process.ts";
import { createDatabase, dropDatabase, shopEnvironment } from "./databases.ts";

/** A shop with its own settings, data folder and database. */
export interface SeparateShop {
	url: string;
	connection: pg.ClientConfig;
	/** The environment of its commands. */
	environment: Record<string, string>;
	process: ChildProcess;
	stop(): Promise<void>;
}

/**
 * Starts a shop beside the one that all tests share.
 * @param preload programs that it loads first, which may answer messages.
 */
export async function startSeparateShop(variables: Record<string, string>, preload: readonly string[] = []): Promise<SeparateShop> {
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-own-"));
	const connection = await createDatabase(`separate_${randomBytes(6).toString("hex")}`);
	const environment = shopEnvironment(folder, connection);
	const port = await freePort();
	const child = spawn(process.execPath, [...preload.flatMap((program) => ["--import", program]), "main.ts"], {
		stdio: ["ignore", "pipe", "pipe", ...(preload.length > 0 ? ["ipc" as const] : [])],
		env: { ...process.env, ...environment, PORT: String(port), ...testSettings, ...variables },
	});
	let output = "";
	const ended = new Promise<void>((end) => child.once("exit", () => end()));
	const open = new Promise<void>((opened) => {
		for (const stream of [child.stdout, child.stderr])
			stream?.on("data", (text) => {
				output += text;
				if (output.includes("The shop is open")) opened();
			});
	});
	await Promise.race([open, ended.then(() => Promise.reject(new Error(`the shop did not start: ${output}`)))]);
	return {
		url: `http://localhost:${port}`,
		connection,
		environment,
		process: child,
		async stop() {
			child.kill("SIGTERM");
			await ended;
			// a page with an error says nothing of its cause
			for (const line of output.split("\n")) if (/"level":[56]0/.test(line)) console.error(line);
			await dropDatabase(connection);
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
