// npm run cluster-drill [-- --orders 500]
// Builds the cluster of deploy/ on this machine: three PostgreSQL hosts with Patroni and etcd, two shop hosts behind HAProxy, and pgBackRest.
// It asks the database hosts without the right certificate, address or password, and in clear: each must refuse.
// Then it injects faults while customers order and search, and counts the losses.
// Needs root and Debian's patroni, python3-idna, etcd-server, haproxy, pgbackrest, postgresql, iptables, iproute2, openssl and curl.
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import type pg from "pg";
import { freePort } from "../../test/free-port.ts";
import { openClient } from "../../test/http-client.ts";
import { knownCompanies } from "../../test/known-companies.ts";
import { withClient } from "../../test/postgres.ts";
import { withoutLimits } from "../../test/shop-process.ts";
import { percentile } from "../bench/percentiles.ts";
import { readProviderBooks, readShopBooks } from "../faults/books.ts";
import { type CustomerOrder, playCustomer } from "../faults/customers.ts";
import { findFailures } from "../faults/find-failures.ts";
import { findContradictions, findDamaged, reconcileLater } from "../faults/outside-checks.ts";
import { waitUntilQuiet } from "../faults/quiet.ts";
import { startPartners } from "../faults/shop.ts";
import { startApplicationHosts } from "./cluster/application-hosts.ts";
import { startDatabaseHosts } from "./cluster/database-hosts.ts";
import { findOpenDoors } from "./cluster/doors.ts";
import { type Host, makeHosts, outside } from "./cluster/namespaces.ts";
import { printReport } from "./cluster/print-report.ts";
import { backUp, recoverTo } from "./cluster/recovery.ts";
import { startRelay } from "./cluster/relay.ts";
import { findMissing, makeCertificate, startProxy } from "./proxies.ts";

const { values } = parseArgs({ options: { orders: { type: "string", default: "500" } } });
const minOrders = Number(values.orders);
if (!(minOrders > 0)) {
	console.error("Usage: npm run cluster-drill [-- --orders 500]");
	process.exit(1);
}
const concurrency = 20;
/** Milliseconds. */
const timeout = 240_000;
const seed = 20261123;

const missing = findMissing(["patroni", "etcd", "haproxy", "pgbackrest", "ip", "iptables", "ss", "setpriv", "openssl", "curl"]);
const version = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql").sort().at(-1) : undefined;
if (missing.length > 0 || version === undefined || process.getuid?.() !== 0) {
	const packages = "patroni python3-idna etcd-server haproxy pgbackrest postgresql iptables iproute2 openssl curl";
	console.error(
		`This drill needs root, and ${[...missing, ...(version ? [] : ["PostgreSQL"])].join(", ") || "nothing else"}. On Debian: apt-get install ${packages}`,
	);
	process.exit(1);
}

const began = performance.now();
const progress = (text: string) => console.error(`… ${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${text}`);
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

await using undo = new AsyncDisposableStack();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
	process.once(signal, async () => {
		await undo.disposeAsync();
		process.exit(1);
	});
const folder = mkdtempSync(join(tmpdir(), "extrait-pro-cluster-"));
undo.defer(() => rmSync(folder, { recursive: true, force: true }));
const hosts = makeHosts(undo, { db1: 11, db2: 12, db3: 13, app1: 21, app2: 22 });
const databaseHosts = [hosts.db1, hosts.db2, hosts.db3];
const appHosts = [hosts.app1, hosts.app2] as const;

progress("three database hosts");
const databases = await startDatabaseHosts(undo, databaseHosts, folder, version);
backUp(databases, await leader());
progress("what the hosts answer to strangers");
const openDoors = await findOpenDoors(databases, databaseHosts, { member: hosts.db2, shop: hosts.app1 });

progress("two hosts of the shop");
const port = await freePort();
const url = `https://localhost:${port}`;
const certificate = makeCertificate(undo);
const partners = await startPartners(undo, url);
const partnerPorts = [partners.environment.STRIPE_API_BASE, partners.environment.SMTP_URL, partners.environment.S3_ENDPOINT].map(
	(address) => Number(new URL(address).port),
);
for (const partnerPort of partnerPorts) await startRelay(undo, `${outside}:${partnerPort}`, `127.0.0.1:${partnerPort}`);
const apps = await startApplicationHosts(undo, appHosts, {
	...{ databases, databaseHosts, partners: partnerPorts },
	environment: { ...partners.environment, ...withoutLimits, TRUSTED_PROXIES: "1" },
});
await startProxy(undo, "haproxy", { port, webs: appHosts.map(apps.getWebAddress), certificate });
const companies = await knownCompanies(await connection());

progress(`${minOrders} orders, searches, faults`);
const client = openClient(undo, url, 2 * concurrency);
/** A separate client, so that these requests do not queue behind those of customers. */
const probeClient = openClient(undo, url);
const rows: string[][] = [];
const halfOpen: string[] = [];
const searches: { ms: number; ok: boolean }[] = [];
let faultsEnded = false;
const customers: CustomerOrder[] = [];
const load = Promise.all([...Array.from({ length: concurrency }, order), search()]);
load.catch(() => {});
await wait(5000);
await injectFaults();
faultsEnded = true;
await load;
progress(`${customers.length} orders; waiting until all work is done`);
const left = await waitUntilQuiet(await connection(), partners.stripe, { timeout: 900_000, sweep: true });

progress("counting");
const books = await readShopBooks(await connection());
const environment = { ...partners.environment, DATABASE_URL: databases.getUrl([(await leader()).address]) };
const faults = {
	"doors that stand open": openDoors,
	"unfinished work": left === "" ? [] : [left],
	"dead connections that stayed open": halfOpen,
	...findFailures({
		...{ customers, shop: books, provider: readProviderBooks(partners.stripe), mailServer: partners.mails },
		damaged: await findDamaged(environment, books.documents),
	}),
	"answers that contradict the books": await findContradictions(client, customers, books),
	"differences that the nightly comparison finds": await reconcileLater(environment, readProviderBooks(partners.stripe)),
	"customers without a proper answer": customers.flatMap(({ email, way, complaints }) =>
		complaints.map((complaint) => `${email} (${way}): ${complaint}`),
	),
	"differences after the recovery to an instant": await recoverAfterAccident(),
};
printReport({ customers, orders: books.orders, searches: searches.length, rows, faults });
process.exitCode = Object.values(faults).some((cases) => cases.length > 0) ? 1 : 0;

async function leader(): Promise<Host> {
	for (const started = performance.now(); performance.now() - started < timeout; await wait(200)) {
		const host = await databases.leader();
		if (host) return host;
	}
	throw new Error(`no database host leads:\n${databaseHosts.map(databases.getLog).join("\n").slice(-5000)}`);
}

async function connection(): Promise<pg.ClientConfig> {
	return { connectionString: databases.getUrl([(await leader()).address]) };
}

async function order(): Promise<void> {
	while (!faultsEnded || customers.length < minOrders) {
		const number = customers.length;
		const placed = { email: "" } as CustomerOrder;
		customers.push(placed);
		Object.assign(placed, await playCustomer({ stripe: partners.stripe, shop: client, companies, seed }, number));
	}
}

/** Sends ten searches a second, without waiting for answers. */
async function search(): Promise<void> {
	for (let turn = 0; !faultsEnded; turn++) {
		const started = performance.now();
		const { name = "paris" } = companies[(turn * 7919) % companies.length] ?? {};
		void client.ask(`/api/entreprises?q=${encodeURIComponent(name)}`).then(
			({ status }) => searches.push({ ms: performance.now() - started, ok: status === 200 }),
			() => searches.push({ ms: performance.now() - started, ok: false }),
		);
		await wait(100);
	}
}

/** Waits until the given hosts, by default both, are ready. @returns the milliseconds. */
async function untilReady(waited: readonly Host[] = appHosts): Promise<number> {
	const started = performance.now();
	await Promise.all(waited.map(apps.untilReady));
	return performance.now() - started;
}

/** Injects one fault after another; each waits until all hosts work again. */
async function injectFaults(): Promise<void> {
	await measure("the leader is killed", async (recovered) => {
		const killed = await leader();
		await databases.kill(killed);
		await untilOtherLeader(killed);
		await untilReady();
		recovered();
		databases.start(killed);
	});
	await measure("the leader’s host is cut off for 60 s", async (recovered) => {
		const lost = await leader();
		lost.cutOff();
		const back = wait(60_000).then(() => lost.plugIn());
		await untilOtherLeader(lost);
		await untilReady();
		recovered();
		await back;
	});
	await measure("a host of the shop is cut off for 60 s", async (recovered) => {
		hosts.app1.cutOff();
		const back = wait(60_000).then(() => hosts.app1.plugIn());
		recovered(await untilServed());
		await back;
	});
	await measure("connections of a host to the database are half-open for 60 s", async (recovered) => {
		const countOpen = hosts.app2.silence(5432);
		const back = wait(60_000).then(() => hosts.app2.speak());
		let spoken = false;
		void back.then(() => {
			spoken = true;
		});
		// readiness is no proof: a check gets a new connection, while dead ones may stay open
		let open = countOpen();
		for (; open > 0 && !spoken; open = countOpen()) await wait(200);
		if (open > 0) halfOpen.push(`${open} connections were still open after 60 s`);
		await untilReady([hosts.app2]);
		recovered();
		await back;
	});
	await measure("200 ms more to and from the database for 30 s", async (recovered) => {
		recovered();
		for (const host of appHosts) apps.slowDown(host, 200);
		await wait(30_000);
		for (const host of appHosts) apps.slowDown(host, 0);
	});
}

/**
 * Measures how long a fault stopped the shop, how long all hosts needed to recover, and how many searches failed.
 * @param inject calls `recovered` once the shop works again; `at` is that instant (performance.now()) if it was earlier.
 */
async function measure(fault: string, inject: (recovered: (at?: number) => void) => Promise<void>): Promise<void> {
	progress(fault);
	const started = performance.now();
	const [before, ended] = [searches.length, apps.endings.length];
	let worksAgain = 0;
	await inject((at = performance.now()) => {
		worksAgain = at - started;
	});
	await databases.untilHealthy();
	await untilReady();
	const total = performance.now() - started;
	const affected = searches.slice(before);
	const times = affected.map(({ ms }) => ms);
	rows.push([
		...[fault, worksAgain > 1000 ? seconds(worksAgain) : "–", seconds(total)],
		`${affected.filter(({ ok }) => !ok).length} of ${affected.length}`,
		times.length > 0 ? `${percentile(times, 0.95).toFixed(0)} ms` : "–",
		// a process without a database for a minute ends and is restarted
		String(apps.endings.length - ended),
	]);
	await wait(5000);
}

/** Waits until another host leads. */
async function untilOtherLeader(before: Host): Promise<void> {
	for (const started = performance.now(); (await leader()).name === before.name; await wait(200))
		if (performance.now() - started > timeout) throw new Error(`${before.name} still leads`);
}

/** Waits until ten searches in a row succeed. @returns the instant of the first. */
async function untilServed(): Promise<number> {
	const started = performance.now();
	let since = started;
	for (let answered = 0; answered < 10; await wait(100)) {
		const answer = await probeClient.ask("/api/entreprises?q=paris").catch(() => null);
		if (answer?.status !== 200) answered = 0;
		else if (++answered === 1) since = performance.now();
		if (performance.now() - started > timeout) throw new Error("searches are not answered any more");
	}
	return since;
}

/** A table is dropped: the database is recovered as it was just before, to a separate server. @returns each difference. */
async function recoverAfterAccident(): Promise<string[]> {
	const before = await readShopBooks(await connection());
	const [{ instant }] = (await withClient(await connection(), (one) => one.query("select clock_timestamp()::text as instant"))).rows;
	await wait(1000);
	await withClient(await connection(), async (one) => {
		await one.query("drop table order_events cascade; update orders set status = 'failed'");
	});
	const host = databaseHosts.find(({ name }) => name !== "db1") ?? hosts.db2;
	(await leader()).run("psql", ["-qXc", "select pg_switch_wal()", "-h", join(folder, (await leader()).name), "postgres"], {
		user: "postgres",
	});
	progress(`recovering to ${instant}`);
	const { connection: recovered, ms } = await recoverTo(databases, host, { instant, version: version as string });
	rows.push(["a table is dropped: recovery to the instant before", seconds(ms), seconds(ms), "–", "–", "–"]);
	const after = await readShopBooks(recovered);
	const asText = (lines: readonly object[]) =>
		lines
			.map((line) => JSON.stringify(line))
			.sort()
			.join("\n");
	return Object.keys(before).filter((name) => asText(before[name as keyof typeof before]) !== asText(after[name as keyof typeof after]));
}
