// Starts the shop: environment → database → jobs → web.
// `main.ts web`, `main.ts jobs` and `main.ts migrate` do one part alone, for several machines;
// `main.ts doctor` examines everything and changes nothing. `main.ts companies:…` fills the company base, `main.ts orders …` and `main.ts newsletter …` serve the operator: all of them also while
// the shop runs.
import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import type * as Bundle from "./app/bundle.ts";
import { deskCommands, recordedCommand } from "./app/desk/terminal-commands.server.ts";
import { doctor } from "./app/doctor/command.server.ts";
import { registryCommands } from "./app/registry/commands.server.ts";
import { importSample } from "./app/registry/import-sample.server.ts";
import { createRuntime } from "./server/create-runtime.ts";
import { Client, type Database, isDatabaseUnavailable, openDatabase, timeouts } from "./server/database/database.ts";
import { hasDatabase, startPostgres } from "./server/database/embedded-postgres.ts";
import { migrate, schemaState, withExclusiveLock } from "./server/database/migrate.ts";
import { type Connection, connectionTo } from "./server/database/primary.ts";
import { type Environment, readEnvironment } from "./server/environment/environment.ts";
import { type RequestHandler, startHttpServer } from "./server/http-server.ts";
import { startMetricsServer } from "./server/metrics-server.ts";
import { createLog } from "./server/observability/log.ts";
import { progressBar } from "./server/progress-bar.ts";
import { stopOnSignals } from "./server/stop-on-signals.ts";

const [role = "all"] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const roleArguments = process.argv.slice(2).filter((argument) => argument !== role);
const dev = process.argv.includes("--dev");

// React chooses its build by this, when it is loaded with the bundle below; a user's own value must not slow the shop down
process.env.NODE_ENV = dev ? "development" : "production";

// the doctor changes nothing, not even what is missing
const examines = role === "doctor";
const environment = examines ? readEnvironment() : withSecret(readEnvironment());
const log = createLog(environment.logLevel);
if (environment.production && environment.trustedProxies === 0 && role !== "jobs")
	log.warn("TRUSTED_PROXIES is 0: behind a proxy, all customers would count as one client");
const { databaseUrl } = environment;
if (examines && databaseUrl === undefined && !hasDatabase(environment.dataDir))
	fail("Il n’y a pas de base de données ici : définissez DATABASE_URL, ou ouvrez d’abord la boutique avec npm start.");
const postgres = databaseUrl === undefined ? await startPostgres(environment.dataDir) : undefined;
const connection: Connection = postgres?.connection ?? connectionTo(databaseUrl ?? "");

const registryCommand = registryCommands[role];
const command = examines ? doctor : (deskCommands[role] ?? (registryCommand && recordedCommand(role, registryCommand)));
if (role === "migrate" || command) {
	// a database of one's own belongs to this program; another is brought further by its upgrade alone
	if (!examines) await prepareDatabase(role === "migrate" || postgres ? migrate : requireSchema);
	const done = command ? await command(connection, roleArguments, environment) : { ok: true, text: "The database is up to date." };
	await postgres?.stop();
	if (!done.ok) fail(done.text);
	console.log(done.text);
	process.exit(0);
}

if (postgres && !(await takeDataFolder(connection))) {
	fail(`The shop already runs on the data folder ${environment.dataDir}. Stop it first, or set DATA_DIR to another folder.`);
}
let answer: RequestHandler = () => new Response("starting", { status: 503, headers: { "retry-after": "1" } });
const server =
	role === "jobs"
		? undefined
		: await startHttpServer(environment, (request, env) => answer(request, env)).catch((error: Error) => fail(error.message));

const { createWeb, jobKinds, startWorkers, createShop } = await loadBundle();
const drawImport = progressBar("Importing the embedded companies");
await prepareDatabase(async (db) => {
	await migrate(db);
	await importSample(db, connection, ({ fraction, rows }) => drawImport(fraction, rows));
});
const { runtime, drain, close } = await createRuntime(environment, connection, jobKinds, {
	supervise: role !== "web",
	timeouts: role === "jobs" ? timeouts.job : timeouts.page,
	log,
});
const shop = createShop(runtime);
await startMetricsServer(environment, runtime.metrics, log);
if (role !== "web") await startWorkers(shop);
if (role !== "jobs") answer = (await createWeb(shop)).fetch as RequestHandler;
console.log(role === "jobs" ? "The jobs are running." : `The shop is open: ${environment.baseUrl}`);

stopOnSignals({
	server,
	drainSeconds: server ? environment.drainSeconds : 0,
	drain,
	async close(answered) {
		await close(3000, answered);
		await postgres?.stop();
	},
});

function fail(sentence: string): never {
	console.error(sentence);
	process.exit(1);
}

/** An operator's command works with the schema as it is: a newer program must not change it under the running shop. */
async function requireSchema(db: Database): Promise<void> {
	const state = await schemaState(db);
	if (state === "empty") await migrate(db);
	if (state === "older")
		fail("The database is older than this program. Upgrade first: npm run db:migrate (docs/deployment.md, « Upgrade »).");
}

/** Works on the database while no other process of the shop does, without the limits of a request. */
async function prepareDatabase(prepare: (db: Database) => Promise<void>): Promise<void> {
	const { db } = openDatabase({ ...connection, idle_in_transaction_session_timeout: 0 }, log);
	try {
		await withExclusiveLock(connection, () => prepare(db));
	} catch (error) {
		const code = (error as NodeJS.ErrnoException).code;
		if (isDatabaseUnavailable(error) || /^(E[A-Z]+$|28|3D)/.test(code ?? ""))
			fail(`The database does not answer: ${(error as Error).message || code}. Check DATABASE_URL.`);
		throw error;
	}
	await db.destroy();
}

/** In the demo the secret is made once and kept in the data folder; production brings its own. */
function withSecret(read: Environment): Environment {
	if (read.secrets.length > 0) return read;
	if (read.databaseUrl && role !== "migrate") {
		console.warn(
			`APP_SECRET is not set: this process signs with ${join(read.dataDir, "secret")}. Every process of the shop needs the same one.`,
		);
	}
	const file = join(read.dataDir, "secret");
	const whole = `${file}.${process.pid}`;
	mkdirSync(read.dataDir, { recursive: true });
	// it has its name once it is whole: several processes may start at once
	writeFileSync(whole, randomBytes(32).toString("hex"), { mode: 0o600 });
	try {
		linkSync(whole, file);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
	}
	rmSync(whole);
	return { ...read, secrets: [readFileSync(file, "utf8").trim()] };
}

/** One shop per data folder: whoever holds this lock, until its connection ends with its process. */
async function takeDataFolder(config: Connection): Promise<boolean> {
	const client = new Client(config);
	await client.connect();
	const { rows } = await client.query("select pg_try_advisory_lock(7305001) as taken");
	return rows[0].taken;
}

/** The build; in development, the sources behind a server that reloads them. */
async function loadBundle(): Promise<typeof Bundle> {
	if (!dev) return import("./build/server/index.js" as string);
	const { createServer: createViteServer } = await import("vite");
	const vite = await createViteServer({ server: { middlewareMode: true, ...(server && { ws: { server } }) } });
	const load = () => vite.ssrLoadModule("./app/bundle.ts") as Promise<typeof Bundle>;
	const listener = getRequestListener((request, env) => answer(request, env));
	server?.removeAllListeners("request");
	server?.on("request", (request, response) => vite.middlewares(request, response, () => listener(request, response)));
	const first = await load();
	return {
		...first,
		createWeb: async (wired) => {
			const web = await first.createWeb(wired);
			web.fetch = async (request, env) => (await (await load()).createWeb(wired)).request(request, undefined, env as object);
			return web;
		},
	};
}
