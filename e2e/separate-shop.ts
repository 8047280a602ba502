import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { startPostgres } from "../server/database/embedded-postgres.ts";
import { freePort } from "../test/free-port.ts";
import { scaledTimeout } from "../test/time-limits.ts";

/** Starts a shop with its own settings and data folder, beside the one that all tests share. */
export async function startSeparateShop(
	variables: Record<string, string>,
): Promise<{ url: string; folder: string; stop: () => Promise<void> }> {
	const folder = mkdtempSync(join(tmpdir(), "extrait-pro-own-"));
	const port = await freePort();
	const child = spawn(process.execPath, ["main.ts"], {
		env: {
			...process.env,
			DATA_DIR: folder,
			PORT: String(port),
			LOG_LEVEL: "error",
			ORDER_LIMITS: "off",
			READ_LIMITS: "off",
			...variables,
		},
	});
	let output = "";
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (text) => {
			output += text;
		});
	await expect.poll(() => output, { timeout: scaledTimeout(60_000) }).toContain("The shop is open");
	return {
		url: `http://localhost:${port}`,
		folder,
		async stop() {
			const ended = new Promise((end) => child.once("exit", end));
			child.kill("SIGTERM");
			await ended;
			const { folder: database, stop } = await startPostgres(folder);
			await stop();
			for (const left of [folder, database]) rmSync(left, { recursive: true, force: true });
		},
	};
}
