import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type EmbeddedPostgres, startPostgres } from "../../server/database/embedded-postgres.ts";
import { productionSettings } from "../../test/production-settings.ts";
import { everyPartWorks, untilReadyzAnswers } from "../../test/readiness.ts";
import { paymentRequest } from "../../test/shop.ts";
import { scaledTimeout } from "../../test/time-limits.ts";

/** Two web processes and a jobs process on one database. Each test continues from the previous one. */

const folder = mkdtempSync(join(tmpdir(), "extrait-pro-several-"));
const started: Process[] = [];
let postgres: EmbeddedPostgres;
let ports: [number, number];
let web: [Process, Process];
let jobs: Process;

interface Process {
	child: ChildProcess;
	output: string;
	ended: Promise<number | null>;
}

beforeAll(async () => {
	postgres = await startPostgres(folder);
	ports = [await freePort(), await freePort()];
});

afterAll(async () => {
	for (const { child } of started) child.kill("SIGKILL");
	await postgres.stop();
	for (const left of [folder, postgres.folder, postgres.connection.host]) rmSync(left, { recursive: true, force: true });
});

/** Starts a role. For roles without a server, PORT is where the sandbox sends its events. */
function start(role: "web" | "jobs" | "migrate" | "orders list", port: number, variables: Record<string, string> = {}): Process {
	const child = spawn(process.execPath, ["main.ts", ...role.split(" ")], {
		env: {
			DATABASE_URL: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(postgres.connection.host)}`,
			DATA_DIR: folder,
			PORT: String(port),
			BASE_URL: `http://127.0.0.1:${ports[0]}`,
			LOG_LEVEL: "error",
			...variables,
		},
	});
	const shopProcess: Process = { child, output: "", ended: new Promise((end) => child.once("exit", end)) };
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (text) => {
			shopProcess.output += text;
		});
	started.push(shopProcess);
	return shopProcess;
}

const waitForOutput = (process: Process, text: string) =>
	vi.waitFor(() => expect(process.output).toContain(text), { timeout: scaledTimeout(180_000), interval: 100 });

function freePort(): Promise<number> {
	return new Promise((found) => {
		const socket = createServer().listen(0, "127.0.0.1", () => {
			const { port } = socket.address() as AddressInfo;
			socket.close(() => found(port));
		});
	});
}

const ask = (which: 0 | 1, path: string, init: RequestInit = {}) =>
	fetch(`http://127.0.0.1:${ports[which]}${path}`, { redirect: "manual", ...init });

const untilReady = (which: 0 | 1, ...answer: [number, object?]) => untilReadyzAnswers((path) => ask(which, path), ...answer);

const postOrder = (which: 0 | 1) =>
	ask(which, "/api/create-payment", {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify(paymentRequest()),
	});

/** Places an order through a web process. @returns the payment session. */
async function placeOrder(which: 0 | 1): Promise<string> {
	const { url } = (await (await postOrder(which)).json()) as { url: string };
	return url.split("/").at(-1) ?? "";
}

async function pay(which: 0 | 1, session: string): Promise<void> {
	const body = new URLSearchParams({ intent: "pay", card: "4242 4242 4242 4242" });
	const { status } = await ask(which, `/bac-a-sable/${session}`, {
		method: "POST",
		body,
		headers: { origin: `http://127.0.0.1:${ports[0]}` },
	});
	expect(status).toBe(303);
}

async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
	const client = await connect();
	try {
		return (await client.query<Row>(text, values)).rows;
	} finally {
		await client.end();
	}
}

async function connect(): Promise<pg.Client> {
	const client = new pg.Client(postgres.connection);
	client.on("error", () => {});
	await client.connect();
	return client;
}

/** Locks a table against writes. @returns a function that unlocks it. */
async function lockTable(table: string): Promise<() => Promise<void>> {
	const client = await connect();
	await client.query(`begin; lock table ${table} in share row exclusive mode`);
	return () => client.end();
}

const waitForBlockedStatement = () =>
	vi.waitFor(async () => expect(await query("select from pg_stat_activity where wait_event_type = 'Lock'")).not.toHaveLength(0), {
		timeout: scaledTimeout(60_000),
		interval: 50,
	});

const untilOrderIs = (status: string, session: string) =>
	vi.waitFor(
		async () =>
			expect(
				await query("select orders.status from orders join payment_sessions s on s.order_id = orders.id where s.id = $1", [session]),
			).toEqual([{ status }]),
		{ timeout: scaledTimeout(60_000), interval: 100 },
	);

test("the processes start at once on an empty database", { timeout: scaledTimeout(240_000) }, async () => {
	web = [start("web", ports[0]), start("web", ports[1])];
	jobs = start("jobs", ports[1]);
	const migration = start("migrate", ports[0]);
	await Promise.all([
		waitForOutput(web[0], "The shop is open"),
		waitForOutput(web[1], "The shop is open"),
		waitForOutput(jobs, "The jobs are running"),
	]);
	expect(await migration.ended).toBe(0);
	for (const which of [0, 1] as const) await untilReady(which, 200, everyPartWorks);
	// one process imported the embedded companies, the others waited
	expect(started.filter(({ output }) => output.includes("Importing the embedded companies"))).toHaveLength(1);
});

const unmigrating = [
	["orders list", {}],
	["web", productionSettings],
	["jobs", productionSettings],
] as const;

test("neither an operator's command of a newer program nor a process of production migrates the schema, and each says what to do", {
	timeout: scaledTimeout(240_000),
}, async () => {
	const newest = "(select max(name) from kysely_migration)";
	const [migration] = await query(`delete from kysely_migration where name = ${newest} returning name, timestamp`);
	for (const [role, variables] of unmigrating) {
		const older = start(role, await freePort(), variables);
		expect(await older.ended, role).toBe(1);
		expect(older.output).toContain("The database is older than this program. Upgrade first: npm run db:migrate");
	}
	expect(await query("select from kysely_migration where name = $1", [migration?.name])).toEqual([]);
	await query("insert into kysely_migration values ($1, $2)", [migration?.name, migration?.timestamp]);
	const again = start("orders list", ports[0]);
	expect(await again.ended).toBe(0);
});

test("nor do they make a shop in an empty database", { timeout: scaledTimeout(240_000) }, async () => {
	await query("create database nothing");
	const DATABASE_URL = `postgres://postgres@localhost/nothing?host=${encodeURIComponent(postgres.connection.host)}`;
	for (const [role, variables] of unmigrating) {
		const none = start(role, await freePort(), { ...variables, DATABASE_URL });
		expect(await none.ended, role).toBe(1);
		expect(none.output).toContain("There is no shop in this database. Make it first: npm run db:migrate");
	}
});

test("an order placed through one process is completed on the other's page, even if the jobs process stops meanwhile", {
	timeout: scaledTimeout(120_000),
}, async () => {
	const session = await placeOrder(0);
	const release = await lockTable("documents");
	await pay(0, session);
	await waitForBlockedStatement();
	jobs.child.kill("SIGTERM");
	expect(await jobs.ended).toBe(0);
	expect(await query("select from job_processes")).toHaveLength(0);
	await untilReady(1, 503, { ...everyPartWorks, ok: false, jobs: "down" });
	await release();

	jobs = start("jobs", ports[1]);
	await untilOrderIs("completed", session);
	const page = await (await ask(1, `/confirmation/${session}`)).text();
	expect(page).toContain("Votre extrait est prêt");
	const count = "select count(*)::integer from {} join payment_sessions s using (order_id) where s.id = $1";
	// the confirmation may leave after the extract
	await vi.waitFor(async () => expect(await query(count.replace("{}", "mails"), [session])).toEqual([{ count: 2 }]), {
		timeout: scaledTimeout(60_000),
		interval: 100,
	});
	expect(await query(count.replace("{}", "documents"), [session])).toEqual(await query("select count(*)::integer from documents"));
});

test("a stopping web process finishes its running request", { timeout: scaledTimeout(240_000) }, async () => {
	const release = await lockTable("orders");
	const answer = postOrder(1);
	await waitForBlockedStatement();
	web[1].child.kill("SIGTERM");
	await vi.waitFor(() => expect(ask(1, "/healthz")).rejects.toThrow(), { timeout: scaledTimeout(30_000) });
	await release();
	expect((await answer).status).toBe(200);
	expect(await web[1].ended).toBe(0);
	await untilReady(0, 200);
	web[1] = start("web", ports[1]);
	await waitForOutput(web[1], "The shop is open");
});

test("a draining web process fails its health check, serves other requests, and finally ends live streams", {
	timeout: scaledTimeout(240_000),
}, async () => {
	const session = await placeOrder(0);
	const port = await freePort();
	const stopping = start("web", port, { DRAIN_SECONDS: "300" });
	await waitForOutput(stopping, "The shop is open");
	const at = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual", ...init });
	expect((await at("/healthz")).status).toBe(200);
	const live = (await at(`/confirmation/${session}/direct`)).body?.getReader();
	expect(new TextDecoder().decode((await live?.read())?.value)).toContain("event: change");

	stopping.child.kill("SIGTERM");
	await vi.waitFor(async () => expect((await at("/healthz")).status).toBe(503), { timeout: scaledTimeout(30_000) });
	const newConnection = { headers: { connection: "close" } };
	expect((await at("/recherche?q=danone", newConnection)).status).toBe(200);
	const order = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(paymentRequest()) };
	expect((await at("/api/create-payment", order)).status).toBe(200);

	stopping.child.kill("SIGINT");
	for (let read = await live?.read(); !read?.done; read = await live?.read());
	expect(await stopping.ended).toBe(0);
});

test("while the database is down, pages that need it answer 503; when it is back, everything works again", {
	timeout: scaledTimeout(120_000),
}, async () => {
	const session = await placeOrder(0);
	const watching = await ask(1, `/confirmation/${session}/direct`);
	let events = "";
	const listening = (async () => {
		for await (const bytes of watching.body ?? []) events += new TextDecoder().decode(bytes);
	})().catch(() => {});
	const changes = () => events.split("event: change").length - 1;
	await vi.waitFor(() => expect(changes()).toBeGreaterThan(0), scaledTimeout(10_000));

	process.kill(Number(readFileSync(join(postgres.folder, "postmaster.pid"), "utf8").split("\n")[0]), "SIGKILL");
	const page = await vi.waitFor(async () => {
		const answer = await ask(0, "/recherche?q=danone");
		expect(answer.status).toBe(503);
		return answer;
	}, scaledTimeout(10_000));
	expect(page.headers.get("content-type")).toContain("text/html");
	expect(page.headers.get("retry-after")).toBe("5");
	expect(page.headers.get("cache-control")).toBe("no-store");
	expect(await page.text()).toContain("Notre base de données ne répond pas");
	const api = await ask(0, "/api/entreprises?q=danone");
	expect({ status: api.status, retry: api.headers.get("retry-after"), body: await api.json() }).toEqual({
		status: 503,
		retry: "5",
		body: { error: "Notre base de données ne répond pas pour le moment. Réessayez dans un instant." },
	});
	expect((await ask(0, "/recherche.data?q=danone")).status).toBe(503);
	expect((await postOrder(1)).status).toBe(503);
	const tracking = { method: "POST", body: new URLSearchParams({ email: "ada@example.fr", orderId: "KB-7F3K-92QD" }) };
	expect((await ask(0, "/suivi-commande", tracking)).status).toBe(503);
	await untilReady(1, 503, { ...everyPartWorks, ok: false, database: "down", jobs: "down" });
	for (const path of ["/healthz", "/", "/cgv"]) expect((await ask(0, path)).status).toBe(200);

	postgres = await startPostgres(folder);
	await vi.waitFor(async () => expect((await ask(0, "/recherche?q=danone")).status).toBe(200), { timeout: scaledTimeout(60_000) });
	await untilReady(1, 200);
	// each process has one listening connection again
	const listeners = "select from pg_stat_activity where application_name = 'extrait-pro changes'";
	await vi.waitFor(async () => expect(await query(listeners)).toHaveLength(3), { timeout: scaledTimeout(60_000) });
	const before = changes();
	await pay(0, session);
	await untilOrderIs("completed", session);
	await vi.waitFor(() => expect(changes()).toBeGreaterThan(before), { timeout: scaledTimeout(60_000) });

	const ends = [...web, jobs].map(({ child, ended }) => {
		child.kill("SIGTERM");
		return ended;
	});
	expect(await Promise.all(ends)).toEqual([0, 0, 0]);
	await listening;
});
