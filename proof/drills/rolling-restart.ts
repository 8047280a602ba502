// npm run rolling-drill -- --proxy caddy|haproxy|both [--rounds 3] [--drain 5]
// Restarts the web processes of a production shop one after the other, behind the proxy configured by deploy/, while customers use it.
// No request may fail. Needs Debian's caddy, haproxy and openssl. `--drain 0` shows the failures without a drain; `--rounds 0` checks
// the rules of the proxies' files alone, and what one client can take from the others.
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { freePort } from "../../test/free-port.ts";
import { knownCompanies } from "../../test/known-companies.ts";
import { withClient } from "../../test/postgres.ts";
import { startBenchServer } from "../bench/database.ts";
import { startShop } from "../faults/shop.ts";
import { findMissing, makeCertificate, type ProxyName, proxyNames, startProxy } from "./proxies.ts";
import { checkRules } from "./proxy-rules.ts";
import { kinds, type SentRequest, sendLoad } from "./rolling-load.ts";
import { checkClientLimits } from "./slow-clients.ts";

const minRequests = 500;

/** Milliseconds, see docs/deployment.md: the proxy must see a process back before the next one drains. */
const betweenRestarts = 5000;

const { values } = parseArgs({
	options: {
		proxy: { type: "string", default: "both" },
		rounds: { type: "string", default: "3" },
		drain: { type: "string", default: "5" },
	},
});
const wanted = proxyNames.filter((name) => values.proxy === name || values.proxy === "both");
if (wanted.length === 0) fail("Usage: npm run rolling-drill -- --proxy caddy|haproxy|both [--rounds 3] [--drain 5]");
const missing = findMissing([...wanted, "openssl"]);
if (missing.length > 0) fail(`This drill needs ${missing.join(" and ")}. On Debian: apt-get install ${missing.join(" ")}`);

/** A production shop whose limits a single client does not reach. */
const production = {
	...{ APP_ENV: "production", ISSUER: "manual", TRUSTED_PROXIES: "1", DRAIN_SECONDS: values.drain },
	...{ SHOP_NAME: "Extraits & Cie", SHOP_LEGAL_ENTITY: "Extraits & Cie, SAS au capital de 1 000 €", SHOP_SIREN: "123 456 782" },
	...{ SHOP_ADDRESS: "2 rue du Port, 44000 Nantes", SHOP_RCS: "RCS Nantes", SHOP_VAT: "FR11123456782", SHOP_PHONE: "02 40 00 00 00" },
	...{ SHOP_EMAIL: "bonjour@example.fr", SHOP_SUPPORT_HOURS: "du lundi au vendredi, 9h-18h", SHOP_PUBLISHER: "Ada Martin, présidente" },
	OFFICIAL_PRICE_CHECKED: new Date().toISOString().slice(0, 10),
	SHOP_BACKUPS: "chiffrées et supprimées au bout de 35 jours",
	...{ SHOP_MEDIATOR: "Médiateur, mediateur.example.fr", SHOP_HOST: "Hébergeur SAS, 3 rue du Nuage, 59000 Lille, 03 20 00 00 00" },
	ORDER_LIMITS: "client=1000000,mailbox=1000000,shop=1000000",
	READ_LIMITS: "searches=1000000,suggestions=1000000,cities=1000000,pictures=1000000,sitemaps=1000000,orders=1000000",
};

await using undo = new AsyncDisposableStack();
const certificate = makeCertificate(undo);
const database = await startBenchServer(undo);
let failed = false;
for (const name of wanted) {
	if (!(await drillRules(name))) failed = true;
	if (Number(values.rounds) > 0 && !(await drillRestarts(name))) failed = true;
}
process.exitCode = failed ? 1 : 0;

async function drillRules(name: ProxyName): Promise<boolean> {
	await using own = new AsyncDisposableStack();
	const rules = [
		...(await checkRules(own, name, { port: await freePort(), certificate })),
		...(await checkClientLimits(own, name, { port: await freePort(), certificate })),
	];
	console.log(`\n${name}: the rules of its configuration`);
	for (const [rule, holds] of rules) console.log(`  ${holds ? "✓" : "✗"} ${rule}`);
	return rules.every(([, holds]) => holds);
}

async function drillRestarts(name: ProxyName): Promise<boolean> {
	await using own = new AsyncDisposableStack();
	const connection = await database.createFilled(`rolling_${name}`);
	const [port, ...webPorts] = [await freePort(), await freePort(), await freePort()];
	const shop = await startShop(own, connection, { url: `https://localhost:${port}`, webPorts, variables: production });
	const proxy = await startProxy(own, name, { port, webs: webPorts.map((web) => `127.0.0.1:${web}`), certificate });
	const web = shop.processes.filter(({ role }) => role === "web");
	let restarting = true;
	const restarts: { stop: number; start: number }[] = [];
	const load = sendLoad(proxy.url, await knownCompanies(connection), (sent) => !restarting && sent.length >= minRequests);
	for (let round = 0; round < Number(values.rounds); round++) {
		for (const process of web) {
			restarts.push(await process.restart());
			await wait(betweenRestarts);
		}
	}
	restarting = false;
	const sent = await load;
	const placed = sent.filter(({ kind, failure }) => kind === "POST order" && failure === null).length;
	const [{ stored }] = await withClient(connection, async (client) => {
		const { rows } = await client.query("select count(*)::integer as stored from orders");
		return rows as [{ stored: number }];
	});
	print(name, sent, restarts);
	if (stored !== placed) console.log(`  ✗ ${placed} orders were confirmed, the database has ${stored}`);
	const failures = sent.filter(({ failure }) => failure !== null);
	console.log(
		failures.length === 0 ? "  ✓ no request failed" : `  ✗ ${failures.length} of ${sent.length} requests failed; the proxy's log:`,
	);
	if (failures.length > 0) console.log(proxy.log().split("\n").filter(isNotAccessLog).slice(-20).join("\n"));
	return failures.length === 0 && stored === placed;
}

/** Whether a line of the proxy's log is not about a request. */
function isNotAccessLog(line: string): boolean {
	return line !== "" && !/http\.log\.access|^\{"at"/.test(line);
}

function print(name: ProxyName, sent: readonly SentRequest[], restarts: readonly { stop: number; start: number }[]): void {
	const seconds = (ms: readonly number[]) => `${(Math.min(...ms) / 1000).toFixed(1)}–${(Math.max(...ms) / 1000).toFixed(1)} s`;
	console.log(`\n${name}: ${restarts.length} restarts, ${values.drain} s of drain, ${sent.length} requests`);
	console.log(`  stop ${seconds(restarts.map(({ stop }) => stop))}, start ${seconds(restarts.map(({ start }) => start))}`);
	console.log("  kind            requests  failed    p50 ms    p95 ms");
	for (const kind of kinds) {
		const own = sent.filter((row) => row.kind === kind);
		const times = own.map(({ ms }) => ms).sort((a, b) => a - b);
		const at = (part: number) => (kind === "live page" ? "–" : (times[Math.floor(part * times.length)] ?? 0).toFixed(0));
		const failures = own.filter(({ failure }) => failure !== null);
		const cells = [own.length, failures.length, at(0.5), at(0.95)].map((cell) => String(cell).padStart(8)).join("  ");
		console.log(`  ${kind.padEnd(14)}  ${cells}`);
		for (const failure of new Set(failures.map((row) => row.failure))) console.log(`      ${failure}`);
	}
}

function fail(sentence: string): never {
	console.error(sentence);
	process.exit(1);
}
