import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type pg from "pg";
import { startPostgres } from "../../../server/database/embedded-postgres.ts";
import { freePort } from "../../../test/free-port.ts";
import { accepts, untilGone } from "../../../test/postgres.ts";
import { getUserEnvironment, killGroup } from "../../../test/processes.ts";
import { dataFolder, temporaryFolder } from "../../../test/temporary-folder.ts";
import type { BenchOptions, Figure } from "../bench.ts";
import { untilReady } from "../measured-server.ts";
import { formatFigure } from "../percentiles.ts";

/** `npm start` on a filled data folder, as a user types it, until the shop is ready. */
export async function measureSecondStart({ smoke, undo }: BenchOptions): Promise<Figure> {
	const times = smoke ? 1 : 3;
	const dataDir = dataFolder(undo);
	const builtAt = () => statSync("build/complete").mtimeMs;
	const before = builtAt();
	const shop = { folder: process.cwd(), readyPath: "/readyz", environment: { DATA_DIR: dataDir } };
	const firstStart = await startByNpm(undo, shop);
	const { connection } = await startPostgres(dataDir); // it runs already: this finds it
	await firstStart.stop(connection);
	const seconds = await startRepeatedly(undo, times, shop, connection);
	if (builtAt() !== before) throw new Error("the sources changed and the shop was built again: repeat the measurement");

	const folder = temporaryFolder(undo);
	writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module", scripts: { start: "node server.js" } }));
	writeFileSync(
		join(folder, "server.js"),
		`import { createServer } from "node:http"; createServer((_, answer) => answer.end("ready")).listen(process.env.PORT, "127.0.0.1");`,
	);
	const baseline = await startRepeatedly(undo, times, { folder, readyPath: "/", environment: {} });
	return {
		label: "Second `npm start` until ready, slowest",
		unit: "s",
		value: Math.max(...seconds),
		goal: 3,
		details: [
			`${times} starts: ${seconds.map(formatFigure).join(", ")} s; baseline ${baseline.map(formatFigure).join(", ")} s`,
			`the first start, which also creates the database and loads the companies: ${formatFigure(firstStart.seconds)} s`,
		],
		baseline: { value: Math.max(...baseline), label: "`npm start` of a Node server that answers one word", maxRatio: 40 },
	};
}

interface Program {
	folder: string;
	readyPath: string;
	environment: Record<string, string>;
}

async function startRepeatedly(undo: AsyncDisposableStack, times: number, program: Program, database?: pg.ClientConfig): Promise<number[]> {
	const seconds: number[] = [];
	for (let time = 0; time < times; time++) {
		const started = await startByNpm(undo, program);
		seconds.push(started.seconds);
		await started.stop(database);
	}
	return seconds;
}

async function startByNpm(undo: AsyncDisposableStack, { folder, readyPath, environment }: Program) {
	const port = await freePort();
	const started = performance.now();
	const npm = spawn("npm", ["start"], {
		cwd: folder,
		stdio: ["ignore", "pipe", "pipe"],
		detached: true, // its own process group, so that all of it can be killed
		env: { ...getUserEnvironment(), PORT: String(port), ...environment },
	});
	undo.defer(() => killGroup(npm));
	await untilReady(`http://127.0.0.1:${port}${readyPath}`, npm);
	return {
		seconds: (performance.now() - started) / 1000,
		/** Asks npm to stop, as a user or a supervisor does, and waits until everything has ended. */
		async stop(database?: pg.ClientConfig): Promise<void> {
			const exit = npm.exitCode === null && npm.signalCode === null ? once(npm, "exit") : undefined;
			npm.kill("SIGTERM");
			await exit;
			if (!database) killGroup(npm); // npm signals only its shell, and the plain server does not notice
			await untilGone(async () => (await listens(port)) || (database !== undefined && (await accepts(database))));
		},
	};
}

function listens(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect(port, "127.0.0.1");
		socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
		socket.unref().once("connect", () => socket.destroy());
	});
}
