import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { delimiter, join } from "node:path";
import type pg from "pg";
import { startPostgres } from "../../server/database/embedded-postgres.ts";
import type { BenchOptions, Figure } from "../bench.ts";
import { accepts, dataFolder, temporaryFolder, untilGone } from "../database.ts";
import { freePort, untilReady } from "../measured-server.ts";
import { figure, percentile } from "../percentiles.ts";

/** `npm start` on a data folder that is filled already, as a user types it, until the shop says that it can serve. */
export async function measureSecondStart({ smoke, undo }: BenchOptions): Promise<Figure> {
	const times = smoke ? 1 : 3;
	const dataDir = dataFolder(undo);
	const built = () => statSync("build/complete").mtimeMs;
	const before = built();
	const shop = { folder: process.cwd(), readyPath: "/readyz", environment: { DATA_DIR: dataDir } };
	const filling = await startByNpm(undo, shop);
	const { connection } = await startPostgres(dataDir); // runs already: this says where
	await filling.stop(connection);
	const seconds: number[] = [];
	for (let time = 0; time < times; time++) {
		const started = await startByNpm(undo, shop);
		seconds.push(started.seconds);
		await started.stop(connection);
	}
	if (built() !== before) throw new Error("the sources changed meanwhile, and the shop was built anew: measure again");

	const bareFolder = temporaryFolder(undo);
	writeFileSync(join(bareFolder, "package.json"), JSON.stringify({ type: "module", scripts: { start: "node server.js" } }));
	writeFileSync(
		join(bareFolder, "server.js"),
		`import { createServer } from "node:http"; createServer((_, answer) => answer.end("ready")).listen(process.env.PORT, "127.0.0.1");`,
	);
	const bare: number[] = [];
	for (let time = 0; time < times; time++) {
		const started = await startByNpm(undo, { folder: bareFolder, readyPath: "/", environment: {} });
		bare.push(started.seconds);
		await started.stop();
	}
	return {
		what: "Second `npm start` until ready, slowest",
		unit: "s",
		value: percentile(seconds, 1),
		goal: 3,
		bare: percentile(bare, 1),
		bareWhat: "`npm start` of a Node server that answers one word",
		details: [
			`each of ${times}: ${seconds.map(figure).join(", ")} s; bare ${bare.map(figure).join(", ")} s`,
			`first start, with its database and companies still to be made: ${figure(filling.seconds)} s`,
		],
		largestRatio: 40,
	};
}

interface Started {
	seconds: number;
	/** Asks npm to stop, as a user or a supervisor does, and waits until all is gone. */
	stop(database?: pg.ClientConfig): Promise<void>;
}

async function startByNpm(
	undo: AsyncDisposableStack,
	{ folder, readyPath, environment }: { folder: string; readyPath: string; environment: Record<string, string> },
): Promise<Started> {
	const port = await freePort();
	const started = performance.now();
	const npm = spawn("npm", ["start"], {
		cwd: folder,
		stdio: ["ignore", "pipe", "pipe"],
		detached: true, // a group of its own, so that nothing of it can stay behind
		env: { ...usersEnvironment(), PORT: String(port), ...environment },
	});
	undo.defer(() => killGroup(npm));
	await untilReady(`http://127.0.0.1:${port}${readyPath}`, npm);
	const seconds = (performance.now() - started) / 1000;
	return {
		seconds,
		async stop(database) {
			const left = npm.exitCode === null && npm.signalCode === null ? once(npm, "exit") : undefined;
			npm.kill("SIGTERM");
			await left;
			if (!database) killGroup(npm); // npm tells its sh only, and a bare server does not watch for that
			await untilGone(async () => (await listens(port)) || (database !== undefined && (await accepts(database))));
		},
	};
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

function listens(port: number): Promise<boolean> {
	return new Promise((tell) => {
		const socket = connect(port, "127.0.0.1");
		socket.once("connect", () => tell(true)).once("error", () => tell(false));
		socket.unref().once("connect", () => socket.destroy());
	});
}
