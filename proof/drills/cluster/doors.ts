import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import pg from "pg";
import type { DatabaseHosts } from "./database-hosts.ts";
import type { Host } from "./namespaces.ts";

/** What the database hosts answer to someone without the right certificate, address or password. */

interface PatroniRequest {
	/** The folder of create-certificates.sh. */
	certificates: string;
	address: string;
	path: string;
	method?: string;
	/** Whose certificate is shown; without a name, none. */
	as?: string;
	password?: string;
	body?: string;
	port?: number;
}

/** @returns the status. @throws when the connection is refused. */
export async function askPatroni({ certificates, address, path, method = "GET", as, password, body, port = 8008 }: PatroniRequest) {
	const read = (file: string) => readFileSync(join(certificates, file));
	const sent = request({
		...{ host: address, port, path, method, agent: false, timeout: 2000, ca: read("ca.pem") },
		...(as === undefined ? {} : { cert: read(`${as}.pem`), key: read(`${as}.key`) }),
		headers: password === undefined ? {} : { authorization: `Basic ${btoa(`patroni:${password}`)}` },
	});
	sent.on("timeout", () => sent.destroy(new Error("timeout"))).end(body);
	const [response] = await once(sent, "response");
	response.resume();
	return response.statusCode as number;
}

/** What an intruder would send first: a command that PostgreSQL runs for each segment of its log. */
const order = { method: "PATCH", path: "/config", body: JSON.stringify({ postgresql: { parameters: { archive_command: "false" } } }) };

/**
 * Closes the ports of deploy/cluster/README.md by its firewall, and tries each of them.
 * @returns what was answered although it must be refused.
 */
export async function findOpenDoors(
	databases: DatabaseHosts,
	hosts: readonly Host[],
	{ member, shop }: { member: Host; shop: Host },
): Promise<string[]> {
	const { certificates, patroniPassword: password } = databases;
	const [host] = hosts as [Host];
	const { address } = host;
	const foreign = "stranger";
	const made = spawnSync("sh", ["deploy/cluster/create-certificates.sh", join(certificates, foreign), `${foreign}=10.77.0.1`]);
	if (made.status !== 0) throw new Error(String(made.stderr));
	const open: string[] = [];
	/** Expects the connection itself to be refused, by TLS, or one of these statuses. */
	async function expectRefusal(what: string, asked: Promise<number | string>, statuses: readonly number[] = []): Promise<void> {
		const answer = await asked.catch(() => null);
		if (answer !== null && !statuses.includes(answer as number)) open.push(`${what}: ${answer}`);
	}
	const ask = (more: Partial<PatroniRequest>) => askPatroni({ certificates, address, path: "/", ...more });
	const asStranger = { certificates: join(certificates, foreign), as: foreign };

	await expectRefusal("Patroni answers without a certificate", ask({}));
	await expectRefusal("Patroni takes an order without a certificate", ask({ ...order, password }));
	await expectRefusal("Patroni takes an order with a foreign certificate", askUnverified({ ...order, ...asStranger, address, password }));
	// from the address of this machine, which is no member
	await expectRefusal("Patroni takes an order from another address", ask({ ...order, as: member.name, password }), [403]);
	const fromMember = (credentials: string[]) => curl(member, host, certificates, credentials);
	await expectRefusal("Patroni takes an order without the password", fromMember([]), [401]);
	await expectRefusal("Patroni takes an order with a wrong password", fromMember(["--user", "patroni:wrong"]), [401]);
	// the drill itself must be able to see an order that is taken
	const taken = await fromMember(["--user", `patroni:${password}`]);
	if (taken !== 200) throw new Error(`Patroni refuses a member with the password: ${taken}`);

	for (const port of [2379, 2380]) {
		await expectRefusal(`etcd answers at ${port} without a certificate`, ask({ port, path: "/version" }));
		await expectRefusal(
			`etcd answers at ${port} to a foreign certificate`,
			askUnverified({ ...asStranger, address, port, path: "/version" }),
		);
		await expectRefusal(
			`etcd answers at ${port} in clear`,
			fetch(`http://${address}:${port}/version`, { signal: AbortSignal.timeout(2000) }).then(({ ok, status }) =>
				ok ? "ok" : Promise.reject(status),
			),
		);
	}

	const shopUrl = databases.getUrl([address]);
	await expectRefusal(
		"PostgreSQL takes a connection in clear",
		connect(shopUrl.replace("sslmode=verify-full", "sslmode=disable").replace(/&sslrootcert=[^&]*/, "")),
	);
	const unsafe = shopUrl.replace("/shop?", "/postgres?");
	await expectRefusal("PostgreSQL opens another database to the shop", connect(unsafe));
	const superuser = databases.getEnvironment(host).PATRONI_SUPERUSER_PASSWORD;
	await expectRefusal("PostgreSQL takes its superuser over the network", connect(unsafe.replace(/shop:\w+@/, `postgres:${superuser}@`)));
	await expectRefusal("the shop trusts a foreign certificate", connect(shopUrl.replace("/ca.pem", `/${foreign}/ca.pem`)));

	for (const each of hosts) {
		// this machine watches the cluster
		each.run("iptables", ["-A", "INPUT", "-s", "10.77.0.1", "-j", "ACCEPT"]);
		for (const rule of readFirewall()) each.run("iptables", rule);
	}
	const reaches = (port: number) =>
		shop
			.run("sh", [
				"-c",
				`timeout 2 openssl s_client -connect ${address}:${port} </dev/null 2>/dev/null | grep -q CONNECTED && echo yes || echo no`,
			])
			.trim();
	for (const port of [2379, 2380, 8008]) if (reaches(port) === "yes") open.push(`a host of the shop reaches port ${port}`);
	return open;
}

/** The firewall's lines of the README, without the program's name. */
const readFirewall = (): string[][] =>
	[...readFileSync("deploy/cluster/README.md", "utf8").matchAll(/^ *iptables (.+)$/gm)].map(([, words = ""]) => words.split(" "));

/** As a stranger who does not care whom they ask. */
async function askUnverified({ certificates, address, path, method = "GET", as, port = 8008, body }: PatroniRequest): Promise<number> {
	const read = (file: string) => readFileSync(join(certificates, file));
	const identity = { cert: read(`${as}.pem`), key: read(`${as}.key`), rejectUnauthorized: false };
	const sent = request({ host: address, port, path, method, agent: false, timeout: 2000, ...identity });
	sent.on("timeout", () => sent.destroy(new Error("timeout"))).end(body);
	const [response] = await once(sent, "response");
	response.resume();
	return response.statusCode as number;
}

/** Sends an order that changes nothing from another host, with its certificate. @returns the status. */
async function curl(from: Host, to: Host, certificates: string, credentials: string[]): Promise<number> {
	const files = ["--cacert", "ca.pem", "--cert", `${from.name}.pem`, "--key", `${from.name}.key`].map((word) =>
		word.startsWith("--") ? word : join(certificates, word),
	);
	const sent = ["--silent", "--output", "/dev/null", "--write-out", "%{http_code}", "--request", "PATCH", "--data", '{"ttl": 20}'];
	return Number(from.run("curl", [...sent, ...files, ...credentials, `https://${to.address}:8008/config`]));
}

async function connect(connectionString: string): Promise<string> {
	const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2000 });
	client.on("error", () => {});
	try {
		await client.connect();
		return "connected";
	} finally {
		await client.end().catch(() => {});
	}
}
