import type { Server } from "node:http";
import { createRuntime } from "../server/create-runtime.ts";
import { lockDataFolder } from "../server/database/advisory-locks.ts";
import { timeouts } from "../server/database/database.ts";
import { hasDatabase, startPostgres } from "../server/database/embedded-postgres.ts";
import { migrate } from "../server/database/migrate.ts";
import { type Connection, parseDatabaseUrl } from "../server/database/primary.ts";
import { readEnvironment } from "../server/environment/environment.ts";
import { type RequestHandler, startHttpServer } from "../server/http-server.ts";
import { startMetricsServer } from "../server/metrics-server.ts";
import { createLog } from "../server/observability/log.ts";
import { progressBar } from "../server/progress-bar.ts";
import { withDemoSecret } from "../server/start/demo-secret.ts";
import { exitWithFailure } from "../server/start/exit-with-failure.ts";
import { prepareDatabase, requireSchema } from "../server/start/prepare-database.ts";
import { describeUnknownRole, parseProgramArguments } from "../server/start/program-arguments.ts";
import { stopOnSignals } from "../server/stop-on-signals.ts";
import type * as Bundle from "./bundle.ts";
import { asksForHelp, done, type TerminalCommand } from "./commands/command.ts";
import { importSample } from "./companies/registry/import-sample.server.ts";

/** Loads what bundle.ts exports. @param server undefined in a process without a web server. @param handler answers its requests. */
export type LoadBundle = (server: Server | undefined, handler: RequestHandler) => Promise<typeof Bundle>;

/**
 * Runs the role that the arguments name (see main.ts), and ends the process after a command.
 * @param loadBundle is called in a process that serves or does jobs.
 */
export async function runProgram(args: string[], loadBundle: LoadBundle): Promise<void> {
	const { role, roleArguments } = parseProgramArguments(args);
	const unknownRole = describeUnknownRole(role, commandNames);
	if (unknownRole !== null) exitWithFailure(unknownRole, 2);
	const isDoctor = role === "doctor";
	const hasWeb = role !== "jobs";

	const environment = isDoctor ? readEnvironment() : withDemoSecret(readEnvironment(), role);
	const log = createLog(environment.logLevel);
	if (environment.production && environment.trustedProxies === 0 && hasWeb)
		log.warn("TRUSTED_PROXIES is 0: behind a proxy, all customers would count as one client");
	const { databaseUrl, dataDir } = environment;
	if (isDoctor && databaseUrl === undefined && !hasDatabase(dataDir))
		exitWithFailure("There is no database here: set DATABASE_URL, or open the shop with npm start first.");
	const postgres = databaseUrl === undefined ? await startPostgres(dataDir) : undefined;
	const connection: Connection = postgres?.connection ?? parseDatabaseUrl(databaseUrl ?? "");
	const preparation = { log, dataDir: postgres ? dataDir : null };

	// in production the operator migrates, before the first process of a release: see docs/deployment.md, « Upgrade »
	const mayMigrate = !environment.production || postgres !== undefined;

	const command = await loadCommand(role);
	if (role === "migrate" || command) {
		// a command migrates only the embedded database; of any other it requires the schema of this version
		if (!isDoctor) await prepareDatabase(connection, preparation, role === "migrate" || postgres ? migrate : requireSchema);
		const result = command ? await command(connection, roleArguments, environment) : { ok: true, text: "The database is up to date." };
		await postgres?.stop();
		if (!result.ok) exitWithFailure(result.text);
		console.log(result.text);
		process.exit(0);
	}

	if (postgres && !(await lockDataFolder(connection)))
		exitWithFailure(`The shop already runs on the data folder ${dataDir}. Stop it first, or set DATA_DIR to another folder.`);
	let handle: RequestHandler = () => new Response("starting", { status: 503, headers: { "retry-after": "1" } });
	const answer: RequestHandler = (request, env) => handle(request, env);
	const server = hasWeb ? await startHttpServer(environment, answer).catch((error: Error) => exitWithFailure(error.message)) : undefined;

	const { createWeb, jobKinds, startWorkers, createShop } = await loadBundle(server, answer);
	const drawImport = progressBar("Importing the embedded companies and their establishments");
	await prepareDatabase(connection, preparation, async (db) => {
		await (mayMigrate ? migrate : requireSchema)(db);
		await importSample(db, connection, ({ fraction, rows }) => drawImport(fraction, rows));
	});
	const { runtime, drain, close } = await createRuntime(environment, connection, jobKinds, {
		supervise: role !== "web",
		timeouts: hasWeb ? timeouts.page : timeouts.job,
		log,
	});
	const shop = createShop(runtime);
	await startMetricsServer(environment, runtime.metrics, log);
	if (role !== "web") await startWorkers(shop);
	if (hasWeb) {
		const web = await createWeb(shop);
		handle = (request, env) => web.fetch(request, env ?? {});
	}
	console.log(hasWeb ? `The shop is open: ${environment.baseUrl}` : "The jobs are running.");

	const drainSeconds = server ? environment.drainSeconds : 0;
	stopOnSignals({ server, drainSeconds, drain, close: (answered) => close(3000, answered).then(() => postgres?.stop()) });
}

interface LoadedCommand {
	run: TerminalCommand;
	/** What it prints when it is asked for help. */
	usage: string;
}

type Loader = (name: string) => Promise<LoadedCommand | undefined>;

const loadDoctor: Loader = async () => {
	const { doctor, usage } = await import("./commands/doctor/command.server.ts");
	return { run: doctor, usage };
};

const loadDeskCommand: Loader = async (name) => (await import("./commands/terminal-commands.server.ts")).terminalCommands[name];

const loadRegistryCommand: Loader = async (name) => {
	const { recordedCommand } = await import("./commands/recorded-command.server.ts");
	const command = (await import("./companies/registry/commands.server.ts")).registryCommands[name];
	return command && { run: recordedCommand(name, command.run), usage: command.usage };
};

const loadNoticesCommand: Loader = async (name) => {
	const { recordedCommand } = await import("./commands/recorded-command.server.ts");
	const { companiesNotices, usage } = await import("./companies/bulletin/commands.server.ts");
	return { run: recordedCommand(name, companiesNotices), usage };
};

/** The commands of main.ts, each with the function that loads it: a start of the shop needs none of their modules. */
const loaders = new Map<string, Loader>([
	["doctor", loadDoctor],
	["orders", loadDeskCommand],
	["accounts", loadDeskCommand],
	["desk", loadDeskCommand],
	["newsletter", loadDeskCommand],
	["companies:import", loadRegistryCommand],
	["companies:import-rne", loadRegistryCommand],
	["companies:import-vat", loadRegistryCommand],
	["companies:update", loadRegistryCommand],
	["companies:notices", loadNoticesCommand],
	["companies:hide", loadRegistryCommand],
	["companies:show", loadRegistryCommand],
]);

export const commandNames = [...loaders.keys()];

/** @returns the command, which prints its usage when it is asked for help; undefined for a role that is no command. */
export async function loadCommand(role: string): Promise<TerminalCommand | undefined> {
	const command = await loaders.get(role)?.(role);
	if (command === undefined) return undefined;
	return async (connection, args, environment) => (asksForHelp(args) ? done(command.usage) : command.run(connection, args, environment));
}
